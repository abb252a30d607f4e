/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/kink - the least of a convex function that is linear between kinks.
 */
#ifndef KITH_WSVM_KINK_H
#define KITH_WSVM_KINK_H

#include <stddef.h>

/* Its slope grows by `by` >= 0 at `at`. */
struct kith_wsvm_kink {
	double at, by;
};

/*
 * The first of n kinks, which change places, from which on the slope, that is
 * `slope` before all, is at least 0; else, what is given.  Time O(n) as a rule.
 */
double kith_wsvm_kink_least(
    struct kith_wsvm_kink *v, size_t n, double slope, double otherwise);

#endif
