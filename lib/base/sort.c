/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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
kith_sort_by_class(const size_t *y, size_t n, size_t c, size_t *row, size_t *start)
{
	memset(start, 0, (c + 1) * sizeof(*start));
	for (size_t i = 0; i < n; i++) {
		assert(!y || y[i] < c);
		start[(y ? y[i] : 0) + 1]++;
	}
	for (size_t h = 0; h < c; h++)
		start[h + 1] += start[h];
	/* start[h] runs to the end of its class, where the next one starts. */
	for (size_t i = 0; i < n; i++)
		row[start[y ? y[i] : 0]++] = i;
	for (size_t h = c; h > 0; h--)
		start[h] = start[h - 1];
	start[0] = 0;
}
