/*
 * sqpfw/price - the multipliers alpha = r - C'y of the weights that are 0
 * (sqpfw/eqp.h).
 *
 * Where features are many and so are ties, all of them are computed only now
 * and then: in between, the largest is sought among those that were the largest
 * then, as long as one of these is above 0.
 */
#ifndef KITH_SQPFW_PRICE_H
#define KITH_SQPFW_PRICE_H

#include "sqpfw/state.h"

/* Let s->r, that of v - w, be alpha from position |P| on. */
void kith_sqpfw_price_all(struct kith_sqpfw *s, const double *y);

/*
 * The position of the largest alpha > least at s->y, or p if there is none;
 * *alpha receives it.  s->r is v - w, and changes.
 */
size_t kith_sqpfw_price_best(struct kith_sqpfw *s, double least, double *alpha);

#endif
