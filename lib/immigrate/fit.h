/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/fit - from rows to weights by one of the methods of
 * immigrate/immigrate.h, with a selection of features where that is part of it.
 */
#ifndef KITH_IMMIGRATE_FIT_H
#define KITH_IMMIGRATE_FIT_H

#include "immigrate/check.h"
#include "immigrate/problem.h"
#include "immigrate/sigma.h"
#include "near/metric.h"

#include <stdint.h>

struct kith_boost_count;
struct kith_boost_how;
struct kith_ensemble;
struct kith_err;
struct kith_immigrate_unit;
struct kith_pool;

enum kith_immigrate_fit_method {
	KITH_IMMIGRATE_FIT_IMMIGRATE,
	KITH_IMMIGRATE_FIT_IM4E,
	KITH_IMMIGRATE_FIT_SELECTED /* on the features that im4e selects */
};

enum kith_immigrate_fit_start {
	KITH_IMMIGRATE_FIT_IDENTITY,
	KITH_IMMIGRATE_FIT_RANDOM,
	KITH_IMMIGRATE_FIT_GIVEN
};

struct kith_immigrate_fit_how {
	enum kith_immigrate_fit_method method;
	struct kith_immigrate_how how; /* threshold < 0: 1 / features;
					  monotone: matrices alone; sigma 0: of
					  the rows (immigrate/sigma.h) */
	enum kith_immigrate_fit_start start;
	const double *given; /* p x p of norm 1; a vector: p, of sum 1 */
	uint64_t seed;       /* of a random start, stream 0 */
	bool weights_above;  /* select features of weights above */
	double select;       /* this, else above 1/p */
	size_t most;         /* and so many at most, >= 1 */
};

/* Read --threshold auto|X, into how->how; -1: it is none. */
int kith_immigrate_fit_threshold(const char *text, struct kith_immigrate_fit_how *how);

struct kith_immigrate_fitted {
	struct kith_metric metric;             /* the weights, in the pool */
	size_t *column;                        /* of these features; NULL: all */
	struct kith_immigrate_sigma sigma;     /* unit 0: as it was given */
	struct kith_immigrate_fit fit, select; /* select: of im4e before it */
};

/*
 * Fit weights to the rows.  Selected are the features that im4e gives a weight
 * above how->select or 1/p, at most how->most of the largest, of equal ones the
 * first.  Fails with EX_DATAERR when there is none.
 */
int kith_immigrate_fit_run(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_fit_how *how, struct kith_immigrate_fitted *out,
    struct kith_pool *pool, struct kith_err *err);

/*
 * Of a fit of scaled rows, drop the weights of constant features, which belong
 * to no unit.  Where some were not 0, the others are normalised again, and the
 * fit counts as open: to be judged.
 */
void kith_immigrate_fit_settle(const struct kith_immigrate_unit *unit,
    struct kith_immigrate_fitted *fit, struct kith_pool *pool);

/*
 * Train an ensemble (immigrate/boost.h) on all features, or with
 * KITH_IMMIGRATE_FIT_SELECTED on those that im4e selects; *select then tells of
 * im4e, to which fit->start applies.  Otherwise learners start as fit->start
 * says: the identity, at random, or what is given.  In *boost, of inner
 * max_iter alone is read (the rest is fit->how) and start is not.  Fails as
 * kith_boost() and kith_immigrate_fit_run() do.
 */
int kith_immigrate_fit_boost(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_fit_how *fit, const struct kith_boost_how *boost,
    struct kith_ensemble *ensemble, struct kith_boost_count *count,
    struct kith_immigrate_fit *select, struct kith_pool *pool, struct kith_err *err);

/*
 * The one judgement of the status of a fit and of --check, by
 * immigrate/check.h, at how->how.sigma > 0: check the weights W of the features of the rows, all or
 * those that were selected; a matrix p x p, or for im4e p numbers.  Returns the
 * number of checks in out.
 */
size_t kith_immigrate_judge(const struct kith_immigrate_fit_how *how,
    const struct kith_immigrate_rows *rows, const double *W,
    struct kith_check out[KITH_CHECK_IMMIGRATE]);

/*
 * Whether all checks of a fit of these rows hold.  They are computed only where
 * the fit is not sure of them, and left it open.
 */
bool kith_immigrate_judge_fit(const struct kith_immigrate_fit_how *how,
    const struct kith_immigrate_rows *rows, const struct kith_immigrate_fitted *fit);

#endif
