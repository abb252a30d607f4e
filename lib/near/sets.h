/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/sets - disjoint sets of 0..n-1: parent[i] is another of the set of i, or
 * i itself where it is the first of them.
 */
#ifndef KITH_NEAR_SETS_H
#define KITH_NEAR_SETS_H

#include <stddef.h>

/* The first of the set that i is in; halves the path to it. */
static inline size_t
kith_sets_first(size_t *parent, size_t i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

/* Make one set of those of i and j; 1, or 0 where they are one already. */
static inline size_t
kith_sets_join(size_t *parent, size_t i, size_t j)
{
	const size_t a = kith_sets_first(parent, i);
	const size_t b = kith_sets_first(parent, j);

	parent[a > b ? a : b] = a > b ? b : a;
	return a != b;
}

#endif
