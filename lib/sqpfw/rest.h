/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/rest - pairs that rest: no w of a box (sqpfw/box.h) could tie them, so
 * they are not queued (sqpfw/queue.h) as long as w stays in the box.
 *
 * A pair of the row a is farther than its target, or nearer, in all of it where
 *
 *	|a'middle| > sum |a_f| half_f,  a'middle having its sign.
 *
 * Weights that stay at 0 have no side, so that heavy tails of their features do
 * not count.  All other pairs are awake (sqpfw/awake.h).  When w leaves the box,
 * another is made, and all pairs are looked at; a larger one where making boxes
 * costs more than the pairs that are awake.
 *
 * Pairs begin to rest where bounds by the path of w are weak, so that very many
 * are evaluated in a step, and end where this is dearer still.
 */
#ifndef KITH_SQPFW_REST_H
#define KITH_SQPFW_REST_H

#include "sqpfw/state.h"

/* Let pairs rest from the next step on; `before`: the work of a step until now
 * (KITH_SQPFW_SEE for each pair that is evaluated). */
void kith_sqpfw_rest_begin(struct kith_sqpfw *s, double before);

/* Whether the work of a step, box.dear, has been more than before of late, as
 * where w goes far in each step. */
bool kith_sqpfw_rest_dear(struct kith_sqpfw *s);

/* Let no pair rest; none is queued. */
void kith_sqpfw_rest_end(struct kith_sqpfw *s);

/* Whether a pair cannot tie in the box; false where pairs do not rest. */
bool kith_sqpfw_rest_holds(const struct kith_sqpfw *s, uint32_t at);

/*
 * Whether there is to be another box, for a step from w to w + tau dw leaves it
 * or pairs that are awake have cost more in it than the next one will.
 */
bool kith_sqpfw_rest_ends(const struct kith_sqpfw *s, double tau);

/*
 * Make a box around w and the first part of the step to w + tau dw; in round 1,
 * 2 and so on of a step around parts 4, 16 times as long, all of it in the end.
 * The pairs that rest no more go to pairs.due, neither measured nor queued nor
 * evaluated; returns how many.  Time O(p) for each pair that is followed.
 */
size_t kith_sqpfw_rest_renew(struct kith_sqpfw *s, double tau, int round);

/* Count the work of a step that was taken, and how far w is. */
void kith_sqpfw_rest_count(struct kith_sqpfw *s);

#endif
