/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/group_near.h"

#include "base/pool.h"
#include "la/mat.h"
#include "near/by_class.h"
#include "near/heap.h"
#include "near/knn.h"

struct kith_heap *
kith_group_near(const struct kith_mat *X, const struct kith_metric *metric, const size_t *y,
    size_t c, const size_t k[2], size_t threads, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t n = X->n;
	struct kith_by_class s;
	struct kith_heap *sorted = kith_new(&tmp, n, 2 * sizeof(*sorted));
	struct kith_heap *heap = kith_new(pool, n, 2 * sizeof(*heap));

	kith_by_class_sort(X, y, c, NULL, n, &s, &tmp);
	kith_knn_search_groups(&s, metric, k, threads, sorted, pool);
	for (size_t g = 0; g < 2 * n; g++)
		heap[2 * s.row[g / 2] + g % 2] = sorted[g];
	kith_pool_free(&tmp);
	return heap;
}
