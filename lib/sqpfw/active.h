/*
 * sqpfw/active - the active set of sqpfw/state.h: the pairs tied with their
 * target, and the weights that are 0; its factor and gradient are kept.
 */
#ifndef KITH_SQPFW_ACTIVE_H
#define KITH_SQPFW_ACTIVE_H

#include "sqpfw/state.h"

/* The gradient, from the targets alone.  Time O(n p). */
void kith_sqpfw_active_gradient(struct kith_sqpfw *s);

/* The factor, from the ties alone. */
void kith_sqpfw_active_factor(struct kith_sqpfw *s);

/*
 * Tie a pair that is not queued with its target.  False, and nothing is done,
 * where its row depends on those of the other ties: what is left of it does not
 * exceed least times its length.
 */
bool kith_sqpfw_active_tie(struct kith_sqpfw *s, uint32_t at, double least);

/* Undo the last ties, down to so many. */
void kith_sqpfw_active_undo(struct kith_sqpfw *s, size_t ties);

/*
 * Let a tied pair of a group with others go to a state, nearer or farther; a
 * target is followed by the first of the ties.
 */
void kith_sqpfw_active_free(struct kith_sqpfw *s, uint32_t at, int state);

/* Let the weight of a position become 0, or leave it. */
void kith_sqpfw_active_zero(struct kith_sqpfw *s, size_t position);
void kith_sqpfw_active_positive(struct kith_sqpfw *s, size_t position);

/* Tell of a pair, of a weight that changes state. */
void kith_sqpfw_active_tell(
    const struct kith_sqpfw *s, uint32_t at, int was, int becomes);
void kith_sqpfw_active_tell_weight(
    const struct kith_sqpfw *s, size_t f, bool positive);

#endif
