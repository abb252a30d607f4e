/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lists are put in order by 1. distributing them over buckets of equal width,
 * one for each row, and 2. sorting each bucket.
 */
#include "near/found.h"

#include "base/par.h"
#include "near/near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 24 }; /* rows that are sorted by insertion */

struct kith_found_block {
	struct kith_pool pool;
	size_t *row, m;
};

void
kith_found_begin(struct kith_found *found, size_t blocks)
{
	const size_t m = found->query.Z->n;

	found->blocks = blocks;
	found->block = kith_new(&found->pool, blocks, sizeof(*found->block));
	found->at = kith_new(&found->pool, m, sizeof(struct kith_neighbour *));
	found->count = kith_new(&found->pool, m, sizeof(*found->count));
}

static int
by_distance(const void *a, const void *b)
{
	const struct kith_neighbour *s = a, *t = b;

	return kith_near_before(s, t) ? -1 : kith_near_before(t, s);
}

/* Sort a short list, or one that has many rows at one distance. */
static void
sort_few(struct kith_neighbour *nn, size_t n)
{
	if (n > SMALL) {
		qsort(nn, n, sizeof(*nn), by_distance);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		const struct kith_neighbour x = nn[i];
		size_t j = i;

		for (; j > 0 && kith_near_before(&x, &nn[j - 1]); j--)
			nn[j] = nn[j - 1];
		nn[j] = x;
	}
}

/*
 * The bucket of d: it does not fall where d grows, as neither a difference nor
 * a product does when it is rounded.
 */
static inline size_t
bucket_of(double d, double low, double per, size_t n)
{
	const size_t b = (size_t)((d - low) * per);

	return b < n ? b : n - 1;
}

/* Put n rows in order into `to`; end: n zeros, and zeros again afterwards. */
static void
sort(const struct kith_neighbour *nn, size_t n, struct kith_neighbour *to,
    size_t *end)
{
	double low = INFINITY, high = -INFINITY, per;
	size_t begin = 0;

	for (size_t i = 0; i < n; i++) {
		low = nn[i].d < low ? nn[i].d : low;
		high = nn[i].d > high ? nn[i].d : high;
	}
	per = (double)n / (high - low);
	if (n <= SMALL || !isfinite(high - low) || !isfinite(per)) {
		memcpy(to, nn, n * sizeof(*to));
		sort_few(to, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		end[bucket_of(nn[i].d, low, per, n)]++;
	for (size_t b = 0; b < n; b++) {
		begin += end[b];
		end[b] = begin - end[b];
	}
	for (size_t i = 0; i < n; i++)
		to[end[bucket_of(nn[i].d, low, per, n)]++] = nn[i];
	begin = 0;
	for (size_t b = 0; b < n; b++) {
		sort_few(to + begin, end[b] - begin);
		begin = end[b];
		end[b] = 0;
	}
}

void
kith_found_keep(struct kith_found *found, size_t block, size_t m,
    const size_t *row, struct kith_found_list *list)
{
	struct kith_found_block *own = &found->block[block];
	struct kith_pool tmp = {0};
	struct kith_neighbour *nn;
	size_t most = 0, sum = 0, *end;

	for (size_t i = 0; i < m; i++) {
		most = list[i].n > most ? list[i].n : most;
		sum += list[i].n;
	}
	own->m = m;
	own->row = kith_new(&own->pool, m, sizeof(*own->row));
	memcpy(own->row, row, m * sizeof(*row));
	nn = kith_grow(&own->pool, NULL, sum, sizeof(*nn));
	end = kith_new(&tmp, most, sizeof(*end));
	for (size_t i = 0; i < m; i++) {
		if (list[i].n > 0)
			sort(list[i].nn, list[i].n, nn, end);
		found->at[row[i]] = nn;
		found->count[row[i]] = list[i].n;
		nn += list[i].n;
		list[i].n = 0;
	}
	kith_pool_free(&tmp);
}

struct copy {
	struct kith_found *found;
	const struct kith_knn_lists *out;
};

static void
copy_block(void *to, size_t block, size_t thread)
{
	const struct copy *copy = to;
	struct kith_found *found = copy->found;
	struct kith_found_block *own = &found->block[block];

	(void)thread;
	for (size_t i = 0; i < own->m; i++) {
		const size_t row = own->row[i], n = found->count[row];

		if (n > 0)
			memcpy(copy->out->nn + copy->out->start[row],
			    found->at[row], n * sizeof(*copy->out->nn));
	}
	kith_pool_free(&own->pool);
}

void
kith_found_end(struct kith_found *found, struct kith_knn_lists *out,
    struct kith_pool *pool)
{
	const size_t m = found->query.Z->n;
	struct copy copy = {found, out};

	out->start = kith_new(pool, m + 1, sizeof(*out->start));
	for (size_t i = 0; i < m; i++)
		out->start[i + 1] = out->start[i] + found->count[i];
	out->nn = kith_grow(pool, NULL, out->start[m], sizeof(*out->nn));
	kith_par(found->query.threads, found->blocks, copy_block, &copy);
	kith_pool_free(&found->pool);
}
