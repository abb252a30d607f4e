/*
 * immigrate/fit - from rows to weights by one of the methods of
 * immigrate/immigrate.h, with a selection of features where that is part of it.
 */
#ifndef KITH_IMMIGRATE_FIT_H
#define KITH_IMMIGRATE_FIT_H

#include "immigrate/problem.h"
#include "near/metric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_pool;

enum kith_fit_method {
	KITH_FIT_IMMIGRATE,
	KITH_FIT_IM4E,
	KITH_FIT_SELECTED /* immigrate on the features that im4e selects */
};

enum kith_fit_start { KITH_FIT_IDENTITY, KITH_FIT_RANDOM, KITH_FIT_GIVEN };

struct kith_fit_how {
	enum kith_fit_method method;
	struct kith_immigrate_how how; /* threshold < 0: 1 / features */
	enum kith_fit_start start;
	const double *given; /* p x p of norm 1; a vector: p, of sum 1 */
	uint64_t seed;       /* of a random start, stream 0 */
	bool weights_above;  /* select features of weights above */
	double select;       /* this, else above 1/p */
	size_t most;         /* and so many at most, >= 1 */
};

struct kith_fit {
	struct kith_metric metric; /* the weights, in the pool */
	size_t *column;            /* of these features; NULL: all */
	struct kith_immigrate_fit fit, select; /* select: of im4e before it */
};

/* How to solve for rows of p features: how->how, its threshold as it is. */
struct kith_immigrate_how kith_fit_solver(
    const struct kith_fit_how *how, size_t p);

/*
 * The features that im4e gives a weight above how->select or 1/p, at most
 * how->most of the largest, of equal ones the first: their columns, in order,
 * into *column, and weights, into *w (both in the pool); *fit tells of im4e.
 * Returns their number.  Fails with EX_DATAERR when there is none.
 */
long kith_fit_select(const struct kith_immigrate_rows *rows,
    const struct kith_fit_how *how, size_t **column, double **w,
    struct kith_immigrate_fit *fit, struct kith_pool *pool,
    struct kith_err *err);

/* Fit weights to the rows.  Fails as kith_fit_select() does. */
int kith_fit_immigrate(const struct kith_immigrate_rows *rows,
    const struct kith_fit_how *how, struct kith_fit *out,
    struct kith_pool *pool, struct kith_err *err);

#endif
