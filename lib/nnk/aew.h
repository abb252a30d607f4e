/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/aew - adaptive edge weighting (Karasuyama and Mamitsuka): a bandwidth for
 * each feature, by which the neighbours of a row reconstruct it best.
 *
 * Over pairs of rows, of which one is a candidate of the other,
 *
 *	w_ij = exp(-sum_f (x_if - x_jf)^2 / s_f^2),
 *	E(s) = sum_i |x_i - sum_j w_ij x_j / d_i|^2,  d_i = sum_j w_ij,
 *
 * and s minimises E, from s_f^2 = 2 sigma^2 / w_f on, sigma being a common
 * bandwidth and w_f the weight of the metric; features of weight 0 are not used.
 * E is smooth, but not convex: s is a local minimum, found by L-BFGS in log s.
 * A feature that differs nowhere keeps its start, and one that only hurts is
 * given an ever larger s_f.
 */
#ifndef KITH_NNK_AEW_H
#define KITH_NNK_AEW_H

#include "kernel/sigma.h"
#include "near/graph.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_local_rows;
struct kith_mat;
struct kith_pool;

struct kith_aew_how {
	size_t k;
	const struct kith_graph *given; /* candidates in place of k, or NULL */
	struct kith_sigma sigma;        /* of the start; not LOCAL */
	double tol; /* of the derivatives of E / E(start) by log s */
	size_t max_iter;
};

struct kith_aew {
	struct kith_graph graph; /* nnk/either.h, with weights; distances d */
	double *weight;          /* p: 1 / s_f^2, 0 for those not used */
	double sigma;            /* in units of the data */
	bool flat;               /* it was 0, and became 1 */
	double start, objective; /* E, in units of the data */
	double gradient;         /* the largest derivative, as of tol */
	bool converged;          /* it is within tol */
	size_t iterations;
	size_t lost; /* rows whose weights are all too small for a double */
};

/*
 * Learn s, from all rows without Z, into the pool.  The same bytes for any
 * number of threads.  Fails with EX_DATAERR on a metric that is no vector of
 * weights of squared differences, where squares do not fit a double, and as kith_local_find() does.  Time
 * O(pairs p) for each evaluation of E, memory O(n p + pairs).
 */
int kith_aew(const struct kith_local_rows *rows, const struct kith_aew_how *how,
    struct kith_aew *out, struct kith_pool *pool, struct kith_err *err);

/* Rows, and of each its pairs: what E is a function of. */
struct kith_aew_model;
struct kith_aew_model *kith_aew_model(const struct kith_mat *X,
    const struct kith_graph *pairs, size_t threads, struct kith_pool *pool);

/*
 * E at the weights c = 1 / s^2 (p), and its derivatives by log s into g (p); E
 * is no number where the weights do not fit a double.
 */
double kith_aew_objective(
    struct kith_aew_model *model, const double *c, double *g);

#endif
