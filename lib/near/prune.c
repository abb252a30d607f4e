/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/prune.h"

#include "base/par.h"
#include "base/pool.h"
#include "near/axes.h"
#include "near/leaves.h"
#include "near/near.h"
#include "near/pack.h"
#include "near/plain.h"
#include "near/prune_leaf.h"

#include <math.h>
#include <string.h>

enum {
	LEAF = KITH_KNN_LEAF,
	LEAST = 4096, /* rows that are worth a choice */
	TRIED = 4,    /* leaves that are searched to see what bounds leave, */
	PART = 4,     /* a part of their rows, */
	TRIED_K = 30, /* for so many neighbours, */
	SAMPLE = 8192 /* of so many rows to begin with */
};

/*
 * What it costs, about, in microseconds of a core: of leaves, a bound of two
 * boxes on one axis, a visit, a sum of four rows on one axis, a distance, and
 * what a feature adds to it; of full products a pair of rows, what a feature
 * adds to it, and a row.
 */
static const double BOX = 5e-4, VISIT = .3, SUM = .0165, DISTANCE = .02,
		    DISTANCE_P = 5e-4, PAIR = 8e-4, PAIR_P = 2e-5, ROW = 10;

/* A choice between more and less than this ratio is tried on more rows. */
static const double UNSURE = 4;

/* Rows too far away for floats, of the query: the plain loop. */
static void
search_far(void *arg, size_t i, size_t thread)
{
	const struct kith_prune_search *to = arg;
	const struct kith_knn_query *query = to->query;
	const size_t row = to->leaves->beyond[i];

	(void)thread;
	kith_knn_plain_row(to->prune->pack, to->z[row],
	    kith_knn_left_out(query, row), query->k,
	    query->nn + row * query->k);
}

const double **
kith_prune_packed(const struct kith_knn_pack *pack, const struct kith_mat *Z,
    struct kith_pool *pool)
{
	const size_t p = pack->metric.p;
	const double **z = kith_new(pool, Z->n, sizeof(*z));
	double *room = pack->kept ? kith_new(pool, Z->n, p * sizeof(*room))
				  : NULL;

	for (size_t i = 0; i < Z->n; i++)
		z[i] = kith_knn_pack_row(
		    pack, kith_row(Z, i), room ? room + i * p : NULL);
	return z;
}

const double **
kith_prune_own(
    const struct kith_knn_pack *pack, size_t n, struct kith_pool *pool)
{
	const double **z = kith_new(pool, n, sizeof(*z));

	for (size_t i = 0; i < n; i++)
		z[i] = kith_row(&pack->X, i * pack->X.n / n);
	return z;
}

float
kith_prune_grow(const struct kith_knn_axes *axes)
{
	return (float)(1 + 2 * kith_knn_axes_slack(axes));
}

static struct kith_prune_search
search_new(const struct kith_knn_prune *prune,
    const struct kith_knn_query *query, struct kith_pool *pool)
{
	return (struct kith_prune_search){.prune = prune,
	    .query = query,
	    .leaves = &prune->leaves,
	    .absolute = kith_knn_axes_absolute(prune->axes),
	    .grow = kith_prune_grow(prune->axes),
	    .rows = LEAF,
	    .own = kith_new(
		pool, query->threads, sizeof(struct kith_prune_searcher))};
}

void
kith_knn_prune_search(const struct kith_knn_prune *prune,
    const struct kith_knn_query *query, bool own)
{
	struct kith_pool tmp = {0};
	struct kith_prune_search to = search_new(prune, query, &tmp);
	struct kith_knn_leaves leaves;

	to.z = own ? kith_prune_own(prune->pack, prune->pack->X.n, &tmp)
		   : kith_prune_packed(prune->pack, query->Z, &tmp);
	if (!own) {
		leaves = kith_knn_leaves_new(
		    prune->axes, to.z, query->Z->n, &tmp);
		to.leaves = &leaves;
	}
	kith_par_told(query->threads, to.leaves->leaves, kith_prune_leaf, &to,
	    &(struct kith_par_phase){
		"neighbours", to.leaves->leaves, "leaves"});
	kith_par_told(query->threads, to.leaves->far, search_far, &to,
	    &(struct kith_par_phase){
		"neighbours", to.leaves->far, "rows far away"});
	for (size_t t = 0; t < query->threads; t++)
		kith_pool_free(&to.own[t].pool);
	kith_pool_free(&tmp);
}

/*
 * What leaves cost, divided by what full products do, for n rows, by the effort
 * of one in PART of the rows of some leaves.
 */
static double
weigh(const struct kith_knn_prune *prune, const struct kith_prune_effort *e,
    size_t n)
{
	const double p = (double)prune->pack->metric.p;
	const double count = (double)prune->leaves.count;
	const double leaves = (double)prune->leaves.leaves;
	const double cost = e->boxes * leaves * count * BOX +
	    e->visits * VISIT +
	    PART *
		(e->sums * count * SUM +
		    e->distances * (DISTANCE + p * DISTANCE_P));
	const double full = e->boxes * LEAF *
	    ((double)n / 2 * (PAIR + p * PAIR_P) + ROW);

	return cost / full;
}

/*
 * The same, tried on n rows of the reference; INFINITY where these are too few
 * or too far away.
 */
static double
ratio(const struct kith_knn_prune *prune, size_t n)
{
	struct kith_pool tmp = {0};
	struct kith_knn_pack pack = *prune->pack;
	struct kith_knn_prune some = {&pack, prune->axes, {0}};
	struct kith_neighbour *nn = kith_new(&tmp, n, TRIED_K * sizeof(*nn));
	const struct kith_knn_query query = {&pack.X, NULL, TRIED_K, 1, nn};
	struct kith_prune_search to = search_new(&some, &query, &tmp);
	double r = INFINITY;

	to.z = kith_prune_own(prune->pack, n, &tmp);
	to.rows = LEAF / PART;
	pack.X = kith_mat_new(&tmp, n, pack.X.p);
	for (size_t i = 0; i < n; i++)
		memcpy(kith_row(&pack.X, i), to.z[i],
		    pack.X.p * sizeof(*pack.X.v));
	some.leaves = kith_knn_leaves_new(prune->axes, to.z, n, &tmp);
	to.leaves = &some.leaves;
	for (size_t t = 0; t < TRIED && some.leaves.leaves >= TRIED; t++) {
		kith_prune_leaf(&to, t * some.leaves.leaves / TRIED, 0);
		r = weigh(&some, &to.own->effort, n);
		if (r > UNSURE)
			break;
	}
	kith_pool_free(&to.own->pool);
	kith_pool_free(&tmp);
	return r;
}

/* What leaves cost, divided by what full products do, as far as need be. */
static double
cost_of(const struct kith_knn_prune *prune)
{
	const size_t n = prune->pack->X.n;

	for (size_t s = SAMPLE;; s *= 8) {
		const size_t rows = s < n ? s : n;
		const double r = ratio(prune, rows);

		if (r <= 1 || r > UNSURE || rows == n)
			return r;
	}
}

struct kith_knn_prune *
kith_knn_prune_new(const struct kith_knn_pack *pack, bool always, double *cost,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	struct kith_knn_prune *prune = kith_new(pool, 1, sizeof(*prune));
	const size_t n = pack->X.n;

	if (n < LEAST && !always)
		return NULL;
	prune->pack = pack;
	prune->axes = kith_knn_axes_new(pack, always, pool);
	if (!always)
		*cost = prune->axes ? cost_of(prune) : INFINITY;
	if (!prune->axes || (!always && *cost > 1))
		return NULL;
	prune->leaves = kith_knn_leaves_new(
	    prune->axes, kith_prune_own(pack, n, &tmp), n, pool);
	kith_pool_free(&tmp);
	return prune;
}
