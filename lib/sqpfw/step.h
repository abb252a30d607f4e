/*
 * sqpfw/step - how far w may go along dw (Lemma 5), and going there.
 *
 * Pairs are looked at when they are due: a gap changes by at most its size
 * times the length of the path.  Gaps are always computed from w.
 */
#ifndef KITH_SQPFW_STEP_H
#define KITH_SQPFW_STEP_H

#include "sqpfw/state.h"

/* What ends a step: a weight (its position) that becomes 0, a pair (an item).
 */
struct kith_sqpfw_block {
	enum { KITH_SQPFW_FREELY, KITH_SQPFW_BY_WEIGHT, KITH_SQPFW_BY_PAIR } by;
	uint32_t which;
};

/*
 * The largest tau <= most at which no constraint is violated, and what blocks
 * there; freely: tau = most, or less where it is only that more was not looked
 * at.  Then kith_sqpfw_step_go() must follow.
 */
double kith_sqpfw_step_length(
    struct kith_sqpfw *s, double most, struct kith_sqpfw_block *block);

/* w += tau dw, and dw is what is left of it. */
void kith_sqpfw_step_go(struct kith_sqpfw *s, double tau);

/* Make active what blocks; then, now and then, remove drift. */
void kith_sqpfw_step_block(
    struct kith_sqpfw *s, const struct kith_sqpfw_block *block);

/* Make lists anew that might lack pairs that are as near as the target. */
void kith_sqpfw_step_look(struct kith_sqpfw *s);

/* Let dw be known: its norm, and by feature. */
void kith_sqpfw_step_aim(struct kith_sqpfw *s);

/* Remove the drift of 1'w and of the ties. */
void kith_sqpfw_step_settle(struct kith_sqpfw *s);

/*
 * Tie pairs that are as near as their target, but were not tied; how many. They
 * are told of by kith_sqpfw_active_tell() if they stay.
 */
size_t kith_sqpfw_step_touching(struct kith_sqpfw *s);

#endif
