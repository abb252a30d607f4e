/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/certify - whether weights are a local minimum of the objective F of
 * sqpfw/sqpfw.h.
 *
 * Let beta and gamma be multipliers >= 0 of the pairs tied at each target hit
 * and each target miss that sum to theta/n over a kink (sqpfw/kinks.h; over a
 * target without ties, the pair has all of it), alpha >= 0 those of the weights
 * that are 0, and phi one of the sum of the weights.  Where all kinks are
 * convex, so is F near w, and w is a minimum if and only if some of these make
 *
 *	r = w - prior + sum beta eps_hit - sum gamma eps_miss + phi 1 - alpha
 *
 * vanish.  Where kinks are concave, F is near w the least of finitely many
 * convex functions, one for each choice of a set S (sqpfw/kinks.h) at each
 * concave kink: w is a minimum if and only if it is one of each of them, that
 * is, if for each choice some multipliers on the pairs of the sets chosen do.
 *
 * How: multipliers are sought by least squares over the pairs (sqpfw/hull.h),
 * the entries of r in units of max(1, theta H_f), where
 *
 *	H_f = 1/n sum_i (|eps_hit,f - eps_miss,f| + sum over the kinks of i of
 *			 max |eps,f - eps_target,f|)
 *
 * is what the entries of the sum come to: features of any scale are judged
 * alike.  Concave kinks whose pairs differ only in features of weight 0
 * are first taken at their worst in each of these features, which needs no
 * choice; where that proves nothing all choices are tried, if there are not too
 * many, and else a few that are likely to fail.
 */
#ifndef KITH_SQPFW_CERTIFY_H
#define KITH_SQPFW_CERTIFY_H

#include "sqpfw/certificate.h"

struct kith_mat;
struct kith_ties;

/*
 * Judge the weights w (p, not negative) of rows X (n x p), the targets and ties
 * being those given.  The residual is that of the multipliers that were found,
 * so it never says too little.  Where squares of the data leave the range of a
 * double it is NaN, and w is not certified.
 *
 * Where the residual is larger than the limit, down (p; NULL: not wanted)
 * receives a direction, of sum 0 and leading out of no bound, along which F
 * falls unless rounding is in the way; else it is 0.
 *
 * Time O(n p), and that of least squares problems in the tied pairs, of which
 * there is one where no kink is concave; memory p times those pairs.
 */
void kith_certify(const struct kith_mat *X, const struct kith_ties *ties, const double *w,
    const struct kith_certify_how *how, struct kith_certificate *out, double *down);

#endif
