/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/legs - the chain of legs (wsvm/leg.h) that is a path: where one ends, and
 * the next begins.
 */
#ifndef KITH_WSVM_LEGS_H
#define KITH_WSVM_LEGS_H

#include "wsvm/state.h"

/* Units of rounding between two thetas that are not the same, at least. */
#define KITH_WSVM_NEAR 16

/* sum root_v C_v at theta of the path: the size of the weights. */
double kith_wsvm_legs_size(const struct kith_wsvm *s, double theta);

/*
 * Begin the leg at path.base, where the state is frozen; first: of the path.
 * Time O(N), and that of wsvm/leg.h.
 */
void kith_wsvm_legs_begin(struct kith_wsvm *s, bool first);

/*
 * Freeze the state, which is at theta of the path: the base of the next leg.
 * Time O(n |M| + N).
 */
void kith_wsvm_legs_freeze(struct kith_wsvm *s, double theta);

#endif
