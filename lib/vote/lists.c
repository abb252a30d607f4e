/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/lists.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/sort.h"
#include "near/knn.h"
#include "table/edges.h"
#include "vote/ballot.h"
#include "vote/vote.h"

#include <math.h>

/* Most votes need distances >= 0. */
static int
check_distances(const struct kith_predict_how *how, const struct kith_knn_lists *near, size_t m,
    struct kith_err *err)
{
	if (how->vote->takes_negative)
		return 0;
	for (size_t i = 0; i < m; i++)
		if (near->start[i] < near->start[i + 1] && near->nn[near->start[i]].d < 0)
			return kith_fail(err, EX_DATAERR,
			    "the weights make a distance below 0 (--vote "
			    "majority?)");
	return 0;
}

/* Whether each of m lists that are known before has `most` neighbours. */
static int
check_lengths(const struct kith_predict_near *near, size_t m, size_t most, struct kith_err *err)
{
	char text[KITH_NUM_ROOM];

	for (size_t i = 0; i < m; i++) {
		const size_t there = near->list.start[i + 1] - near->list.start[i];

		if (there < most)
			return kith_fail_at(err, EX_DATAERR, near->file, 0,
			    "-k %zu: row " KITH_CELL " has only %zu candidates", most,
			    kith_ends_name(near->from, near->first + i, text), there);
	}
	return 0;
}

/* The same number of neighbours for each of m rows. */
static void
find_nearest(const struct kith_knn *knn, const struct kith_mat *Z, size_t m, size_t k,
    size_t threads, struct kith_vote_lists *out, struct kith_pool *pool)
{
	struct kith_neighbour *nn = kith_new(pool, m * k, sizeof(*nn));
	size_t *start = kith_new(pool, m + 1, sizeof(*start));

	for (size_t i = 0; i <= m; i++)
		start[i] = i * k;
	if (k > 0 && Z)
		kith_knn_search(knn, Z, NULL, k, threads, nn);
	else if (k > 0)
		kith_knn_join(knn, k, threads, nn);
	out->near = (struct kith_knn_lists){start, nn};
	out->join = Z || k == 0 ? NULL : nn;
}

/* All within the largest radius. */
static void
find_within(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_knn *knn, const struct kith_mat *Z, struct kith_vote_lists *out,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t n = known->X.n;
	size_t *self = Z ? NULL : kith_new(&tmp, n, sizeof(*self));
	double r = 0;

	for (size_t i = 0; self && i < n; i++)
		self[i] = i;
	for (size_t a = 0; a < how->nk; a++)
		r = fmax(r, how->radius[a]);
	kith_knn_within(
	    knn, Z ? Z : &known->X, self, kith_dist_limit(r), how->threads, &out->near, pool);
	kith_pool_free(&tmp);
}

/* The longest of m lists, but at most k, and at least 1. */
static size_t
longest(const struct kith_knn_lists *near, size_t m, size_t k)
{
	size_t most = 1;

	for (size_t i = 0; i < m; i++) {
		const size_t there = near->start[i + 1] - near->start[i];

		most = there > most ? there : most;
	}
	return most < k ? most : k;
}

int
kith_vote_lists(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_knn *knn, const struct kith_mat *Z, struct kith_vote_lists *out,
    struct kith_pool *pool, struct kith_err *err)
{
	const size_t m = Z ? Z->n : known->X.n, there = known->X.n - !Z;
	const size_t k = kith_largest_size(how->k, how->nk);
	int got = 0;

	*out = (struct kith_vote_lists){0};
	if (knn && !how->radius && k > there)
		return kith_fail(
		    err, EX_DATAERR, "%zu neighbours wanted, only %zu available", k, there);
	if (how->near) {
		out->near = how->near->list;
		if (!how->radius)
			got = check_lengths(how->near, m, k, err);
	} else if (how->radius && k == KITH_ALL_WITHIN) {
		find_within(known, how, knn, Z, out, pool);
	} else {
		find_nearest(knn, Z, m, k < there ? k : there, how->threads, out, pool);
	}
	if (got)
		return got;
	out->most = longest(&out->near, m, k);
	return how->near && how->near->pairs ? 0 : check_distances(how, &out->near, m, err);
}
