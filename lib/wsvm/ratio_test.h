/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/ratio_test - the next breakpoint of the path: how far the present active
 * set holds, and which variables end it.
 */
#ifndef KITH_WSVM_RATIO_TEST_H
#define KITH_WSVM_RATIO_TEST_H

#include "wsvm/state.h"

/*
 * Solve for the piece from theta on and return its end, at most 1.  event.due:
 * it is a breakpoint, at which the sets of event.open are to be chosen.
 */
double kith_wsvm_ratio_test(struct kith_wsvm *s);

/*
 * The norm of df / dtheta of the present piece, without b, in the space of the
 * kernel: so |df_i / dtheta| is at most sqrt(K_ii) times it.  Infinite where
 * squares leave the range of doubles, or nearly.  Time O(|M|).
 */
double kith_wsvm_ratio_norm(struct kith_wsvm *s);

/* The gradient of each variable is to be checked in the next piece. */
void kith_wsvm_ratio_check_all(struct kith_wsvm *s);

#endif
