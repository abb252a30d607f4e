/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/group_near.h"

#include "base/pool.h"
#include "la/mat.h"
#include "near/by_class.h"
#include "near/heap.h"
#include "near/metric.h"

/*
 * Push row j of those sorted by class as a neighbour of row i, by its number.
 * Searches may differ in their units: the distance is computed anew.
 */
static void
push_sorted(const struct kith_metric *metric, const struct kith_by_class *s, size_t i, size_t j,
    struct kith_heap *heap)
{
	const double d = kith_dist(metric, kith_row(&s->X, i), kith_row(&s->X, j));

	if (kith_heap_accepts(heap, d))
		kith_heap_push(heap, s->row[j], d);
}

struct kith_heap *
kith_group_near(const struct kith_mat *X, const struct kith_metric *metric, const size_t *y,
    size_t c, const size_t k[2], size_t threads, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t n = X->n, most = k[0] > k[1] ? k[0] : k[1];
	struct kith_by_class s;
	struct kith_neighbour *nn = kith_new(&tmp, n, most * sizeof(*nn));
	struct kith_heap *heap = kith_new(pool, n, 2 * sizeof(*heap));

	for (size_t g = 0; g < 2 * n; g++) {
		heap[g].k = k[g % 2];
		heap[g].nn = kith_new(pool, heap[g].k, sizeof(*heap[g].nn));
	}
	kith_by_class_sort(X, y, c, NULL, n, &s, &tmp);
	for (size_t b = 0; b < c; b++) {
		kith_by_class_near(&s, metric, b, most, threads, nn);
		for (size_t l = 0; l < n; l++) {
			const size_t m = kith_by_class_there(&s, s.y[l], b, most);
			struct kith_heap *to = &heap[2 * s.row[l] + (s.y[l] != b)];

			for (size_t r = 0; r < m; r++)
				push_sorted(metric, &s, l, nn[l * most + r].row, to);
		}
	}
	for (size_t g = 0; g < 2 * n; g++)
		kith_heap_sort(&heap[g]);
	kith_pool_free(&tmp);
	return heap;
}
