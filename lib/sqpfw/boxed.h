/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/boxed - lists of candidates (sqpfw/candidates.h) that hold in a box
 * (sqpfw/box.h) that is the same for all groups, in place of a radius for each.
 *
 * Where features have heavy tails, radii are short, and lists that are to last
 * become long: hundreds of thousands of pairs are followed of which a box in
 * which w stays as long leaves some thousands.
 *
 * Let r be the target when the box is made, and q the pairs that were nearer,
 * and the tied ones too where the nearer pairs and the copies of r are fewer
 * than its rank: then the target is never farther than the farthest of r and q.
 * With a_j = eps_ij - eps_ir a pair (i, j) is in the list unless
 *
 *	min a_j'w > max(0, max over q of max a_q'w) + slack
 *
 * over the box.  All others are farther than the target by at least slack, a
 * small part of d_ir, as long as w is in the box.
 */
#ifndef KITH_SQPFW_BOXED_H
#define KITH_SQPFW_BOXED_H

#include "sqpfw/state.h"

/* From the next step on, let lists hold in a box. */
void kith_sqpfw_boxed_begin(struct kith_sqpfw *s);

/*
 * The same where pairs rest, and the work of lists and pairs in the last steps
 * is that of more than some passes over all pairs.
 */
void kith_sqpfw_boxed_consider(struct kith_sqpfw *s);

/*
 * Where a step to w + tau dw leaves the box, or there is none, make another
 * one, and the lists of all groups anew.  Pairs that stay candidates keep their
 * number, as does `keep` in any case; new ones are in candidates.fresh,
 * measured, and neither queued nor evaluated.  Time O(n^2 p), in threads.
 */
void kith_sqpfw_boxed_test(struct kith_sqpfw *s, double tau, uint32_t keep);

#endif
