/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/boost - an ensemble of weak learners of immigrate (BIM: Zhao, Ni et
 * al., IMMIGRATE, algorithm 3), for any number K of classes that have rows.
 *
 * Learner t = 0, 1, ... starts from weights of its own, and minimises eq.
 * (3.14) with row weights D in a few iterations, at sigma_t = most
 * (least / most)^(t / T).  It predicts each row from the others by expected
 * distance (near/expect.h), and e is the weight of the rows that it gets wrong.
 * It is dropped where e >= 1 - 1/K or e = 0, else it has
 *
 *	alpha = (log((1 - e) / e) + log(K - 1)) / 2,
 *
 * and D becomes D exp(alpha) in the rows that were wrong, of sum 1 again.
 *
 * Where all were dropped, but some for e = 0, that of the largest sigma is kept
 * with alpha = log(2 n - 1) / 2, as if it got half a row wrong.
 */
#ifndef KITH_IMMIGRATE_BOOST_H
#define KITH_IMMIGRATE_BOOST_H

#include "immigrate/problem.h"
#include "table/ensemble.h"

#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_pool;

struct kith_boost_how {
	struct kith_immigrate_how inner; /* of a learner, but for sigma */
	size_t learners;                 /* T >= 1 */
	double most, least;              /* sigma: most >= least > 0 */
	uint64_t seed;
	const double *start; /* p x p, of norm 1; NULL: random (immigrate/start.h) */
};

/* Read --sigma-range X:Y, X >= Y > 0, into most and least; -1: it is none. */
int kith_boost_range(const char *text, struct kith_boost_how *how);

struct kith_boost_count {
	size_t kept, perfect, useless; /* learners: e = 0; e >= 1 - 1/K */
};

/*
 * Rows as kith_immigrate() takes them; their weights, or 1/n, are the first D.
 * The learners kept, numbered t + 1, go to *ensemble, in the pool.  Fails with
 * EX_DATAERR when none is.  Time: T times that of kith_immigrate() and of a
 * prediction, O(n^2 p^2).
 */
int kith_boost(const struct kith_immigrate_rows *rows, const struct kith_boost_how *how,
    struct kith_ensemble *ensemble, struct kith_boost_count *count, struct kith_pool *pool,
    struct kith_err *err);

#endif
