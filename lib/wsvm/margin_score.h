/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/margin_score - the scores of a margin (wsvm/margin_kkt.h), by its columns
 * (wsvm/columns.h), or where it has none by kernel rows (wsvm/margin_cg.h).
 */
#ifndef KITH_WSVM_MARGIN_SCORE_H
#define KITH_WSVM_MARGIN_SCORE_H

#include <stddef.h>

struct kith_wsvm_margin;

/*
 * The scores of M: u_i += sum_v a_v phi_v' Phi(x_i) for all items i, or those of
 * margin->items; a holds |M| numbers, u n.  Time O(|M|) for each.
 */
void kith_wsvm_margin_scores(
    struct kith_wsvm_margin *margin, const double *a, double *u);

/*
 * The same in two steps: load a, and b unless it is NULL, which stay until M
 * changes or solve() is called; then score an item into out, or add the scores
 * of all, or of item[0..count-1], which are different ones, to u, and to w unless
 * it is NULL, or compute those of M's own items
 * together, and ask for each.
 */
void kith_wsvm_margin_load(
    struct kith_wsvm_margin *margin, const double *a, const double *b);
void kith_wsvm_margin_score(
    struct kith_wsvm_margin *margin, size_t i, double out[2]);
void kith_wsvm_margin_score_all(
    struct kith_wsvm_margin *margin, double *u, double *w);
void kith_wsvm_margin_score_some(struct kith_wsvm_margin *margin,
    const size_t *item, size_t count, double *u, double *w);
void kith_wsvm_margin_score_own(struct kith_wsvm_margin *margin);
void kith_wsvm_margin_own(
    struct kith_wsvm_margin *margin, size_t i, double out[2]);

#endif
