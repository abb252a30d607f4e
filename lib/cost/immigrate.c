/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An iteration on n rows, in seconds of one thread:
 *
 *	immigrate	n^2 (PAIR + PAIR_P p + PAIR_PP p^2) + EIGEN p^3
 *	im4e		n^2 (ONE + ONE_P p)
 *
 * of which a sigma that leaves few pairs to count saves a half and more.  There
 * are FEW to MANY iterations, but no more than --max-iter says; a learner of
 * --boost takes up to --inner.  A sigma of the rows takes TRIED fits more, of few
 * iterations on few rows.  The distances of all pairs are kept for up to KEPT
 * rows, three times for steps along lines of up to LINES, and the exponentials of
 * up to WEIGHTS.
 */
#include "cost/immigrate.h"

#include "cost/speed.h"
#include "la/mat.h"

#include <math.h>
#include <stdbool.h>

static const double PAIR = 18e-9, PAIR_P = .5e-9, PAIR_PP = .05e-9;
static const double ONE = 10e-9, ONE_P = .19e-9, EIGEN = 4e-9;
static const double FEW = 5, MANY = 40, TRIED = 4;
static const double KEPT = 10000, LINES = 5000, WEIGHTS = 1000;

/* Iterations, the least and the most. */
struct turns {
	double low, high;
};

static void
fit(double n, double p, bool vector, struct turns turns, struct kith_cost *cost)
{
	const double all = vector ? n * n * (ONE + ONE_P * p)
				  : n * n * (PAIR + PAIR_P * p + PAIR_PP * p * p);
	const double eigen = vector ? 0 : EIGEN * p * p * p;

	kith_cost_range(cost, turns.low * (all / 2 + eigen), turns.high * (all + eigen));
}

/* To find sigma of so many rows. */
static void
find_sigma(double n, double p, bool vector, struct kith_cost *cost)
{
	struct kith_cost one = {0};

	fit(fmin(n, KITH_IMMIGRATE_SIGMA_ROWS), p, vector, (struct turns){3, 11}, &one);
	kith_cost_range(cost, TRIED * one.low, TRIED * one.high);
}

/* A fit of n rows by the method, or learners of such. */
static void
work(const struct kith_cost_immigrate *of, double n, struct kith_cost *cost)
{
	const struct kith_immigrate_fit_how *how = of->how;
	const double most = (double)how->how.max_iter;
	const double inner = (double)(of->learners * of->inner);
	const struct turns usual = {fmin(FEW, most), fmin(MANY, most)};
	const struct turns learners = {.3 * inner, 2 * inner};
	const struct turns turns = of->check ? (struct turns){1, 3}
	    : of->learners                   ? learners
					     : usual;
	const double p = (double)of->rows->X->p, q = (double)how->most;

	if (how->method == KITH_IMMIGRATE_FIT_IMMIGRATE)
		fit(n, p, false, turns, cost);
	else
		fit(n, p, true, of->check ? turns : usual, cost);
	if (how->method == KITH_IMMIGRATE_FIT_SELECTED)
		fit(n, fmin(p / 2, q), false, turns, cost);
	if (of->check || how->how.sigma > 0)
		return;
	find_sigma(n, p, how->method != KITH_IMMIGRATE_FIT_IMMIGRATE, cost);
	if (how->method == KITH_IMMIGRATE_FIT_SELECTED)
		find_sigma(n, fmin(p / 2, q), false, cost);
}

/* Bytes for each pair of rows. */
static double
pair_bytes(const struct kith_cost_immigrate *of, double n)
{
	const bool vector = of->how->method == KITH_IMMIGRATE_FIT_IM4E;
	const bool lines = of->how->how.monotone && !vector && n <= LINES;

	if (n > KEPT)
		return 0;
	return (lines ? 12 : 4) + (n <= WEIGHTS ? 8 : 0);
}

struct kith_cost
kith_cost_of_immigrate(const struct kith_cost_immigrate *of)
{
	const struct kith_mat *X = of->rows->X;
	const double n = (double)X->n, p = (double)X->p;
	const double parts = of->parts ? (double)of->parts : 2;
	const bool vector = of->how->method != KITH_IMMIGRATE_FIT_IMMIGRATE;
	struct kith_cost cost = {.rows = X->n,
	    .features = X->p,
	    .classes = of->rows->c,
	    .threads = of->how->how.threads};
	struct kith_cost all = {0}, fold = {0};

	work(of, n, &all);
	work(of, n * (1 - 1 / parts), &fold);
	kith_cost_times(&all, (double)of->fits);
	kith_cost_times(&fold, (double)of->folds);
	kith_cost_range(&cost, all.low + fold.low, all.high + fold.high);
	kith_cost_hold(&cost, pair_bytes(of, n) * n * n + 24 * n * p);
	kith_cost_hold(&cost, (vector ? 10 * p : 64 * p * p) + 2e6);
	return cost;
}

int
kith_cost_immigrate(
    const struct kith_cost_immigrate *of, struct kith_out *out, struct kith_err *err)
{
	const struct kith_cost cost = kith_cost_of_immigrate(of);

	return kith_cost_write(&cost, kith_cost_speed, out, err);
}
