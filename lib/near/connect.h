/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/connect - the shortest pairs of rows that join what is apart.
 *
 * Rows fall into parts.  Of all pairs of rows from < to in the order of
 * (d, from, to), d as kith_dist() (near/dist.h) computes it, those are taken
 * that join two parts which none before has joined: a minimum spanning forest,
 * which this order makes the only one.
 */
#ifndef KITH_NEAR_CONNECT_H
#define KITH_NEAR_CONNECT_H

#include <stdbool.h>
#include <stddef.h>

struct kith_knn_pack;
struct kith_knn_prune;

/* A pair of rows, and their distance in the units of a search. */
struct kith_bridge {
	double d;
	size_t from, to;
};

static inline bool
kith_bridge_before(const struct kith_bridge *a, const struct kith_bridge *b)
{
	if (a->d != b->d)
		return a->d < b->d;
	return a->from < b->from || (a->from == b->from && a->to < b->to);
}

/* A search for the shortest pair that leaves each part, but the largest. */
struct kith_connect {
	const struct kith_knn_pack *pack;
	const struct kith_knn_prune *prune; /* NULL: look at all pairs */
	size_t threads;
	const size_t *part; /* n: the part of each row */
	size_t parts, largest;
	struct kith_bridge *best; /* threads x parts: those found so far */
};

/* Take in rows i and j of different parts, for that of i; whether it is best. */
static inline bool
kith_connect_take(
    const struct kith_connect *to, size_t thread, size_t i, size_t j, double d)
{
	const struct kith_bridge it = {d, i < j ? i : j, i < j ? j : i};
	struct kith_bridge *best = &to->best[thread * to->parts + to->part[i]];

	if (!kith_bridge_before(&it, best))
		return false;
	*best = it;
	return true;
}

/*
 * Join `parts` parts, numbered from 0, none without a row: the pairs into out
 * (parts - 1), in order.  prune is of the pack, or NULL; part (n) changes.
 * Rounds of searches, log2(parts) at most, of all rows but those of the
 * largest part: time O(n^2 p) each at most; by leaves as neighbours are found.
 */
void kith_connect(const struct kith_knn_pack *pack,
    const struct kith_knn_prune *prune, size_t *part, size_t parts,
    size_t threads, struct kith_bridge *out);

#endif
