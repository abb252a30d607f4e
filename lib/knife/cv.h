/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/cv - how machines of knife/fit.h do on rows that they were not fitted
 * to: those of another table, or those of each part of their own in turn.
 *
 * The loss of a row is 1 where a wrong class is predicted, else 0; of a number
 * the difference, of which table/trial.h takes the square; NaN where the target
 * is missing, and the row does not count.
 */
#ifndef KITH_KNIFE_CV_H
#define KITH_KNIFE_CV_H

#include "knife/fit.h"
#include "table/trial.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_table;

/* Rows to predict. */
struct kith_knife_cv_asked {
	const struct kith_table *t; /* p features, as the rows learnt from */
	const size_t *y;            /* classes of these; KITH_NO_CLASS: missing */
};

/*
 * Take the rows of a validation table, read with that of the rows.  A class
 * that these lack is always predicted wrong.  Fails with EX_DATAERR, naming the
 * file, where it has no targets, or all are missing.
 */
int kith_knife_cv_take(const struct kith_knife_rows *rows, const struct kith_table *validation,
    struct kith_knife_cv_asked *asked, struct kith_pool *pool, struct kith_err *err);

/* The columns of trials (table/trial.h): lambda2, and features. */
struct kith_trial_form kith_knife_cv_form(const struct kith_knife_rows *rows);

/*
 * What a fit came to on the rows asked, each a part of its own.  With how->scale
 * these are scaled by the rows of the fit.  Fails with EX_DATAERR where an
 * output is no number, or a scaled feature.
 */
int kith_knife_cv_judge(const struct kith_knife_rows *rows, const struct kith_knife_fitted *fit,
    const struct kith_knife_cv_asked *asked, size_t threads, struct kith_trial *trial,
    struct kith_err *err);

/* A path for each part of the rows. */
struct kith_knife_cv_plan {
	const size_t *part; /* n: 0..parts-1 */
	size_t parts;
	const double *lambda2; /* k, in the order of the path */
	size_t k;
	const double *w; /* p: the first start, of features as a fit has them */
};

/*
 * The losses of the rows at each lambda2 (k times n): those of a part are
 * predicted by the machines of all others, each of which is fitted from the
 * weights of the one before.  *missed becomes the number of searches that did
 * not converge.  Fails as kith_knife_fit_at() does, and where a part has all
 * rows.
 */
int kith_knife_cv(const struct kith_knife_rows *rows, const struct kith_knife_fit_how *how,
    const struct kith_knife_cv_plan *plan, double *loss, size_t *missed, struct kith_err *err);

/* The trial of all rows that such losses make, with the features of a fit. */
void kith_knife_cv_sum(const struct kith_knife_rows *rows, const struct kith_knife_fitted *fit,
    const struct kith_knife_cv_plan *plan, const double *loss, struct kith_trial *trial);

#endif
