/* SPDX-License-Identifier: BSD-2-Clause */
/* immigrate/start - the weights that immigrate's iteration starts from. */
#ifndef KITH_IMMIGRATE_START_H
#define KITH_IMMIGRATE_START_H

#include "table/needs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_immigrate_unit;
struct kith_pool;

/* The identity of Frobenius norm 1 (p x p); 1/p each, of sum 1 (p). */
void kith_immigrate_start_identity(size_t p, double *W);
void kith_immigrate_start_uniform(size_t p, double *w);

/*
 * Numbers in [0, 1), row by row on the upper triangle, mirrored below it, of
 * Frobenius norm 1 (p x p), from stream `index` of KITH_RNG_START
 * (base/rng.h); p of them, of sum 1, from its stream 0.
 */
void kith_immigrate_start_random(uint64_t seed, uint64_t index, size_t p, double *W);
void kith_immigrate_start_draw(uint64_t seed, size_t p, double *w);

/*
 * Divide len numbers by the norm: Frobenius of a matrix, the sum of a vector;
 * where that is 0 nothing changes.  Requires that squares fit a double.
 */
void kith_immigrate_normalise(size_t len, bool matrix, double *W);

/*
 * Divide the n numbers of a matrix by the root of the sum of their squares,
 * those of a vector (which are >= 0) by their sum; -1, and nothing is done,
 * where all are 0.
 */
int kith_immigrate_start_norm(size_t n, bool matrix, double *W);

/*
 * Read a start from a table of weights of the p features of a unit
 * (table/weights.h), in the units of the input: a vector (p), or a symmetric
 * matrix of any sign (p x p).  Fails as kith_weights_read_full() and
 * immigrate/unit.h do, where it is the other kind of table, and where all
 * weights are 0.
 */
int kith_immigrate_start_read(const char *file, const struct kith_immigrate_unit *unit, bool vector,
    double *W, struct kith_err *err);

/* What is to be judged, of the scaled features. */
struct kith_immigrate_judged {
	struct kith_needs needs;
	double *W; /* p, or p x p */
	size_t p;
	size_t *column; /* of these features; NULL: all */
};

/*
 * Read such a table, in which a pair may be named in both orders: a vector, or
 * a matrix, with `named` of the features alone that the table names.  In the
 * pool.  Fails as above.
 */
int kith_immigrate_start_judged(const char *file, const struct kith_immigrate_unit *unit,
    bool vector, bool named, struct kith_immigrate_judged *judged, struct kith_pool *pool,
    struct kith_err *err);

#endif
