/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For each leaf of the query, all of whose rows are worked on together:
 *
 * 1. Bound the distances of its box and the boxes of all leaves of the
 *    reference.  Visit those with the smallest bounds, then in order of the
 *    bounds all others that may hold a neighbour of one of the rows.
 * 2. In a visit, bound the distances of each row and the box of the leaf; rows
 *    that the bound proves to have no neighbour there take no part.
 * 3. Sum the distances of the others, four at a time, and the rows of the leaf
 *    on the axes, in floats; the double distance is computed where such a
 *    bound is not above the row's limit, and pushed.
 *
 * With s = sqrt(scale d_k) (KITH_ABSOLUTE: scale d_k), d_k being the k-th
 * smallest distance that a row knows of, all with B > limit are passed over:
 *
 *	limit = ((s + off_row + off_leaf) (1 + slack))^2	(near/axes.h)
 */
#include "near/prune_leaf.h"

#include "near/axes.h"
#include "near/bound.h"
#include "near/dist.h"
#include "near/pack.h"

#include <math.h>

enum { LEAF = KITH_KNN_LEAF };

/* What row i knows of its k-th neighbour: s + off. */
static void
learn(const struct kith_prune_search *to, struct kith_prune_searcher *own,
    size_t i, float off)
{
	const struct kith_knn_axes *axes = to->prune->axes;
	const struct kith_near *near = &own->near[i];
	double s;

	if (near->held < near->k)
		return;
	s = near->nn[0].d * kith_knn_axes_scale(axes);
	if (!to->absolute)
		s = sqrt(s);
	own->known[i] = kith_prune_known(s, off);
}

/* Compute the distances of row i and the rows of leaf l that mask has. */
static void
push(const struct kith_prune_search *to, struct kith_prune_searcher *own,
    size_t i, size_t l, uint64_t mask)
{
	const struct kith_knn_pack *pack = to->prune->pack;
	const uint32_t *row = to->prune->leaves.row + l * LEAF;
	struct kith_near *near = &own->near[i];

	own->effort.distances += __builtin_popcountll(mask);
	for (uint64_t m = mask; m; m &= m - 1) {
		const double *x = kith_row(&pack->X, row[__builtin_ctzll(m)]);

		for (size_t j = 0; j < pack->X.p; j += 8)
			__builtin_prefetch(x + j);
	}
	for (; mask; mask &= mask - 1) {
		const size_t j = row[__builtin_ctzll(mask)];
		double d;

		if (j == own->left_out[i])
			continue;
		kith_dist_rows(
		    &pack->metric, own->z[i], kith_row(&pack->X, j), 1, &d);
		if (kith_near_wants(near, d))
			kith_near_push(near, j, d);
	}
}

/* Look for neighbours of the rows of leaf q of the query in leaf l. */
static void
visit(const struct kith_prune_search *to, struct kith_prune_searcher *own,
    size_t q, size_t l)
{
	const uint64_t rows = own->m < LEAF ? (UINT64_C(1) << own->m) - 1
					    : UINT64_MAX;
	struct kith_bound_pairs pairs;

	kith_bound_begin(&pairs, &to->prune->leaves, l,
	    to->leaves->y + q * to->leaves->count * LEAF, rows, own->known,
	    to->grow, to->absolute);
	while (kith_bound_next(&pairs)) {
		push(to, own, pairs.i, l, pairs.mask);
		learn(to, own, pairs.i, to->leaves->off[q * LEAF + pairs.i]);
	}
	own->effort.visits++;
	own->effort.sums += (double)pairs.sums;
}

/* The limit of the row that knows least. */
static float
least_known(const struct kith_prune_searcher *own)
{
	float most = 0;

	for (size_t i = 0; i < own->m; i++)
		most = own->known[i] > most ? own->known[i] : most;
	return most;
}

/* Visit all leaves that may hold a neighbour. */
static void
visit_all(const struct kith_prune_search *to, struct kith_prune_searcher *own,
    size_t q)
{
	const struct kith_knn_leaves *of = &to->prune->leaves;
	const size_t first = kith_visits_first(of, own->bound, own->list);
	size_t n;

	for (size_t v = 0; v < first; v++) {
		visit(to, own, q, own->list[v].leaf);
		own->bound[own->list[v].leaf] = INFINITY;
	}
	n = kith_visits_within(of, own->bound, least_known(own), to->grow,
	    to->absolute, own->list);
	for (size_t v = 0; v < n; v++) {
		const size_t l = own->list[v].leaf;

		if (own->list[v].bound <= kith_prune_limit(least_known(own),
					      of->most[l], to->grow,
					      to->absolute))
			visit(to, own, q, l);
	}
}

static void
searcher_new(
    struct kith_prune_searcher *own, const struct kith_prune_search *to)
{
	const struct kith_knn_leaves *of = &to->prune->leaves;

	own->bound = kith_new(&own->pool, of->ld, sizeof(*own->bound));
	own->list = kith_new(&own->pool, of->leaves, sizeof(*own->list));
}

/* Take in the rows of leaf q of the query. */
static void
begin_leaf(const struct kith_prune_search *to, struct kith_prune_searcher *own,
    size_t q)
{
	const struct kith_knn_leaves *of = to->leaves;
	const struct kith_knn_query *query = to->query;
	const size_t rest = of->rows - q * LEAF;

	own->m = rest < to->rows ? rest : to->rows;
	for (size_t i = 0; i < own->m; i++) {
		const size_t row = of->row[q * LEAF + i];

		own->z[i] = to->z[row];
		own->left_out[i] = kith_knn_left_out(query, row);
		own->known[i] = INFINITY;
		own->near[i] = (struct kith_near){
		    .nn = query->nn + row * query->k, .k = query->k};
	}
}

void
kith_prune_leaf(void *arg, size_t q, size_t thread)
{
	const struct kith_prune_search *to = arg;
	const struct kith_knn_leaves *of = &to->prune->leaves;
	struct kith_prune_searcher *own = &to->own[thread];
	float low[KITH_KNN_AXES], high[KITH_KNN_AXES];

	if (!own->bound)
		searcher_new(own, to);
	begin_leaf(to, own, q);
	for (size_t c = 0; c < of->count; c++) {
		low[c] = to->leaves->low[c * to->leaves->ld + q];
		high[c] = to->leaves->high[c * to->leaves->ld + q];
	}
	kith_bound_boxes(of, low, high, to->absolute, own->bound);
	own->effort.boxes++;
	visit_all(to, own, q);
	for (size_t i = 0; i < own->m; i++)
		kith_near_sort(&own->near[i]);
}
