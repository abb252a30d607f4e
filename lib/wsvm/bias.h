/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/bias - the bias b where M is empty: eq. (6) then allows an interval of
 * b, whose ends are the -e_v g_v (without b) of variables with a weight.
 */
#ifndef KITH_WSVM_BIAS_H
#define KITH_WSVM_BIAS_H

#include "wsvm/state.h"

/*
 * M is empty, and solved for: set b0 and b1 to the middle of the interval, and
 * return the theta, from `from` on, at which another variable becomes its end
 * or it vanishes (event.due, and no variable is open yet).
 */
double kith_wsvm_bias_end(struct kith_wsvm *s, double from);

/*
 * M is empty at theta: find the b for which e_I' rate_I is 0, so that
 * e' alpha = 0 holds after theta too.  True: there is an interval, b is in it.
 * False: a point, at which those with g = 0 are open.
 */
bool kith_wsvm_bias_find(struct kith_wsvm *s);

/*
 * The b of the solution at theta; where it has an interval, because M is empty,
 * the one of it that is nearest to this b.
 */
double kith_wsvm_bias_nearest(const struct kith_wsvm *s, double b);

#endif
