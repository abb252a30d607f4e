#include "base/sort.h"

#include <stdlib.h>

static int
compare_reals(const void *a, const void *b)
{
	const double *s = a, *t = b;

	return (*s > *t) - (*s < *t);
}

static int
compare_sizes(const void *a, const void *b)
{
	const size_t *s = a, *t = b;

	return (*s > *t) - (*s < *t);
}

void
kith_sort_reals(double *v, size_t n)
{
	if (n > 1)
		qsort(v, n, sizeof(*v), compare_reals);
}

void
kith_sort_sizes(size_t *v, size_t n)
{
	if (n > 1)
		qsort(v, n, sizeof(*v), compare_sizes);
}
