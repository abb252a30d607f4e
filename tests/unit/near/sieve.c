/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/sieve.h: tiles of every width, in any order, from one side
 * and from both; whole numbers, so that all bounds are exact.
 */
#include "near/sieve.h"

#include "base/pool.h"
#include "near/kth.h"
#include "near/near.h"
#include "near/pack.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

enum { N = 110, M = 10, SCALE = 4 };

static double x[N];
static float low[N], wide[N], scratch[256];
static const struct kith_knn_pack pack = {
    .metric = {KITH_SQUARED, 1, NULL}, .X = {N, 1, x}, .unit = 1};

enum order { FARTHER, NEARER, MIXED, EQUAL, TWICE };

static void
make(enum order order, float width)
{
	for (size_t i = 0; i < N; i++) {
		x[i] = order == FARTHER ? (double)i
		    : order == NEARER   ? (double)(N - i)
		    : order == MIXED    ? (double)(i * 37 % N)
		    : order == EQUAL    ? 3
					: floor((double)i / 2);
		low[i] = (float)(SCALE * x[i] * x[i]);
		wide[i] = width;
	}
}

/* A sieve for rows 0..m-1 of the reference, which are the query, too. */
static struct kith_knn_sieve
sieve_of(size_t m, size_t k, struct kith_neighbour *nn, struct kith_pool *pool)
{
	struct kith_knn_sieve s = {.pack = &pack,
	    .scale = SCALE,
	    .wide = wide,
	    .k = k,
	    .z = kith_new(pool, m, sizeof(*s.z)),
	    .z_low = low,
	    .z_wide = wide};

	for (size_t i = 0; i < m; i++)
		s.z[i] = x + i;
	kith_knn_sieve_room(&s, m, nn, pool);
	kith_knn_sieve_clear(&s, m);
	return s;
}

/* Rows row..row+m-1 of the query and first..first+n-1 of the reference. */
static void
scan(struct kith_knn_sieve *s, size_t row, size_t m, size_t first, size_t n,
    bool both)
{
	static float C[N * N];
	const struct kith_knn_tile tile = {.C = C,
	    .m = m,
	    .n = n,
	    .low = low + first,
	    .wide = wide + first,
	    .first = first,
	    .sieve = s,
	    .row = row,
	    .other_low = both ? low + row : NULL,
	    .other_first = row,
	    .other_row = first};

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			C[i * n + j] = (float)(-2 * SCALE * x[row + i] *
			    x[first + j]);
	kith_knn_scan(&tile, scratch);
}

static int
by_distance(const void *a, const void *b)
{
	const struct kith_neighbour *s = a, *t = b;

	if (s->d != t->d)
		return s->d < t->d ? -1 : 1;
	return (s->row > t->row) - (s->row < t->row);
}

/* Whether the k nearest of all rows come out for row i, under its limit. */
static bool
right(struct kith_knn_sieve *s, size_t i)
{
	struct kith_neighbour due[N], nn[N];
	bool same;

	for (size_t j = 0; j < N; j++)
		due[j] = (struct kith_neighbour){
		    j, (x[i] - x[j]) * (x[i] - x[j])};
	qsort(due, N, sizeof(*due), by_distance);
	same = (double)s->limit[i] + low[i] >= SCALE * due[s->k - 1].d &&
	    s->held[i] < s->slots;
	kith_knn_sieve_finish(s, i, scratch, nn);
	for (size_t j = 0; j < s->k; j++)
		same = same && nn[j].row == due[j].row && nn[j].d == due[j].d;
	return same;
}

/* Tiles of `width` columns, from the first or from the last on. */
static bool
one_side(size_t k, size_t width, bool back, bool shared)
{
	struct kith_pool pool = {0};
	struct kith_knn_sieve s = sieve_of(M, k,
	    shared ? kith_new(&pool, M * k, sizeof(struct kith_neighbour))
		   : NULL,
	    &pool);
	const size_t tiles = (N + width - 1) / width;
	bool good = true;

	for (size_t t = 0; t < tiles; t++) {
		const size_t first = (back ? tiles - 1 - t : t) * width;

		scan(&s, 0, M, first, N - first < width ? N - first : width,
		    false);
	}
	for (size_t i = 0; i < M; i++)
		good = good && right(&s, i);
	kith_pool_free(&pool);
	return good;
}

/* A join: blocks of rows with themselves, and with those behind, both ways. */
static bool
both_sides(size_t k, size_t width)
{
	struct kith_pool pool = {0};
	struct kith_knn_sieve s = sieve_of(N, k, NULL, &pool);
	bool good = true;

	for (size_t a = 0; a < N; a += width) {
		const size_t m = N - a < width ? N - a : width;

		scan(&s, a, m, a, m, false);
		if (a + m < N)
			scan(&s, a, m, a + m, N - a - m, true);
	}
	for (size_t i = 0; i < N; i += 3)
		good = good && right(&s, i);
	kith_pool_free(&pool);
	return good;
}

static void
test_all(enum order order, float width)
{
	static const size_t k[] = {1, 15, 24, 45};
	static const size_t tile[] = {1, 16, 33, 80, N};
	size_t wrong = 0;

	make(order, width);
	for (size_t a = 0; a < sizeof(k) / sizeof(*k); a++)
		for (size_t b = 0; b < sizeof(tile) / sizeof(*tile); b++) {
			wrong += !one_side(k[a], tile[b], false, false);
			wrong += !one_side(k[a], tile[b], true, false);
			wrong += !one_side(k[a], tile[b], true, true);
			wrong += !both_sides(k[a], tile[b]);
		}
	ok(wrong == 0, "the k nearest of rows of order %d, width %g",
	    (int)order, (double)width);
}

/* How many slots there are, and where. */
static void
test_room(void)
{
	struct kith_pool pool = {0};
	struct kith_neighbour nn[48];
	struct kith_knn_sieve s = sieve_of(2, 1, nn, &pool);

	ok(s.slots == 64 && (void *)s.slot != nn, "few neighbours: 64 slots");
	is_size(sieve_of(1, 30, NULL, &pool).slots, 64, "2 k + 4 at least");
	is_size(sieve_of(1, 31, NULL, &pool).slots, 80, "whole vectors");
	is_size(sieve_of(1, 38, NULL, &pool).slots, 80, "as many");
	is_size(sieve_of(1, 39, NULL, &pool).slots, 96, "and more");
	s = sieve_of(2, 23, nn, &pool);
	ok((void *)s.slot != nn, "23 neighbours: on their own");
	s = sieve_of(2, 24, nn, &pool);
	ok(sizeof(*nn) < 2 * sizeof(*s.slot) ||
		((void *)s.slot == nn && s.slots == 48),
	    "24: where the result goes");
	s.limit[0] = 3;
	s.held[0] = s.held[1] = 5;
	kith_knn_sieve_clear(&s, 1);
	ok(s.limit[0] == KITH_KNN_NO_LIMIT && s.held[0] == 0 && s.held[1] == 5,
	    "begun anew");
	kith_pool_free(&pool);
}

/* The first tile gives a limit where it has as many columns as slots. */
static void
test_first(size_t k)
{
	struct kith_pool pool = {0};
	struct kith_knn_sieve s;
	size_t below = 0, n;

	make(NEARER, 0);
	s = sieve_of(1, k, NULL, &pool);
	n = s.slots;
	scan(&s, 0, 1, 0, n - 1, false);
	ok(s.limit[0] == KITH_KNN_NO_LIMIT && s.held[0] == n - 1,
	    "k %zu: all columns of a narrow tile", k);
	kith_knn_sieve_clear(&s, 1);
	scan(&s, 0, 1, 0, n, false);
	for (size_t j = 0; j < n; j++)
		below += low[j] - 2 * SCALE * x[0] * x[j] <= (double)s.limit[0];
	ok(k <= below && below <= k + k / 8 + 1 && s.held[0] == below,
	    "of a wider one about k: %zu", below);
	make(MIXED, 0);
	kith_knn_sieve_clear(&s, 1);
	scan(&s, 0, 1, 0, N, false);
	ok(k <= s.held[0] && s.held[0] <= k + k / 8 + 1,
	    "no more where nearer ones follow: %u", (unsigned)s.held[0]);
	kith_pool_free(&pool);
}

int
main(void)
{
	for (enum order order = FARTHER; order <= TWICE; order++) {
		test_all(order, 0);
		test_all(order, 3);
		test_all(order, 1e5F);
	}
	test_room();
	test_first(1);
	test_first(10);
	test_first(40);
	return done();
}
