/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/gap - the duality gap G of wsvm/approx.h, of alpha and a form
 * (wsvm/smo_form.h) whose bounds are 0 and C.
 */
#ifndef KITH_WSVM_GAP_H
#define KITH_WSVM_GAP_H

#include "wsvm/kink.h"

struct kith_smo_form;

struct kith_wsvm_gap {
	const struct kith_smo_form *form; /* hi: C */
	const double *x, *s;              /* N: alpha; n: scores without b */
	double *g;                        /* N: gradients with b */
	struct kith_wsvm_kink *kink;      /* N: room */
	double b, dual, own;              /* dual is D, own is G */
};

/*
 * g, b, D and G of alpha: b is the middle of where it may be, or where that is
 * nowhere, the one of least G; without a bias, 0.  G is 0 where it is rounding
 * alone.  Variables of weight 0 change nothing.  Time O(N).
 */
void kith_wsvm_gap_judge(struct kith_wsvm_gap *at);

/*
 * sum_v x_v max(0, g_v) + (C_v - x_v) max(0, -g_v) for N variables.
 */
double kith_wsvm_gap_of(
    size_t N, const double *x, const double *C, const double *g);

#endif
