/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/knn.h"

#include "base/pool.h"
#include "near/connect.h"
#include "near/float.h"
#include "near/found.h"
#include "near/pack.h"
#include "near/plain.h"
#include "near/prune.h"
#include "near/prune_leaf.h"
#include "near/screen.h"
#include "near/tree.h"
#include "near/within.h"
#include "near/within_leaves.h"
#include "near/within_tiles.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	FEW = 64,  /* rows of a reference that need no index */
	SHARE = 8, /* more than n / SHARE neighbours are not screened */
	MANY = 16  /* fewer than n / MANY queries are not worth leaves */
};

/* One of tree and screen, or neither: then the plain loop. */
struct kith_knn {
	struct kith_knn_pack pack;
	const struct kith_mat *X; /* as handed in */
	struct kith_knn_tree *tree;
	struct kith_knn_screen *screen;
	struct kith_knn_prune *prune;
};

static bool
tree_serves(const struct kith_knn_pack *pack)
{
	return 1 <= pack->metric.p && pack->metric.p <= KITH_KNN_TREE_P &&
	    (pack->metric.kind == KITH_SQUARED ||
		pack->metric.kind == KITH_ABSOLUTE);
}

/* Whether the environment variable KITH_SEARCH asks for this search. */
static bool
forced(const char *search)
{
	const char *asked = getenv("KITH_SEARCH");

	return asked && strcmp(asked, search) == 0;
}

/*
 * Leaves, where they serve better than the other searches: these have what the
 * tree has, and what the environment variable KITH_SEARCH says, leaves or full,
 * for tests and measurements.
 */
static struct kith_knn_prune *
by_leaves(const struct kith_knn_pack *pack, struct kith_pool *pool)
{
	const bool always = forced("leaves");

	if (!kith_knn_float_serves(pack) || forced("full") ||
	    (!always && tree_serves(pack)))
		return NULL;
	return kith_knn_prune_new(pack, always, pool);
}

struct kith_knn *
kith_knn_new(const struct kith_mat *X, const struct kith_metric *metric,
    size_t queries, struct kith_pool *pool)
{
	struct kith_knn *knn = kith_new(pool, 1, sizeof(*knn));

	assert(X->n >= 1 && X->p >= 1 && X->p == metric->p);
	knn->pack = kith_knn_pack(X, metric, pool);
	knn->X = X;
	if (X->n < FEW)
		return knn;
	if (queries >= X->n / MANY)
		knn->prune = by_leaves(&knn->pack, pool);
	if (knn->prune)
		return knn;
	if (tree_serves(&knn->pack))
		knn->tree = kith_knn_tree_new(&knn->pack, pool);
	else if (kith_knn_float_serves(&knn->pack))
		knn->screen = kith_knn_screen_new(&knn->pack, pool);
	return knn;
}

double
kith_knn_unit(const struct kith_knn *knn)
{
	return knn->pack.unit;
}

/* Answer a query; `own`: it is of all rows of the reference. */
static void
answer(const struct kith_knn *knn, const struct kith_knn_query *query, bool own)
{
	if (knn->prune && query->k <= knn->X->n / SHARE)
		kith_knn_prune_search(knn->prune, query, own);
	else if (knn->tree)
		kith_knn_tree_search(knn->tree, query, own);
	else if (!knn->screen || query->k > knn->X->n / SHARE)
		kith_knn_plain(&knn->pack, query);
	else if (own)
		kith_knn_screen_join(knn->screen, query);
	else
		kith_knn_screen_search(knn->screen, query);
}

void
kith_knn_search(const struct kith_knn *knn, const struct kith_mat *Z,
    const size_t *self, size_t k, size_t threads, struct kith_neighbour *nn)
{
	const struct kith_knn_query query = {Z, self, k, threads, nn};

	assert(1 <= k && k <= knn->X->n - (self != NULL));
	assert(Z->n == 0 || Z->p == knn->X->p);
	answer(knn, &query, false);
}

void
kith_knn_join(const struct kith_knn *knn, size_t k, size_t threads,
    struct kith_neighbour *nn)
{
	struct kith_pool tmp = {0};
	const size_t n = knn->X->n;
	size_t *self = kith_new(&tmp, n, sizeof(*self));
	const struct kith_knn_query query = {knn->X, self, k, threads, nn};

	assert(1 <= k && k < n);
	for (size_t i = 0; i < n; i++)
		self[i] = i;
	answer(knn, &query, true);
	kith_pool_free(&tmp);
}

/*
 * All within a limit, by leaves where these are there, or could be instead of
 * a tree, else by products.
 */
static void
find_within(const struct kith_knn *knn, struct kith_found *found, bool own)
{
	struct kith_pool tmp = {0};
	const struct kith_knn_prune *prune = knn->prune;
	const struct kith_knn_screen *screen = knn->screen;
	const bool floats = knn->X->n >= FEW &&
	    kith_knn_float_serves(&knn->pack);

	if (floats && !prune && !screen && !forced("full"))
		prune = kith_knn_prune_new(&knn->pack, true, &tmp);
	if (floats && !prune && !screen)
		screen = kith_knn_screen_new(&knn->pack, &tmp);
	if (prune)
		kith_within_leaves(prune, found, own);
	else if (screen)
		kith_within_tiles(screen, found);
	else
		kith_within_plain(&knn->pack, found);
	kith_pool_free(&tmp);
}

void
kith_knn_within(const struct kith_knn *knn, const struct kith_mat *Z,
    const size_t *self, double limit, size_t threads,
    struct kith_knn_lists *out, struct kith_pool *pool)
{
	const struct kith_mat *X = knn->X;
	struct kith_found found = {
	    .query = {Z, self, 0, threads, NULL}, .limit = limit};

	assert(limit >= 0);
	assert(Z->n == 0 || Z->p == X->p);
	find_within(knn, &found, Z->v == X->v && Z->n == X->n);
	kith_found_end(&found, out, pool);
}

void
kith_knn_connect(const struct kith_knn *knn, size_t *part, size_t parts,
    size_t threads, struct kith_bridge *out)
{
	struct kith_pool tmp = {0};
	const struct kith_knn_prune *prune = knn->prune;

	if (!prune && knn->X->n >= FEW && kith_knn_float_serves(&knn->pack) &&
	    !forced("full"))
		prune = kith_knn_prune_new(&knn->pack, true, &tmp);
	if (prune && prune->leaves.far > 0)
		prune = NULL;
	kith_connect(&knn->pack, prune, part, parts, threads, out);
	kith_pool_free(&tmp);
}
