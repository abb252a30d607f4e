/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/names.h"

#include "base/pool.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The slot of this name, or the free one where it would go (FNV-1a). */
static size_t *
slot_of(const struct kith_names *names, const char *name)
{
	uint64_t h = 14695981039346656037u;
	size_t at;

	for (const char *s = name; *s; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211u;
	at = (size_t)h & (names->slots - 1);
	while (names->slot[at] && strcmp(names->name[names->slot[at] - 1], name) != 0)
		at = (at + 1) & (names->slots - 1);
	return &names->slot[at];
}

size_t
kith_names_find(const struct kith_names *names, const char *name)
{
	const size_t i = names->slots ? *slot_of(names, name) : 0;

	return i ? i - 1 : names->n;
}

/* Put all names into the table; the place of the first twin, or n. */
static size_t
fill(struct kith_names *names)
{
	memset(names->slot, 0, names->slots * sizeof(*names->slot));
	for (size_t i = 0; i < names->n; i++) {
		size_t *slot = slot_of(names, names->name[i]);

		if (*slot)
			return i;
		*slot = i + 1;
	}
	return names->n;
}

/* Make a table for `room` names and put those there are into it. */
static size_t
build(struct kith_names *names, size_t room, struct kith_pool *pool)
{
	names->slots = 16;
	while (names->slots / 2 < room)
		names->slots *= 2;
	names->slot = kith_grow(pool, names->slot, names->slots, sizeof(*names->slot));
	return fill(names);
}

size_t
kith_names_index(struct kith_names *names, char **name, size_t n, struct kith_pool *pool)
{
	*names = (struct kith_names){.name = name, .n = n};
	return build(names, n, pool);
}

void
kith_names_take(struct kith_names *names, const struct kith_names *of, const size_t *at, size_t n,
    struct kith_pool *pool)
{
	char **name = kith_new(pool, n, sizeof(*name));

	for (size_t i = 0; i < n; i++)
		name[i] = of->name[at[i]];
	kith_names_index(names, name, n, pool);
}

size_t
kith_names_add(struct kith_names *names, const char *name, struct kith_pool *pool)
{
	const size_t at = kith_names_find(names, name);

	if (at < names->n)
		return at;
	if (2 * at >= names->slots)
		build(names, 2 * at, pool);
	names->name = kith_more(pool, names->name, at, &names->room, sizeof(*names->name));
	names->name[at] = kith_strndup(pool, name, strlen(name));
	*slot_of(names, name) = ++names->n;
	return at;
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t *
kith_names_sort(struct kith_names *names, struct kith_pool *pool)
{
	const size_t n = names->n;
	struct kith_pool tmp = {0};
	char **was = kith_new(&tmp, n, sizeof(*was));
	size_t *rank = kith_new(pool, n, sizeof(*rank));

	if (n > 0) {
		memcpy(was, names->name, n * sizeof(*was));
		qsort(names->name, n, sizeof(*was), compare_names);
		fill(names);
	}
	for (size_t i = 0; i < n; i++)
		rank[i] = kith_names_find(names, was[i]);
	kith_pool_free(&tmp);
	return rank;
}

/*
 * Returns the edit distance (Levenshtein, 1966) of the first MOST bytes of a and b, by rows of
 *
 *	d(i, j) = min(d(i-1, j-1) + [a_i != b_j], d(i-1, j) + 1, d(i, j-1) + 1),  d(i, 0) = i.
 */
static size_t
count_edits(const char *a, const char *b)
{
	enum { MOST = 60 };
	const size_t n = strnlen(b, MOST);
	size_t d[MOST + 1];

	for (size_t j = 0; j <= n; j++)
		d[j] = j;
	for (size_t i = 0; i < MOST && a[i]; i++) {
		size_t before = d[0]++; /* d(i-1, j-1) */

		for (size_t j = 1; j <= n; j++) {
			const size_t replaced = before +
			    (tolower((unsigned char)a[i]) != tolower((unsigned char)b[j - 1]));
			const size_t changed = 1 + (d[j] < d[j - 1] ? d[j] : d[j - 1]);

			before = d[j];
			d[j] = replaced < changed ? replaced : changed;
		}
	}
	return d[n];
}

bool
kith_names_nearer(const char *word, const char *name, size_t *least)
{
	const size_t len = strlen(word);
	const size_t edits = len >= 3 && strstr(name, word) ? 1 : count_edits(word, name);

	if (edits > 2 * len / 5 || edits >= *least)
		return false;
	*least = edits;
	return true;
}
