/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/knn.h at every level of la/level.h: each search, forced, against a plain loop
 * over all pairs whose distances the lowest level computes, byte for byte.
 */
#include "la/level.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/by_class.h"
#include "near/heap.h"
#include "near/knn.h"
#include "near/metric.h"
#include "normal.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 129, P = 11, CLASSES = 3 };

enum data { GAUSSIAN, TIES, COPIES, TIED_COPIES, EQUAL, DATA };
static const char *const data_name[] = {
    "Gaussian", "ties", "copies", "ties and copies", "all equal"};

enum weights { ONES, VECTOR, VECTOR_ABS, DEFINITE, SINGULAR, INDEFINITE, PAIRS_ABS, WEIGHTS };
static const enum kith_metric_kind kind_of[] = {KITH_SQUARED, KITH_SQUARED, KITH_ABSOLUTE,
    KITH_SQUARED_MATRIX, KITH_SQUARED_MATRIX, KITH_SQUARED_MATRIX, KITH_ABSOLUTE_MATRIX};

struct problem {
	size_t n;
	double x[MOST * P], w[P * P];
	struct kith_mat X;
	struct kith_metric metric;
	struct kith_neighbour *sorted; /* n x n: all rows by (d, row), d of the lowest level */
	size_t y[MOST];
};

static void
fill(struct kith_rng *r, enum data data, struct problem *q)
{
	for (size_t i = 0; i < q->n; i++)
		for (size_t j = 0; j < P; j++)
			q->x[i * P + j] = data == EQUAL           ? 2.5
			    : data == TIES || data == TIED_COPIES ? (double)kith_rng_below(r, 3)
								  : normal(r);
	for (size_t i = 1; (data == COPIES || data == TIED_COPIES) && i < q->n; i++)
		if (kith_rng_below(r, 3) == 0)
			memcpy(q->x + i * P, q->x + kith_rng_below(r, i) * P, P * sizeof(*q->x));
	for (size_t i = 0; i < q->n; i++)
		q->y[i] = kith_rng_below(r, CLASSES);
}

/* W = A'A of 2 or P rows A, or any symmetric matrix; integers where data have ties. */
static void
weigh(struct kith_rng *r, enum weights weights, struct problem *q)
{
	double a[P * P];
	const size_t rank = weights == SINGULAR ? 2 : P;

	q->metric = (struct kith_metric){kind_of[weights], P, weights == ONES ? NULL : q->w};
	for (size_t e = 0; e < (size_t)P * P; e++)
		a[e] = (double)kith_rng_below(r, 5) - 2;
	for (size_t i = 0; i < P; i++)
		for (size_t j = 0; j < P; j++) {
			double w = 0;

			for (size_t h = 0; h < rank; h++)
				w += a[h * P + i] * a[h * P + j];
			q->w[i * P + j] = weights < DEFINITE || weights >= INDEFINITE
			    ? a[(i > j ? i : j) * P + (i > j ? j : i)]
			    : w;
		}
	for (size_t j = 0; j < P && weights < DEFINITE; j++)
		q->w[j] = j ? fabs(a[j]) : 1;
}

static int
compare(const void *a, const void *b)
{
	return kith_neighbour_before(a, b) ? -1 : kith_neighbour_before(b, a);
}

/* The rows j != left_out of class b (CLASSES: any) by (d, j) from row i; returns their number. */
static size_t
judge(const struct problem *q, size_t i, size_t left_out, size_t b, struct kith_neighbour *nn)
{
	size_t n = 0;

	for (size_t e = i * q->n; e < (i + 1) * q->n; e++) {
		const size_t j = q->sorted[e].row;

		if (j != left_out && (b == CLASSES || q->y[j] == b))
			nn[n++] = q->sorted[e];
	}
	return n;
}

static size_t
differing(const struct kith_neighbour *a, const struct kith_neighbour *b, size_t n)
{
	size_t bad = 0;

	for (size_t e = 0; e < n; e++)
		bad += a[e].row != b[e].row || memcmp(&a[e].d, &b[e].d, sizeof(a->d)) != 0;
	return bad;
}

/* k nearest, with and without self; a join; all within the distance of the k-th. */
static size_t
wrong_rows(const struct problem *q, const struct kith_knn *knn, size_t k, size_t threads)
{
	struct kith_pool tmp = {0};
	const size_t n = q->n;
	struct kith_neighbour due[MOST] = {{0}}, *nn = kith_new(&tmp, n, k * sizeof(*nn));
	struct kith_knn_lists lists;
	size_t self[MOST], bad = 0;
	double limit;

	for (size_t i = 0; i < n; i++)
		self[i] = i % 3 ? i : SIZE_MAX;
	kith_knn_search(knn, &q->X, NULL, k, threads, nn);
	for (size_t i = 0; i < n; i++) {
		judge(q, i, SIZE_MAX, CLASSES, due);
		bad += differing(due, nn + i * k, k);
	}
	limit = fmax(due[k - 1].d, 0);
	kith_knn_within(knn, &q->X, self, limit, threads, &lists, &tmp);
	for (size_t i = 0; i < n; i++) {
		size_t count = judge(q, i, self[i], CLASSES, due);

		while (count > 0 && due[count - 1].d > limit)
			count--;
		if (lists.start[i + 1] - lists.start[i] != count)
			bad++;
		else
			bad += differing(due, lists.nn + lists.start[i], count);
	}
	if (k < n) {
		kith_knn_search(knn, &q->X, self, k, threads, nn);
		for (size_t i = 0; i < n; i++) {
			judge(q, i, self[i], CLASSES, due);
			bad += differing(due, nn + i * k, k);
		}
		kith_knn_join(knn, k, threads, nn);
		for (size_t i = 0; i < n; i++) {
			judge(q, i, i, CLASSES, due);
			bad += differing(due, nn + i * k, k);
		}
	}
	kith_pool_free(&tmp);
	return bad;
}

static size_t
wrong_classes(const struct problem *q, size_t k, size_t threads)
{
	struct kith_pool tmp = {0};
	struct kith_by_class s;
	struct kith_neighbour due[MOST], *nn = kith_new(&tmp, q->n, k * sizeof(*nn));
	size_t bad = 0;

	kith_by_class_sort(&q->X, q->y, CLASSES, NULL, q->n, &s, &tmp);
	for (size_t b = 0; b < CLASSES; b++) {
		kith_knn_search_class(&s, &q->metric, b, k, threads, nn);
		for (size_t l = 0; l < q->n; l++) {
			const size_t i = s.row[l];
			const size_t all = judge(q, i, i, b, due), count = all < k ? all : k;

			bad += kith_by_class_count(&s, s.y[l], b, k) != count;
			for (size_t e = 0; e < count; e++) {
				struct kith_neighbour x = nn[l * k + e];

				x.row = x.row < q->n ? s.row[x.row] : SIZE_MAX;
				bad += differing(&due[e], &x, 1);
			}
		}
	}
	kith_pool_free(&tmp);
	return bad;
}

/* All levels and searches for one problem. */
static void
check(struct problem *q, const char *what, bool all_k, size_t seed)
{
	static const char *const search[] = {"leaves", "products", "plain", ""};
	struct kith_pool tmp = {0};
	size_t bad = 0;

	q->X = (struct kith_mat){q->n, P, q->x};
	q->sorted = kith_new(&tmp, q->n, q->n * sizeof(*q->sorted));
	kith_level = 0;
	for (size_t i = 0; i < q->n; i++) {
		struct kith_neighbour *nn = q->sorted + i * q->n;

		for (size_t j = 0; j < q->n; j++)
			nn[j] = (struct kith_neighbour){
			    j, kith_dist(&q->metric, q->x + i * P, q->x + j * P)};
		qsort(nn, q->n, sizeof(*nn), compare);
	}
	for (size_t l = 0; l < kith_level_count(); l++)
		for (size_t s = 0; s < 4; s++) {
			const size_t n = q->n, threads = 1 + (l + s + seed) % 3;
			const struct kith_knn *knn;
			const size_t ks[] = {1, 3, n / 8, n / 8 + 1, n / 2, n - 1, n};

			if ((l + s + seed) % (all_k ? 3 : 5))
				continue;
			kith_level = l;
			setenv("KITH_SEARCH", search[s], 1);
			knn = kith_knn_new(&q->X, &q->metric, n, &tmp);
			for (size_t k = 1; all_k && k <= n; k += 1 + k / 3)
				bad += wrong_rows(q, knn, k, threads);
			for (size_t h = 0; !all_k && h < sizeof(ks) / sizeof(*ks); h++)
				if (1 <= ks[h] && ks[h] <= n && (h == seed % 7 || n < 60))
					bad += wrong_rows(q, knn, ks[h], threads);
			if (all_k || seed % 2)
				bad += wrong_classes(q, 1 + seed % 5, threads);
		}
	ok(bad == 0, "%s, kind %d, n %zu: %zu differ", what, (int)q->metric.kind, q->n, bad);
	kith_pool_free(&tmp);
}

int
main(void)
{
	static const size_t n[] = {1, 3, 63, 64, 65, 129};
	const bool all_k = getenv("KITH_LONG") != NULL;
	static struct problem q;
	size_t seed = 0;

	for (size_t w = 0; w < WEIGHTS; w++)
		for (size_t a = 0; a < DATA; a++)
			for (size_t h = 0; h < 6; h++) {
				struct kith_rng r;

				if (!all_k && h != (a + w) % 6 && (h != 5 || (a + w) % 4 != 3))
					continue;
				kith_rng_seed(&r, seed++, KITH_RNG_SAMPLE, 1);
				q.n = n[h];
				fill(&r, (enum data)a, &q);
				weigh(&r, (enum weights)w, &q);
				check(&q, data_name[a], all_k, seed);
			}
	return done();
}
