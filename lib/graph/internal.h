/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/internal - functions shared by the files of this room: matrices of components and their
 * eigenvalues, labels and residuals of scores.
 */
#ifndef KITH_GRAPH_INTERNAL_H
#define KITH_GRAPH_INTERNAL_H

#include "graph/graph.h"

struct kith_gth_error;
struct kith_prop;
struct kith_prop_labels;

/* ---- Embeddings: embed.c, eigen.c, embed_check.c ---- */

/* A (n x n, symmetric) with A null = 0 and 0 <= x'Ax <= bound x'x for all x. */
struct kith_psd {
	struct kith_sparse A;
	double *null; /* n, of unit length */
	double bound;
};

struct kith_eigenpairs {
	size_t k;      /* eigenvectors: all that were asked for, or 0 */
	double *V;     /* k x n by rows: orthonormal, and orthogonal to null */
	double *value; /* k Rayleigh quotients v'Av, increasing */

	size_t products;                  /* with A, or solutions by its factor */
	bool dense;                       /* solved as a dense matrix */
	bool factored;                    /* A + shift I was factored */
	struct kith_sparse_factor *order; /* of A, or NULL; to be freed */
};

/*
 * The k smallest eigenvalues apart from that of null, 1 <= k < n, each as often as it occurs, and
 * their vectors, in the pool.  k = 0 is returned where nothing converges.  The same bytes for any
 * number of threads.
 */
void kith_smallest_eigenpairs(const struct kith_psd *m, size_t k, size_t threads,
    struct kith_eigenpairs *out, struct kith_pool *pool);

/* Whether a factor in this order fits in memory and is worth its time. */
bool kith_factor_is_affordable(const struct kith_sparse_factor *order);

/*
 * How many eigenvalues below value[d-1] are neither 0 nor among the d values (increasing), each of
 * which is an eigenvalue up to slack; NaN where rounding hides the answer.  Eigenvalues that
 * are near the last value are not counted.  `order` is an elimination order of A.
 */
double kith_count_missed(const struct kith_psd *m, size_t d, const double *value, double slack,
    struct kith_sparse_factor *order);

/* The nodes of each component, and the place of each node in its component. */
struct kith_components {
	size_t n, largest; /* components; the one with the most nodes */
	size_t *start;     /* n + 1: component c has node[start[c]] .. node[start[c + 1] - 1] */
	uint32_t *node, *place;
};
void kith_components_list(
    const struct kith_undirected *g, struct kith_components *out, struct kith_pool *pool);

/* A component's matrix, and how eigenvectors become coordinates. */
struct kith_component {
	enum kith_laplacian kind;
	size_t n;
	const uint32_t *node;  /* n nodes of the graph */
	const uint32_t *place; /* of each node of the graph */
	struct kith_psd m;
	const struct kith_sparse *B; /* affine: I - W of the graph */
	int exponent;                /* A was divided by 2^exponent */
	double *root;                /* n: roots of degrees; combinatorial and affine: 1 */
	double scale;                /* y = scale u, random-walk scale u / root */
};

/* The matrix of component c, which has two nodes or more, in the pool. */
void kith_component_matrix(const struct kith_undirected *g, const struct kith_components *list,
    size_t c, enum kith_laplacian kind, struct kith_component *out, struct kith_pool *pool);

/*
 * Rayleigh quotients of k vectors, the rows of V, as sums of squares: with A = F'F, |F v|^2 / |v|^2.
 * Rounding leaves an error of about 2^-52 root(lambda bound), not 2^-52 bound.
 */
void kith_component_values(
    const struct kith_component *p, size_t k, const double *V, double *value);

/* |A u - lambda u| / |u| */
double kith_component_residual(
    const struct kith_component *p, double lambda, const double *u, size_t threads);

/* ---- Label propagation: propagate.c, propagate_check.c ---- */

/* Y_ik, 0 for a node without a label. */
double kith_prop_label(const struct kith_prop_labels *l, size_t i, size_t k);

/*
 * Residual r (c) of the equation of node i, b_i - (A X)_i = source_i - load_i x_i + sum_j w_ij
 * (x_j - x_i), and rounding (c), a bound of its rounding error.  Differences are taken first, so
 * that rounding is in proportion to them.
 */
void kith_prop_residual(
    const struct kith_prop *p, const double *X, size_t i, double *r, double *rounding);

/*
 * Solves by elimination without subtraction (solve/gth.h) into X (n x c), which has the given G.
 * |error of G_ik| <= error->relative size_ik (n x c) + error->absolute p->top.  False where the elimination would take too long
 * or too much memory.
 */
bool kith_prop_eliminate(
    const struct kith_prop *p, double *X, double *size, struct kith_gth_error *error);

#endif
