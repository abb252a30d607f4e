/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/kernel/kern.h: the gamma of a kernel where none is given, and how it couples rows. */
#include "kernel/kern.h"

#include "la/mat.h"
#include "near/metric.h"
#include "tap.h"

#include <math.h>
#include <stddef.h>

int
main(void)
{
	/* Columns of variances 1, 4 and 0, and deviations 1, 2 and 0. */
	double v[] = {-1, 10, 5, 0, 12, 5, 1, 14, 5}, w[] = {.5, 3, 1}, same[] = {2, 2, 2, 2};
	double line[] = {7, 0, 4, 0, 5}; /* least squared distances above 0: 4, 16, 1, 16, 1 */
	const struct kith_mat X = {.n = 3, .p = 3, .v = v}, copies = {.n = 2, .p = 2, .v = same};
	const struct kith_mat rows = {.n = 5, .p = 1, .v = line}, few = {.n = 3, .p = 1, .v = line};
	const struct kith_mat none = {.p = 1, .v = line};
	struct kith_metric metric = {KITH_SQUARED, 3, NULL};
	const struct kith_kern kern = {KITH_KERN_GAUSSIAN, &metric, .gamma = .5};

	is_near(kith_gamma_auto(&X, &metric), 1. / 5, 1e-15, "1 over the sum of the variances");
	metric.w = w;
	is_near(kith_gamma_auto(&X, &metric), 1 / 12.5, 1e-15, "under weights");
	metric.kind = KITH_ABSOLUTE;
	is_near(kith_gamma_auto(&X, &metric), 1 / 6.5, 1e-15, "1 over the weighted deviations");
	metric.w = NULL;
	is_near(kith_gamma_auto(&X, &metric), 1. / 3, 1e-15, "without weights");
	for (size_t k = 0; k < 9; k++)
		v[k] = k % 3 == 1 ? v[k] : v[k] * 1e120;
	is_near(kith_gamma_auto(&X, &metric) * 1e120, 1, 1e-12, "large units");
	for (int kind = KITH_SQUARED; kind <= KITH_ABSOLUTE; kind++) {
		metric = (struct kith_metric){(enum kith_metric_kind)kind, 2, NULL};
		is_near(
		    kith_gamma_auto(&copies, &metric), 1, 0, "1 where there are no differences");
	}
	metric = (struct kith_metric){KITH_SQUARED, 1, NULL};
	is_near(
	    kith_gamma_coupling(&kern, &rows, &rows), exp(-.5 * 4), 1e-15, "the median coupling");
	is_near(kith_gamma_coupling(&kern, &few, &few), exp(-.5 * 9), 1e-15, "of three rows");
	is_near(
	    kith_gamma_coupling(&kern, &rows, &few), exp(-.5 * 4), 1e-15, "with those of a table");
	ok(isinf(kith_gamma_coupling(&kern, &rows, &none)), "of no row there is none");
	metric.p = 2;
	ok(isinf(kith_gamma_coupling(&kern, &copies, &copies)), "nor of rows without differences");
	return done();
}
