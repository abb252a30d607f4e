/* SPDX-License-Identifier: BSD-2-Clause */
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
 *
 * Partial pricing: where features are many and so are ties, all alpha are
 * computed only now and then; in between the largest is sought among those that
 * were the largest then, as long as one of these is above 0.
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

/* Let s->residual, which is v - w, be alpha from position |P| on. */
void kith_sqpfw_eqp_price_all(struct kith_sqpfw *s, const double *y);

/*
 * The position of the largest alpha > least at active.y, or p if there is none;
 * *alpha receives it.  s->residual is v - w, and changes.
 */
size_t kith_sqpfw_eqp_price_best(struct kith_sqpfw *s, double least, double *alpha);

/* F(w) = theta g'w + 1/2 |w - prior|^2 */
double kith_sqpfw_eqp_objective(const struct kith_sqpfw *s);

#endif
