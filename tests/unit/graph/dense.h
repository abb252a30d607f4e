/* SPDX-License-Identifier: BSD-2-Clause */
/* dense - graphs from dense matrices, and what the judge says of coordinates. */
#ifndef DENSE_H
#define DENSE_H

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/rng.h"
#include "graph/embed.h"
#include "graph/graph.h"
#include "scratch.h"
#include "table/edges.h"

#include <math.h>
#include <stdint.h>

/* The graph of a dense symmetric W (n x n), by kith_undirected_read() of file 0. */
static inline struct kith_undirected
graph_of(size_t n, const double *W, struct kith_pool *pool)
{
	const struct kith_node_names nodes = {.n = n};
	struct kith_undirected g;
	struct kith_err err;
	char *text = kith_new(pool, n * n * 40 + 64, 1), *at = text;
	const char *files[] = {NULL, NULL};

	at += sprintf(at, "from\tto\tweight\n");
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			if (W[i * n + j] > 0)
				at += sprintf(at, "%zu\t%zu\t%.17g\n", i + 1, j + 1, W[i * n + j]);
	files[0] = scratch_text(0, text);
	if (kith_undirected_read(files, &nodes, &g, pool, &err))
		abort();
	return g;
}

/* Judges coordinates y (n x d), which are written to file 1. */
static inline void
judge(const struct kith_undirected *g, enum kith_laplacian kind, bool all, size_t d,
    const double *y, struct kith_check out[KITH_CHECK_EMBED])
{
	const size_t n = g->W.n;
	const struct kith_node_names nodes = {.n = n};
	struct kith_pool pool = {0};
	struct kith_err err;
	char *text = kith_new(&pool, (n + 1) * (d + 1) * 32, 1), *at = text;
	const struct kith_embed_how how = {d, kind, all, 1};

	at += sprintf(at, "id");
	for (size_t j = 0; j < d; j++)
		at += sprintf(at, "\te%zu", j + 1);
	for (size_t i = 0; i < n; i++) {
		at += sprintf(at, "\n%zu", i + 1);
		for (size_t j = 0; j < d; j++)
			at += isnan(y[i * d + j]) ? sprintf(at, "\tNA")
						  : sprintf(at, "\t%.17g", y[i * d + j]);
	}
	sprintf(at, "\n");
	if (kith_check_embed(g, &how, scratch_text(1, text), &nodes, out, &err))
		abort();
	kith_pool_free(&pool);
}

/* A letter for each check: y(es), n(o) or ? (not decided). */
static inline const char *
verdict(const struct kith_undirected *g, enum kith_laplacian kind, bool all, size_t d,
    const double *y, char said[KITH_CHECK_EMBED + 1])
{
	struct kith_check check[KITH_CHECK_EMBED];

	judge(g, kind, all, d, y, check);
	for (size_t i = 0; i < KITH_CHECK_EMBED; i++)
		said[i] = (char)(kith_check_open(&check[i]) ? '?'
			: kith_check_ok(&check[i])          ? 'y'
							    : 'n');
	said[KITH_CHECK_EMBED] = 0;
	return said;
}

static inline void
join(size_t n, double *W, size_t i, size_t j, double w)
{
	W[i * n + j] = W[j * n + i] = w;
}

/* A tree over nodes first .. end - 1, and each other edge with this chance. */
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
