/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/pairs - rows that are known by the distances or similarities of pairs of
 * them alone, and their nearest rows.
 */
#ifndef KITH_NNK_PAIRS_H
#define KITH_NNK_PAIRS_H

#include "kernel/sigma.h"
#include "near/heap.h"
#include "table/graph.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_ends;
struct kith_err;
struct kith_pool;

/* --pairs */
enum kith_pairs_of { KITH_PAIRS_NONE, KITH_PAIRS_DISTANCE, KITH_PAIRS_SIMILARITY };

struct kith_pairs {
	const char *file; /* for messages */
	enum kith_pairs_of of;
	const struct kith_ends *from, *to; /* equal: the rows are the same */

	/* As read, lists in order of their rows, w being the values: pairs of
	   a row with itself, where they are, too. */
	struct kith_graph graph;
	bool selves; /* there are some */

	/* The rows that row i has a pair with, itself left out: start[i] to
	   start[i+1], nearest first, ties by row.  A pair of the same rows
	   counts for both, whichever way it was read.  d is the square of a
	   distance, or the similarity with its sign changed. */
	size_t *start;
	struct kith_neighbour *nn;
};

/*
 * Read the pairs of a file ("from", "to", and "distance" or "similarity") into
 * the pool; the ends must stay.  Fails as kith_edges_read() does; on a value
 * beyond the range of features (table/range.h); on a distance below 0, a
 * distance of a row from itself that is not 0, a similarity of a row with itself
 * below 0; and where the two directions of a pair of the same rows differ by
 * more than 1e-9 of their size.  Time O(pairs log pairs).
 */
int kith_pairs_read(const char *file, enum kith_pairs_of of, const struct kith_ends *from,
    const struct kith_ends *to, struct kith_pairs *out, struct kith_pool *pool,
    struct kith_err *err);

/*
 * The value of rows a and b, which are the same rows' ends: that from a to b,
 * else that from b to a.  Of a row and itself it is 0 for distances, and for
 * similarities 1 where the file has no such pair at all.  False
 * where it is not known.  Time O(log pairs).
 */
bool kith_pairs_value(const struct kith_pairs *pairs, size_t a, size_t b, double *value);

/*
 * The bandwidth of distances: as kernel/sigma.h says, over rows that have a
 * pair; the last distance of a row that has fewer than k.  0: each row its own.
 * *flat becomes true where it was 0, and is 1.
 */
double kith_pairs_sigma(
    const struct kith_pairs *pairs, const struct kith_sigma *sigma, size_t k, bool *flat);

#endif
