/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/lists_seen.h"

#include "base/pool.h"

#include <stdint.h>

/* A number, and the row it was seen in; others are free. */
struct kith_lists_slot {
	size_t number, row;
};

void
kith_lists_seen_none(struct kith_lists_seen *seen)
{
	seen->row++;
	seen->n = 0;
}

/* The slot of this number, or the free one where it would go. */
static struct kith_lists_slot *
slot_of(const struct kith_lists_seen *seen, size_t number)
{
	const uint64_t mixed = number * UINT64_C(11400714819323198485) >> 32;
	size_t at = (size_t)mixed & (seen->slots - 1);

	while (seen->slot[at].row == seen->row && seen->slot[at].number != number)
		at = (at + 1) & (seen->slots - 1);
	return &seen->slot[at];
}

/* Twice the slots, with the numbers that were seen. */
static void
grow(struct kith_lists_seen *seen, struct kith_pool *pool)
{
	const struct kith_lists_seen old = *seen;

	seen->slots = old.slots ? 2 * old.slots : 64;
	seen->slot = kith_new(pool, seen->slots, sizeof(*seen->slot));
	for (size_t i = 0; i < old.slots; i++)
		if (old.slot[i].row == old.row)
			*slot_of(seen, old.slot[i].number) = old.slot[i];
}

bool
kith_lists_seen_add(struct kith_lists_seen *seen, size_t number, struct kith_pool *pool)
{
	struct kith_lists_slot *slot;

	if (seen->row == 0)
		kith_lists_seen_none(seen);
	if (2 * seen->n >= seen->slots)
		grow(seen, pool);
	slot = slot_of(seen, number);
	if (slot->row == seen->row)
		return true;
	*slot = (struct kith_lists_slot){number, seen->row};
	seen->n++;
	return false;
}
