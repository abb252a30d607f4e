/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For n rows of p features, in seconds of one thread:
 *
 *	begin	 BEGIN n^2 p, the target neighbours
 *	theta	 SOLVE n p^2 sqrt(10 theta) the first one, a sixth of it the
 *		 others: some n p moves of targets, each in O(p)
 *	smooth	 SMOOTH m^2 (p + 60) for a start from m rows, n or the part of
 *		 them that are at most 2000; from n rows the first theta takes
 *		 from 1/200 to 1/8 of its time then
 *	path	 as the first theta, and S SOLUTION n p for its solutions, of
 *		 which there are S = 4.2 n^.7 p^.57 on numbers drawn at random
 *	validate a search of m rows among n (cost/near.c) for each solution
 *	check	 BEGIN n^2 p
 *
 * How many moves there are depends on the data: from a third of theta's and a
 * fifth of path's to four or five times as much.
 */
#include "cost/sqpfw.h"

#include "cost/near.h"
#include "cost/speed.h"
#include "la/mat.h"

#include <math.h>

static const double BEGIN = 1e-9, SOLVE = 3.7e-7, SOLUTION = 1e-7;
static const double SMOOTH = 1.2e-8;

/* Rows that are looked at to certify a solution, and lists of neighbours. */
static const double LIST = 4000, CELL = 40;

/* The most rows that a smooth start looks at (sqpfw/smooth.c). */
enum { SAMPLE = 2000 };

/* A start, and the first theta, whose time would be `first` without it. */
static void
smooth(double n, double p, double first, struct kith_cost *cost)
{
	const double every = ceil(n / SAMPLE), m = n / every;
	const double start = SMOOTH * m * m * (p + 60);

	kith_cost_range(cost, start / 2, start * 2);
	if (every > 1)
		kith_cost_alone(cost, first / 3, first * 4);
	else
		kith_cost_alone(cost, first / 200, first / 8);
	kith_cost_hold(cost, m * m / 8 + 32 * m * p);
}

static void
validate(const struct kith_cost_sqpfw *of, double low, double high, struct kith_cost *cost)
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

struct kith_cost
kith_cost_of_sqpfw(const struct kith_cost_sqpfw *of)
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
	if (!of->check && of->smooth) {
		smooth(n, p, theta, &cost);
		kith_cost_alone(&cost, theta * others / 18, theta * others / 6 * 4);
	} else if (!of->check)
		kith_cost_alone(&cost, theta * (1 + others / 6) / 3, theta * (1 + others / 6) * 4);
	if (!of->check && of->thetas == 0) {
		kith_cost_alone(&cost, S * SOLUTION * n * p / 5, S * SOLUTION * n * p * 5);
		validate(of, S / 5, S * 5, &cost);
	} else
		validate(of, (double)of->thetas, (double)of->thetas, &cost);
	kith_cost_hold(&cost, n * (LIST + CELL * p));
	kith_cost_times(&cost, (double)of->times);
	return cost;
}

int
kith_cost_sqpfw(const struct kith_cost_sqpfw *of, struct kith_out *out, struct kith_err *err)
{
	const struct kith_cost cost = kith_cost_of_sqpfw(of);

	return kith_cost_write(&cost, kith_cost_speed, out, err);
}
