/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/block.h"

#include "base/pool.h"
#include "la/mat.h"
#include "near/knn.h"

#include <math.h>
#include <stdint.h>

void
kith_near_block_own(struct kith_near_block *b, size_t x, size_t z)
{
	const size_t x_end = x + b->X->n, z_end = z + b->Z->n;
	const size_t from = x > z ? x : z, to = x_end < z_end ? x_end : z_end;

	b->owns = from < to ? to - from : 0;
	b->own = from - z;
	b->first = from - x;
}

/* Whether row i of Z is a row of X. */
static bool
is_own(const struct kith_near_block *b, size_t i)
{
	return i >= b->own && i - b->own < b->owns;
}

/* How many neighbours row i has without a limit. */
static size_t
length(const struct kith_near_block *b, size_t i)
{
	const size_t there = b->X->n - is_own(b, i);

	return b->k < there ? b->k : there;
}

/* Search for rows from..to-1 of Z, which are all rows of X or none of them. */
static void
search(const struct kith_near_block *b, const struct kith_knn *knn,
    const size_t *self, size_t from, size_t to, struct kith_knn_lists *out)
{
	const struct kith_mat Z = {to - from, b->Z->p, kith_row(b->Z, from)};
	const size_t k = from < to ? length(b, from) : 0;
	const bool own = k > 0 && is_own(b, from);
	struct kith_neighbour *nn = out->nn + out->start[from];

	if (own && Z.n == b->X->n)
		kith_knn_join(knn, k, b->threads, nn);
	else if (k > 0)
		kith_knn_search(
		    knn, &Z, own ? self + from : NULL, k, b->threads, nn);
}

/* The nearest k. */
static void
find_nearest(const struct kith_near_block *b, const struct kith_knn *knn,
    const size_t *self, struct kith_knn_lists *out, struct kith_pool *pool)
{
	const size_t m = b->Z->n;
	const size_t own = b->owns ? b->own : m, after = own + b->owns;

	out->start = kith_new(pool, m + 1, sizeof(*out->start));
	for (size_t i = 0; i < m; i++)
		out->start[i + 1] = out->start[i] + length(b, i);
	out->nn = kith_new(pool, out->start[m], sizeof(*out->nn));
	search(b, knn, self, 0, own, out);
	search(b, knn, self, own, after, out);
	search(b, knn, self, after, m, out);
}

/* Drop what is beyond the limit. */
static void
cut(const struct kith_near_block *b, struct kith_knn_lists *out)
{
	size_t from = 0, kept = 0;

	for (size_t i = 0; i < b->Z->n; i++) {
		const size_t to = out->start[i + 1];

		for (size_t e = from; e < to && out->nn[e].d <= b->limit; e++)
			out->nn[kept++] = out->nn[e];
		from = to;
		out->start[i + 1] = kept;
	}
}

bool
kith_near_block(const struct kith_near_block *b, struct kith_knn_lists *out,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t m = b->Z->n;
	size_t *self = kith_new(&tmp, m, sizeof(*self));
	const struct kith_knn *knn;
	bool sure = true;

	for (size_t i = 0; i < m; i++)
		self[i] = is_own(b, i) ? b->first + i - b->own : SIZE_MAX;
	if (b->X->n == 0) {
		out->start = kith_new(pool, m + 1, sizeof(*out->start));
		out->nn = NULL;
	} else {
		knn = kith_knn_new(b->X, b->metric, m, &tmp);
		sure = kith_knn_unit_is_sure(knn);
		if (sure && b->k == 0)
			kith_knn_within(
			    knn, b->Z, self, b->limit, b->threads, out, pool);
		else if (sure)
			find_nearest(b, knn, self, out, pool);
		if (sure && b->k > 0)
			cut(b, out);
	}
	kith_pool_free(&tmp);
	return sure;
}
