/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/lists_seen - which numbers were there already: of the neighbours of one
 * row, then of the next.
 */
#ifndef KITH_TABLE_LISTS_SEEN_H
#define KITH_TABLE_LISTS_SEEN_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;
struct kith_lists_slot;

/* All zero at first. */
struct kith_lists_seen {
	struct kith_lists_slot *slot;
	size_t slots, n; /* a power of two, or 0; numbers seen */
	size_t row;      /* how often it was emptied: older slots are free */
};

/* Forget all numbers; takes no time. */
void kith_lists_seen_none(struct kith_lists_seen *seen);

/* Add a number; whether it was there.  Memory 64 bytes a number at most. */
bool kith_lists_seen_add(struct kith_lists_seen *seen, size_t number, struct kith_pool *pool);

#endif
