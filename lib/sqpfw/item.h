/* sqpfw/item - the items of sqpfw/state.h, and when they are due. */
#ifndef KITH_SQPFW_ITEM_H
#define KITH_SQPFW_ITEM_H

#include "sqpfw/state.h"

/* A new item of a group, not queued. */
uint32_t kith_sqpfw_item_new(
    struct kith_sqpfw *s, uint32_t group, uint32_t j, int state);

/* Forget an item of a group. */
void kith_sqpfw_item_drop(struct kith_sqpfw *s, uint32_t at);

/* Compute the size of an item's row, by s->scale. */
void kith_sqpfw_item_measure(struct kith_sqpfw *s, uint32_t at);

/* Queue an item that is not queued by its gap, row'w. */
void kith_sqpfw_item_put(struct kith_sqpfw *s, uint32_t at, double gap);

/* Queue anew an item whose row may have changed. */
void kith_sqpfw_item_renew(struct kith_sqpfw *s, uint32_t at);

/* Look at an item in a step: add it to seen[]; the entry. */
struct kith_sqpfw_seen *kith_sqpfw_item_see(struct kith_sqpfw *s, uint32_t at);

/* Whether the rows of (i, a) and (i, b) are the same for every w. */
bool kith_sqpfw_item_same(
    const struct kith_sqpfw *s, size_t i, size_t a, size_t b);

#endif
