/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/candidates - the candidates of a group (sqpfw/state.h): a list of the
 * farther pairs that might become as near as the target first, and how far w
 * may go before any other pair can.  Lists are renewed when w has gone farther.
 *
 * A change D of w is measured by |D|^2 = sum D_f^2 / h_f, where h = w + floor
 * when the list was made, for small weights change by little; the row a of a
 * pair by the dual norm, |a|^2 = min over c of sum h_f (a_f - c)^2, as 1'D = 0.
 * Let r be the target when the list was made, and q the pairs that were nearer,
 * and the tied ones too where the nearer pairs and the copies of r are fewer
 * than its rank: then the target is never farther than the farthest of r and q.
 * With a_j = eps_ij - eps_ir a pair (i, j) outside of the list is farther than
 * the target as long as w has moved by less than
 *
 *	(d_ij - d_ir) / (|a_j| + max |a_q| + slack),
 *
 * of which the radius is the least over all j outside.  slack is a small part
 * of d_ir: where w has moved by m, pairs outside are farther than the target by
 * at least (radius - m) slack - excess, where excess is by how much a pair q
 * was farther than r when the list was made (a drift of ties).
 *
 * Points whose rows are equal for every w, as those that lie symmetric to i,
 * are one pair.
 */
#ifndef KITH_SQPFW_CANDIDATES_H
#define KITH_SQPFW_CANDIDATES_H

#include "sqpfw/state.h"

/*
 * Take the lists that are due within `length` of the path out of the queue into
 * candidates.due (n_due), and renew those with less than `margin` of their
 * radius left at w + tau dw.  Returns how many these are; they come first.
 */
size_t kith_sqpfw_candidates_test(
    struct kith_sqpfw *s, double length, double tau, double margin, uint32_t keep);

/* |w + tau dw - the w of the list|, to compare with the radius. */
double kith_sqpfw_candidates_moved(const struct kith_sqpfw *s, uint32_t group, double tau);

/* The tau at which w + tau dw leaves the radius. */
double kith_sqpfw_candidates_reach(const struct kith_sqpfw *s, uint32_t group);

/*
 * By how much the path of w, by candidates.scale, may become longer before w
 * can have left the radius.
 */
double kith_sqpfw_candidates_ahead(const struct kith_sqpfw *s, uint32_t group);

/* Queue a list that is not queued, by that length. */
void kith_sqpfw_candidates_queue(struct kith_sqpfw *s, uint32_t group);

#endif
