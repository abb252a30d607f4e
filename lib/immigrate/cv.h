/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/cv - how often weights of immigrate, with prediction by expected
 * distance, go wrong on rows that they were not fitted to, for several sigma.
 */
#ifndef KITH_IMMIGRATE_CV_H
#define KITH_IMMIGRATE_CV_H

#include "immigrate/fit.h"

#include <stddef.h>

struct kith_dest;
struct kith_err;
struct kith_origin;
struct kith_out;
struct kith_trial;
struct kith_trial_form;

struct kith_immigrate_cv_plan {
	const size_t *part; /* n: 0..parts-1 */
	size_t parts;
	const double *sigma; /* k of them are tried; 0: that of the rows learnt from */
	size_t k;
	int scale;                      /* KITH_UNIT_NONE, or scale the rows outside of a part, and
		      the part by them (table/unit.h) */
	const struct kith_origin *from; /* of the rows */
};

/* How fits ended: in all; 2-cycles; kept at the start; at the limit. */
struct kith_immigrate_cv_ends {
	size_t fits, cycles, kept, limits;
};

/* The columns of trials (table/trial.h): sigma, or the word auto. */
extern const struct kith_trial_form kith_immigrate_cv_form;
extern const struct kith_trial_form kith_immigrate_cv_auto;

/* Write trials; those of one sigma of 0 say auto. */
int kith_immigrate_cv_table(const struct kith_trial *trial, size_t k, const struct kith_dest *to,
    struct kith_out *out, struct kith_err *err);

/*
 * For each sigma: fit weights to the rows outside of each part and predict those
 * inside from them, into trial (k).  A part is skipped when it has no row; where
 * the rows outside are of one class, that one is predicted.  Fails as
 * kith_immigrate_fit_run() does for a part, where scaled features do not fit a
 * double, and where a part has all rows.
 *
 * Parts and sigmas are shared among the threads; the trials are the same for any
 * number of them.
 */
int kith_immigrate_cv(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_fit_how *how, const struct kith_immigrate_cv_plan *plan,
    struct kith_trial *trial, struct kith_immigrate_cv_ends *ends, struct kith_err *err);

#endif
