/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For n rows, m of them sampled, seconds of one thread, RANGE n p for the ranges of
 * the features, and
 *
 *	relief	 a search for one neighbour of m among n (cost/near.c), and
 *		 SEARCH m c; by a tree 2 to 8 such searches, for misses are far
 *	relieff	 the same for k in each of c classes, and GATHER m c k p
 *		 with texts or missing cells both m n (CELL + PAIR_P p)
 *	lfe	 as relief, and GRAM m p^2 + EIGEN p^3
 *	mulrel	 as relief, for each iteration
 *	simba	 starts x passes x m n (PASS + PASS_P p)
 *	irelief	 iterations x n^2 (EXP + EXP_P p)
 *	nca	 starts x iterations x n^2 (EXP + EXP_P p), with r rows of A
 *		 starts x iterations x n^2 (TURN + TURN_R r)
 *	surf	 two passes, multisurf 1.4, of m n (PASS + PAIR_P p); of texts
 *		 and with missing cells MIXED times that
 *
 * With --turf all that is once more for each round, of fewer and fewer features.
 *
 * How many iterations there are depends on the data: FEW to MANY of each
 * method, as seen on tables of some hundreds to thousands of rows, but no more
 * than --max-iter says.
 */
#include "cost/relief.h"

#include "cost/cost.h"
#include "cost/near.h"
#include "cost/speed.h"

#include <math.h>
#include <stdbool.h>

static const double PASS = 8e-9, PASS_P = .17e-9;
static const double EXP = 11e-9, EXP_P = .3e-9;
static const double TURN = 2e-9, TURN_R = .12e-9, PAIR_P = .25e-9, MIXED = 12;
static const double CELL = 1.5e-9;
static const double RANGE = 2e-8, GATHER = 2e-9;
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

/* Whether there are texts, or missing cells. */
static bool
has_cells(const struct shape *of)
{
	bool some = false;

	for (size_t a = 0; a < of->rows->X.p && of->rows->text && !some; a++)
		some = of->rows->text[a];
	for (size_t a = 0; a < of->rows->X.n * of->rows->X.p && !some; a++)
		some = isnan(of->rows->X.v[a]);
	return some;
}

/* So many passes over all pairs. */
static void
pass(const struct shape *of, double passes, struct kith_cost *cost)
{
	const double one = passes * of->m * of->n * (PASS + PAIR_P * of->p);

	kith_cost_range(cost, one, has_cells(of) ? MIXED * one : one);
	kith_cost_hold(cost, 8 * of->n * of->p);
}

/* Add `low` to `high` times the work of one search and nothing else. */
static void
search(const struct shape *of, size_t k, enum kith_metric_kind kind, double low, double high,
    struct kith_cost *cost)
{
	struct kith_cost one = {0};
	const struct kith_cost_near near = {
	    .n = (size_t)of->n, .p = (size_t)of->p, .m = (size_t)of->m, .k = k, .kind = kind};

	if (has_cells(of)) {
		kith_cost_add(cost, of->m * of->n * (CELL + PAIR_P * of->p) + SEARCH * of->m);
		kith_cost_hold(cost, 8 * of->n * of->p);
		return;
	}
	kith_cost_near(&near, &one);
	kith_cost_add(&one, SEARCH * of->m * (double)of->rows->c);
	if (of->p <= 8) {
		low *= 2;
		high *= 8;
	}
	kith_cost_range(cost, low * one.low, high * one.high);
	kith_cost_hold(cost, one.bytes);
}

/* n^2 exponentials, in so many iterations. */
static void
iterate(const struct shape *of, double low, double high, double starts, struct kith_cost *cost)
{
	const double most = (double)of->how->max_iter;
	const double one = of->n * of->n * (EXP + EXP_P * of->p);

	kith_cost_range(cost, starts * fmin(low, most) * one, starts * fmin(high, most) * one);
}

/* A metric of some rank: its iterations, and what they hold. */
static void
turn(const struct shape *of, struct kith_cost *cost)
{
	const double most = (double)of->how->max_iter;
	const double r = fmin((double)of->how->rank, of->p);
	const double one = (double)of->how->starts * of->n * of->n * (TURN + TURN_R * r);

	kith_cost_range(cost, fmin(10, most) * one, fmin(150, most) * one);
	kith_cost_hold(cost,
	    8 *
		(of->n * (of->p + 11 * r + 130) + 20 * r * of->p + of->p * of->p +
		    128 * of->n * (double)of->how->threads));
}

static void
work(const struct shape *of, struct kith_cost *cost)
{
	const double p = of->p, most = (double)of->how->max_iter;
	const double starts = (double)of->how->starts;

	hold_rows(of, cost);
	kith_cost_add(cost, RANGE * of->n * p);
	switch (of->how->method) {
	case KITH_RELIEFF:
		search(of, of->how->k, KITH_ABSOLUTE, 1, 1, cost);
		kith_cost_hold(cost, 16 * of->n * (double)of->how->k);
		kith_cost_add(
		    cost, GATHER * of->m * p * (double)of->how->k * fmax(1, (double)of->rows->c));
		return;
	case KITH_RELIEF_MULREL:
		search(of, 1, KITH_SQUARED, fmin(3, most), most, cost);
		return;
	case KITH_RELIEF_SIMBA:
		kith_cost_add(cost, starts * most * of->m * of->n * (PASS + PASS_P * p));
		return;
	case KITH_RELIEF_IRELIEF:
		iterate(of, 5, 40, 1, cost);
		return;
	case KITH_RELIEF_NCA:
		if (of->how->rank)
			turn(of, cost);
		else
			iterate(of, 20, 200, starts, cost);
		return;
	case KITH_RELIEF_SURF:
	case KITH_RELIEF_MULTISURF:
		pass(of, of->how->method == KITH_RELIEF_SURF ? 2 : 1.4, cost);
		return;
	default:
		search(of, 1, KITH_SQUARED, 1, 1, cost);
	}
	if (of->how->method == KITH_RELIEF_LFE) {
		const double q = fmin(p, of->n);

		kith_cost_add(cost, GRAM * of->m * p * fmax(p, q) + EIGEN * q * q * q);
		kith_cost_hold(cost, 16 * of->m * p + 8 * p * p + 16 * q * q);
	}
}

/* All rounds of --turf, or the only one; the first holds the most. */
static void
work_rounds(struct shape of, struct kith_cost *cost)
{
	const double drop = fmax(1, floor(of.how->turf * of.p));

	work(&of, cost);
	while (of.how->turf > 0 && of.p > drop) {
		struct kith_cost round = {0};

		of.p -= drop;
		work(&of, &round);
		kith_cost_range(cost, round.low, round.high);
	}
}

struct kith_cost
kith_cost_of_relief(const struct kith_relief_rows *rows, const struct kith_relief_how *how)
{
	const size_t n = rows->X.n, m = how->samples ? how->samples : n;
	const struct shape of = {(double)n, (double)m, (double)rows->X.p, rows, how};
	struct kith_cost cost = {.rows = n,
	    .features = rows->X.p,
	    .queries = how->samples,
	    .classes = rows->y ? rows->c : 0,
	    .k = how->method == KITH_RELIEFF ? how->k : 0,
	    .threads = how->threads};

	work_rounds(of, &cost);
	return cost;
}

int
kith_cost_relief(const struct kith_relief_rows *rows, const struct kith_relief_how *how,
    size_t times, struct kith_out *out, struct kith_err *err)
{
	struct kith_cost cost = kith_cost_of_relief(rows, how);

	kith_cost_times(&cost, (double)times);
	return kith_cost_write(&cost, kith_cost_speed, out, err);
}
