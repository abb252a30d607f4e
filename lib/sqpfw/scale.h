/*
 * sqpfw/scale - how the paths of w are measured.
 *
 * A pair is looked at when the path has become longer by its gap over the size
 * of its row.  That holds for the length sqrt(sum D^2 / h) with sizes to match,
 * sqrt(min over c of sum h (a - c)^2), whatever the positive h; what differs is
 * how often pairs are looked at in vain.  The sum of the looks is least next to
 *
 *	h_f = sqrt(V_f / S_f),	V_f = sum over steps of D_f^2 / length,
 *				S_f = sum over pairs of (a_f - c)^2 / (size
 *gap),
 *
 * so features that move much, or in which pairs differ little, count less.  For
 * lists h is w and a floor, as for their radius (sqpfw/list.h).  Steps do not
 * depend on either, but for which of pairs that block at once is seen first.
 */
#ifndef KITH_SQPFW_SCALE_H
#define KITH_SQPFW_SCALE_H

#include "sqpfw/state.h"

/* Queue all items and lists, for the first time.  Time O(n p). */
void kith_sqpfw_scale_start(struct kith_sqpfw *s);

/*
 * Measure anew where so much has been looked at since the last time that it
 * costs little next to that.  Not within a step; s->alpha is overwritten.
 */
void kith_sqpfw_scale_renew(struct kith_sqpfw *s);

#endif
