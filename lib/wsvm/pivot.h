/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/pivot - the change of the active set at a breakpoint, where the sets of
 * one variable or of several at once (degenerate) are to be chosen.
 */
#ifndef KITH_WSVM_PIVOT_H
#define KITH_WSVM_PIVOT_H

#include "wsvm/state.h"

/*
 * Choose the set of each variable in event.open at theta.  Time that of a move
 * (wsvm/active_set.h); degenerate, of wsvm/polish.h.
 */
void kith_wsvm_pivot(struct kith_wsvm *s);

#endif
