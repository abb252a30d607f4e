/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/trials - how the solutions of a path do on rows that they were not
 * fitted to (knife/cv.h), and which of them is the best (table/trial.h).
 */
#ifndef KITH_KNIFE_TRIALS_H
#define KITH_KNIFE_TRIALS_H

#include "knife/cv.h"

struct kith_knife_trials {
	const struct kith_knife_rows *rows;
	struct kith_trial_form form;
	struct kith_knife_cv_asked asked; /* rows to predict; t NULL: parts */
	struct kith_knife_cv_plan plan;   /* of these */
	double *loss;                     /* k x n */
	size_t missed;                    /* searches not converged */

	size_t n;                        /* solutions that were added, */
	struct kith_trial *trial;        /* their trials, */
	bool keep;                       /* and, if that says so, */
	struct kith_knife_fitted *found; /* themselves */
	size_t room[2];                  /* of these two */
};

/* No trials yet; keep: all solutions, so that one can be chosen. */
struct kith_knife_trials kith_knife_trials_new(const struct kith_knife_rows *rows, bool keep);

/*
 * Deal the rows into parts (table/parts.h), and predict each part from the
 * others at the k values of lambda2, from the start w (p).  Fails as
 * kith_parts_deal() and kith_knife_cv() do.
 */
int kith_knife_trials_deal(struct kith_knife_trials *trials, const struct kith_knife_fit_how *how,
    size_t parts, const double *lambda2, size_t k, const double *w, struct kith_pool *pool,
    struct kith_err *err);

/*
 * Judge the next solution, a fit of all rows; returns its trial, or NULL, as
 * kith_knife_cv_judge() fails.  In the pool.
 */
const struct kith_trial *kith_knife_trials_add(struct kith_knife_trials *trials,
    const struct kith_knife_fitted *fit, size_t threads, struct kith_pool *pool,
    struct kith_err *err);

#endif
