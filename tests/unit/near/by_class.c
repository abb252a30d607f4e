/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the searches by class of lib/near/knn.h: against plain loops, on grids where ties are
 * common, of all rows and of some, with classes of one row and of none.
 */
#include "near/knn.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/level.h"
#include "near/metric.h"
#include "tap.h"

#include <stdint.h>
#include <stdlib.h>

enum { N = 90, P = 2, K = 4, MOST = 5 };

struct problem {
	double x[N * P];
	size_t y[N], sample[N], c, m;
	struct kith_by_class s;
	struct kith_pool pool;
};

static const struct kith_metric metric = {KITH_ABSOLUTE, P, NULL};

/* c classes, the last one with a row, the one before with none. */
static void
make(struct problem *q, size_t seed, size_t c, bool some)
{
	const struct kith_mat X = {N, P, q->x};
	struct kith_rng r;

	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, c);
	*q = (struct problem){.c = c};
	for (size_t i = 0; i < (size_t)N * P; i++)
		q->x[i] = (double)kith_rng_below(&r, 7);
	for (size_t i = 0; i < N; i++) {
		q->y[i] = kith_rng_below(&r, c > 3 ? c - 2 : c);
		if (c > 3 && i == 40)
			q->y[i] = c - 1;
		if (!some || i == 40 || kith_rng_below(&r, 3) == 0)
			q->sample[q->m++] = i;
	}
	kith_by_class_sort(
	    &X, c > 1 ? q->y : NULL, c, some ? q->sample : NULL, q->m, &q->s, &q->pool);
}

/* Whether rows are in the order of classes, and where these start. */
static bool
is_sorted(const struct problem *q)
{
	const struct kith_by_class *s = &q->s;
	size_t l = 0;
	bool good = s->c == q->c && s->m == q->m && s->X.n == N && s->Z.n == q->m &&
	    s->first[0] == 0 && s->first[s->c] == N && s->query_start[0] == 0 &&
	    s->query_start[s->c] == s->m;

	for (size_t i = 0; i < N && good; i++) {
		const size_t row = s->row[i], b = s->y[i];
		const bool is_sampled = l < s->m && s->query[l] == i;
		size_t in = 0;

		good = b == (q->c > 1 ? q->y[row] : 0) && s->first[b] <= i && i < s->first[b + 1];
		good = good && (i == 0 || s->y[i - 1] < b || s->row[i - 1] < row);
		for (size_t j = 0; j < P; j++)
			good = good && s->X.v[i * P + j] == q->x[row * P + j];
		for (size_t h = 0; h < q->m; h++)
			in += q->sample[h] == row;
		good = good && in == is_sampled;
		if (!is_sampled)
			continue;
		good = good && s->query_start[b] <= l && l < s->query_start[b + 1] &&
		    kith_row(&s->Z, l)[1] == q->x[row * P + 1];
		l++;
	}
	return good && l == q->m;
}

/* The rows of class b by (distance, row) from place i, itself left out; how many. */
static size_t
judge(const struct problem *q, size_t i, size_t b, struct kith_neighbour *nn)
{
	const struct kith_by_class *s = &q->s;
	size_t n = 0;

	for (size_t j = s->first[b]; j < s->first[b + 1]; j++) {
		struct kith_neighbour x = {
		    j, kith_dist(&metric, kith_row(&s->X, i), kith_row(&s->X, j))};
		size_t at = n;

		if (i == j)
			continue;
		for (n++; at > 0 && nn[at - 1].d > x.d; at--)
			nn[at] = nn[at - 1];
		nn[at] = x;
	}
	return n;
}

static size_t
wrong_near(const struct problem *q, size_t k)
{
	const struct kith_by_class *s = &q->s;
	struct kith_neighbour due[N], nn[N * K];
	size_t bad = 0;

	for (size_t b = 0; b < q->c; b++) {
		for (size_t e = 0; e < q->m * k; e++)
			nn[e] = (struct kith_neighbour){SIZE_MAX, -1};
		kith_knn_search_class(s, &metric, b, k, 1 + b % 2, nn);
		for (size_t l = 0; l < q->m; l++) {
			const size_t i = s->query[l];
			size_t n = judge(q, i, b, due);

			n = n < k ? n : k;
			bad += kith_by_class_count(s, s->y[i], b, k) != n;
			for (size_t r = 0; r < k; r++) {
				const struct kith_neighbour *it = &nn[l * k + r];

				bad += r < n ? it->row != due[r].row || it->d != due[r].d
					     : it->row != SIZE_MAX;
			}
		}
	}
	return bad;
}

int
main(void)
{
	const size_t seeds = getenv("KITH_LONG") ? 200 : 6;

	for (size_t seed = 0; seed < seeds; seed++)
		for (size_t c = 1; c <= MOST; c++) {
			static const char *const search[] = {"leaves", "products", "plain"};
			struct problem q;

			setenv("KITH_SEARCH", search[(seed + c) % 3], 1);
			make(&q, seed, c, seed % 2);
			kith_level = seed % kith_level_count();
			ok(is_sorted(&q), "%zu classes, %zu rows sampled", c, q.m);
			is_size(wrong_near(&q, 1), 0, "the nearest");
			is_size(wrong_near(&q, K), 0, "and some more");
			kith_pool_free(&q.pool);
		}
	return done();
}
