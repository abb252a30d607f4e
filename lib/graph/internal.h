/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/internal - functions shared by the files of lib/graph: for embeddings, matrices of
 * connected components and their eigenvalues; for label propagation, labels, and residuals of the
 * scores.
 */
#ifndef KITH_GRAPH_INTERNAL_H
#define KITH_GRAPH_INTERNAL_H

#include "graph/graph.h"

struct kith_embedded;
struct kith_prop;
struct kith_prop_labels;

/* ---- Embeddings: embed.c, eigen.c, embed_check.c ---- */

/*
 * The matrix A of a component (graph/embed.h), and the factors by which an eigenvector u of A
 * becomes coordinates y.
 */
struct kith_component {
	enum kith_laplacian kind;
	size_t n;
	const size_t *node;  /* n: the nodes of the component */
	const size_t *place; /* as in struct kith_undirected */
	/* A = F'F with A null = 0, |null| = 1, and 0 <= x'Ax <= bound x'x for all x. */
	struct kith_sparse A; /* n x n, symmetric */
	double *null;
	double bound;
	const struct kith_sparse *B; /* KITH_AFFINE: I - W of the whole graph, A = B'B */
	int exponent;                /* KITH_COMBINATORIAL: A is L / 2^exponent; else 0 */
	double *root;                /* n: sqrt(degree); combinatorial and affine: 1 */
	double scale;                /* y = scale u; KITH_RANDOM_WALK: y = scale u / root */
};

/*
 * Finds the k smallest eigenvalues of A but the 0 of null, 1 <= k < n, each as often as it occurs,
 * and their vectors, the rows of V (k x n): orthonormal, and orthogonal to null.  Sets value,
 * products, dense and factored of *e; *order becomes NULL or an elimination order of A, which the caller
 * frees.  Returns false if the iteration does not converge.  The result does not depend on the
 * number of threads.
 */
bool kith_smallest_eigenpairs(const struct kith_component *p, size_t k, size_t threads, double *V,
    struct kith_embedded *e, struct kith_sparse_factor **order);

/* Computes the values (k) of the k rows of V (k x n), and sorts both by increasing values. */
void kith_rank_eigenpairs(const struct kith_component *p, size_t k, double *V, double *value);

/* Whether the Cholesky factor in an elimination order fits in memory and takes only minutes. */
bool kith_factor_is_affordable(const struct kith_sparse_factor *order);

/*
 * Counts the eigenvalues of A below value[d-1] that are missing among 0 and the d values; returns
 * NaN where rounding hides the count.  The values increase, and each is an eigenvalue up to slack.
 * Eigenvalues are not counted that are, up to slack and rounding, equal to value[d-1] or to a
 * value of the cluster that ends with value[d-1].  `order` is an elimination order of A, whose
 * factor is overwritten.
 */
double kith_count_missed(const struct kith_component *p, size_t d, const double *value,
    double slack, struct kith_sparse_factor *order);

/* Computes the matrix of component c, which has two nodes or more, in the pool. */
void kith_component_matrix(const struct kith_undirected *g, size_t c, enum kith_laplacian kind,
    struct kith_component *p, struct kith_pool *pool);

/*
 * The Rayleigh quotient |F v|^2 / |v|^2, where A = F'F (F: weighted differences along edges, or B).
 * Rounding leaves an error of about 2^-52 sqrt(quotient bound), not 2^-52 bound as v'Av / v'v
 * would.
 */
double kith_component_value(const struct kith_component *p, const double *v);

/* The relative residual |A u - lambda u| / |u| of an eigenpair of the component. */
double kith_component_residual(
    const struct kith_component *p, double lambda, const double *u, size_t threads);

/* ---- Label propagation: propagate.c, propagate_check.c ---- */

/* The label matrix Y (n x c; graph/propagate.h): Y_ik, 0 for a node without a label. */
double kith_prop_label(const struct kith_prop_labels *l, size_t i, size_t k);

/* The score due at a node whose label is given, or that has no edge: Y_ik / h_i, or (1 - a) Y_ik. */
double kith_prop_due(const struct kith_prop *p, size_t i, size_t k);

/* Whether node i has an equation of poisson, be it free or grounded. */
bool kith_prop_is_poisson(const struct kith_prop *p, size_t i);

/*
 * Computes the residual r (c) of the equation of node i in A X = b (graph/propagate.h),
 *
 *	b_i - (A X)_i = source_i - load_i x_i + sum_j w_ij (x_j - x_i)
 *
 * with the row sums load of A and the part source of b that labels add, and rounding (c), a bound
 * of the rounding error of r.  The differences x_j - x_i are taken first, so that the bound is in
 * proportion to the differences.
 */
void kith_prop_residual(
    const struct kith_prop *p, const double *X, size_t i, double *r, double *rounding);

/*
 * Solves A X = b by elimination without subtraction (solve/gth.h), from the given scores of fixed
 * nodes in p->X; sets X, size (in the pool), error and solver of *p.  Returns false where the
 * elimination would take too long or too much memory.
 */
bool kith_prop_eliminate(struct kith_prop *p, struct kith_pool *pool);

#endif
