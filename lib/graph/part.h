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
	uint32_t *node; /* n nodes of the graph */
	struct kith_singular m;
	int exponent;
	double *root; /* n: the roots of degrees; combinatorial, affine: 1 */
	double scale; /* of y */
	const struct kith_affine *affine;
};

/*
 * The part of component c, of size nodes (>= 2), into the pool.  affine is NULL
 * but for KITH_AFFINE, where the graph is affine->graph.
 */
void kith_part(const struct kith_undirected *g, size_t c, size_t size,
    enum kith_laplacian kind, const struct kith_affine *affine,
    struct kith_part *part, struct kith_pool *pool);

/*
 * u'Au / u'u as a sum of squares, which is exact to about 2^-52 sqrt(lambda)
 * rather than 2^-52; and the length of A u - lambda u where u has length 1.
 */
double kith_part_value(const struct kith_part *part, const double *u);
double kith_part_residual(const struct kith_part *part, double lambda,
    const double *u, size_t threads);

#endif
