/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/tile - distances of the pairs of rows of two tiles, in units of
 * immigrate/rows.h.  D is |x - z|, feature by feature.
 */
#ifndef KITH_IMMIGRATE_TILE_H
#define KITH_IMMIGRATE_TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_immigrate_data;
struct kith_pool;

enum { KITH_IMMIGRATE_BLOCK = 256 }; /* pairs of rows of a call of BLAS */

/* One of the three. */
struct kith_immigrate_metric {
	const double *w; /* ld: d = sum_j w_j D_j, or w_j D_j^2 */
	bool squared;
	const double *W; /* p x p, p <= SMALL: d = D' W D */

	/* d = sum_i sign_i (R_i' D)^2, R being r x ld with 0 from p on. */
	const double *R, *sign;
	size_t r;
};

/* Scratch of one thread. */
struct kith_immigrate_tile_room {
	double *B; /* BLOCK x ld, or p x TILE */
	double *Y; /* BLOCK x ld */
};

struct kith_immigrate_tile_room kith_immigrate_tile_room_new(
    const struct kith_immigrate_data *data, struct kith_pool *pool);

/*
 * d (TILE x TILE): row i, column j receives the distance of row i of tile I
 * and row j of tile J, I <= J, 0 on the diagonal of I = J; what is beyond the
 * rows of the last tile is of no use.  The same bytes at every call.
 * Time O(TILE^2 p r), with w O(TILE^2 p).
 */
void kith_immigrate_tile(const struct kith_immigrate_data *data,
    const struct kith_immigrate_metric *metric, size_t I, size_t J,
    struct kith_immigrate_tile_room *room, double *d);

/*
 * Of a factor whose signs are 1: the negative of (R_1' D)^2, which d is not below.
 */
void kith_immigrate_tile_first(const struct kith_immigrate_data *data,
    const struct kith_immigrate_metric *metric, size_t I, size_t J, double *d);

/* Of a factor: the distances of n pairs, k TILE + l of row k of I and l of J. */
void kith_immigrate_tile_some(const struct kith_immigrate_data *data,
    const struct kith_immigrate_metric *metric, size_t I, size_t J, size_t n, const uint16_t *at,
    struct kith_immigrate_tile_room *room, double *d);

/* The same of n pairs of rows i, j: d (n). */
void kith_immigrate_tile_pairs_of(const struct kith_immigrate_data *data,
    const struct kith_immigrate_metric *metric, size_t n, const size_t *i, const size_t *j,
    struct kith_immigrate_tile_room *room, double *d);

/* D (ld) of two rows of ld numbers. */
void kith_immigrate_diff(size_t ld, const double *x, const double *z, double *D);

/* D of row i and the rows of tile J: p x TILE; p <= SMALL. */
void kith_immigrate_diffs(const struct kith_immigrate_data *data, size_t i, size_t J, double *D);

#endif
