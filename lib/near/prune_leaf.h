/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/prune_leaf - the neighbours of the rows of one leaf of a query, for
 * near/prune.
 */
#ifndef KITH_NEAR_PRUNE_LEAF_H
#define KITH_NEAR_PRUNE_LEAF_H

#include "base/pool.h"
#include "near/leaves.h"
#include "near/near.h"
#include "near/visits.h"

#include <stdbool.h>

struct kith_knn_axes;
struct kith_knn_pack;
struct kith_knn_query;

struct kith_knn_prune {
	const struct kith_knn_pack *pack;
	struct kith_knn_axes *axes;
	struct kith_knn_leaves leaves;
};

/* What was done, to be weighed against full products. */
struct kith_prune_effort {
	double boxes, visits, sums, distances;
};

/* What a thread needs to work on a leaf of the query. */
struct kith_prune_searcher {
	struct kith_pool pool;
	struct kith_near near[KITH_KNN_LEAF];
	const double *z[KITH_KNN_LEAF]; /* packed rows */
	size_t left_out[KITH_KNN_LEAF];
	float known
	    [KITH_KNN_LEAF]; /* s + off of each row; INFINITY: fewer than k */
	size_t m;            /* rows of the leaf */
	float *bound;        /* of all leaves of the reference */
	struct kith_prune_visit *list;
	struct kith_prune_effort effort;
};

struct kith_prune_search {
	const struct kith_knn_prune *prune;
	const struct kith_knn_query *query;
	const struct kith_knn_leaves *leaves; /* of the query */
	const double **z;                     /* its rows, packed */
	bool absolute;
	float grow;                      /* 1 + 2 slack */
	size_t rows;                     /* of a leaf that are worked on */
	struct kith_prune_searcher *own; /* one for each thread */
};

/*
 * Find the neighbours of the rows of leaf q; a kith_par_work (base/par.h) whose
 * `arg` is a struct kith_prune_search.
 */
void kith_prune_leaf(void *arg, size_t q, size_t thread);

#endif
