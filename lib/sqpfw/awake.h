/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/awake - the pairs that do not rest, where others do (sqpfw/rest.h): the
 * ratio test goes through all of them, and evaluates those that may block.
 *
 * Let a be the row of a pair, P the features of positive weight, b = +-a / |a_P|
 * with the sign of its state, t = tau |dw| and u = dw / |dw|.  At w + tau dw the
 * gap g = b'w >= 0 has become
 *
 *	g' = g + t b'u
 *
 * so the pair may block before tau where g' < 0, or so near 0 that rounding
 * decides, and b'u < 0 by more than rounding.  Gaps follow w by these products;
 * rows lie beside each other in panels, for the products are most of the time.
 * Many pairs of gap 0 depend on the ties: their b'u is rounding.
 */
#ifndef KITH_SQPFW_AWAKE_H
#define KITH_SQPFW_AWAKE_H

#include "sqpfw/state.h"

/* Make room; no pair is awake yet. */
void kith_sqpfw_awake_begin(struct kith_sqpfw *s);

/*
 * Add a pair that is measured (sqpfw/pair.h) and not awake, given a'w.  A pair
 * without a row never blocks, and is not added.  Time O(p).
 */
void kith_sqpfw_awake_put(struct kith_sqpfw *s, uint32_t at, double gap);

/* Take a pair out, if it is awake.  Time O(p). */
void kith_sqpfw_awake_take(struct kith_sqpfw *s, uint32_t at);

/*
 * Compute the products with dw, whose norm is step.norm.  Returns the pair that
 * seems to block first, before tau, of those with a gap beyond rounding, or
 * KITH_SQPFW_NONE.  Time O(p) for each pair.
 */
uint32_t kith_sqpfw_awake_first(struct kith_sqpfw *s, double tau);

/* The panels of pairs that there are. */
size_t kith_sqpfw_awake_panels(const struct kith_sqpfw *s);

/* The pairs of a panel that may block before tau, into out (KITH_SQPFW_PANEL);
 * how many.  They stay awake. */
size_t kith_sqpfw_awake_due(const struct kith_sqpfw *s, size_t panel, double tau, uint32_t *out);

/* Let all gaps be those after the step to w + tau dw, by the products of
 * kith_sqpfw_awake_first(). */
void kith_sqpfw_awake_move(struct kith_sqpfw *s, double tau);

/* Compute all gaps anew, at w.  Time O(p) for each pair. */
void kith_sqpfw_awake_refresh(struct kith_sqpfw *s);

/* The pairs whose gap a change of w by `range` may end, into out; how many. */
size_t kith_sqpfw_awake_near(const struct kith_sqpfw *s, double range, uint32_t *out);

#endif
