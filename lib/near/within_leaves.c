/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For each leaf of the query and each of the reference:
 *
 * 1. Pass over the leaf where the bound of both boxes is beyond the limit of
 *    every row of the query.
 * 2. Pass over the rows whose bounds, of the box and then row by row, prove
 *    them to be beyond it.
 * 3. Measure the others, all of the leaf together where they are many, and
 *    offer them.
 *
 * The limit of bounds is that of near/axes.h, with s = sqrt(scale limit), or
 * scale limit for KITH_ABSOLUTE.
 */
#include "near/within_leaves.h"

#include "near/axes.h"
#include "near/bound.h"
#include "near/dist.h"
#include "near/prune.h"
#include "near/prune_leaf.h"
#include "near/within.h"

#include <math.h>
#include <string.h>

enum {
	LEAF = KITH_KNN_LEAF,
	DENSE = 16 /* rows of a leaf that are worth all distances of it */
};

/* The distances of row i and all of a leaf of the reference, to own->d. */
static void
measure_leaf(const struct kith_within *job, struct kith_within_worker *own,
    size_t i, size_t l, size_t n)
{
	const size_t p = job->pack->metric.p;

	if (own->leaf != l)
		for (size_t j = 0; j < n; j++)
			memcpy(own->gathered + j * p,
			    kith_row(&job->pack->X,
				job->prune->leaves.row[l * LEAF + j]),
			    p * sizeof(*own->gathered));
	own->leaf = l;
	kith_dist_rows(&job->pack->metric, own->z[i], own->gathered, n, own->d);
}

/* Offer the rows of leaf l, of n, that mask has to row i of the block. */
static void
offer_mask(const struct kith_within *job, struct kith_within_worker *own,
    size_t i, size_t l, size_t n, uint64_t mask)
{
	const uint32_t *row = job->prune->leaves.row + l * LEAF;
	const bool all = __builtin_popcountll(mask) >= DENSE;

	if (all)
		measure_leaf(job, own, i, l, n);
	for (; mask; mask &= mask - 1) {
		const size_t j = (size_t)__builtin_ctzll(mask);

		if (all)
			kith_within_offer(job, own, i, row[j], own->d[j]);
		else
			kith_within_offer_row(job, own, i, row[j]);
	}
}

/* The first n bits. */
static uint64_t
first_bits(size_t n)
{
	return n < LEAF ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

/* Offer what is in leaf l of the reference to the m rows of leaf q. */
static void
visit(const struct kith_within *job, struct kith_within_worker *own, size_t q,
    size_t m, size_t l)
{
	const struct kith_knn_leaves *of = &job->prune->leaves;
	const size_t rest = of->rows - l * LEAF,
		     here = rest < LEAF ? rest : LEAF;
	struct kith_bound_pairs pairs;

	kith_bound_begin(&pairs, of, l, job->leaves->y + q * of->count * LEAF,
	    first_bits(m), own->known, job->grow, job->absolute);
	while (kith_bound_next(&pairs))
		offer_mask(job, own, pairs.i, l, here, pairs.mask);
}

/* Take in the rows of leaf q of the query, of m; returns the largest known. */
static float
take_leaf(const struct kith_within *job, struct kith_within_worker *own,
    size_t q, size_t m)
{
	const struct kith_knn_leaves *of = job->leaves;
	const double d = job->found->limit *
	    kith_knn_axes_scale(job->prune->axes);
	const double s = job->absolute ? d : sqrt(d);
	float most = 0;

	for (size_t i = 0; i < m; i++) {
		own->row[i] = of->row[q * LEAF + i];
		own->z[i] = job->z[own->row[i]];
		own->left_out[i] = kith_knn_left_out(
		    &job->found->query, own->row[i]);
		own->known[i] = kith_prune_known(s, of->off[q * LEAF + i]);
		most = own->known[i] > most ? own->known[i] : most;
	}
	own->leaf = SIZE_MAX;
	return most;
}

/* Leaf q of the query; behind the leaves, rows far away, one by one. */
static void
leaf_block(void *arg, size_t q, size_t thread)
{
	const struct kith_within *job = arg;
	const struct kith_knn_leaves *of = &job->prune->leaves;
	const struct kith_knn_leaves *mine = job->leaves;
	struct kith_within_worker *own = kith_within_worker(job, thread, LEAF);
	float low[KITH_KNN_AXES], high[KITH_KNN_AXES], known;
	const size_t rest = mine->rows - (q < mine->leaves ? q * LEAF : 0);
	const size_t m = rest < LEAF ? rest : LEAF;

	if (q >= mine->leaves) {
		kith_within_take(job, own, mine->beyond[q - mine->leaves], 1);
		kith_within_offer_all(job, own, 0, 1);
		kith_found_keep(job->found, q, 1, own->row, own->list);
		return;
	}
	if (!own->bound) {
		own->bound = kith_new(&own->pool, of->ld, sizeof(float));
		own->gathered = kith_new(&own->pool, LEAF,
		    job->pack->metric.p * sizeof(*own->gathered));
	}
	known = take_leaf(job, own, q, m);
	for (size_t c = 0; c < of->count; c++) {
		low[c] = mine->low[c * mine->ld + q];
		high[c] = mine->high[c * mine->ld + q];
	}
	kith_bound_boxes(of, low, high, job->absolute, own->bound);
	for (size_t l = 0; l < of->leaves; l++)
		if (own->bound[l] <= kith_prune_limit(known, of->most[l],
					 job->grow, job->absolute))
			visit(job, own, q, m, l);
	kith_found_keep(job->found, q, m, own->row, own->list);
}

void
kith_within_leaves(
    const struct kith_knn_prune *prune, struct kith_found *found, bool own)
{
	struct kith_pool tmp = {0};
	const struct kith_mat *Z = found->query.Z;
	struct kith_knn_leaves leaves;
	struct kith_within job = {.found = found,
	    .pack = prune->pack,
	    .prune = prune,
	    .leaves = &prune->leaves,
	    .absolute = kith_knn_axes_absolute(prune->axes),
	    .grow = kith_prune_grow(prune->axes)};

	if (own)
		job.z = kith_prune_own(prune->pack, Z->n, &tmp);
	else {
		job.z = kith_prune_packed(prune->pack, Z, &tmp);
		leaves = kith_knn_leaves_new(prune->axes, job.z, Z->n, &tmp);
		job.leaves = &leaves;
	}
	kith_within_work(
	    &job, job.leaves->leaves + job.leaves->far, leaf_block);
	kith_pool_free(&tmp);
}
