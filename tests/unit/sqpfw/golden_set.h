/* SPDX-License-Identifier: BSD-2-Clause */
/* sqpfw/golden_set - the sets of tests/golden/sqpfw, as its tests take them. */
#ifndef KITH_TEST_SQPFW_GOLDEN_SET_H
#define KITH_TEST_SQPFW_GOLDEN_SET_H

#include "golden.h"
#include "sqpfw/data.h"

#include <assert.h>
#include <stdio.h>

/* Let each feature have mean 0 and, unless it is constant, sd 1. */
static inline void
standardise(struct kith_mat *X)
{
	for (size_t f = 0; f < X->p; f++) {
		double sum = 0, square = 0, sd;

		for (size_t i = 0; i < X->n; i++)
			sum += X->v[i * X->p + f];
		for (size_t i = 0; i < X->n; i++) {
			X->v[i * X->p + f] -= sum / (double)X->n;
			square += X->v[i * X->p + f] * X->v[i * X->p + f];
		}
		sd = sqrt(square / (double)X->n);
		for (size_t i = 0; i < X->n && sd > 0; i++)
			X->v[i * X->p + f] /= sd;
	}
}

/* The set that a row of a table names, with its k, for hits and misses. */
static inline void
read_set(const struct golden *t, size_t row, struct set *set, struct kith_pool *pool)
{
	const size_t k = golden_count(t, row, "k");
	char name[64];
	double *class;

	*set = (struct set){.how = {k, k, .threads = 1}};
	snprintf(name, sizeof(name), "sqpfw/%s.csv", golden_cell(t, row, "data"));
	set->X = golden_data(name, &class, pool);
	assert(set->X.n > 0 && set->X.n <= ROWS && set->X.p <= FEATURES);
	for (size_t i = 0; i < set->X.n; i++) {
		set->y[i] = (size_t) class[i];
		if (set->y[i] >= set->c)
			set->c = set->y[i] + 1;
	}
	standardise(&set->X);
	set_prior(set);
}

#endif
