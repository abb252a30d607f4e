/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The search (cost/near.c), and for each row that is predicted
 *
 *	nnk	  FIT k^2 (p + k / 3): the kernels and the weights
 *	expected  m n (EXP + ABS p), with a matrix ABS p^2, in place of a search
 *	others	  nothing beside the search
 *
 * and PRINT for what is printed of it.
 */
#include "cost/vote.h"

#include "base/sort.h"
#include "cost/near.h"
#include "cost/speed.h"
#include "table/ensemble.h"
#include "vote/predict.h"
#include "vote/vote.h"

#include <math.h>

static const double FIT = .4e-9, EXP = 8e-9, ABS = .13e-9, PRINT = 4e-7;

/* Whether all rows within a radius vote, without another limit. */
static bool
all_within(const struct kith_predict_how *how)
{
	return how->radius && *how->k == KITH_ALL_WITHIN;
}

/* How many rows vote on one, at most. */
static size_t
voters(const struct kith_cost_vote *of)
{
	const struct kith_predict_how *how = of->how;
	const struct kith_predict_near *near = how->near;
	const size_t k = kith_largest_size(how->k, how->nk);
	double r = 0;

	for (size_t a = 0; how->radius && a < how->nk; a++)
		r = fmax(r, how->radius[a]);
	if (how->vote->of_all)
		return 0;
	if (!how->radius)
		return k;
	if (!all_within(how))
		return k < of->known->X.n ? k : of->known->X.n;
	if (near)
		return 1;
	return kith_cost_count_within(how->metric, &of->known->X, &of->known->X, r);
}

/* m rows by n others, `join`: by all but themselves. */
static void
predict(const struct kith_cost_vote *of, size_t n, size_t m, bool join, struct kith_cost *cost)
{
	const struct kith_predict_how *how = of->how;
	const double p = (double)how->metric->p, k = (double)cost->k;
	const struct kith_cost_near search = {n, how->metric->p,
	    join ? m : kith_predict_asks(how, n, m), cost->k, how->metric->kind, join,
	    how->metric->w != NULL};
	const bool matrix = how->metric->kind == KITH_SQUARED_MATRIX ||
	    how->metric->kind == KITH_ABSOLUTE_MATRIX;

	if (how->vote->of_all) {
		kith_cost_add(cost,
		    (double)how->learners * (double)m * (double)n *
			(EXP + ABS * (matrix ? p * p : p)));
		kith_cost_hold(cost, 8 * (double)n * p);
		return;
	}
	if (!how->near && all_within(how))
		kith_cost_within(&search, cost);
	else if (!how->near)
		kith_cost_near(&search, cost);
	kith_cost_hold(cost, kith_cost_neighbours(m, cost->k));
	if (how->vote->takes_kernel)
		kith_cost_add(cost, FIT * (double)(m * how->nk) * k * k * (p + k / 3));
}

struct kith_cost
kith_cost_of_vote(const struct kith_cost_vote *of)
{
	const size_t n = of->known->X.n, m = of->asked ? of->asked : n;
	const size_t parts = of->parts ? of->parts : 1;
	struct kith_cost known = {0}, asked = {0};
	struct kith_cost cost = {.rows = n,
	    .features = of->how->metric->p,
	    .queries = of->asked,
	    .classes = of->known->y ? of->known->c : 0,
	    .k = voters(of),
	    .threads = of->how->threads};

	known.k = asked.k = cost.k;
	if (of->times && of->parts)
		predict(of, n - n / parts, n / parts, false, &known);
	else if (of->times)
		predict(of, n, n, true, &known);
	if (of->asked_times)
		predict(of, n, of->asked, false, &asked);
	kith_cost_times(&known, (double)(parts * of->times));
	kith_cost_times(&asked, (double)of->asked_times);
	kith_cost_range(&cost, known.low + asked.low, known.high + asked.high);
	kith_cost_hold(&cost, known.bytes + asked.bytes);
	kith_cost_alone(&cost, PRINT * (double)m, PRINT * (double)m);
	kith_cost_hold(&cost, 16 * (double)(m * of->how->nk));
	if (of->how->share)
		kith_cost_hold(&cost, 8 * (double)(m * of->how->nk * of->known->c));
	return cost;
}

int
kith_cost_vote(const struct kith_cost_vote *of, struct kith_out *out, struct kith_err *err)
{
	const struct kith_cost cost = kith_cost_of_vote(of);

	return kith_cost_write(&cost, kith_cost_speed, out, err);
}
