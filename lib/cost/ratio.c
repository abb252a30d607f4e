/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * n training and m test rows, b centres, s values of sigma and l of lambda; with
 * k = min(n, m), in seconds of one thread
 *
 *	s b (n + m) (KERNEL + KERNEL_P p) + s b^2 (GRAM n + PAIR k l)
 *	+ CUBE s l b^3
 */
#include "cost/ratio.h"

#include "cost/pace.h"
#include "la/mat.h"

#include <math.h>

static const double KERNEL = 12e-9, KERNEL_P = .4e-9, GRAM = 6e-11;
static const double PAIR = 2e-10, CUBE = 6e-10;

enum { SIGMAS = 9, LAMBDAS = 9 }; /* the default */

struct kith_cost
kith_cost_of_ratio(
    const struct kith_mat *train, const struct kith_mat *test, const struct kith_ratio_how *how)
{
	const double n = (double)train->n, m = (double)test->n;
	const double p = (double)train->p, k = fmin(n, m);
	const double b = fmin((double)how->centres, m);
	const double s = (double)(how->sigmas ? how->sigmas : SIGMAS);
	const double l = (double)(how->lambdas ? how->lambdas : LAMBDAS);
	struct kith_cost cost = {
	    .rows = train->n, .features = train->p, .queries = test->n, .threads = how->threads};

	kith_cost_add(&cost,
	    s * b * (n + m) * (KERNEL + KERNEL_P * p) + s * b * b * (GRAM * n + PAIR * k * l) +
		CUBE * s * l * b * b * b);
	kith_cost_hold(&cost, 8 * ((n + m) * p + b * b * (l + (double)how->threads)) + 1e6);
	return cost;
}

int
kith_cost_ratio(const struct kith_mat *train, const struct kith_mat *test,
    const struct kith_ratio_how *how, struct kith_out *out, struct kith_err *err)
{
	struct kith_cost cost = kith_cost_of_ratio(train, test, how);

	kith_cost_as_reading(&cost, .3, .3);
	return kith_cost_write(&cost, kith_cost_pace, out, err);
}
