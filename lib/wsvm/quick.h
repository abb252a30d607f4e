/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/quick - the quick judgement of a piece, from what the engine has computed
 * for it; what does not pass is for wsvm/mend.h.
 */
#ifndef KITH_WSVM_QUICK_H
#define KITH_WSVM_QUICK_H

#include "wsvm/state.h"

/* alpha_v of M where the last piece has ended; theta of its leg: last.theta. */
double kith_wsvm_quick_begin(const struct kith_wsvm *s, size_t v);

/*
 * Whether M is within its bounds at theta of the leg, and e' alpha = 0.  Time
 * O(|M|), and O(N) where alpha of M are small beside those of I.
 */
bool kith_wsvm_quick_within(const struct kith_wsvm *s, double theta);

/*
 * Whether the line of the engine begins where the last piece has ended.  Time
 * O(|M|), and O(N) after a piece that was solved anew.
 */
bool kith_wsvm_quick_start(const struct kith_wsvm *s);

/* Whether the piece up to `end` of the leg is sound.  Time as these. */
bool kith_wsvm_quick(struct kith_wsvm *s, double end);

#endif
