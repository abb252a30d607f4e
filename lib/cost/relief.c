/*
 * For n rows, m of them sampled, seconds of one thread:
 *
 *	relief	 a search for one neighbour of m among n (cost/near.c), and
 *		 SEARCH m c; by a tree 2 to 8 such searches, for misses are far
 *	relieff	 the same for k in each of c classes
 *	lfe	 as relief, and GRAM m p^2 + EIGEN p^3
 *	mulrel	 as relief, for each iteration
 *	simba	 starts x passes x m n (PASS + PASS_P p)
 *	irelief	 iterations x n^2 (EXP + EXP_P p)
 *	nca	 starts x iterations x n^2 (EXP + EXP_P p)
 *
 * How many iterations there are depends on the data: FEW to MANY of each
 * method, as seen on tables of some hundreds to thousands of rows, but no more
 * than --max-iter says.
 */
#include "cost/relief.h"

#include "cost/cost.h"
#include "cost/near.h"
#include "cost/speed.h"
#include "near/tree.h"

#include <math.h>

static const double PASS = 8e-9, PASS_P = .17e-9;
static const double EXP = 11e-9, EXP_P = .3e-9;
static const double GRAM = 4e-11, EIGEN = 2e-9, SEARCH = 5e-7;

struct shape {
	double n, m, p;
	const struct kith_relief_rows *rows;
	const struct kith_relief_how *how;
};

/* The rows once more as they are, and by classes. */
static void
hold_rows(const struct shape *of, struct kith_cost *cost)
{
	kith_cost_hold(cost, 16 * of->n * of->p);
}

/* Add `low` to `high` times the work of one search and nothing else. */
static void
search(const struct shape *of, size_t k, enum kith_metric_kind kind, double low,
    double high, struct kith_cost *cost)
{
	struct kith_cost one = {0};
	const struct kith_cost_near near = {.n = (size_t)of->n,
	    .p = (size_t)of->p,
	    .m = (size_t)of->m,
	    .k = k,
	    .kind = kind};

	kith_cost_near(&near, &one);
	kith_cost_add(&one, SEARCH * of->m * (double)of->rows->c);
	if (of->p <= KITH_KNN_TREE_P) {
		low *= 2;
		high *= 8;
	}
	kith_cost_range(cost, low * one.low, high * one.high);
	kith_cost_hold(cost, one.bytes);
}

/* n^2 exponentials, in so many iterations. */
static void
iterate(const struct shape *of, double low, double high, double starts,
    struct kith_cost *cost)
{
	const double most = (double)of->how->max_iter;
	const double one = of->n * of->n * (EXP + EXP_P * of->p);

	kith_cost_range(cost, starts * fmin(low, most) * one,
	    starts * fmin(high, most) * one);
}

static void
work(const struct shape *of, struct kith_cost *cost)
{
	const double p = of->p, most = (double)of->how->max_iter;
	const double starts = (double)of->how->starts;

	hold_rows(of, cost);
	switch (of->how->method) {
	case KITH_RELIEFF:
		search(of, of->how->k, KITH_ABSOLUTE, 1, 1, cost);
		kith_cost_hold(cost, 16 * of->n * (double)of->how->k);
		return;
	case KITH_RELIEF_MULREL:
		search(of, 1, KITH_SQUARED, fmin(3, most), most, cost);
		return;
	case KITH_RELIEF_SIMBA:
		kith_cost_add(
		    cost, starts * most * of->m * of->n * (PASS + PASS_P * p));
		return;
	case KITH_RELIEF_IRELIEF:
		iterate(of, 5, 40, 1, cost);
		return;
	case KITH_RELIEF_NCA:
		iterate(of, 20, 200, starts, cost);
		return;
	default:
		search(of, 1, KITH_SQUARED, 1, 1, cost);
	}
	if (of->how->method == KITH_RELIEF_LFE) {
		kith_cost_add(cost, GRAM * of->m * p * p + EIGEN * p * p * p);
		kith_cost_hold(cost, 16 * of->m * p + 24 * p * p);
	}
}

int
kith_cost_relief(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, size_t times, struct kith_out *out,
    struct kith_err *err)
{
	const size_t n = rows->X.n, m = how->samples ? how->samples : n;
	const struct shape of = {
	    (double)n, (double)m, (double)rows->X.p, rows, how};
	struct kith_cost cost = {.rows = n,
	    .features = rows->X.p,
	    .queries = how->samples,
	    .classes = rows->y ? rows->c : 0,
	    .k = how->method == KITH_RELIEFF ? how->k : 0,
	    .threads = how->threads};

	work(&of, &cost);
	kith_cost_times(&cost, (double)times);
	return kith_cost_write(&cost, kith_cost_speed, out, err);
}
