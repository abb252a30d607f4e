/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/visits.h"

#include "near/prune_leaf.h"

#include <math.h>
#include <stdlib.h>

static int
by_bound(const void *a, const void *b)
{
	const struct kith_prune_visit *x = a, *y = b;

	if (x->bound != y->bound)
		return x->bound < y->bound ? -1 : 1;
	return (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

size_t
kith_visits_first(const struct kith_knn_leaves *of, const float *bound,
    struct kith_prune_visit *list)
{
	size_t n = 0;

	for (size_t l = 0; l < of->leaves; l++) {
		size_t i;

		if (!(bound[l] < (n == KITH_VISITS_FIRST ? list[n - 1].bound
							 : INFINITY)))
			continue;
		for (i = n < KITH_VISITS_FIRST ? n++ : n - 1;
		     i > 0 && bound[l] < list[i - 1].bound; i--)
			list[i] = list[i - 1];
		list[i] = (struct kith_prune_visit){bound[l], (uint32_t)l};
	}
	return n;
}

size_t
kith_visits_within(const struct kith_knn_leaves *of, const float *bound,
    float known, float grow, bool absolute, struct kith_prune_visit *list)
{
	size_t n = 0;

	for (size_t l = 0; l < of->leaves; l++)
		if (bound[l] <=
			kith_prune_limit(known, of->most[l], grow, absolute) &&
		    bound[l] < INFINITY)
			list[n++] = (struct kith_prune_visit){
			    bound[l], (uint32_t)l};
	qsort(list, n, sizeof(*list), by_bound);
	return n;
}
