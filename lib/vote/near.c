/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/near.h"

#include "near/heap.h"
#include "nnk/local.h"
#include "table/table.h"

int
kith_vote_near_read(const char *file, enum kith_pairs_of of, const struct kith_table *known,
    const struct kith_table *asked, struct kith_vote_near *out, struct kith_pool *pool,
    struct kith_err *err)
{
	const char *const files[] = {file, NULL};
	const struct kith_ends *from = asked ? &out->from : &out->to;
	const struct kith_edges_how list = {.from = from, .to = &out->to};

	*out = (struct kith_vote_near){.near = {.file = file, .from = from}};
	if (kith_ends_of(known, &out->to, pool, err) ||
	    (asked && kith_ends_of(asked, &out->from, pool, err)))
		return -1;
	if (!of)
		return kith_edges_read(files, &list, &out->given, pool, err);
	out->near.pairs = &out->pairs;
	return kith_pairs_read(file, of, from, &out->to, &out->pairs, pool, err);
}

int
kith_vote_near_set(struct kith_vote_near *it, const struct kith_mat *X, const struct kith_mat *Z,
    size_t first, size_t m, const struct kith_predict_how *how, struct kith_pool *pool,
    struct kith_err *err)
{
	const struct kith_local_rows rows = {X, how->metric, Z, first, m, how->threads};
	struct kith_graph given = it->given;
	const struct kith_local_how wanted = {.k = 1, .radius = -1, .given = &given};
	struct kith_local local;

	it->near.first = first;
	if (it->near.pairs) {
		it->near.list = (struct kith_knn_lists){it->pairs.start + first, it->pairs.nn};
		return 0;
	}
	given.first = first;
	given.m = m;
	given.start += first;
	if (kith_local_find(&rows, &wanted, &local, pool, err))
		return -1;
	it->near.list = (struct kith_knn_lists){local.start, local.nn};
	return 0;
}
