/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * say/relief_cv - relief --cv: how weights that were learnt from all parts of a
 * table but one do on that one, for lists of the parameters.
 */
#ifndef KITH_SAY_RELIEF_CV_H
#define KITH_SAY_RELIEF_CV_H

#include "cli/opt.h"
#include "relief/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_dest;
struct kith_err;
struct kith_out;
struct kith_table;

struct kith_relief_cv {
	size_t parts;
	uint64_t seed;
	int scale, best;
	struct kith_sizes k;       /* RELIEFF, */
	struct kith_reals sigma;   /* where it counts; else one value each */
	bool takes_k, takes_sigma; /* they are columns of the table */
	struct kith_sizes vote_k;
	struct kith_reals
	    share;        /* --drop-share; {0} where a matrix is learnt */
	bool takes_share; /* it is a column, too */
	const struct kith_dest *output; /* where it goes */
};

/* What to learn with, and what --best chooses of it. */
struct kith_relief_choice {
	struct kith_relief_how how; /* its k and sigma are chosen */
	double drop; /* percent of the features that get weight 0 */
};

/*
 * Learn from all rows but those of each part, as choice->how says, and predict
 * these by their nearest rows, negative weights being 0.  Print the errors (the
 * status, or -1); or with best choose: choice is then what was chosen, and 0 is
 * returned.  A part whose training rows give no feature a
 * positive weight is predicted without any (vote/validate.h).
 */
int kith_relief_cv(const struct kith_relief_cv *cv, const struct kith_table *t,
    struct kith_relief_choice *choice, struct kith_out *out,
    struct kith_err *err);

#endif
