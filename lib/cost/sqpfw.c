/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For n rows of p features, in seconds of one thread:
 *
 *	begin	 BEGIN n^2 p, the target neighbours
 *	theta	 SOLVE n p^2 sqrt(10 theta) the first one, a sixth of it the
 *		 others: some n p moves of targets, each in O(p)
 *	path	 as the first theta, and S SOLUTION n p for its solutions, of
 *		 which there are S = 4.2 n^.7 p^.57 on numbers drawn at random
 *	validate a search of m rows among n (cost/near.c) for each solution
 *	check	 BEGIN n^2 p
 *
 * How many moves there are depends on the data: from a third of theta's and a
 * fifth of path's to four or five times as much.
 */
#include "cost/sqpfw.h"

#include "cost/cost.h"
#include "cost/near.h"
#include "cost/speed.h"
#include "la/mat.h"

#include <math.h>

static const double BEGIN = 1e-9, SOLVE = 3.7e-7, SOLUTION = 1e-7;

/* Rows that are looked at to certify a solution, and lists of neighbours. */
static const double LIST = 4000, CELL = 40;

static void
validate(const struct kith_cost_sqpfw *of, double low, double high,
    struct kith_cost *cost)
{
	struct kith_cost one = {0};
	const struct kith_cost_near near = {.n = of->X->n,
	    .p = of->X->p,
	    .m = of->asked,
	    .k = 1,
	    .kind = KITH_SQUARED,
	    .weighted = true};

	if (of->asked == 0)
		return;
	kith_cost_near(&near, &one);
	kith_cost_range(cost, low * one.low, high * one.high);
	kith_cost_hold(cost, one.bytes);
}

int
kith_cost_sqpfw(const struct kith_cost_sqpfw *of, struct kith_out *out,
    struct kith_err *err)
{
	const double n = (double)of->X->n, p = (double)of->X->p;
	const double part = of->thetas ? fmin(fmax(of->theta, .001), .9) : .1;
	const double theta = SOLVE * n * p * p * sqrt(part / .1);
	const double others = of->thetas > 1 ? (double)(of->thetas - 1) : 0;
	const double S = 4.2 * pow(n, .7) * pow(p, .57);
	struct kith_cost cost = {.rows = of->X->n,
	    .features = of->X->p,
	    .queries = of->asked,
	    .classes = of->c,
	    .threads = of->threads};

	kith_cost_add(&cost, BEGIN * n * n * p);
	if (!of->check)
		kith_cost_alone(&cost, theta * (1 + others / 6) / 3,
		    theta * (1 + others / 6) * 4);
	if (!of->check && of->thetas == 0) {
		kith_cost_alone(
		    &cost, S * SOLUTION * n * p / 5, S * SOLUTION * n * p * 5);
		validate(of, S / 5, S * 5, &cost);
	} else
		validate(of, (double)of->thetas, (double)of->thetas, &cost);
	kith_cost_hold(&cost, n * (LIST + CELL * p));
	kith_cost_times(&cost, (double)of->times);
	return kith_cost_write(&cost, kith_cost_speed, out, err);
}
