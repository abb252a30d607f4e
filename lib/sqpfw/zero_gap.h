/*
 * sqpfw/zero_gap - pairs of gap 0 outside of the active set: w may be no
 * minimum though no multiplier says so, for such a pair blocks at once in one
 * direction and may, once tied, open another.
 */
#ifndef KITH_SQPFW_ZERO_GAP_H
#define KITH_SQPFW_ZERO_GAP_H

#include "sqpfw/state.h"

/*
 * Tie the pairs with |a'w| <= 1e-11 whose rows do not depend on those of the
 * ties; returns how many.  Their events are the caller's to report, where it
 * keeps the ties; kith_sqpfw_active_untie() undoes them.
 */
size_t kith_sqpfw_zero_gap_tie(struct kith_sqpfw *s);

#endif
