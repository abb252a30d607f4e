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
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	FEW = 64,  /* rows of a reference that need no index */
	SHARE = 8, /* more than n / SHARE neighbours are not screened */
	MANY = 16, /* fewer than n / MANY queries are not worth leaves */

	/* Up to how many queries the plain loop costs less than to make an
	 * index, as measured at 1e3 to 3e5 rows of 2 to 200 features: 16, and
	 * 2 + p / 8 where the index is for products of matrices. */
	PLAIN_QUERIES = 16,
	PLAIN_FEATURES = 8
};

/* One of tree, screen and prune, or none: then the plain loop. */
struct kith_knn {
	struct kith_knn_pack pack;
	const struct kith_mat *X; /* as handed in */
	struct kith_knn_tree *tree;
	struct kith_knn_screen *screen;
	struct kith_knn_prune *prune;
	bool few;    /* queries that are not worth an index */
	double cost; /* of leaves, as struct kith_knn_choice says */
};

static bool
tree_serves(enum kith_metric_kind kind, size_t p)
{
	return 1 <= p && p <= KITH_KNN_TREE_P &&
	    (kind == KITH_SQUARED || kind == KITH_ABSOLUTE);
}

size_t
kith_knn_few(enum kith_metric_kind kind, size_t p)
{
	const size_t few = 2 + p / PLAIN_FEATURES;

	if (kind == KITH_SQUARED_MATRIX)
		return 0; /* p^2 each; products do all rows at once */
	if (kind != KITH_SQUARED || tree_serves(kind, p))
		return PLAIN_QUERIES;
	return few < PLAIN_QUERIES ? few : PLAIN_QUERIES;
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
by_leaves(const struct kith_knn_pack *pack, size_t queries, double *cost,
    struct kith_pool *pool)
{
	const bool always = forced("leaves");
	const bool worth = queries >= pack->X.n / MANY &&
	    !tree_serves(pack->metric.kind, pack->metric.p);

	if (forced("full") || !(always || worth) ||
	    !kith_knn_float_serves(pack))
		return NULL;
	return kith_knn_prune_new(pack, always, cost, pool);
}

struct kith_knn *
kith_knn_new(const struct kith_mat *X, const struct kith_metric *metric,
    size_t queries, struct kith_pool *pool)
{
	struct kith_knn *knn = kith_new(pool, 1, sizeof(*knn));

	assert(X->n >= 1 && X->p >= 1 && X->p == metric->p);
	knn->pack = kith_knn_pack(X, metric, pool);
	knn->X = X;
	knn->cost = NAN;
	knn->few = X->n < FEW ||
	    (queries <= kith_knn_few(metric->kind, knn->pack.metric.p) &&
		!forced("full") && !forced("leaves"));
	if (knn->few)
		return knn;
	knn->prune = by_leaves(&knn->pack, queries, &knn->cost, pool);
	if (knn->prune)
		return knn;
	if (tree_serves(metric->kind, knn->pack.metric.p))
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

bool
kith_knn_unit_is_sure(const struct kith_knn *knn)
{
	return kith_knn_pack_is_sure(&knn->pack);
}

/* The ways to search. */
enum way { PLAIN, TREE, LEAVES, PRODUCTS };

/* That for k neighbours. */
static enum way
way_of(const struct kith_knn *knn, size_t k)
{
	if (knn->prune && k <= knn->X->n / SHARE)
		return LEAVES;
	if (knn->tree)
		return TREE;
	return knn->screen && k <= knn->X->n / SHARE ? PRODUCTS : PLAIN;
}

/* That for all rows within a limit: leaves could be made in place of a tree. */
static enum way
way_within(const struct kith_knn *knn)
{
	if (knn->few || !kith_knn_float_serves(&knn->pack))
		return PLAIN;
	return knn->prune || (!knn->screen && !forced("full")) ? LEAVES
							       : PRODUCTS;
}

struct kith_knn_choice
kith_knn_choice(const struct kith_knn *knn, size_t k)
{
	static const char *const word[] = {
	    [PLAIN] = "plain",
	    [TREE] = "tree",
	    [LEAVES] = "leaves",
	    [PRODUCTS] = "products",
	};

	return (struct kith_knn_choice){
	    word[k ? way_of(knn, k) : way_within(knn)], knn->cost};
}

/* Answer a query; `own`: it is of all rows of the reference. */
static void
answer(const struct kith_knn *knn, const struct kith_knn_query *query, bool own)
{
	switch (way_of(knn, query->k)) {
	case LEAVES:
		kith_knn_prune_search(knn->prune, query, own);
		break;
	case TREE:
		kith_knn_tree_search(knn->tree, query, own);
		break;
	case PRODUCTS:
		if (own)
			kith_knn_screen_join(knn->screen, query);
		else
			kith_knn_screen_search(knn->screen, query);
		break;
	case PLAIN:
		kith_knn_plain(&knn->pack, query);
		break;
	}
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
 * The leaves of the reference, or such made in the pool; NULL where floats do
 * not serve, or there are no axes.
 */
static const struct kith_knn_prune *
leaves_of(const struct kith_knn *knn, struct kith_pool *pool)
{
	double cost;

	if (knn->prune)
		return knn->prune;
	return kith_knn_prune_new(&knn->pack, true, &cost, pool);
}

static void
find_within(const struct kith_knn *knn, struct kith_found *found, bool own)
{
	struct kith_pool tmp = {0};
	const enum way way = way_within(knn);
	const struct kith_knn_prune *prune = way == LEAVES
	    ? leaves_of(knn, &tmp)
	    : NULL;
	const struct kith_knn_screen *screen = knn->screen;

	if (way != PLAIN && !prune && !screen)
		screen = kith_knn_screen_new(&knn->pack, &tmp);
	if (prune)
		kith_within_leaves(prune, found, own);
	else if (way == PLAIN)
		kith_within_plain(&knn->pack, found);
	else
		kith_within_tiles(screen, found);
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
	const struct kith_knn_prune *prune = NULL;

	if (knn->X->n >= FEW && kith_knn_float_serves(&knn->pack) &&
	    !forced("full"))
		prune = leaves_of(knn, &tmp);
	if (prune && prune->leaves.far > 0)
		prune = NULL;
	kith_connect(&knn->pack, prune, part, parts, threads, out);
	kith_pool_free(&tmp);
}
