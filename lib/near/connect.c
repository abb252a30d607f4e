/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The algorithm of Boruvka (1926):
 *
 * 1. Find, for each part but the largest, the first pair in the order of
 *    (d, from, to) that leaves it.  It belongs to the forest: of all pairs that
 *    leave the part, one is in it, and any but the first could be replaced.
 * 2. Take these pairs, one that two parts have found once, and make one part
 *    of what they join.  Of P parts at most (P + 1) / 2 are left.
 * 3. Go on until one part is left.
 *
 * The largest part is joined by what the others find, so its rows need not be
 * searched for: they are most of a graph that is nearly whole.
 */
#include "near/connect.h"

#include "base/par.h"
#include "base/pool.h"
#include "near/connect_leaves.h"
#include "near/dist.h"
#include "near/pack.h"
#include "near/sets.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum {
	ROWS = 16, /* that a thread takes at a time, */
	AHEAD = 64 /* and those that they are measured against in one go */
};

/* All pairs of ROWS rows and the others. */
static void
plain_block(void *arg, size_t block, size_t thread)
{
	const struct kith_connect *to = arg;
	const struct kith_mat *X = &to->pack->X;
	const size_t from = block * ROWS;
	const size_t end = from + ROWS < X->n ? from + ROWS : X->n;
	double d[AHEAD];

	for (size_t j = 0; j < X->n; j += AHEAD)
		for (size_t i = from; i < end; i++) {
			const size_t m = X->n - j < AHEAD ? X->n - j : AHEAD;

			if (to->part[i] == to->largest)
				continue;
			kith_dist_rows(&to->pack->metric, kith_row(X, i),
			    kith_row(X, j), m, d);
			for (size_t l = 0; l < m; l++)
				if (to->part[j + l] != to->part[i])
					kith_connect_take(
					    to, thread, i, j + l, d[l]);
		}
}

/* The part with the most rows, of equal ones the first. */
static size_t
largest_part(const size_t *part, size_t n, size_t parts)
{
	struct kith_pool tmp = {0};
	size_t *rows = kith_new(&tmp, parts, sizeof(*rows)), best = 0;

	for (size_t i = 0; i < n; i++)
		rows[part[i]]++;
	for (size_t h = 1; h < parts; h++)
		if (rows[h] > rows[best])
			best = h;
	kith_pool_free(&tmp);
	return best;
}

/* Step 1: what each part finds, into best (parts); none: from = SIZE_MAX. */
static void
search(struct kith_connect *to)
{
	const size_t n = to->pack->X.n, all = to->threads * to->parts;

	for (size_t i = 0; i < all; i++)
		to->best[i] = (struct kith_bridge){
		    INFINITY, SIZE_MAX, SIZE_MAX};
	if (to->prune)
		kith_connect_leaves(to);
	else
		kith_par_told(to->threads, (n + ROWS - 1) / ROWS, plain_block,
		    to,
		    &(struct kith_par_phase){
			"shortest edges that connect", n, "rows"});
	for (size_t i = to->parts; i < all; i++) {
		struct kith_bridge *best = &to->best[i % to->parts];

		if (kith_bridge_before(&to->best[i], best))
			*best = to->best[i];
	}
}

/* Steps 2: the pairs found into out; how many.  The parts get new numbers. */
static size_t
join(const struct kith_connect *to, size_t *part, struct kith_bridge *out)
{
	struct kith_pool tmp = {0};
	const size_t n = to->pack->X.n;
	size_t *set, *number, taken = 0, next = 0;

	KITH_NEW_SIZES(&tmp, to->parts, 1, &set, &number);
	for (size_t h = 0; h < to->parts; h++)
		set[h] = h;
	for (size_t h = 0; h < to->parts; h++) {
		const struct kith_bridge *b = &to->best[h];

		if (b->from != SIZE_MAX &&
		    kith_sets_join(set, part[b->from], part[b->to]))
			out[taken++] = *b;
	}
	for (size_t h = 0; h < to->parts; h++)
		number[h] = kith_sets_first(set, h) == h
		    ? next++
		    : number[kith_sets_first(set, h)];
	for (size_t i = 0; i < n; i++)
		part[i] = number[part[i]];
	kith_pool_free(&tmp);
	return taken;
}

static int
by_order(const void *a, const void *b)
{
	if (kith_bridge_before(a, b))
		return -1;
	return kith_bridge_before(b, a);
}

void
kith_connect(const struct kith_knn_pack *pack,
    const struct kith_knn_prune *prune, size_t *part, size_t parts,
    size_t threads, struct kith_bridge *out)
{
	struct kith_pool tmp = {0};
	struct kith_connect to = {pack, prune, threads, part, parts, 0,
	    kith_new(&tmp, parts, threads * sizeof(*to.best))};
	size_t found = 0;

	while (to.parts > 1) {
		size_t taken;

		to.largest = largest_part(part, pack->X.n, to.parts);
		search(&to);
		taken = join(&to, part, out + found);
		found += taken;
		to.parts -= taken;
	}
	qsort(out, found, sizeof(*out), by_order);
	kith_pool_free(&tmp);
}
