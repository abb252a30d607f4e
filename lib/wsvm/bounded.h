/*
 * wsvm/bounded - the scores of I, s_i = sum_I C_v phi_v' Phi(x_i), at all theta
 * (score0 + theta score1), and sums over I, while variables enter and leave.
 */
#ifndef KITH_WSVM_BOUNDED_H
#define KITH_WSVM_BOUNDED_H

#include "wsvm/state.h"

/*
 * v enters I (a = 1) or leaves it (-1).  Its scores change at once where v
 * goes to M or comes from there, so that its kernel rows are held; else they
 * are pending.  Time O(n), or O(1).
 */
void kith_wsvm_bounded_change(
    struct kith_wsvm *s, size_t v, double a, bool at_once);

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
