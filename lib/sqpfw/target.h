/*
 * sqpfw/target - the targets of all groups of sqpfw/state.h at w, and the items
 * nearer than they are.
 *
 * Of pairs that are as far, the one with the lower row comes first.
 */
#ifndef KITH_SQPFW_TARGET_H
#define KITH_SQPFW_TARGET_H

#include "sqpfw/state.h"

/* Find them, of groups without items.  Time O(n^2 p), in threads. */
void kith_sqpfw_target_all(struct kith_sqpfw *s);

#endif
