/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/part - the matrix of one connected component of a graph, for an
 * embedding, and what its eigenvectors are made of.
 */
#ifndef KITH_GRAPH_PART_H
#define KITH_GRAPH_PART_H

#include "graph/bottom.h"
#include "graph/graph.h"

#include <stddef.h>
#include <stdint.h>

struct kith_affine;
struct kith_pool;

enum kith_laplacian {
	KITH_RANDOM_WALK,
	KITH_SYMMETRIC,
	KITH_COMBINATORIAL,
	KITH_AFFINE /* of graph/affine.h */
};

/* The nodes of each component, together, and where each is among them. */
struct kith_pieces {
	size_t n;        /* components */
	size_t *start;   /* n + 1: where they begin in node */
	uint32_t *node;  /* all nodes */
	uint32_t *place; /* of each node, in its component */
};

/*
 * The matrix A of the component, its nodes in the order of the graph:
 *
 *	random-walk	I - D^-1/2 W D^-1/2	L y = lambda D y, y = D^-1/2 u
 *	symmetric	the same		y = u
 *	combinatorial	L, divided by 2^exponent
 *	affine		(I - W)'(I - W)		y = sqrt(n) u
 *
 * A u = lambda u.
 */
struct kith_part {
	enum kith_laplacian kind;
	size_t n;
	const uint32_t *node;  /* n nodes of the graph */
	const uint32_t *place; /* of the pieces */
	struct kith_singular m;
	int exponent;
	double *root; /* n: the roots of degrees; combinatorial, affine: 1 */
	double scale; /* of y */
	const struct kith_affine *affine;
};

void kith_pieces(
    const struct kith_undirected *g, struct kith_pieces *pieces, struct kith_pool *pool);

static inline size_t
kith_pieces_size(const struct kith_pieces *pieces, size_t c)
{
	return pieces->start[c + 1] - pieces->start[c];
}

/* The component with the most nodes, of equal ones the first. */
size_t kith_pieces_largest(const struct kith_pieces *pieces);

/*
 * The part of component c, which has two nodes or more, into the pool; the
 * pieces must stay.  affine is NULL but for KITH_AFFINE, where the graph is
 * affine->graph.
 */
void kith_part(const struct kith_undirected *g, const struct kith_pieces *pieces, size_t c,
    enum kith_laplacian kind, const struct kith_affine *affine, struct kith_part *part,
    struct kith_pool *pool);

/*
 * u'Au / u'u as a sum of squares, which is exact to about 2^-52 sqrt(lambda)
 * rather than 2^-52; and the length of A u - lambda u where u has length 1.
 */
double kith_part_value(const struct kith_part *part, const double *u);
double kith_part_residual(
    const struct kith_part *part, double lambda, const double *u, size_t threads);

#endif
