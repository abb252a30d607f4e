/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The path of N variables over n rows has S steps, M variables on the margin,
 * and takes R rows of the kernel.  Of two classes that overlap, and a C that
 * grows by the factor e^a on the way, on average
 *
 *	S = .67 a N^.77		M = .49 N^.7 p^.5 <= .9 N	R = M + .8 S
 *
 * and seconds of one thread are
 *
 *	S (MARGIN M^2 + ROW (n + m)) + (R + 2 M) n (KERNEL + KERNEL_P p)
 *
 * with m rows to validate on.  How many steps there are depends on the data:
 * the range is a fifth to five times of that, which classes that are far apart,
 * or mixed at random, reach.  Memory is 16 n R bytes, up to twice the cache.
 */
#include "cost/wsvm.h"

#include "cost/speed.h"

#include <math.h>

static const double MARGIN = 2e-9, ROW = 6e-9, KERNEL = 1e-8, KERNEL_P = .2e-9;
static const double CELL = 1.5e-7, WIDE = 5, WIDE_BYTES = 1.7;

/* The logarithm of the mean factor between the weights; 1 for 0 to C. */
static double
growth(const struct kith_cost_wsvm *of)
{
	double sum = 0;

	if (!of->from || !of->to)
		return 2.3;
	for (size_t i = 0; i < of->variables; i++)
		if (of->from[i] > 0 && of->to[i] > 0)
			sum += fabs(log(of->to[i] / of->from[i]));
		else
			sum += of->from[i] > 0 || of->to[i] > 0;
	return sum / fmax((double)of->variables, 1);
}

struct kith_cost
kith_cost_of_wsvm(const struct kith_cost_wsvm *of)
{
	const double n = (double)of->n, N = (double)of->variables;
	const double p = (double)of->p, m = (double)of->asked;
	const double S = .67 * growth(of) * pow(N, .77);
	const double M = fmin(.49 * pow(N, .7) * sqrt(p), .9 * N);
	const double R = M + .8 * S, kernel = n * (KERNEL + KERNEL_P * p);
	const double path = S * (MARGIN * M * M + ROW * (n + m)) + (R + 2 * M) * kernel;
	const double rows = fmin(16 * n * fmin(R, n), 2 * (double)of->cache);
	const double printed = CELL * S * (double)of->columns;
	struct kith_cost cost = {.rows = of->rows ? of->rows : of->n,
	    .classes = of->classes,
	    .features = of->p,
	    .queries = of->asked,
	    .threads = of->threads};

	if (of->check) {
		kith_cost_range(&cost, M * kernel / 2, n * kernel);
	} else {
		kith_cost_alone(&cost, (path + printed) / WIDE, WIDE * (path + printed));
		cost.bytes += rows / WIDE_BYTES;
		cost.most_bytes += fmin(WIDE_BYTES * rows, 16 * n * n) + 16 * M * M;
		kith_cost_hold(&cost, 8 * n * p + 150 * N);
	}
	kith_cost_times(&cost, (double)of->times);
	return cost;
}

int
kith_cost_wsvm(const struct kith_cost_wsvm *of, struct kith_out *out, struct kith_err *err)
{
	const struct kith_cost cost = kith_cost_of_wsvm(of);

	return kith_cost_write(&cost, kith_cost_speed, out, err);
}
