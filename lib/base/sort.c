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

static int
compare_ranked(const void *a, const void *b)
{
	const struct kith_ranked *s = a, *t = b;

	if (s->by != t->by)
		return s->by > t->by ? -1 : 1;
	return (s->of > t->of) - (s->of < t->of);
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

void
kith_sort_ranked(struct kith_ranked *v, size_t n)
{
	if (n > 1)
		qsort(v, n, sizeof(*v), compare_ranked);
}

void
kith_sort_groups(
    const size_t *group, size_t n, size_t groups, size_t *start, size_t *at)
{
	for (size_t g = 0; g <= groups; g++)
		start[g] = 0;
	for (size_t i = 0; i < n; i++)
		start[group[i]]++;
	for (size_t g = 0; g < groups; g++)
		start[g + 1] += start[g];
	for (size_t i = n; i-- > 0;)
		at[--start[group[i]]] = i;
}
