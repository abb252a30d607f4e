/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/step - a step along dw: its lengths, how far it may go, taking it, what
 * it makes active.
 *
 * How far w may go along dw before a constraint blocks (Lemma 5 of the paper):
 *
 *	tau = min of  w_f / -dw_f     over the weights with dw_f < 0,
 *	              a'w / -a'dw     over farther pairs that come nearer,
 *	              a'w / -a'dw     over nearer pairs that go farther,
 *
 * a being the row of a pair (sqpfw/rows.h).  A row that depends on the rows of
 * the ties does not block: a'dw is then 0 but for rounding.
 *
 * Only pairs that are due are evaluated: the gap of a pair changes by at most
 * its row's norm times the length of the path of w (sqpfw/scale.h).
 */
#ifndef KITH_SQPFW_STEP_H
#define KITH_SQPFW_STEP_H

#include "sqpfw/state.h"

/* The constraint that ends a step. */
struct kith_sqpfw_block {
	enum { KITH_SQPFW_BLOCK_NONE, KITH_SQPFW_BLOCK_WEIGHT, KITH_SQPFW_BLOCK_PAIR } by;
	uint32_t which; /* the position of the weight, or the pair */
};

/* Compute the lengths of dw, and dw by feature. */
void kith_sqpfw_step_measure(struct kith_sqpfw *s);

/*
 * The largest tau <= most at which no constraint is violated, and what blocks
 * there.  Without a block tau is most, or less where pairs outside of a list of
 * candidates might block farther on.  kith_sqpfw_step_measure() comes before,
 * kith_sqpfw_step_take() must follow.
 */
double kith_sqpfw_step_test(struct kith_sqpfw *s, double most, struct kith_sqpfw_block *block);

/* w += tau dw; dw becomes the rest of it, (1 - tau) dw. */
void kith_sqpfw_step_take(struct kith_sqpfw *s, double tau);

/*
 * Make active what blocked the step.  Every 64 steps what rounding has added is
 * removed, every 4096 factor and gradient are computed anew.
 */
void kith_sqpfw_step_activate(struct kith_sqpfw *s, const struct kith_sqpfw_block *block);

#endif
