/* SPDX-License-Identifier: BSD-2-Clause */
/* sqpfw/sums - distances and the objective of lib/sqpfw/sqpfw.h, as defined. */
#ifndef KITH_TEST_SQPFW_SUMS_H
#define KITH_TEST_SQPFW_SUMS_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct plain {
	const double *x, *prior;
	const size_t *y;
	size_t n, p, hits, misses;
	double theta;

	double *w, *v, *dw, *row; /* p */
	bool *zero;               /* p: w is 0 and stays so */
	int *state;               /* n x n: -1, 0, 1 */
	size_t *copies;           /* n x n; 0: no pair, or one with another */
	size_t *target;           /* n x 2 */
	size_t *tie, ties;        /* i n + j of those tied, but for targets */
	double *Q, *R, *z;        /* columns of p; ties + 1 of them */
	size_t iterations;
};

static inline double
plain_eps(const struct plain *s, size_t i, size_t j, size_t f)
{
	const double d = s->x[i * s->p + f] - s->x[j * s->p + f];

	return d * d;
}

static inline double
plain_distance(const struct plain *s, const double *w, size_t i, size_t j)
{
	double d = 0;

	for (size_t f = 0; f < s->p; f++)
		d += w[f] * plain_eps(s, i, j, f);
	return d;
}

static inline bool
plain_in(const struct plain *s, size_t i, size_t j, size_t miss)
{
	return i != j && (s->y[i] != s->y[j]) == (miss == 1);
}

static int
plain_by_size(const void *a, const void *b)
{
	const double *s = a, *t = b;

	return (*s > *t) - (*s < *t);
}

/* The k-th smallest distance of a group, by sorting all. */
static inline double
plain_kth(const struct plain *s, const double *w, size_t i, size_t miss)
{
	double *d, got;
	size_t held = 0;

	assert(s->n > 0);
	d = malloc(s->n * sizeof(*d));
	if (!d)
		abort();
	for (size_t j = 0; j < s->n; j++)
		if (plain_in(s, i, j, miss))
			d[held++] = plain_distance(s, w, i, j);
	qsort(d, held, sizeof(*d), plain_by_size);
	got = d[(miss ? s->misses : s->hits) - 1];
	free(d);
	return got;
}

/* F(w) by its definition. */
static inline double
plain_objective(const struct plain *s, const double *w)
{
	double margin = 0, square = 0;

	for (size_t i = 0; i < s->n; i++)
		margin += plain_kth(s, w, i, 0) - plain_kth(s, w, i, 1);
	for (size_t f = 0; f < s->p; f++)
		square += (w[f] - s->prior[f]) * (w[f] - s->prior[f]);
	return s->theta / (double)s->n * margin + square / 2;
}

#endif
