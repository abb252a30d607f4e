/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/embed - nodes of a graph as points: Laplacian eigenmaps (Belkin and Niyogi 2001) and
 * locally linear embedding (Roweis and Saul 2000), with a check that proves them.
 *
 * The coordinates of a connected component are eigenvectors A u = lambda u of its d smallest
 * eigenvalues after 0, whose eigenvector each component has:
 *
 *	random-walk    A = I - D^-1/2 W D^-1/2, y = D^-1/2 u: L y = lambda D y, y'D1 = 0, y'Dy = 1
 *	symmetric      the same A, y = u: y'y = 1
 *	combinatorial  A = L, y = u: y'1 = 0, y'y = 1
 *	affine         A = (I - W)'(I - W), y = sqrt(n) u: y'1 = 0, y'y = n
 *
 * The entry of largest modulus of each y (among moduli equal up to 1e-10 the first) is positive.
 */
#ifndef KITH_GRAPH_EMBED_H
#define KITH_GRAPH_EMBED_H

#include "graph/graph.h"
#include "table/check.h"

/* Limits of what counts as right: |A u - lambda u| for |u| = 1 and 0 <= A <= 2, and an angle. */
#define KITH_EMBED_RESIDUAL 1e-12
#define KITH_EMBED_ANGLE 1e-3

struct kith_embed_how {
	size_t d;                 /* coordinates; a check counts the columns of its file instead */
	enum kith_laplacian kind; /* KITH_AFFINE: the graph is one of kith_affine_read() */
	bool all; /* embed each component of two nodes and more, not only the largest one */
	size_t threads;
};

/* A component that was embedded. */
struct kith_embedded {
	size_t component, n;
	size_t d;         /* coordinates: fewer than were asked for if n is small */
	double *value;    /* d + 1 eigenvalues; the last is NaN where d is n - 1 */
	double *residual; /* d residuals |A u - lambda u| */
	double worst;     /* the largest residual, with A scaled to 0 <= A <= 2 */

	size_t equal;       /* pairs value[i], value[i + 1] that are equal up to 1e-8 */
	size_t first_equal; /* i of the first pair that is equal */
	bool splits_equal;  /* the last printed eigenvalue equals the next one, up to 1e-8 */

	double angle;  /* about the largest angle by which rounding may have turned a vector */
	size_t turned; /* which vector */
	double missed; /* eigenvalues that were not found, NaN: not counted */

	size_t products; /* with A, or with (A + shift I)^-1 */
	bool dense;      /* solved as a dense matrix */
	bool factored;   /* A + shift I was factored */
};

struct kith_embedding {
	size_t n, d;
	double *y; /* n x d, NaN where there is none */
	struct kith_embedded *part;
	size_t parts;
};

/*
 * Embeds the largest component (of equal ones the first) or all, into the pool.  Fails with
 * EX_DATAERR where there is no edge, or the largest component has at most d nodes, and with
 * EX_SOFTWARE where eigenvectors do not converge.  Time and memory: graph/eigen.c.
 */
int kith_embed(const struct kith_undirected *graph, const struct kith_embed_how *how,
    struct kith_embedding *out, struct kith_pool *pool, struct kith_err *err);

enum { KITH_CHECK_EMBED = 6 };

/*
 * Reads the table "id e1 e2 ..." of a file ("-": standard input), which has each node once, and
 * judges it from the graph alone:
 *
 *	placed    nodes that have coordinates and should not, or the other way round
 *	residual  |A u - lambda u| with lambda = u'Au, |u| = 1, 0 <= A <= 2
 *	length    how far y'Dy, or the norm of the kind, is from what it should be
 *	angle     the largest cosine of two coordinates, or of one and the vector of eigenvalue 0
 *	order     the most by which an eigenvalue exceeds the next one, 0 <= A <= 2
 *	missed    eigenvalues below the last one that are not there; not decided where the factor
 *	          would be too large, or rounding forbids it
 *
 * Fails, naming file, line and column, where the file is no table of coordinates.
 */
int kith_check_embed(const struct kith_undirected *graph, const struct kith_embed_how *how,
    const char *file, const struct kith_node_names *nodes, struct kith_check out[KITH_CHECK_EMBED],
    struct kith_err *err);

#endif
