/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/initial - the targets of all groups at the first w, and the pairs that
 * are nearer.  Of pairs that are as far the one with the lower row comes first.
 */
#ifndef KITH_SQPFW_INITIAL_H
#define KITH_SQPFW_INITIAL_H

#include "sqpfw/state.h"

/* Find them, of groups without pairs.  Time O(n^2 p), in threads. */
void kith_sqpfw_initial_targets(struct kith_sqpfw *s);

#endif
