/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/initial.h: the first pairs are those of the plain version,
 * with their states and copies, on sets with many ties, mirror images and equal
 * rows; by any number of threads.
 */
#include "sqpfw/initial.h"

#include "sqpfw/data.h"
#include "sqpfw/state.h"
#include "tap.h"

enum { SETS = 120 };

static struct kith_pool pool;

/* Points of few places around one, so that more are tied than expected. */
static void
draw_ring(struct set *set)
{
	*set = (struct set){.X = kith_mat_new(&pool, 70, 2),
	    .c = 2,
	    .how = {.hits = whole(1, 4), .misses = whole(1, 4), .threads = 1}};
	for (size_t i = 0; i < 70; i++) {
		set->y[i] = i % 2;
		kith_row(&set->X, i)[0] = (double)whole(0, 12) - 6;
		kith_row(&set->X, i)[1] = (double)whole(0, 12) - 6;
	}
	set_prior(set);
}

static bool
is_copy(const struct plain *plain, size_t i, size_t j)
{
	double sum = 0;

	for (size_t f = 0; f < plain->p; f++)
		sum += plain_eps(plain, i, j, f);
	return plain->y[i] == plain->y[j] && sum == 0;
}

/* The pair of row i whose first row, of those with the same differences, is j. */
static const struct kith_sqpfw_pair *
pair_of(const struct kith_sqpfw *s, size_t i, size_t j)
{
	const size_t miss = s->problem.y[i] != s->problem.y[j];
	const size_t g = 2 * s->points.point[i] + miss;

	for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next)
		if (s->points.first[s->pairs.pair[at].j] == j)
			return &s->pairs.pair[at];
	return NULL;
}

struct tally {
	size_t pairs, states, copies, merged, targets, tied;
};

/* All pairs of a row that are no copies of it. */
static void
look(const struct set *set, const struct kith_sqpfw *s, const struct plain *plain, size_t i,
    struct tally *tally)
{
	for (size_t j = 0; j < set->X.n; j++) {
		const size_t at = i * set->X.n + j;
		const size_t miss = set->y[i] != set->y[j];
		const struct kith_sqpfw_group *group = &s->group[2 * s->points.point[i] + miss];
		const struct kith_sqpfw_pair *pair;

		if (i == j || plain->copies[at] == 0 || is_copy(plain, i, j) || group->rank == 0)
			continue;
		pair = pair_of(s, i, j);
		tally->pairs++;
		tally->states += (pair ? pair->state : 1) != plain->state[at];
		if (plain->state[at] > 0)
			continue;
		tally->tied += plain->state[at] < 0;
		tally->copies += !pair || pair->copies != plain->copies[at];
		tally->merged += pair && pair->merged != (pair->copies > s->points.copies[pair->j]);
		tally->targets += plain->target[2 * i + miss] == j &&
		    (s->points.first[group->target_point] != j ||
			&s->pairs.pair[group->target] != pair);
	}
}

static void
try_set(size_t k, struct tally *tally)
{
	struct kith_sqpfw *s;
	struct plain plain;
	struct set set;

	if (k % 3 == 0)
		draw_ring(&set);
	else
		draw(&set, (enum kind)(k % KINDS), &pool);
	set.how.threads = 1 + k % 3;
	/* of powers of two, so that what is tied is so to the bit */
	for (size_t f = 0; f < set.X.p; f++)
		set.prior[f] = ldexp(1, -(int)(f + 1 < set.X.p ? f + 1 : f));
	/* of row i and its copies only the first has a group of its own */
	plain = plain_of(&set, 0);
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	plain_solve(&plain, &pool);
	for (size_t j = 0; j < s->points.n; j++)
		look(&set, s, &plain, s->points.first[j], tally);
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

int
main(void)
{
	struct tally tally = {0};

	kith_rng_seed(&rng, 67, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < SETS; k++)
		try_set(k, &tally);
	is_size(tally.states, 0, "pairs are nearer, tied or farther");
	is_size(tally.copies, 0, "of so many rows");
	is_size(tally.merged, 0, "merged where these are of several points");
	is_size(tally.targets, 0, "with their targets");
	ok(tally.tied > 1000, "%zu nearer ones, of %zu", tally.tied, tally.pairs);
	return done();
}
