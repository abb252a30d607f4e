/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ratio/loo - the leave-one-out score of ratio/ratio.h, and what both share.
 */
#ifndef KITH_RATIO_LOO_H
#define KITH_RATIO_LOO_H

#include "la/mat.h"
#include "near/metric.h"

struct kith_chol;

/* All that is known of one sigma; ld is b made a multiple of 8, for vectors. */
struct kith_ratio_fit {
	const struct kith_mat *X, *Z; /* training rows, test rows */
	struct kith_mat C;            /* b x p centres */
	const size_t *centre;         /* b: the test row of each, in increasing order */
	struct kith_metric metric;
	double sigma;
	size_t ld;
	double *P; /* b x ld, 0 from column b on */
	double *h; /* ld, likewise */
	size_t threads;
};

/* phi of the row x into phi (ld), whose end stays. */
void kith_ratio_phi(const struct kith_ratio_fit *fit, const double *x, double *phi);

/*
 * Factor x P + ridge I in an empty factor for b rows; false where it is singular
 * to working precision.
 */
bool kith_ratio_factor(
    const struct kith_ratio_fit *fit, double x, double ridge, struct kith_chol *chol);

/*
 * The scores of these lambda, > 0, at the sigma of the fit; NaN where there is
 * none, for G is singular to working precision.  Requires two rows or more of
 * each table.
 */
void kith_ratio_loo(
    const struct kith_ratio_fit *fit, const double *lambda, size_t lambdas, double *score);

#endif
