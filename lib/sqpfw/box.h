/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/box - a box for w: |w_f - middle_f| <= half_f for each feature f.
 *
 * For a row a of sqpfw/rows.h, a'w is above a'middle - sum |a_f| half_f in all
 * of it.  Bounds by a length of the path of w (sqpfw/scale.h) are weaker in two
 * cases: where nearly all of |a| is in a feature of heavy tails, and where w
 * goes to and fro.
 *
 * When w leaves the box, another is made around it, in proportion to how far
 * each weight went in the last one.  What is told of a box holds of a w that
 * differs by rounding (1e-11) from one in there.
 */
#ifndef KITH_SQPFW_BOX_H
#define KITH_SQPFW_BOX_H

#include "sqpfw/state.h"

/* Make room for a box that no w is in; its first sides are `first` times w_f and
 * a little. */
void kith_sqpfw_box_begin(struct kith_sqpfw *s, struct kith_sqpfw_box *box, double first);

/* Whether w + tau dw, or w, is not in the box. */
bool kith_sqpfw_box_left(const struct kith_sqpfw *s, const struct kith_sqpfw_box *box, double tau);

/* The tau, at most this one, at which w + tau dw leaves the box; 0 where w is
 * out of it. */
double kith_sqpfw_box_leaving(
    const struct kith_sqpfw *s, const struct kith_sqpfw_box *box, double tau);

/* w + tau dw is where w went. */
void kith_sqpfw_box_go(const struct kith_sqpfw *s, struct kith_sqpfw_box *box, double tau);

/* For a step to w + tau dw that leaves the box, choose the sides of the next
 * one: in proportion to how far w went in this one, wider or narrower in all. */
void kith_sqpfw_box_reshape(
    const struct kith_sqpfw *s, struct kith_sqpfw_box *box, double tau, bool wider);

/*
 * Place the box around w and the first part of the step to w + tau dw; in round
 * 1, 2 and so on around parts 4, 16 times as long, all of it in the end.
 */
void kith_sqpfw_box_place(
    const struct kith_sqpfw *s, struct kith_sqpfw_box *box, double tau, int round);

#endif
