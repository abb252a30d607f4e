/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/rows - labelled rows, made ready for the sums over all pairs of
 * rows.
 *
 * Rows are sorted by class, those of a class in their order, so that the hits
 * of a row are a range without itself.  They are divided by a power of two
 * near the largest range of a feature, so that squares of any data fit a
 * double; constant features, which differ nowhere, are 0.  Rows are cut into
 * tiles, and pairs of rows into pairs of tiles I <= J, numbered row by row.
 */
#ifndef KITH_IMMIGRATE_ROWS_H
#define KITH_IMMIGRATE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

struct kith_immigrate_rows;
struct kith_pool;

enum {
	KITH_IMMIGRATE_TILE = 64,  /* rows of a tile */
	KITH_IMMIGRATE_SMALL = 24, /* up to so many features loops beat BLAS */
};

struct kith_immigrate_data {
	size_t n, p, c;
	size_t ld;      /* p, rounded up to a multiple of 8 */
	double *X;      /* n x ld, with 0 behind each row */
	size_t *y;      /* n classes, in increasing order */
	size_t *start;  /* c + 1: first row of each class */
	size_t *row;    /* n: which of the rows given */
	double *weight; /* n */
	double total;   /* of the weights */
	int unit;       /* what X is divided by: 2^unit */
	size_t tiles;
	double *columns; /* p <= SMALL: p x TILE for each tile, or NULL */
};

/*
 * Everything is in the pool.  Time and memory O(n p).
 */
struct kith_immigrate_data kith_immigrate_data_new(
    const struct kith_immigrate_rows *rows, struct kith_pool *pool);

/* How many pairs of tiles there are, and which the t-th is. */
size_t kith_immigrate_tile_pairs(const struct kith_immigrate_data *data);
void kith_immigrate_tile_pair(
    const struct kith_immigrate_data *data, size_t t, size_t *I, size_t *J);

/* The rows of tile I: from I * TILE on, so many. */
static inline size_t
kith_immigrate_tile_rows(const struct kith_immigrate_data *data, size_t I)
{
	const size_t left = data->n - I * KITH_IMMIGRATE_TILE;

	return left < KITH_IMMIGRATE_TILE ? left : KITH_IMMIGRATE_TILE;
}

/*
 * How far from a fixed point weights may be that a tolerance of C lets pass, by
 * the measure of immigrate/check.h, gap = tr(Sigma (W - V)) / |Sigma|.
 *
 * That C stands still bounds the gap only together with how fast W does.  Near
 * a fixed point where an iteration takes W - W* to -rho (W - W*), the worst
 * direction, W - V is (1 + rho) (W - W*), so that the gap is (1 + rho)^2 |W -
 * W*|^2 / 2, while C falls by a part 1 - rho^2 of what it is above C*, which is
 * about |W - W*|^2 / 2 too, in units of |Sigma|: their ratio is (1 + rho) /
 * (1 - rho).  So |dC| <= tol gives gap <= 100 tol where rho <= .98.  Where W is
 * slower the iteration goes on until the gap says so itself.
 *
 * In the C of the package W does not occur, and its tolerance is not relative;
 * where its rule ends an iteration on data of ordinary scale the gap is far
 * below a hundredth of that.
 */
static inline double
kith_immigrate_limit(double tol, bool package)
{
	const double limit = package ? tol / 100 : tol * 100;

	return limit > 1e-12 ? limit : 1e-12; /* rounding */
}

#endif
