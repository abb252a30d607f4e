/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/near - what a search for nearest neighbours costs (near/knn.h). */
#ifndef KITH_COST_NEAR_H
#define KITH_COST_NEAR_H

#include "near/metric.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_cost;
struct kith_mat;

struct kith_cost_near {
	size_t n, p, m, k; /* m rows look for k of n */
	enum kith_metric_kind kind;
	bool join;     /* the rows are the same */
	bool weighted; /* by a vector, or a matrix */
};

/* Add the work of a search, and its bytes but those of the result. */
void kith_cost_near(const struct kith_cost_near *of, struct kith_cost *cost);

/* Add the work of a search for all rows within a radius. */
void kith_cost_within(const struct kith_cost_near *of, struct kith_cost *cost);

/*
 * How many of the rows of X are within a radius (a root) of one of Z: the mean
 * of some rows of Z, at least 1, rounded up.  Time O(n p).
 */
size_t kith_cost_count_within(const struct kith_metric *metric, const struct kith_mat *X,
    const struct kith_mat *Z, double radius);

/* The bytes of the result: m x k neighbours. */
double kith_cost_neighbours(size_t m, size_t k);

#endif
