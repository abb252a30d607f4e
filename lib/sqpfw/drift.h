/*
 * sqpfw/drift - what rounding has added to the equations 1'w = 1 and a'w = 0 of
 * the ties over many steps.
 */
#ifndef KITH_SQPFW_DRIFT_H
#define KITH_SQPFW_DRIFT_H

#include "sqpfw/state.h"

/*
 * w -= x, the least x with 1'x = 1'w - 1 and a'x = a'w for all ties.  Where
 * some |x_f| > 1e-9 the ties all but depend on each other; then x is the same
 * for all weights, and only the sum is mended.
 */
void kith_sqpfw_drift_remove(struct kith_sqpfw *s);

#endif
