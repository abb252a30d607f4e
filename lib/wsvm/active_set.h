/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/active_set - variables move between the sets O, M and I.  With them
 * change the factor of M, and the scores of I at all theta,
 *
 *	s_i = sum_I C_v phi_v' Phi(x_i) = score0_i + theta score1_i
 */
#ifndef KITH_WSVM_ACTIVE_SET_H
#define KITH_WSVM_ACTIVE_SET_H

#include "wsvm/state.h"

/*
 * Move v to a set, at theta; M may hold it already.  False, and v stays where
 * it is, where it is to go to M but depends on M linearly.  The scores change
 * at once, O(n), where v goes to M or comes from there, for its kernel rows are
 * held then; else they are pending.
 */
bool kith_wsvm_move(struct kith_wsvm *s, size_t v, enum kith_wsvm_where where);

/* Remember that v, which has moved, was here. */
void kith_wsvm_note_move(struct kith_wsvm *s, size_t v, int8_t was);

/* Do not report the moves so far. */
void kith_wsvm_forget_moves(struct kith_wsvm *s);

/* Add what is pending, before the scores are used. */
void kith_wsvm_bounded_apply(struct kith_wsvm *s);

/* Compute scores and sums from all variables of I. */
void kith_wsvm_bounded_rebuild(struct kith_wsvm *s);

/* The rates, which were 0, are those of the weights: score1 of all I. */
void kith_wsvm_bounded_start_rates(struct kith_wsvm *s);

/* s = work.score - the scores of M at work.x: those of I are left. */
void kith_wsvm_bounded_split(struct kith_wsvm *s);

/* Compute the sums over I from all its variables. */
void kith_wsvm_bounded_sum(struct kith_wsvm *s);

/* The sum of high and low. */
static inline double
kith_wsvm_sum_value(const struct kith_wsvm_sum *sum)
{
	return sum->high + sum->low;
}

#endif
