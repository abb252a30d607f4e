/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/active - the active set: the pairs tied with their target and the
 * weights that are 0.  The QR factor of C, the gradient g and the counts of the
 * groups (sqpfw/state.h) are kept with it.
 */
#ifndef KITH_SQPFW_ACTIVE_H
#define KITH_SQPFW_ACTIVE_H

#include "sqpfw/state.h"

/* Compute g anew, from the targets alone.  Time O(n p). */
void kith_sqpfw_active_gradient(struct kith_sqpfw *s);

/* Factor C anew, from the ties alone. */
void kith_sqpfw_active_factor(struct kith_sqpfw *s);

/*
 * Let s->row be the row of a pair over P.  Returns its length, or 0 where the
 * row is nothing but rounding.
 */
double kith_sqpfw_active_row(struct kith_sqpfw *s, uint32_t at);

/*
 * Whether the row of a pair, the unit vector of a weight, is a combination of
 * the columns of C but for rounding (1e-8 of its length): then the constraint
 * is kept by any dw, and must not become active.
 */
bool kith_sqpfw_active_depends(struct kith_sqpfw *s, uint32_t at);
bool kith_sqpfw_active_weight_depends(const struct kith_sqpfw *s, size_t position);

/*
 * The slope |a'dw| of a row a of length 1 above which a cannot depend on C, and
 * the factor need not be asked: dw is orthogonal to C but for rounding.
 */
double kith_sqpfw_active_independent(const struct kith_sqpfw *s);

/*
 * Tie a pair that is not queued with its target.  False, and nothing is
 * changed, where nothing of its row is left off the columns of C.
 */
bool kith_sqpfw_active_tie(struct kith_sqpfw *s, uint32_t at);

/* Undo the last ties, down to so many, and queue their pairs. */
void kith_sqpfw_active_untie(struct kith_sqpfw *s, size_t ties);

/*
 * Let a tied pair of a group with others become nearer (-1) or farther (1), and
 * report it.  Where it is the target, the first of the other ties becomes the
 * target.
 */
void kith_sqpfw_active_free_pair(struct kith_sqpfw *s, uint32_t at, int state);

/* Fix the weight of a position at 0, or let it leave 0, and report it. */
void kith_sqpfw_active_fix_weight(struct kith_sqpfw *s, size_t position);
void kith_sqpfw_active_free_weight(struct kith_sqpfw *s, size_t position);

/* Exchange the features of two positions. */
void kith_sqpfw_active_swap(struct kith_sqpfw *s, size_t a, size_t b);

/* Report an event: the state of a pair, or of weight f, has changed. */
void kith_sqpfw_active_report(const struct kith_sqpfw *s, uint32_t at, int was, int becomes);
void kith_sqpfw_active_report_weight(const struct kith_sqpfw *s, size_t f, bool positive);

#endif
