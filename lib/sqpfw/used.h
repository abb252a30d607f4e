/* SPDX-License-Identifier: BSD-2-Clause */
/* sqpfw/used - the numbers of all pairs that are followed. */
#ifndef KITH_SQPFW_USED_H
#define KITH_SQPFW_USED_H

#include "sqpfw/state.h"

/* Let pairs.used be all pairs that are followed, in the order of their numbers;
 * how many.  Time O(pairs.n) where any came or went since the last time. */
size_t kith_sqpfw_used(struct kith_sqpfw *s);

#endif
