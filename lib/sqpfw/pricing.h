/*
 * sqpfw/pricing - the multipliers alpha = (v - w)_Z - C_Z y of the weights that
 * are 0 (sqpfw/eqp.h).
 *
 * Partial pricing: where features are many and so are ties, all of them are
 * computed only now and then; in between the largest is sought among those that
 * were the largest then, as long as one of these is above 0.
 */
#ifndef KITH_SQPFW_PRICING_H
#define KITH_SQPFW_PRICING_H

#include "sqpfw/state.h"

/* Let s->residual, which is v - w, be alpha from position |P| on. */
void kith_sqpfw_pricing_all(struct kith_sqpfw *s, const double *y);

/*
 * The position of the largest alpha > least at active.y, or p if there is none;
 * *alpha receives it.  s->residual is v - w, and changes.
 */
size_t kith_sqpfw_pricing_best(
    struct kith_sqpfw *s, double least, double *alpha);

#endif
