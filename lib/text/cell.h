/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/cell - one cell of a table: its text, and whether that stood in quotes.
 */
#ifndef KITH_TEXT_CELL_H
#define KITH_TEXT_CELL_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

struct kith_cell {
	const char *s; /* len bytes, none of them null, and a null byte */
	size_t len;
	bool quoted; /* then it is text even where it says NA */
};

/* Whether these bytes mean "missing" where they stand without quotes. */
bool kith_is_missing(const char *s, size_t len);

/* Whether the cell is missing: empty, NA, NaN, nan or ?, without quotes. */
static inline bool
kith_cell_missing(const struct kith_cell *c)
{
	return !c->quoted && kith_is_missing(c->s, c->len);
}

/* A growing column of cells, packed: length, quotes and text of each. */
struct kith_texts {
	size_t n;
	char *bytes;
	size_t used, room;
	size_t *at, at_room; /* where each starts */
};

/* Add a copy of the cell at the end; memory from the pool. */
void kith_texts_add(
    struct kith_texts *t, const struct kith_cell *c, struct kith_pool *pool);

/* Cell i < n of the column, valid until the next one is added. */
struct kith_cell kith_texts_at(const struct kith_texts *t, size_t i);

#endif
