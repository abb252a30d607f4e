/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/renewal - finding the candidates of groups (sqpfw/candidates.h) at w,
 * by a pass over all points of each group.
 */
#ifndef KITH_SQPFW_RENEWAL_H
#define KITH_SQPFW_RENEWAL_H

#include "sqpfw/state.h"

/* Choose how many candidates each group is to have at first. */
void kith_sqpfw_renewal_begin(struct kith_sqpfw *s);

/*
 * Find the candidates of n groups anew.  Pairs that stay candidates keep their
 * number, as does `keep` (KITH_SQPFW_NONE: none) in any case; new ones are in
 * candidates.fresh, measured, and neither queued nor evaluated.
 * Time O(n p) each, in threads.
 */
void kith_sqpfw_renewal_make(struct kith_sqpfw *s, const uint32_t *group, size_t n, uint32_t keep);

#endif
