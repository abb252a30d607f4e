/* SPDX-License-Identifier: BSD-2-Clause */
/* sqpfw/pair - the pairs that are followed, and when they are due. */
#ifndef KITH_SQPFW_PAIR_H
#define KITH_SQPFW_PAIR_H

#include "sqpfw/state.h"

/*
 * Follow a pair, given by its group, j, copies, state and merged; it is not
 * queued.  Returns its number.
 */
uint32_t kith_sqpfw_pair_new(struct kith_sqpfw *s, const struct kith_sqpfw_pair *pair);

/* Follow a pair no more. */
void kith_sqpfw_pair_drop(struct kith_sqpfw *s, uint32_t at);

/* Compute the norm of a pair's row, by pairs.scale. */
void kith_sqpfw_pair_measure(struct kith_sqpfw *s, uint32_t at);

/* The gap a'w of a pair. */
double kith_sqpfw_pair_gap(const struct kith_sqpfw *s, uint32_t at);

/*
 * Queue a pair that is not queued, given its gap: it is due when the path of w
 * has become longer by gap / norm of its row.  Where pairs rest, it is awake
 * (sqpfw/awake.h) instead.
 */
void kith_sqpfw_pair_queue(struct kith_sqpfw *s, uint32_t at, double gap);

/* Let a pair be neither queued nor awake. */
void kith_sqpfw_pair_take(struct kith_sqpfw *s, uint32_t at);

/* Queue a pair anew whose row may have changed, unless it rests. */
void kith_sqpfw_pair_requeue(struct kith_sqpfw *s, uint32_t at);

/* Compute a'w and a'dw of a pair, as the next entry of pairs.seen; the entry.
 */
struct kith_sqpfw_seen *kith_sqpfw_pair_evaluate(struct kith_sqpfw *s, uint32_t at);

/* Whether (i, a) and (i, b) are as far from each other for every w. */
bool kith_sqpfw_pair_same(const struct kith_sqpfw *s, size_t i, size_t a, size_t b);

#endif
