/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/table - tables of tests of lib/knife/, without a file. */
#ifndef KITH_TEST_KNIFE_TABLE_H
#define KITH_TEST_KNIFE_TABLE_H

#include "knife/data.h"
#include "table/table.h"

static char class_a[] = "a", class_b[] = "b", class_c[] = "c";
static char *class_names[] = {class_a, class_b, class_c};
static char feature_u[] = "u", feature_v[] = "v", feature_w[] = "w";
static char *feature_names[] = {feature_u, feature_v, feature_w};

/* n rows at random of p <= 3 features; target and classes are to be set. */
static inline struct kith_table
table_of(size_t n, size_t p)
{
	struct kith_table t = {.file = "f", .target = "y", .read = n};

	t.X = kith_mat_new(&pool, n, p);
	for (size_t k = 0; k < n * p; k++)
		t.X.v[k] = normal(&rng);
	kith_names_index(&t.feature, feature_names, p, &pool);
	kith_names_index(&t.class, class_names, 3, &pool);
	return t;
}

#endif
