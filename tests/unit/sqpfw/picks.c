/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/picks.h: which points are in pairs that are nearer or
 * tied, of few such pairs and of many; what candidates become of a list, on a
 * grid, where rows of many points are equal, and of numbers that are off by
 * rounding.
 */
#include "sqpfw/picks.h"

#include "near/heap.h"
#include "sqpfw/data.h"
#include "sqpfw/groups.h"
#include "sqpfw/pair.h"
#include "sqpfw/state.h"
#include "tap.h"

enum { N = 80, P = 3, HITS = 24 };

static struct kith_pool pool;

/* Points of a grid, so that many are as far from others for every w. */
static struct kith_sqpfw *
begin(struct set *set, size_t hits, int grid)
{
	*set = (struct set){.X = kith_mat_new(&pool, N, P),
	    .c = 2,
	    .how = {.hits = hits, .misses = 3, .threads = 1, .many = 1}};
	for (size_t i = 0; i < N; i++) {
		set->y[i] = i % 2;
		for (size_t f = 0; f < P; f++)
			kith_row(&set->X, i)[f] = round((double)grid * number(-1, 1));
	}
	set_prior(set);
	return kith_sqpfw_new(&set->X, set->y, 2, &set->how, &pool);
}

static bool
same(const struct kith_sqpfw *s, uint32_t g, size_t a, size_t b)
{
	for (size_t f = 0; f < s->points.p; f++)
		if (row_entry(s, g / 2, a, b, f) != 0)
			return false;
	return true;
}

/* Whether j is in a pair of a group that is nearer or tied; how many are. */
static bool
is_inner(const struct kith_sqpfw *s, uint32_t g, size_t j, size_t *pairs)
{
	bool is = false;

	*pairs = 0;
	for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];

		if (pair->state > 0)
			continue;
		++*pairs;
		is |= pair->j == j || (pair->merged && same(s, g, pair->j, j));
	}
	return is;
}

static void
test_inner(void)
{
	size_t wrong = 0, counts = 0, sizes[HITS + 1] = {0}, pairs;

	for (size_t hits = 1; hits <= HITS; hits++) {
		struct set set;
		struct kith_sqpfw *s = begin(&set, hits, 3 + (int)hits % 3);

		/* that candidates are there, too */
		set.how.max_iter = 4;
		kith_sqpfw_solve(s, .5);
		for (uint32_t g = 0; g < 2 * s->points.n; g++) {
			const struct kith_sqpfw_inner inner = kith_sqpfw_inner_of(s, g);

			for (size_t j = 0; j < s->points.n; j++)
				if (belongs(s, g, j))
					wrong += is_inner(s, g, j, &pairs) !=
					    kith_sqpfw_inner_has(&inner, j);
			is_inner(s, g, 0, &pairs);
			counts += inner.n != pairs;
			sizes[pairs < HITS ? pairs : HITS]++;
		}
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	is_size(wrong, 0, "points of pairs that are nearer or tied, no others");
	is_size(counts, 0, "so many pairs");
	ok(sizes[15] > 0 && sizes[16] > 0 && sizes[17] > 0 && sizes[18] > 0,
	    "%zu groups of 16 of them, %zu of one more", sizes[16], sizes[17]);
}

/* Some points of a group that are not in such pairs, by distance at u: all of
 * those whose rows are equal. */
static size_t
list(const struct kith_sqpfw *s, uint32_t g, const double *u, double noise,
    struct kith_neighbour *nn)
{
	struct kith_heap heap = {nn, N, 0};
	size_t pairs;

	for (size_t j = 0; j < s->points.n; j++) {
		double d;

		if (!belongs(s, g, j) || is_inner(s, g, j, &pairs))
			continue;
		d = distance_at(s, u, g / 2, j) * (1 + 1e-7 * noise * number(-1, 1)) +
		    1e-13 * noise * number(0, 1);
		if (d < .75)
			kith_heap_push(&heap, j, d);
	}
	kith_heap_sort(&heap);
	return heap.held;
}

/* Whether a pair is of the points of the list whose rows are as its own. */
static bool
is_pick(const struct kith_sqpfw *s, const struct kith_sqpfw_pair *pair,
    const struct kith_neighbour *nn, size_t n, size_t *first)
{
	size_t points = 0, copies = 0;

	*first = N;
	for (size_t k = 0; k < n; k++) {
		const size_t j = nn[k].row;

		if (!same(s, pair->group, pair->j, j))
			continue;
		points++;
		copies += s->points.copies[j];
		if (*first == N || s->points.first[j] < s->points.first[*first])
			*first = j;
	}
	return points > 0 && pair->copies == copies && pair->merged == (points > 1);
}

struct tally {
	size_t wrong, doubled, lost, fresh, kept, alike;
};

/* Candidates of a group, and that each class of points is there once. */
static void
look(const struct kith_sqpfw *s, uint32_t g, const struct kith_neighbour *nn, size_t n,
    uint32_t keep, struct tally *tally)
{
	bool there[N] = {false};
	size_t first;

	for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];

		if (pair->state <= 0)
			continue;
		if (!is_pick(s, pair, nn, n, &first)) {
			tally->wrong += at != keep || first < N;
			continue;
		}
		tally->wrong += pair->j != first && at != keep;
		tally->alike += pair->merged;
		tally->doubled += there[first];
		there[first] = true;
	}
	for (size_t k = 0; k < n; k++) {
		bool has = false;

		for (size_t j = 0; j < N; j++)
			has |= there[j] && same(s, g, nn[k].row, j);
		tally->lost += !has;
	}
}

/* Fresh pairs are measured and wait for nothing. */
static void
look_fresh(struct kith_sqpfw *s, uint32_t g, struct tally *tally)
{
	for (size_t k = 0; k < s->candidates.n_fresh; k++) {
		const uint32_t at = s->candidates.fresh[k];
		struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
		const double was = pair->row_norm;

		kith_sqpfw_pair_measure(s, at);
		tally->wrong += pair->row_norm != was || pair->group != g || pair->state != 1 ||
		    pair->queue_place != KITH_SQPFW_NONE;
		tally->fresh++;
	}
}

/* Some candidate of a group. */
static uint32_t
some(const struct kith_sqpfw *s, uint32_t g)
{
	uint32_t found = KITH_SQPFW_NONE;

	for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next)
		if (s->pairs.pair[at].state > 0 && whole(0, 1))
			found = at;
	return found;
}

/* List after list: pairs that stay candidates keep their number. */
static void
try_group(struct kith_sqpfw *s, uint32_t g, struct tally *tally)
{
	for (int k = 0; k < 6; k++) {
		struct kith_neighbour nn[N];
		uint32_t keep = some(s, g), number_of[N];
		double u[FEATURES] = {0};
		size_t n;

		for (size_t f = 0; f < P; f++)
			u[f] = f < (size_t)k / 4 ? 0 : number(.05, .6);
		n = list(s, g, u, k % 2, nn);
		for (size_t j = 0; j < N; j++)
			number_of[j] = KITH_SQPFW_NONE;
		for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
		     at = s->pairs.pair[at].next)
			number_of[s->pairs.pair[at].j] = at;
		s->candidates.n_fresh = 0;
		kith_sqpfw_picks_take(s, g, nn, n, keep);
		look(s, g, nn, n, keep, tally);
		look_fresh(s, g, tally);
		tally->lost += keep != KITH_SQPFW_NONE &&
		    (s->pairs.pair[keep].group != g || s->pairs.pair[keep].state != 1);
		for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
		     at = s->pairs.pair[at].next) {
			const uint32_t was = number_of[s->pairs.pair[at].j];

			tally->kept += was == at;
			tally->wrong += was != at && was != KITH_SQPFW_NONE;
		}
	}
}

static void
test_take(void)
{
	struct tally tally = {0};

	for (int k = 0; k < 12; k++) {
		struct set set;
		struct kith_sqpfw *s = begin(&set, 1 + (size_t)k % 3, 2 + k % 3);

		for (uint32_t g = 0; g < 2 * s->points.n; g += 5)
			if (s->group[g].rank > 0)
				try_group(s, g, &tally);
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	is_size(tally.wrong, 0, "a list becomes pairs of rows that differ,");
	is_size(tally.doubled, 0, "none twice,");
	is_size(tally.lost, 0, "and all of them, with the one to keep");
	ok(tally.fresh > 1000 && tally.kept > 1000 && tally.alike > 1000,
	    "%zu were new, %zu had a number, %zu are of several points", tally.fresh, tally.kept,
	    tally.alike);
}

int
main(void)
{
	kith_rng_seed(&rng, 301, KITH_RNG_SAMPLE, 0);
	test_inner();
	test_take();
	return done();
}
