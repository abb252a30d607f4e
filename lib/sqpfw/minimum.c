/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/minimum.h"

#include "base/pool.h"
#include "sqpfw/candidates.h"
#include "sqpfw/shares.h"
#include "sqpfw/solve.h"
#include "sqpfw/sqpfw.h"
#include "sqpfw/state.h"

#include <math.h>
#include <string.h>

/* Rounds at most, as long as the iterations are at most WORK times those of the
 * first solve, and FREE. */
enum { ROUNDS = 40, WORK = 4, FREE = 1000 };

/* Weights below may be 0 but for rounding. */
#define TINY 1e-13

/* The relative difference of objectives that may be rounding. */
#define SAME 1e-12

/* The line search tries 4^-STEPS to 1 times the longest feasible step. */
enum { STEPS = 22 };

struct search {
	struct kith_sqpfw_judge *judge;
	bool quick;
	size_t p;
	double theta;
	const double *w;   /* where it begins, */
	double F;          /* and F(w) */
	double *down, *at; /* p: a direction; w + tau down, of sum 1 */
};

/* Add the rows of point j but row i; how many there are then. */
static size_t
add_rows(const struct kith_sqpfw_points *points, size_t j, size_t i, uint32_t *rows, size_t n)
{
	for (size_t k = points->members[j]; k < points->members[j + 1]; k++)
		if (points->member[k] != i)
			rows[n++] = (uint32_t)points->member[k];
	return n;
}

size_t
kith_sqpfw_minimum_hint(const void *of, size_t i, bool miss, uint32_t *rows, double *margin)
{
	const struct kith_sqpfw *s = of;
	const size_t point = s->points.point[i], g = 2 * point + miss;
	const struct kith_sqpfw_group *group = &s->group[g];
	size_t n = miss ? 0 : add_rows(&s->points, point, i, rows, 0);

	/* A pair of merged points does not know them. */
	for (uint32_t at = group->first_pair; at != KITH_SQPFW_NONE; at = s->pairs.pair[at].next) {
		if (s->pairs.pair[at].merged)
			return 0;
		n = add_rows(&s->points, s->pairs.pair[at].j, i, rows, n);
	}
	*margin = INFINITY;
	if (s->candidates.box.made)
		*margin = scalbn(group->slack, -2 * s->points.exponent);
	/* (radius - moved) slack - excess, in units of the data */
	if (group->radius < INFINITY)
		*margin = scalbn((group->radius - kith_sqpfw_candidates_moved(s, (uint32_t)g, 0)) *
			    group->slack -
			group->excess,
		    -2 * s->points.exponent);
	/* A group whose distance is constantly 0 has no pairs. */
	return group->rank == 0 ? 0 : n;
}

struct kith_sqpfw_known
kith_sqpfw_minimum_known(struct kith_sqpfw *s)
{
	kith_sqpfw_shares_find(s);
	return (struct kith_sqpfw_known){
	    .rows = {kith_sqpfw_minimum_hint, s}, .shares = {kith_sqpfw_shares_ask, s}};
}

/* The largest tau at which no weight is below 0. */
static double
longest(const struct search *s)
{
	double tau = INFINITY;

	for (size_t f = 0; f < s->p; f++)
		if (s->down[f] < 0)
			tau = fmin(tau, s->w[f] / -s->down[f]);
	return tau;
}

/* Let at be w + tau down, brought to sum 1; false where there is no such sum.
 */
static bool
move(const struct search *s, double tau)
{
	long double sum = 0;

	for (size_t f = 0; f < s->p; f++) {
		s->at[f] = fmax(s->w[f] + tau * s->down[f], 0);
		sum += s->at[f];
	}
	if (!(sum > 0 && sum < INFINITY))
		return false;
	for (size_t f = 0; f < s->p; f++)
		s->at[f] = (double)(s->at[f] / sum);
	return true;
}

/* A line search for a lower F along down, into at; whether there is one. */
static bool
descend(const struct search *s)
{
	const double most = longest(s);
	double best = s->F, found = 0;

	if (!(most > 0 && most < INFINITY))
		return false;
	for (int k = -STEPS; k <= 0; k++) {
		const double tau = ldexp(most, 2 * k);
		double F;

		if (!move(s, tau))
			break;
		F = kith_sqpfw_judge_objective(s->judge, s->at, s->theta);
		if (F < best) {
			best = F;
			found = tau;
		} else if (found > 0)
			break;
	}
	return found > 0 && move(s, found);
}

/* Let at be w without tiny weights; false where there is no such sum. */
static bool
drop_tiny(const struct search *s)
{
	for (size_t f = 0; f < s->p; f++)
		s->down[f] = s->w[f] < TINY ? -s->w[f] : 0;
	return move(s, 1);
}

static bool
has_tiny(const double *w, size_t p)
{
	for (size_t f = 0; f < p; f++)
		if (0 < w[f] && w[f] < TINY)
			return true;
	return false;
}

/*
 * Let at be where the search goes on: lower along down, or else, once, the same
 * weights, for rounding may have spoilt the active set.  False: nowhere.
 */
static bool
find_next(const struct search *s, bool *again)
{
	if (descend(s)) {
		*again = false;
		return true;
	}
	*again = !*again;
	return *again && drop_tiny(s);
}

/* The lowest weights so far that sum to 1; those certified before others. */
struct best {
	double *w; /* p */
	double F;
	bool certified;
};

/* Whether a verdict is worse than the best one, by more than rounding. */
static bool
is_worse(const struct kith_sqpfw_verdict *verdict, const struct best *best)
{
	if (verdict->certified != best->certified)
		return best->certified;
	return !(verdict->simplex <= KITH_SQPFW_SUM &&
	    verdict->objective <= best->F + SAME * fabs(best->F));
}

/* Judge the weights that the solver is at, and keep them if they are best. */
static void
judge_weights(
    struct search *s, struct kith_sqpfw *solver, struct kith_sqpfw_verdict *out, struct best *best)
{
	struct kith_sqpfw_known known = kith_sqpfw_minimum_known(solver);

	known.only = s->quick;
	kith_sqpfw_judge(s->judge, solver->w_by_feature, s->theta, &known, out, s->down);
	s->w = solver->w_by_feature;
	s->F = out->objective;
	if (is_worse(out, best))
		return;
	memcpy(best->w, s->w, s->p * sizeof(*best->w));
	best->F = out->objective;
	best->certified = out->certified;
}

void
kith_sqpfw_minimum(struct kith_sqpfw *s, struct kith_sqpfw_judge *judge, bool quick,
    struct kith_sqpfw_verdict *out)
{
	struct kith_pool tmp = {0};
	const size_t p = s->points.p;
	struct search search = {.judge = judge,
	    .quick = quick,
	    .p = p,
	    .theta = kith_sqpfw_theta(s),
	    .down = kith_new(&tmp, p, sizeof(double)),
	    .at = kith_new(&tmp, p, sizeof(double))};
	struct best best = {kith_new(&tmp, p, sizeof(double)), INFINITY, false};
	bool again = false;
	size_t most;

	judge_weights(&search, s, out, &best);
	most = WORK * s->iterations + FREE;
	for (size_t round = 0; round < ROUNDS && !s->limited; round++) {
		/* Tiny weights make a minimum next to the one without them. */
		if (out->certified &&
		    (!has_tiny(s->w_by_feature, p) || again || !drop_tiny(&search)))
			break;
		if (!out->certified &&
		    (quick || s->iterations > most || !find_next(&search, &again)))
			break;
		again |= out->certified;
		kith_sqpfw_restart(s, search.at);
		kith_sqpfw_solve_warm(s);
		judge_weights(&search, s, out, &best);
	}
	if (is_worse(out, &best)) {
		kith_sqpfw_restart(s, best.F < INFINITY ? best.w : NULL);
		kith_sqpfw_solve_warm(s);
		judge_weights(&search, s, out, &best);
	}
	kith_pool_free(&tmp);
}
