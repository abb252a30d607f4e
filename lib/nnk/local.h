/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/local - the candidates of each row, and the bandwidth, for methods that
 * solve one small problem per row.
 */
#ifndef KITH_NNK_LOCAL_H
#define KITH_NNK_LOCAL_H

#include "kernel/sigma.h"
#include "near/knn.h"
#include "near/metric.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_graph;
struct kith_mat;
struct kith_neighbour;
struct kith_pool;

/*
 * Rows first..first+m-1 of Z, or of X itself where Z is NULL: then a row is no
 * candidate of its own.  A shard is a part of the rows and changes no answer.
 */
struct kith_local_rows {
	const struct kith_mat *X; /* the reference: n x p, n >= 1 */
	const struct kith_metric *metric;
	const struct kith_mat *Z; /* queries of p features, or NULL */
	size_t first, m;
	size_t threads;
};

/*
 * Candidates are the k nearest rows (k above what there is counts as all of
 * them); or, where radius >= 0, all rows with sqrt(d) <= radius; or those that
 * are given (first and m as above; w, d and J are not used).
 */
struct kith_local_how {
	size_t k;                       /* >= 1; of the bandwidth, too */
	double radius;                  /* < 0: none */
	const struct kith_graph *given; /* or NULL */
	bool bandwidth;                 /* is one needed */
	struct kith_sigma sigma;
};

/* Lists in order of (distance, row). */
struct kith_local {
	size_t *start; /* m + 1 */
	struct kith_neighbour *nn;
	size_t most;                   /* length of the longest list */
	double sigma;                  /* 0: each row its own, or not needed */
	bool flat;                     /* it was 0, and became 1 */
	struct kith_knn_choice search; /* NULL: none was needed */
};

/*
 * Find candidates and bandwidth, in the pool.  Fails with EX_DATAERR where
 * weights make a distance below 0.
 */
int kith_local_find(const struct kith_local_rows *rows, const struct kith_local_how *how,
    struct kith_local *out, struct kith_pool *pool, struct kith_err *err);

/* Row i of the queries, 0..m-1. */
const double *kith_local_query(const struct kith_local_rows *rows, size_t i);

/*
 * The bandwidth of a row with k candidates nn: sigma, or its own where that is
 * 0.
 */
double kith_local_sigma(double sigma, const struct kith_neighbour *nn, size_t k);

/* Rows without the features of weight 0. */
struct kith_local_pack {
	struct kith_metric metric; /* of the features that count, p of them */
	size_t *kept;              /* which they are; NULL: all */
};

/* The pack of a metric, in the pool. */
struct kith_local_pack kith_local_pack_new(
    const struct kith_metric *metric, struct kith_pool *pool);

/* Put the features of x that count into to (metric.p). */
void kith_local_pack_row(const struct kith_local_pack *pack, const double *x, double *to);

#endif
