/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnkgraph: a search for k candidates (cost/near.c); then, for each of m rows,
 * in seconds of one thread,
 *
 *	all	 k^2 (KERNEL + KERNEL_P p), the kernels of candidates, and for
 *		 each edge EDGE, to make it symmetric and print it
 *	nnk	 k^2 s STEP more, s <= k being its edges: 0 to all
 *	mp	 the same
 *	omp	 k^3 STEP more
 *	lle      k^2 GRAM + k p GRAM_P more
 *
 * with n k (POOL + POOL_P p) for mp and omp with --pool all.  The k of radius is
 * that of a sample of rows.  Of P pairs, up to n k,
 *
 *	smooth	 SMOOTH P a Newton step, 3 to 40 of them
 *	aew	 AEW P p an iteration, 3 to 50 of them
 *
 * nnkmeans, K atoms of n rows: n (K (CODE + CODE_P p) + k (1 + k / 20) SMALL
 * + k p GATHER) an iteration, 10 to 150 of them, and no more than --max-iter.
 */
#include "cost/nnk.h"

#include "base/pool.h"
#include "cost/near.h"
#include "cost/speed.h"
#include "kernel/sigma.h"
#include "la/mat.h"

#include <math.h>

static const double KERNEL = 8e-9, KERNEL_P = .02e-9, EDGE = 2.5e-7;
static const double STEP = 2e-9, GRAM = 25e-9, GRAM_P = 1e-9;
static const double POOL = 3e-9, POOL_P = .5e-9;
static const double SMOOTH = 3.5e-7, SMOOTH_BYTES = 210, AEW = 1.1e-8;
static const double CODE = 5e-9, CODE_P = .08e-9, SMALL = 1.5e-7, GATHER = 2e-9;

/* How many rows are within the radius of one that is asked. */
static size_t
within(const struct kith_local_rows *r, double radius)
{
	const struct kith_mat *all = r->Z ? r->Z : r->X;
	const struct kith_mat Z = {r->m, all->p, kith_row(all, r->first)};

	return kith_cost_count_within(r->metric, r->X, &Z, radius);
}

/* Candidates of a row. */
static double
candidates(const struct kith_cost_nnk *of)
{
	const struct kith_graph *given = of->how->given;
	const double k = (double)of->how->k;

	if (!of->rows)
		return fmin(k, 1 + (double)of->pairs / (double)of->m);
	if (of->how->method == KITH_NNK_RADIUS)
		return (double)within(of->rows, of->how->radius);
	if (given && given->m > 0)
		return (double)given->start[given->m] / (double)given->m;
	return fmin(k, (double)of->rows->X->n);
}

static void
search(const struct kith_cost_nnk *of, double k, struct kith_cost *cost)
{
	const struct kith_local_rows *r = of->rows;
	const bool join = !r->Z && r->m == r->X->n;
	const size_t asks = !join && of->how->kernel == KITH_KERN_GAUSSIAN
	    ? kith_sigma_asks(&of->how->sigma, r->X->n)
	    : 0;
	const struct kith_cost_near near = {
	    r->X->n, r->X->p, r->m + asks, (size_t)k, r->metric->kind, join, r->metric->w != NULL};

	if (of->how->method == KITH_NNK_RADIUS)
		kith_cost_within(&near, cost);
	else if (!of->how->given)
		kith_cost_near(&near, cost);
	kith_cost_hold(cost, 32 * (double)r->m * k);
}

/* The weights of a row with k candidates. */
static void
solve(enum kith_nnk_method method, double m, double k, double p, struct kith_cost *cost)
{
	kith_cost_add(cost, m * k * k * (KERNEL + KERNEL_P * p));
	switch (method) {
	case KITH_NNK:
	case KITH_NNK_MP:
		kith_cost_range(cost, 0, m * k * k * k * STEP / 2);
		break;
	case KITH_NNK_OMP:
		kith_cost_range(cost, m * k * k * k * STEP / 2, m * k * k * k * STEP);
		break;
	case KITH_NNK_LLE:
	case KITH_NNK_LLE_GRAM:
	case KITH_NNK_LLE_SIGNED:
		kith_cost_add(cost, m * k * (k * GRAM + p * GRAM_P));
		break;
	default:
		break;
	}
}

/* The methods that solve for all pairs at once, up to m k of them. */
static void
solve_joint(enum kith_nnk_method method, double pairs, double p, struct kith_cost *cost)
{
	if (method == KITH_NNK_SMOOTH) {
		kith_cost_range(cost, 3 * SMOOTH * pairs, 40 * SMOOTH * pairs);
		kith_cost_hold(cost, SMOOTH_BYTES * pairs);
	} else {
		kith_cost_range(cost, 3 * AEW * pairs * p, 50 * AEW * pairs * p);
		kith_cost_hold(cost, 40 * pairs);
	}
}

static void
work(const struct kith_cost_nnk *of, double m, double n, double p, struct kith_cost *cost)
{
	const enum kith_nnk_method method = of->how->method;
	const double k = candidates(of);

	cost->k = (size_t)k;
	if (of->rows)
		search(of, k, cost);
	if (method >= KITH_NNK_SMOOTH)
		solve_joint(method, m * k * .8, p, cost);
	else if (of->how->all)
		kith_cost_range(
		    cost, m * n * k * (POOL + POOL_P * p) / 2, 3 * m * n * k * (POOL + POOL_P * p));
	else
		solve(method, m, k, p, cost);
	kith_cost_alone(cost, EDGE * m * k / 4, EDGE * m * k);
}

struct kith_cost
kith_cost_of_nnk(const struct kith_cost_nnk *of)
{
	const struct kith_local_rows *r = of->rows;
	const size_t n = r ? r->X->n : of->m, p = r ? r->X->p : 0;
	const size_t m = r ? r->m : of->m;
	struct kith_cost cost = {.rows = n,
	    .features = p,
	    .queries = r && (r->Z || m < n) ? m : 0,
	    .threads = of->threads};

	work(of, (double)m, (double)n, (double)p, &cost);
	return cost;
}

int
kith_cost_nnk(const struct kith_cost_nnk *of, struct kith_out *out, struct kith_err *err)
{
	const struct kith_cost cost = kith_cost_of_nnk(of);

	return kith_cost_write(&cost, kith_cost_speed, out, err);
}

struct kith_cost
kith_cost_of_merge(size_t n, size_t edges)
{
	struct kith_cost cost = {.rows = n};

	kith_cost_alone(&cost, EDGE * (double)edges / 4, EDGE * (double)edges);
	kith_cost_hold(&cost, 48 * (double)edges);
	return cost;
}

int
kith_cost_merge(size_t n, size_t edges, struct kith_out *out, struct kith_err *err)
{
	const struct kith_cost cost = kith_cost_of_merge(n, edges);

	return kith_cost_write(&cost, kith_cost_speed, out, err);
}

struct kith_cost
kith_cost_of_means(const struct kith_mat *X, const struct kith_means_how *how)
{
	const double n = (double)X->n, p = (double)X->p;
	const double K = (double)how->atoms;
	const double k = fmin((double)how->k, K), most = (double)how->max_iter;
	const double one = n *
		(K * (CODE + CODE_P * p) + k * (1 + k / 20) * SMALL + k * p * GATHER) +
	    STEP * K * K * (K + p);
	struct kith_cost cost = {
	    .rows = X->n, .features = X->p, .k = (size_t)k, .threads = how->threads};

	kith_cost_range(&cost, fmin(10, most) * one, fmin(150, most) * one);
	kith_cost_hold(&cost, 8 * (n * (p + 4 * k) + 2 * K * (K + p)));
	return cost;
}

int
kith_cost_means(const struct kith_mat *X, const struct kith_means_how *how, struct kith_out *out,
    struct kith_err *err)
{
	const struct kith_cost cost = kith_cost_of_means(X, how);

	return kith_cost_write(&cost, kith_cost_speed, out, err);
}
