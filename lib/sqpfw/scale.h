/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/scale - the scales by which the path of w is measured.
 *
 * A pair is due when the path has become longer by gap / |a|, a being its row.
 * That holds for the length sqrt(sum D^2 / h) of a step D and the dual norm
 * |a| = sqrt(min over c of sum h (a - c)^2), whatever the positive h; what h
 * changes is how often pairs are evaluated in vain.  The number of evaluations
 * is least next to
 *
 *	h_f = sqrt(V_f / S_f)
 *	V_f = sum over steps of D_f^2 / length
 *	S_f = sum over pairs of (a_f - c)^2 / (|a| gap)
 *
 * so features that move much, or in which pairs differ little, count less.  For
 * lists of candidates h is w + floor, as for their radius
 * (sqpfw/candidates.h).  Steps do not depend on h, but for which of the pairs
 * that block at once is evaluated first.
 *
 * A constant h = 1 is slower: CPU time is 1.5 times as long for wdbc at theta 1
 * (1.25 at .1), 1.25 for segment18 at .1, 1.15 for spambase at .01, 1.1 for
 * sonar at 1.
 */
#ifndef KITH_SQPFW_SCALE_H
#define KITH_SQPFW_SCALE_H

#include "sqpfw/state.h"

/* Queue all pairs and lists for the first time.  Time O(n p). */
void kith_sqpfw_scale_begin(struct kith_sqpfw *s);

/*
 * Choose the scales anew, and queue all by them, where so many evaluations were
 * made since the last time that it costs little next to them.  Not within a
 * step; s->alpha is overwritten.
 */
void kith_sqpfw_scale_renew(struct kith_sqpfw *s);

#endif
