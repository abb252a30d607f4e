/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/check_large - what knife/check.h finds at some weights where K is too large
 * to be held (knife/problem.h).
 *
 * The machine is that of knife/knife.h: wherever it comes from, its residual says
 * whether it is the one.  K alpha, residual, F and dF are sums over pairs of rows,
 * each kernel being made of its two rows alone, by other means than those of
 * knife/tiles.h.
 */
#ifndef KITH_KNIFE_CHECK_LARGE_H
#define KITH_KNIFE_CHECK_LARGE_H

struct kith_check_knife_point;

/*
 * The residual, alpha, b, f, F and dF at w; F is NaN where there is no machine.
 * Time O(n^2 p) beside the machine, memory O(n p).
 */
void kith_check_knife_large(struct kith_check_knife_point *s, const double *w);

#endif
