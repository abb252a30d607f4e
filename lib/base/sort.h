/* SPDX-License-Identifier: BSD-2-Clause */
/* base/sort - numbers in order, and by class. */
#ifndef KITH_BASE_SORT_H
#define KITH_BASE_SORT_H

#include <stddef.h>

/* Sort n numbers, which are not NaN, by increasing size; time O(n log n). */
void kith_sort_reals(double *v, size_t n);
void kith_sort_sizes(size_t *v, size_t n);

/*
 * List the numbers 0..n-1 by their classes y (0..c-1; NULL: all are 0), those of
 * a class as they come, into row (n); where each class starts, and the last
 * ends, into start (c + 1).  Time O(n + c).
 */
void kith_sort_by_class(const size_t *y, size_t n, size_t c, size_t *row, size_t *start);

/* The largest of n numbers; 0 where there is none. */
static inline size_t
kith_largest_size(const size_t *v, size_t n)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++)
		most = v[i] > most ? v[i] : most;
	return most;
}

/* A number, and what it belongs to. */
struct kith_ranked {
	double by; /* not NaN */
	size_t of;
};

/* Sort them, the largest first, of equal ones the first; time O(n log n). */
void kith_sort_ranked(struct kith_ranked *v, size_t n);

#endif
