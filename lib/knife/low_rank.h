/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/low_rank - machines of the squared loss where K is G G' of few columns but
 * for a little, as K of few features is: without a factor of K.
 */
#ifndef KITH_KNIFE_LOW_RANK_H
#define KITH_KNIFE_LOW_RANK_H

#include <stdbool.h>

struct kith_knife_state;

/*
 * alpha, Ka and bias at K, which is held; whether they were found: not where a
 * factor of K is as quick or better, which the state remembers for more features.
 * They solve the equations of K to rounding, no matter what G lacks.  Time n r^2 for
 * r columns and n^2 for each of a few steps.
 */
bool kith_knife_low_rank(struct kith_knife_state *state);

#endif
