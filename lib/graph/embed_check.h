/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/embed_check - whether given coordinates are the embedding of a graph,
 * from the graph and the coordinates alone.
 */
#ifndef KITH_GRAPH_EMBED_CHECK_H
#define KITH_GRAPH_EMBED_CHECK_H

#include "graph/part.h"
#include "table/check.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_ends;
struct kith_err;
struct kith_pool;

enum { KITH_CHECK_EMBED = 6 };

/* Coordinates as they were printed: n x d, NaN where they are NA. */
struct kith_coordinates {
	size_t n, d;
	double *y;
};

/*
 * Read the file ("-": standard input), a table "id e1 e2 ..." that has each of
 * the nodes once, into the pool; other columns are not read.  Fails, naming file,
 * line and column, where it is no such table.
 */
int kith_coordinates_read(const char *file, const struct kith_ends *nodes,
    struct kith_coordinates *c, struct kith_pool *pool, struct kith_err *err);

/*
 * Judge them:
 *
 *	placed		nodes that have coordinates and should not, or the other
 *			way round, and cells beyond those of a small component
 *	residual	|A u - lambda u| / |u|, lambda = u'Au / u'u, A's bound
 *			being 2
 *	length		how far y'Dy (graph/embed.h) is from what it should be
 *	angle		the largest cosine of two coordinates, or of one and that
 *			of eigenvalue 0
 *	order		the most by which an eigenvalue exceeds the next, A's
 *			bound being 2
 *	missed		eigenvalues that are less than the last, and not there;
 *			not decided where the factor is too large
 *			(graph/bottom.h), or rounding forbids it
 *
 * In all components, or in the largest one.  Time of some factors of A.
 */
void kith_check_embed(const struct kith_undirected *graph, const struct kith_affine *affine,
    enum kith_laplacian kind, bool all, const struct kith_coordinates *c, size_t threads,
    struct kith_check out[KITH_CHECK_EMBED]);

#endif
