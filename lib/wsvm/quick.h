/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/quick - the quick judgement of a piece, from what the engine has computed
 * for it; what does not pass is for wsvm/mend.h.
 */
#ifndef KITH_WSVM_QUICK_H
#define KITH_WSVM_QUICK_H

#include "wsvm/state.h"

/*
 * Whether M is within its bounds at theta of the leg, and e' alpha = 0.  Time
 * O(|M|), and O(N) where alpha of M are small beside those of I.
 */
bool kith_wsvm_quick_within(const struct kith_wsvm *s, double theta);

/*
 * Whether the line of the engine begins where the last piece has ended.  Time
 * that of wsvm/ends.h.
 */
bool kith_wsvm_quick_start(const struct kith_wsvm *s);

/*
 * Whether the piece up to `end` of the leg is sound, and whether the line is
 * within its bounds where it begins.  Time O(|M|) and that of wsvm/ends.h, and
 * O(1) for each gradient that the ratio test has computed.
 */
bool kith_wsvm_quick(struct kith_wsvm *s, double end, bool *within);

#endif
