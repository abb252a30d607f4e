/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/pack - rows and metric as the searches of knn take them: without the
 * features that do not count, in units in which distances neither overflow
 * nor vanish.
 */
#ifndef KITH_NEAR_PACK_H
#define KITH_NEAR_PACK_H

#include "la/mat.h"
#include "near/metric.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

/* The size of rows that are all the same. */
enum { KITH_KNN_FLAT = -1000000 };

struct kith_knn_pack {
	struct kith_metric metric; /* all p features count; p may be 0 */
	struct kith_mat X;         /* n x p, times the unit */
	const size_t *kept;        /* the features; NULL: all, and unit 1 */
	double unit;               /* a power of two */

	/*
	 * The exponent e of the largest term of a distance between rows of
	 * X: it lies in [2^e, 2^(e+3)).
	 */
	int size;
};

/*
 * What is asked of a search: for each row of Z (m x all features) the k
 * nearest rows into nn (m x k), row self[i] left out for row i.
 */
struct kith_knn_query {
	const struct kith_mat *Z;
	const size_t *self; /* m; or NULL */
	size_t k, threads;
	struct kith_neighbour *nn;
};

/* Pack X and a metric; both must stay.  Time and memory O(n p). */
struct kith_knn_pack kith_knn_pack(const struct kith_mat *X,
    const struct kith_metric *metric, struct kith_pool *pool);

/* What kith_knn_unit_is_sure() (near/knn.h) says. */
bool kith_knn_pack_is_sure(const struct kith_knn_pack *pack);

/* A row of all features, packed: z itself, or in room (metric.p). */
const double *kith_knn_pack_row(
    const struct kith_knn_pack *pack, const double *z, double *room);

/* The row left out for row i of the query; SIZE_MAX: none. */
size_t kith_knn_left_out(const struct kith_knn_query *query, size_t i);

#endif
