/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/fit - knife/knife.h on tables (knife/rows.h): searches for weights from
 * several starts, and the kernel machines of the weights.
 */
#ifndef KITH_KNIFE_FIT_H
#define KITH_KNIFE_FIT_H

#include "knife/problem.h"
#include "knife/rows.h"
#include "table/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_machine;
struct kith_out;
struct kith_pool;

struct kith_knife_fit_how {
	struct kith_knife_problem like; /* all but X, Y, c and lambda2 */
	struct kith_knife_how how;
	size_t restarts; /* more starts, at random */
	uint64_t seed;
	bool prove; /* ask knife/check.h what a search came to, and mend it */
	int scale;  /* KITH_UNIT_NONE, or how the rows of a fit are scaled */
};

/* A problem, and the best that was found for it. */
struct kith_knife_fitted {
	struct kith_knife_problem problem;
	struct kith_mat X;        /* scaled, where how->scale says so, */
	struct kith_unit unit;    /* by these rows alone; else of p = 0 */
	const size_t *row;        /* n: of the table, NULL: all */
	double *Y, *mean;         /* c columns of n; c */
	double *weight;           /* n, or NULL */
	double *start;            /* p: as given first */
	double *w, *alpha, *bias; /* p, c columns of n, c */

	struct kith_knife_fit fit; /* of the search that found it, as mended */
	bool converged;            /* how->prove: knife/check.h says yes */
	size_t evaluations;        /* of all searches */
	size_t missed;             /* of them did not converge */
	double worst;              /* the largest objective of a search */
};

/*
 * Make the problem of n rows of the table (row NULL: of all), of weights above
 * 0, in the pool.  It
 * has no start yet.  Fails with EX_DATAERR, naming the column, where scaled
 * features do not fit a double.
 */
int kith_knife_fitted_new(const struct kith_knife_rows *rows, const struct kith_knife_fit_how *how,
    const size_t *row, size_t n, struct kith_knife_fitted *fit, struct kith_pool *pool,
    struct kith_err *err);

/* Start from the weights w (p) of the features as they are in fit->X. */
void kith_knife_fitted_start(struct kith_knife_fitted *fit, const double *w);

/*
 * k >= 2 values of lambda2 at equal ratios, up to *most, from which on all
 * weights are 0 from the start of fit on, and from a thousandth of it.  Fails
 * as kith_knife_ceiling(), and where that is 0 or no number.
 */
int kith_knife_fitted_grid(const struct kith_knife_rows *rows, const struct kith_knife_fit_how *how,
    struct kith_knife_fitted *fit, size_t k, double *lambda2, double *most, struct kith_err *err);

/*
 * Search for the weights at a lambda2 from fit->w, and how->restarts times from
 * p numbers in [0, 1), stream 1, 2, ... of KITH_RNG_START (base/rng.h); keep
 * those of the lowest objective, of equal ones the first.  With how->prove,
 * what the check with the first start does not pass is mended (knife/mend.h),
 * as far as how->how.max_iter allows.  Fails as kith_knife().
 */
int kith_knife_fit_at(struct kith_knife_fitted *fit, const struct kith_knife_fit_how *how,
    double lambda2, struct kith_err *err);

/* Copy what was found (w, alpha, bias, and the numbers), in the pool. */
struct kith_knife_fitted kith_knife_fitted_copy(
    const struct kith_knife_fitted *fit, struct kith_pool *pool);

/* The number of weights that are not 0, but for those of scaled constants. */
size_t kith_knife_fitted_features(const struct kith_knife_fitted *fit);

/*
 * The weights in the units of the input, into w (p).  Fails with EX_DATAERR,
 * naming the column, where one does not fit a double.
 */
int kith_knife_fitted_weights(const struct kith_knife_rows *rows,
    const struct kith_knife_fitted *fit, double *w, struct kith_err *err);

/* The kind of weights that a kernel takes. */
enum kith_metric_kind kith_knife_kind(enum kith_knife_kernel kernel);

/*
 * The machine of what was found, of rows as they are in fit->X: those whose
 * coefficients are not all 0.
 */
void kith_knife_fitted_machine(const struct kith_knife_rows *rows,
    const struct kith_knife_fitted *fit, struct kith_machine *machine, struct kith_pool *pool);

/* Write it, as machine/write.h does, and close the file. */
int kith_knife_fitted_save(const struct kith_knife_rows *rows, const struct kith_knife_fitted *fit,
    struct kith_out *out, struct kith_pool *pool, struct kith_err *err);

#endif
