/* base/sort - numbers in increasing order. */
#ifndef KITH_BASE_SORT_H
#define KITH_BASE_SORT_H

#include <stddef.h>

/* Sort n numbers, which are not NaN; time O(n log n). */
void kith_sort_reals(double *v, size_t n);
void kith_sort_sizes(size_t *v, size_t n);

#endif
