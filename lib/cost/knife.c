/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An evaluation of the objective and its gradient, on n rows in seconds of one
 * thread:
 *
 *	linear		LINEAR n p (p + 10)
 *	other kernels	n^2 (PAIR + PAIR_P p) + CUBE n^3: K, the gradient, and
 *			the Cholesky factor
 *	the same where K is not held
 *			n^2 (TILED + TILED_P p): products with K
 *
 * up to LOSSES times that for losses other than the squared one.  A value of
 * lambda2 takes FEW to MANY evaluations for each search, but no more than
 * --max-iter says, and the proof as much as three.
 */
#include "cost/knife.h"

#include "cost/speed.h"
#include "knife/rank.h"
#include "table/table.h"

#include <math.h>

static const double LINEAR = 3e-9, PAIR = 9e-9, PAIR_P = .05e-9;
static const double CUBE = 1e-11, LOSSES = 3, FEW = 8, MANY = 80, PROOF = 3;
static const double MATRICES = 2.6; /* of n x n doubles */
static const double TILED = 25e-9, TILED_P = .3e-9;
static const double COLUMNS = 200; /* of n doubles, beside those of G */

static bool
is_large(const struct kith_cost_knife *of, double n)
{
	return n > KITH_KNIFE_HELD && !of->how->how.alternate;
}

static double
evaluation(const struct kith_cost_knife *of, double n)
{
	const double p = (double)of->rows->t->X.p;

	if (of->how->like.kernel == KITH_KNIFE_LINEAR)
		return LINEAR * n * p * (p + 10);
	if (is_large(of, n))
		return n * n * (TILED + TILED_P * p);
	return n * n * (PAIR + PAIR_P * p) + CUBE * n * n * n;
}

/* Search at one lambda2, and prove it. */
static void
fit(const struct kith_cost_knife *of, double n, struct kith_cost *cost)
{
	const double one = evaluation(of, n);
	const double most = (double)of->how->how.max_iter + 1;
	const double searches = 1 + (double)of->how->restarts;
	const double more = of->how->like.loss == KITH_KNIFE_SQUARED ? 1 : LOSSES;

	kith_cost_range(cost, one * (searches * fmin(FEW, most) + PROOF),
	    more * one * (searches * fmin(MANY, 2 * most) + PROOF));
}

static void
hold(const struct kith_cost_knife *of, struct kith_cost *cost)
{
	const double n = (double)of->rows->n;
	const double p = (double)of->rows->t->X.p;

	kith_cost_hold(cost, 32 * n * p + 1e6);
	if (of->how->like.kernel == KITH_KNIFE_LINEAR)
		return;
	if (is_large(of, n))
		kith_cost_hold(cost, (KITH_KNIFE_RANK + COLUMNS) * 8 * n);
	else
		kith_cost_hold(cost, MATRICES * 8 * n * n);
}

struct kith_cost
kith_cost_of_knife(const struct kith_cost_knife *of)
{
	const size_t parts = of->parts;
	const double n = (double)of->rows->n, m = (double)of->asked;
	const double p = (double)of->rows->t->X.p;
	struct kith_cost cost = {.rows = of->rows->t->X.n,
	    .features = of->rows->t->X.p,
	    .queries = of->asked,
	    .classes = of->rows->y ? of->rows->class.n : 0,
	    .threads = of->how->like.threads};
	struct kith_cost fold = {0};

	if (of->check) {
		kith_cost_add(&cost, PROOF * evaluation(of, n));
	} else {
		fit(of, n, &cost);
		kith_cost_range(&cost, n * m * PAIR, n * m * (PAIR + 4 * PAIR_P * p));
	}
	if (parts) {
		fit(of, n * (1 - 1 / (double)parts), &fold);
		kith_cost_range(&cost, fold.low * (double)parts, fold.high * (double)parts);
	}
	kith_cost_times(&cost, (double)of->k);
	hold(of, &cost);
	return cost;
}

int
kith_cost_knife(const struct kith_cost_knife *of, struct kith_out *out, struct kith_err *err)
{
	const struct kith_cost cost = kith_cost_of_knife(of);

	return kith_cost_write(&cost, kith_cost_speed, out, err);
}
