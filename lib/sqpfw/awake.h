/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/awake - the pairs that do not rest, where others do (sqpfw/rest.h): the
 * ratio test goes through all of them, in single precision, and evaluates those
 * that may block.
 *
 * Let a be the row of a pair, b = +-a / |a| with the sign of its state, w' = w +
 * tau dw, t = tau |dw| and u = dw / |dw|.  Its gap g = b'w >= 0 becomes
 *
 *	g' = g + t b'u
 *
 * and the pair blocks no sooner than tau unless g' < 0.  b and u are kept in
 * floats.  The product of two vectors of length 1 with p entries is off by less
 * than (p + 8) 2^-23 then, and the gap after a path of length L by L times as
 * much, for it follows w by these products.
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
size_t kith_sqpfw_awake_due(
    const struct kith_sqpfw *s, size_t panel, double tau, uint32_t *out);

/* Let all gaps be those after the step to w + tau dw, by the products of the
 * last test. */
void kith_sqpfw_awake_move(struct kith_sqpfw *s, double tau);

/* Compute all gaps anew, at w.  Time O(p) for each pair. */
void kith_sqpfw_awake_refresh(struct kith_sqpfw *s);

/* The pairs whose gap a change of w by `range` may end, into out; how many. */
size_t kith_sqpfw_awake_near(
    const struct kith_sqpfw *s, double range, uint32_t *out);

#endif
