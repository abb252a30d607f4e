/*
 * sqpfw/eqp - the problem with the active set as equations, its multipliers,
 * and what Lemma 6 would let leave the active set.
 *
 * With C the rows 1' and those of the ties, over the positive weights,
 *
 *	dw = r less what C' reaches of it,  C'y = r - dw,  r = v - w,
 *	v = prior - theta g;  alpha = r - C'y over the weights that are 0.
 */
#ifndef KITH_SQPFW_EQP_H
#define KITH_SQPFW_EQP_H

#include "sqpfw/state.h"

/* What leaves the active set. */
struct kith_sqpfw_leave {
	enum {
		KITH_SQPFW_NOTHING,
		KITH_SQPFW_A_WEIGHT,
		KITH_SQPFW_A_PAIR,
		KITH_SQPFW_A_MOVE /* nothing, for dw is not 0 */
	} what;
	uint32_t which; /* a position, an item */
	int state;      /* that the pair goes to */
	double size;    /* |multiplier|; or, on a path, how far theta goes */
};

/* dw; false where it is 0 but for rounding. */
bool kith_sqpfw_eqp_direction(struct kith_sqpfw *s);

/* What is to leave: the largest multiplier.  After a direction that is 0. */
void kith_sqpfw_eqp_release(
    struct kith_sqpfw *s, struct kith_sqpfw_leave *leave);

/* dw / dtheta into dw; false where it is 0 but for rounding. */
bool kith_sqpfw_eqp_slope(struct kith_sqpfw *s);

/* What leaves first as theta grows.  After the slope. */
void kith_sqpfw_eqp_first(struct kith_sqpfw *s, struct kith_sqpfw_leave *leave);

void kith_sqpfw_eqp_leave(
    struct kith_sqpfw *s, const struct kith_sqpfw_leave *leave);

/* F(w), its parts added exactly as they stand. */
double kith_sqpfw_eqp_objective(const struct kith_sqpfw *s);

#endif
