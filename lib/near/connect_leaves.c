/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For each leaf, of whose rows those count that are not of the largest part:
 *
 * 1. Bound the distances of their box and the boxes of all leaves, but those
 *    that hold no other part.  Visit the leaves with the smallest bounds, then
 *    in order all others that may hold a pair as short as the best that the
 *    parts of these rows know.
 * 2. In a visit pass over what bounds prove to be longer (near/prune_leaf.c);
 *    the other pairs of rows of two parts are measured.
 */
#include "near/connect_leaves.h"

#include "base/par.h"
#include "base/pool.h"
#include "near/axes.h"
#include "near/bound.h"
#include "near/bridge.h"
#include "near/dist.h"
#include "near/leaves.h"
#include "near/pack.h"
#include "near/prune.h"
#include "near/prune_leaf.h"

#include <math.h>
#include <stdint.h>

enum { LEAF = KITH_KNN_LEAF };

/* What a thread needs. */
struct worker {
	struct kith_pool pool;
	float *bound; /* of all leaves */
	struct kith_prune_visit *list;
	uint64_t alive; /* rows of the leaf that count */
	float known[LEAF];
};

struct job {
	const struct kith_connect *to;
	const struct kith_knn_leaves *of;
	const size_t *only; /* the part that all rows of a leaf are of, or
			       SIZE_MAX: several */
	bool absolute;
	float grow;
	struct worker *own; /* of each thread */
};

/* The only part of the rows of leaf l that the mask has; SIZE_MAX: several. */
static size_t
only_part(const struct kith_connect *to, const struct kith_knn_leaves *of,
    size_t l, uint64_t mask)
{
	const uint32_t *row = of->row + l * LEAF;
	size_t part;

	if (!mask)
		return SIZE_MAX;
	part = to->part[row[__builtin_ctzll(mask)]];
	for (; mask; mask &= mask - 1)
		if (to->part[row[__builtin_ctzll(mask)]] != part)
			return SIZE_MAX;
	return part;
}

/* The rows that leaf l has. */
static uint64_t
there(const struct kith_knn_leaves *of, size_t l)
{
	const size_t rest = of->rows - l * LEAF;

	return rest < LEAF ? (UINT64_C(1) << rest) - 1 : UINT64_MAX;
}

/* What the rows of leaf q that are of this part know of its best pair. */
static void
learn(const struct job *job, struct worker *own, size_t thread, size_t q,
    size_t part)
{
	const struct kith_connect *to = job->to;
	const double d = to->best[thread * to->parts + part].d *
	    kith_knn_axes_scale(to->prune->axes);
	const double s = job->absolute ? d : sqrt(d);

	for (uint64_t m = own->alive; m; m &= m - 1) {
		const size_t i = (size_t)__builtin_ctzll(m), at = q * LEAF + i;

		if (to->part[job->of->row[at]] == part)
			own->known[i] = isinf(s)
			    ? INFINITY
			    : kith_prune_known(s, job->of->off[at]);
	}
}

/* Measure row i of leaf q and the rows of leaf l that the mask has. */
static void
measure(const struct job *job, struct worker *own, size_t thread, size_t q,
    size_t i, size_t l, uint64_t mask)
{
	const struct kith_connect *to = job->to;
	const struct kith_mat *X = &to->pack->X;
	const size_t row = job->of->row[q * LEAF + i], part = to->part[row];
	bool better = false;

	for (; mask; mask &= mask - 1) {
		const size_t
		    j = job->of->row[l * LEAF + (size_t)__builtin_ctzll(mask)];
		double d;

		if (to->part[j] == part)
			continue;
		kith_dist_rows(
		    &to->pack->metric, kith_row(X, row), kith_row(X, j), 1, &d);
		better = kith_connect_take(to, thread, row, j, d) || better;
	}
	if (better)
		learn(job, own, thread, q, part);
}

static void
visit(const struct job *job, struct worker *own, size_t thread, size_t q,
    size_t l)
{
	struct kith_bound_pairs pairs;

	kith_bound_begin(&pairs, job->of, l,
	    job->of->y + q * job->of->count * LEAF, own->alive, own->known,
	    job->grow, job->absolute);
	while (kith_bound_next(&pairs))
		measure(job, own, thread, q, pairs.i, l, pairs.mask);
}

/* The limit of the row that knows least. */
static float
least_known(const struct worker *own)
{
	float most = 0;

	for (uint64_t m = own->alive; m; m &= m - 1) {
		const size_t i = (size_t)__builtin_ctzll(m);

		most = own->known[i] > most ? own->known[i] : most;
	}
	return most;
}

/* Bound all leaves for the rows of leaf q that count. */
static void
bound_leaves(const struct job *job, struct worker *own, size_t q)
{
	const struct kith_knn_leaves *of = job->of;
	const size_t part = only_part(job->to, of, q, own->alive);
	float low[KITH_KNN_AXES], high[KITH_KNN_AXES];

	for (size_t c = 0; c < of->count; c++) {
		const float *y = of->y + (q * of->count + c) * LEAF;

		low[c] = INFINITY;
		high[c] = -INFINITY;
		for (uint64_t m = own->alive; m; m &= m - 1) {
			const float v = y[__builtin_ctzll(m)];

			low[c] = v < low[c] ? v : low[c];
			high[c] = v > high[c] ? v : high[c];
		}
	}
	kith_bound_boxes(of, low, high, job->absolute, own->bound);
	for (size_t l = 0; l < of->leaves && part != SIZE_MAX; l++)
		if (job->only[l] == part)
			own->bound[l] = INFINITY;
}

static void
search_leaf(void *arg, size_t q, size_t thread)
{
	const struct job *job = arg;
	const struct kith_connect *to = job->to;
	const struct kith_knn_leaves *of = job->of;
	struct worker *own = &job->own[thread];
	size_t n;

	if (job->only[q] == to->largest)
		return;
	if (!own->bound) {
		own->bound = kith_new(&own->pool, of->ld, sizeof(float));
		own->list = kith_new(
		    &own->pool, of->leaves, sizeof(*own->list));
	}
	own->alive = 0;
	for (uint64_t m = there(of, q); m; m &= m - 1) {
		const size_t i = (size_t)__builtin_ctzll(m);

		if (to->part[of->row[q * LEAF + i]] != to->largest)
			own->alive |= UINT64_C(1) << i;
	}
	for (uint64_t m = own->alive; m; m &= m - 1)
		learn(job, own, thread, q,
		    to->part[of->row[q * LEAF + (size_t)__builtin_ctzll(m)]]);
	bound_leaves(job, own, q);
	n = kith_visits_first(of, own->bound, own->list);
	for (size_t v = 0; v < n; v++) {
		const size_t l = own->list[v].leaf;

		if (own->bound[l] <= kith_prune_limit(least_known(own),
					 of->most[l], job->grow, job->absolute))
			visit(job, own, thread, q, l);
		own->bound[l] = INFINITY;
	}
	n = kith_visits_within(of, own->bound, least_known(own), job->grow,
	    job->absolute, own->list);
	for (size_t v = 0; v < n; v++) {
		const size_t l = own->list[v].leaf;

		if (own->list[v].bound <= kith_prune_limit(least_known(own),
					      of->most[l], job->grow,
					      job->absolute))
			visit(job, own, thread, q, l);
	}
}

void
kith_connect_leaves(const struct kith_connect *to)
{
	struct kith_pool tmp = {0};
	const struct kith_knn_leaves *of = &to->prune->leaves;
	size_t *only = kith_new(&tmp, of->leaves, sizeof(*only));
	struct job job = {.to = to,
	    .of = of,
	    .only = only,
	    .absolute = kith_knn_axes_absolute(to->prune->axes),
	    .grow = kith_prune_grow(to->prune->axes),
	    .own = kith_new(&tmp, to->threads, sizeof(*job.own))};

	for (size_t l = 0; l < of->leaves; l++)
		only[l] = only_part(to, of, l, there(of, l));
	kith_par_told(to->threads, of->leaves, search_leaf, &job,
	    &(struct kith_par_phase){
		"shortest edges that connect", of->leaves, "leaves"});
	for (size_t t = 0; t < to->threads; t++)
		kith_pool_free(&job.own[t].pool);
	kith_pool_free(&tmp);
}
