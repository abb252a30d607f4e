/* SPDX-License-Identifier: BSD-2-Clause */
/* dense - graphs out of dense matrices, and what --check says of maps of them. */
#ifndef DENSE_H
#define DENSE_H

#include "base/pool.h"
#include "base/rng.h"
#include "graph/embed.h"
#include "graph/embed_check.h"

#include <stdint.h>

/* The graph of a dense W (n x n). */
static inline struct kith_undirected
graph_of(size_t n, const double *W, struct kith_pool *pool)
{
	struct kith_undirected g = {.W = {.n = n}};

	g.W.start = kith_new(pool, n + 1, sizeof(*g.W.start));
	g.W.column = kith_new(pool, n * n + 1, sizeof(*g.W.column));
	g.W.x = kith_new(pool, n * n + 1, sizeof(*g.W.x));
	g.W.diagonal = kith_new(pool, n, sizeof(*g.W.diagonal));
	g.d = kith_new(pool, n, sizeof(*g.d));
	for (size_t i = 0; i < n; i++) {
		size_t at = g.W.start[i];

		for (size_t j = 0; j < n; j++)
			if (W[i * n + j] > 0) {
				g.W.column[at] = (uint32_t)j;
				g.W.x[at++] = W[i * n + j];
				g.d[i] += W[i * n + j];
			}
		g.W.start[i + 1] = at;
	}
	g.edges = g.W.start[n] / 2;
	kith_undirected_connect(&g, pool);
	return g;
}

/* What --check says of coordinates: a letter a line, y, n or ?. */
static inline const char *
judge(const struct kith_undirected *g, const struct kith_affine *affine, enum kith_laplacian kind,
    bool all, const struct kith_embedding *map, char said[KITH_CHECK_EMBED + 1])
{
	const struct kith_coordinates c = {map->n, map->d, map->y};
	struct kith_check proof[KITH_CHECK_EMBED];

	kith_check_embed(g, affine, kind, all, &c, 1, proof);
	for (size_t i = 0; i < KITH_CHECK_EMBED; i++)
		said[i] = (char)(kith_check_open(&proof[i]) ? '?'
			: kith_check_ok(&proof[i])          ? 'y'
							    : 'n');
	said[KITH_CHECK_EMBED] = 0;
	return said;
}

/* Join i and j. */
static inline void
join(size_t n, double *W, size_t i, size_t j, double w)
{
	W[i * n + j] = W[j * n + i] = w;
}

/* A tree over nodes first..end-1, and each other edge with this chance. */
static inline void
draw(struct kith_rng *rng, size_t n, size_t first, size_t end, double chance, double *W)
{
	for (size_t i = first + 1; i < end; i++) {
		join(n, W, i, first + kith_rng_below(rng, i - first), .1 + kith_rng_unit(rng));
		for (size_t j = first; j < i; j++)
			if (kith_rng_unit(rng) < chance)
				join(n, W, i, j, .1 + kith_rng_unit(rng));
	}
}

#endif
