/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/embed - the nodes of a graph as points: Laplacian eigenmaps (Belkin and
 * Niyogi 2001) and locally linear embedding (Roweis and Saul 2000).
 *
 * The coordinates of a connected component are the eigenvectors, graph/part.h,
 * of its d least eigenvalues but for the one of 0 that every component has:
 *
 *	random-walk	L y = lambda D y	y'D1 = 0, y'Dy = 1
 *	symmetric	D^-1/2 L D^-1/2 u	u'u = 1
 *	combinatorial	L y = lambda y		y'1 = 0, y'y = 1
 *	affine		(I - W)'(I - W) y	y'1 = 0, y'y = n
 *
 * The entry of largest size of each, of those that are as large up to 1e-10 the
 * first, is positive.
 */
#ifndef KITH_GRAPH_EMBED_H
#define KITH_GRAPH_EMBED_H

#include "graph/part.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_pool;

/*
 * What counts as right: |A u - lambda u|, where |u| = 1 and the bound of A is 2,
 * and the angle, in radians, by which rounding may have turned u.
 */
#define KITH_EMBED_RESIDUAL 1e-12
#define KITH_EMBED_ANGLE 1e-3

struct kith_embed_how {
	size_t d;
	enum kith_laplacian kind;
	bool all; /* each component by itself, not the largest alone */
	size_t threads;
};

/* A component that was embedded. */
struct kith_embedded {
	size_t component, n;
	size_t d;         /* coordinates: less than were asked for if n is small */
	double *value;    /* d + 1 eigenvalues; the last NaN where d is n - 1 */
	double *residual; /* d */
	double worst;     /* residual, A's bound being 2 */

	/* Pairs value[i], value[i + 1] that are equal up to 1e-8; the first, and
	   whether the last printed and the one behind it are such a pair. */
	size_t equal, first_equal;
	bool torn;

	/* How far rounding may have turned a vector, about: the most, whose. */
	double angle;
	size_t turned;
	double missed; /* eigenvalues (graph/missed.h), or NaN: not counted */

	/* How they were found: graph/bottom.h. */
	size_t products;
	bool dense, factored;
	double shift;
};

struct kith_embedding {
	size_t n, d;
	double *y; /* n x d, NaN where there is none */
	struct kith_embedded *part;
	size_t parts;
};

/*
 * Embed the largest component, of equal ones the first, or all of two nodes and
 * more, into the pool.  affine is NULL but for KITH_AFFINE, where graph is
 * &affine->graph.
 *
 * Fails (EX_DATAERR) where there is no edge, and where the largest component has
 * no more nodes than d; and (EX_SOFTWARE) where eigenvectors do not converge.
 * Time and memory: graph/bottom.c.
 */
int kith_embed(const struct kith_undirected *graph, const struct kith_affine *affine,
    const struct kith_embed_how *how, struct kith_embedding *out, struct kith_pool *pool,
    struct kith_err *err);

#endif
