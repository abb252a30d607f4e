/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/cell.h"

#include "base/pool.h"

#include <assert.h>
#include <string.h>

bool
kith_is_missing(const char *s, size_t len)
{
	switch (len) {
	case 0:
		return true;
	case 1:
		return *s == '?';
	case 2:
		return memcmp(s, "NA", 2) == 0;
	case 3:
		return memcmp(s, "NaN", 3) == 0 || memcmp(s, "nan", 3) == 0;
	default:
		return false;
	}
}

/* A cell is kept as one byte for the quotes, its text and a null byte. */
void
kith_texts_add(
    struct kith_texts *t, const struct kith_cell *c, struct kith_pool *pool)
{
	if (t->n == t->at_room)
		t->at = kith_more(
		    pool, t->at, t->n, &t->at_room, sizeof(*t->at));
	if (t->room - t->used < c->len + 2) {
		t->room = 2 * (t->room + c->len) + 256;
		t->bytes = kith_grow(pool, t->bytes, t->room, 1);
	}
	t->at[t->n++] = t->used;
	t->bytes[t->used++] = c->quoted ? 1 : 0;
	memcpy(t->bytes + t->used, c->s, c->len);
	t->used += c->len;
	t->bytes[t->used++] = '\0';
}

struct kith_cell
kith_texts_at(const struct kith_texts *t, size_t i)
{
	size_t end;

	assert(i < t->n);
	end = i + 1 < t->n ? t->at[i + 1] : t->used;
	return (struct kith_cell){.s = t->bytes + t->at[i] + 1,
	    .len = end - t->at[i] - 2,
	    .quoted = t->bytes[t->at[i]]};
}
