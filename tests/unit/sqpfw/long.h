/* SPDX-License-Identifier: BSD-2-Clause */
/* sqpfw/long - a set whose groups are longer than their lists, and a solver that
 * has come some way. */
#ifndef KITH_TEST_SQPFW_LONG_H
#define KITH_TEST_SQPFW_LONG_H

#include "sqpfw/data.h"

enum { LONG = 200 };

static struct kith_pool pool;

/* Rows of classes so large that lists are short. */
static inline struct kith_sqpfw *
begin_long(struct set *set, size_t hits, size_t misses)
{
	static size_t y[LONG];
	struct kith_sqpfw *s;

	*set = (struct set){.X = kith_mat_new(&pool, LONG, 5),
	    .c = 2,
	    .how = {hits, misses, .threads = 1, .max_iter = 40}};
	for (size_t i = 0; i < LONG; i++) {
		y[i] = i % 2;
		for (size_t f = 0; f < 5; f++)
			kith_row(&set->X, i)[f] = number(-2, 2) + (f > 1 ? 0 : (double)y[i]);
	}
	s = kith_sqpfw_new(&set->X, y, 2, &set->how, &pool);
	kith_sqpfw_solve(s, 2);
	return s;
}

#endif
