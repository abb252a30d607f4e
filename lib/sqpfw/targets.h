/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/targets - the target hit and the target miss of every row under weights
 * of squared differences (sqpfw/sqpfw.h), and what is tied with them:
 * where the objective has its kinks.
 *
 * The answer is that of comparing each row with all others, by distances as
 * kith_dist() computes them on rows that are scaled by a power of two.  It
 * depends on rows and weights alone, not on earlier calls or threads.
 *
 * How: by a neighbour search (near/knn.h).  Somebody who follows weights on
 * their way may know more: a hint gives for each group (the hits, or the
 * misses, of a row) rows that alone can be the target or tied with it; where
 * the hint's own words do not prove that, all rows of the group are compared.
 */
#ifndef KITH_SQPFW_TARGETS_H
#define KITH_SQPFW_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_mat;
struct kith_pool;
struct kith_targets;

/*
 * The pairs of a row to rows of its class (hits) or of all others (misses) that
 * are as far as its target, to a relative 1e-9.
 */
struct kith_tie {
	size_t row;          /* i */
	bool miss;           /* the target miss, else the target hit */
	size_t nearer;       /* rows nearer than the target */
	size_t first, count; /* of other[]; count >= 2 */
};

struct kith_ties {
	size_t *target;         /* n x 2: a target hit, a target miss */
	size_t n;               /* groups of more than one pair */
	struct kith_tie *group; /* n, by row, the hit first */
	size_t *other;          /* the rows j of the pairs, increasing */
};

/*
 * Get the rows of X (n x p, finite) of classes y (0..c-1) ready.  y must stay
 * where it is; kith_targets_free() goes before the pool.
 * Requires that each class has more than `hits` >= 1 rows, and all other
 * classes together at least `misses` >= 1.
 */
struct kith_targets *kith_targets_new(const struct kith_mat *X, const size_t *y, size_t c,
    size_t hits, size_t misses, size_t threads, struct kith_pool *pool);

struct kith_targets_hint {
	/*
	 * Give rows of the group of row i into rows (n), no row twice, and in
	 * *margin by how much all other rows of the group are farther from i
	 * than the target is; both under the weights at hand.  Returns how many
	 * rows there are, 0: unknown.  Called by several threads.
	 */
	size_t (*ask)(const void *of, size_t i, bool miss, uint32_t *rows, double *margin);
	const void *of;
};

/*
 * The targets and ties under w (p, not negative, finite); they live until the
 * next call.  hint may be NULL.  Time: that of a neighbour search, or of O(p)
 * for each row of a hint and O(n p) for each group of which it does not serve.
 */
const struct kith_ties *kith_targets_at(
    struct kith_targets *targets, const double *w, const struct kith_targets_hint *hint);

/*
 * sum_i (d_i - e_i) at the targets and weights of the last call, each term
 * multiplied by the weight of its row (n; NULL: 1).
 */
double kith_targets_margin(const struct kith_targets *targets, const double *weight);

/* Free what is not in the pool. */
void kith_targets_free(struct kith_targets *targets);

#endif
