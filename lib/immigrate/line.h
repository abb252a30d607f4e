/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/line - distances along a line of weights, W + g (V - W), in which they
 * are linear: from those at both ends, in O(n^2).
 *
 * Where W and V have no negative eigenvalues those pairs can be left out whose
 * weights alpha and beta are too small to count.  With r_1 the first of the
 * factors of V = sum_i r_i r_i',
 *
 *	d = sum_i (r_i'D)^2 >= (r_1'D)^2,
 *
 * a bound that is known before d is.  A pair is left out where its bound, of V, of
 * W, or between them, is more than (10 + log n) sigma above the distance to the
 * row that is nearest at W, for both of its rows.  What all these could add to the
 * sums of immigrate/soft.h at most is known from their bounds.
 */
#ifndef KITH_IMMIGRATE_LINE_H
#define KITH_IMMIGRATE_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct kith_immigrate_metric;
struct kith_immigrate_soft;
struct kith_pool;

/* Of each row: the distance to what is nearest at W, at both ends; its bound. */
struct kith_immigrate_near {
	double *from, *to, *most; /* n */
};

struct kith_immigrate_line {
	struct kith_immigrate_soft *soft;
	double *from, *to; /* stores, as soft->store, at both ends */
	bool from_some;    /* pairs are left out of from, */
	bool some;         /* and of to */
	struct kith_immigrate_near hit, miss;
	double g;            /* where distances are to be known */
	unsigned char *want; /* pairs of tiles: distances at W are missing */
	size_t full;         /* so many more draws leave no pair out */
};

/* Room for two more stores; soft has one.  All in the pool. */
struct kith_immigrate_line kith_immigrate_line_new(
    struct kith_immigrate_soft *soft, struct kith_pool *pool);

/*
 * Draw a line from the distances in the store to those of soft->metric.  some: a
 * factor without negative signs, the largest row first, at which pairs may be left
 * out, if W has no negative eigenvalue.
 */
void kith_immigrate_line_draw(struct kith_immigrate_line *line, bool some);

/*
 * Find the distances of soft->metric that are needed at g; true where some are
 * missing of W, which mend() finds by a factor of W.
 */
bool kith_immigrate_line_reach(struct kith_immigrate_line *line, double g);
void kith_immigrate_line_mend(
    struct kith_immigrate_line *line, const struct kith_immigrate_metric *from);

/* Go to (from + g (to - from)) / norm, in O(n^2), after reach(). */
void kith_immigrate_line_go(struct kith_immigrate_line *line, double g, double norm);

#endif
