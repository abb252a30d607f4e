/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/candidates.h: a list holds.  Wherever w may go within its
 * radius, no pair outside of it is nearer than the target, which is in the list
 * by definition.
 */
#include "sqpfw/candidates.h"
#include "sqpfw/active.h"
#include "sqpfw/data.h"
#include "sqpfw/groups.h"
#include "sqpfw/renewal.h"
#include "sqpfw/state.h"
#include "tap.h"

#include <stdlib.h>

static struct kith_pool pool;

/* What one group of a solver was tried with. */
struct tally {
	size_t groups;
	double worst; /* how much nearer, over the target's distance */
};

static uint32_t
find_item(const struct kith_sqpfw *s, uint32_t g, size_t j)
{
	uint32_t at = s->group[g].first_pair;

	while (at != KITH_SQPFW_NONE && s->pairs.pair[at].j != j)
		at = s->pairs.pair[at].next;
	return at;
}

static int
compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The distance of the target at w, of those that are pairs; none has copies. */
static double
target_at(const struct kith_sqpfw *s, uint32_t g, const double *w)
{
	double d[300] = {0};
	size_t n = 0;

	for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next)
		d[n++] = distance_at(s, w, g / 2, s->pairs.pair[at].j);
	qsort(d, n, sizeof(*d), compare);
	return d[s->group[g].rank - 1];
}

/* The way that brings j nearest to what q is at, by the scales of the list. */
static void
aim(struct kith_sqpfw *s, uint32_t g, size_t j, size_t q)
{
	const double *from = s->candidates.made_at + g * s->points.ld;
	double sum = 0, all = 0;

	for (size_t f = 0; f < s->points.p; f++) {
		const double x = kith_sqpfw_value(&s->points, g / 2, f);
		const double a = kith_sqpfw_value(&s->points, j, f) - x;
		const double b = kith_sqpfw_value(&s->points, q, f) - x;

		s->step.dw_by_feature[f] = a * a - b * b;
		sum += (from[f] + s->candidates.floor) * s->step.dw_by_feature[f];
		all += from[f] + s->candidates.floor;
	}
	for (size_t f = 0; f < s->points.p; f++)
		s->step.dw_by_feature[f] = -(from[f] + s->candidates.floor) *
		    (s->step.dw_by_feature[f] - sum / all);
}

/* Go as far as the list of g allows, to where j is nearest beside q. */
static void
go(struct kith_sqpfw *s, uint32_t g, size_t j, size_t q, struct tally *tally)
{
	double w[FEATURES], tau, target;

	aim(s, g, j, q);
	tau = kith_sqpfw_candidates_reach(s, g);
	for (size_t f = 0; f < s->points.p; f++)
		w[f] = s->w_by_feature[f] + tau * s->step.dw_by_feature[f];
	target = target_at(s, g, w);
	for (size_t k = 0; k < s->points.n; k++)
		if (belongs(s, g, k) && find_item(s, g, k) == KITH_SQPFW_NONE)
			tally->worst = fmax(
			    tally->worst, (target - distance_at(s, w, g / 2, k)) / fabs(target));
}

/* Try the list of a group, in the ways of some pairs outside of it. */
static void
try_list(struct kith_sqpfw *s, uint32_t g, struct tally *tally)
{
	const struct kith_sqpfw_group *group = &s->group[g];

	if (group->rank == 0 || !(group->radius < INFINITY))
		return;
	tally->groups++;
	for (size_t j = 0; j < s->points.n; j += 5) {
		if (!belongs(s, g, j) || find_item(s, g, j) != KITH_SQPFW_NONE)
			continue;
		for (uint32_t at = group->first_pair; at != KITH_SQPFW_NONE;
		     at = s->pairs.pair[at].next)
			if (s->pairs.pair[at].state <= 0)
				go(s, g, j, s->pairs.pair[at].j, tally);
	}
}

/* Stop on the way now and then, make all lists anew, and try them. */
static void
test_lists(size_t hits, size_t misses)
{
	const size_t n = 160, p = FEATURES;
	const double prior[] = {.2, .1, .1, .1, .1, .1, .1, .2};
	const struct kith_sqpfw_how how = {
	    hits, misses, .prior = prior, .threads = 1, .max_iter = 150};
	struct kith_mat X = kith_mat_new(&pool, n, p);
	size_t *y = kith_new(&pool, n, sizeof(*y)), looks = 0;
	struct tally tally = {0};
	struct kith_sqpfw *s;

	for (size_t i = 0; i < n; i++) {
		y[i] = i % 2;
		for (size_t f = 0; f < p; f++)
			kith_row(&X, i)[f] = number(-2, 2) + (f > 1 ? 0 : .5 * (double)y[i]);
	}
	s = kith_sqpfw_new(&X, y, 2, &how, &pool);
	for (; looks < 4 && !kith_sqpfw_solve(s, 8); looks++)
		for (uint32_t g = 0; g < 2 * s->points.n; g++) {
			kith_sqpfw_renewal_make(s, &g, 1, KITH_SQPFW_NONE);
			try_list(s, g, &tally);
		}
	ok(tally.worst < 1e-9 && tally.groups > 300,
	    "%zu and %zu: in %zu lists none is nearer by more than %.1e", hits, misses,
	    tally.groups, tally.worst);
}

/*
 * The third hit of the first row is one of three at the same distance, and
 * these go apart in ways that the target of the moment does not show.
 */
static void
test_tied(void)
{
	const size_t n = 100, p = 3;
	const double prior[] = {1. / 3, 1. / 3, 1. / 3};
	static const double at[4][3] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {1, 2, 2}};
	const struct kith_sqpfw_how how = {3, 1, .prior = prior, .threads = 1};
	struct kith_mat X = kith_mat_new(&pool, n, p);
	size_t *y = kith_new(&pool, n, sizeof(*y));
	struct tally tally = {0};
	struct kith_sqpfw *s;

	for (size_t i = 0; i < n; i++) {
		y[i] = i >= 95;
		for (size_t f = 0; f < p; f++)
			kith_row(&X, i)[f] = i < 4 ? at[i][f]
			    : i >= 20              ? 2 + number(0, .1)
			    : f == 0               ? 3 + .01 * (double)i
						   : 0;
	}
	s = kith_sqpfw_new(&X, y, 2, &how, &pool);
	for (uint32_t q = s->group[0].first_pair, next; q != KITH_SQPFW_NONE; q = next) {
		next = s->pairs.pair[q].next;
		if (s->pairs.pair[q].state < 0) {
			kith_sqpfw_queue_take(&s->pairs.queue, q);
			kith_sqpfw_active_tie(s, q);
		}
	}
	is_size(s->group[0].tied, 3, "three hits are tied");
	is_size(s->group[0].nearer, 0, "none is nearer");
	kith_sqpfw_renewal_make(s, &(uint32_t){0}, 1, KITH_SQPFW_NONE);
	try_list(s, 0, &tally);
	ok(tally.worst < 1e-9 && tally.groups == 1,
	    "then none outside of the list is nearer by more than %.1e", tally.worst);
}

int
main(void)
{
	kith_rng_seed(&rng, 9, KITH_RNG_SAMPLE, 0);
	test_tied();
	test_lists(1, 2);
	test_lists(2, 3);
	test_lists(4, 2);
	kith_pool_free(&pool);
	return done();
}
