/* base/sort - numbers in order. */
#ifndef KITH_BASE_SORT_H
#define KITH_BASE_SORT_H

#include <stddef.h>

/* Sort n numbers, which are not NaN, by increasing size; time O(n log n). */
void kith_sort_reals(double *v, size_t n);
void kith_sort_sizes(size_t *v, size_t n);

/* A number, and what it belongs to. */
struct kith_ranked {
	double by; /* not NaN */
	size_t of;
};

/* Sort them, the largest first, of equal ones the first; time O(n log n). */
void kith_sort_ranked(struct kith_ranked *v, size_t n);

/*
 * Sort 0..n-1 by their groups, numbers below `groups`: those of group g are
 * at[start[g]..start[g + 1] - 1], in increasing order.  start (groups + 1) and
 * at (n) are overwritten.  Time O(n + groups).
 */
void kith_sort_groups(
    const size_t *group, size_t n, size_t groups, size_t *start, size_t *at);

#endif
