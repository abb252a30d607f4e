/*
 * sqpfw/eqp - the quadratic problem with the active set as equations: its
 * direction and its multipliers.
 *
 * With C = (1, the rows of the ties) over the positive weights P, g the
 * gradient of the mean of d - e, and v = prior - theta g,
 *
 *	dw_P  = (v - w)_P, projected on the null space of C'    (10a), corrected
 *	C y   = (v - w - dw)_P,  y = (phi, multipliers of the ties)
 *	alpha = (v - w)_Z - C_Z y, over the weights Z that are 0
 *
 * and over theta dv/dtheta = -g takes the place of v - w.  The multiplier of
 * the target of a group follows from those of its other ties: they sum to
 * theta/n for hits and -theta/n for misses, each times the copies of the row
 * (corrected (13b) and (13c)).
 */
#ifndef KITH_SQPFW_EQP_H
#define KITH_SQPFW_EQP_H

#include "sqpfw/state.h"

/* dw into step.dw; false where it is 0 but for rounding. */
bool kith_sqpfw_eqp_direction(struct kith_sqpfw *s);

/*
 * dw / dtheta into step.dw; false where it is 0 but for rounding.  Leaves y of
 * the present theta in active.z and alpha in s->alpha.
 */
bool kith_sqpfw_eqp_slope(struct kith_sqpfw *s);

/* Let s->residual be v - w, over all positions. */
void kith_sqpfw_eqp_residual(struct kith_sqpfw *s);

/* Let active.y be y of the last direction, or dy / dtheta of the last slope. */
void kith_sqpfw_eqp_multipliers(struct kith_sqpfw *s);

/* F(w) = theta g'w + 1/2 |w - prior|^2 */
double kith_sqpfw_eqp_objective(const struct kith_sqpfw *s);

#endif
