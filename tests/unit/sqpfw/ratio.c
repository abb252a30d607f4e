/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of kith_sqpfw_ratio_test() of lib/sqpfw/solver.h: along the directions of a search on random
 * sets, the step is the longest at which no pair of all rows passes its target and no weight
 * becomes negative.
 */
#include "sqpfw/solver.h"

#include "sqpfw/data.h"
#include "tap.h"

enum { SETS = 24, STEPS = 40 };

static struct kith_pool pool;

/* sum_f v_f (x_jf - x_if)^2 of points i and j, v by position. */
static double
along(const struct kith_sqpfw *s, const double *v, size_t i, size_t j)
{
	const double *a = kith_sqpfw_point(&s->points, i), *b = kith_sqpfw_point(&s->points, j);
	double sum = 0;

	for (size_t f = 0; f < s->positive; f++)
		sum += v[f] * (b[f] - a[f]) * (b[f] - a[f]);
	return sum;
}

/* Whether point j counts as nearer than the target of group g: state -1, by a pair followed. */
static int
state_of(const struct kith_sqpfw *s, size_t g, size_t j)
{
	for (uint32_t at = s->group[g].pairs; at != KITH_SQPFW_NONE; at = s->pair[at].next)
		if (s->pair[at].j == j)
			return s->pair[at].state;
	return 1;
}

/* The longest step <= 1, by all pairs. */
static double
longest(const struct kith_sqpfw *s)
{
	double tau = 1;

	for (size_t f = 0; f < s->positive; f++)
		if (s->dw[f] < 0)
			tau = fmin(tau, s->w[f] / -s->dw[f]);
	for (size_t g = 0; g < 2 * s->points.n; g++) {
		const size_t i = g / 2, r = s->group[g].r;

		for (size_t j = 0; j < s->points.n && s->group[g].rank > 0; j++) {
			const bool miss = s->points.class[i] != s->points.class[j];
			double gap, change;
			int state;

			if (j == i || miss != g % 2 || j == r)
				continue;
			state = state_of(s, g, j);
			gap = (along(s, s->w, i, j) - along(s, s->w, i, r)) * state;
			change = (along(s, s->dw, i, j) - along(s, s->dw, i, r)) * state;
			if (change < -1e-11 * s->dw_norm && state != 0)
				tau = fmin(tau, fmax(gap, 0) / -change);
		}
	}
	return tau;
}

struct tally {
	size_t steps, equal, cut, longer, wrong;
};

static void
try_set(size_t k, struct tally *tally)
{
	struct kith_sqpfw *s;
	struct set set;
	double theta = .1;

	draw_many(&set, CONTINUOUS, k % 2 ? 180 : 60, &pool);
	if (k % 3 == 0)
		stretch(&set);
	set.how.max_iter = 3;
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	for (size_t step = 0; step < STEPS; step++) {
		struct kith_sqpfw_change block;
		double due, tau, rounding;

		if (kith_sqpfw_solve(s, theta))
			theta *= 1.5;
		kith_sqpfw_solve(s, theta);
		if (!kith_sqpfw_direction(s))
			continue;
		due = longest(s);
		tau = kith_sqpfw_ratio_test(s, 1, &block);
		tally->steps++;
		rounding = 1e-9 * due + 1e-12 / s->dw_norm;
		tally->longer += tau > due + rounding;
		if (tau >= due - rounding)
			tally->equal++;
		else if (block.what == KITH_SQPFW_NOTHING)
			tally->cut++;
		else
			tally->wrong++;
		kith_sqpfw_move(s, .5 * tau);
	}
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

int
main(void)
{
	struct tally tally = {0};

	kith_rng_seed(&rng, 17, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < SETS; k++)
		try_set(k, &tally);
	is_size(tally.longer, 0, "steps that pass a target or make a weight negative");
	is_size(tally.wrong, 0, "steps that end too early at a pair or a weight");
	ok(tally.cut * 20 < tally.steps, "%zu of %zu steps are cut at the radius of a list",
	    tally.cut, tally.steps);
	ok(tally.equal > 0, "%zu are as long as they may be", tally.equal);
	return done();
}
