/* SPDX-License-Identifier: BSD-2-Clause */
/* base/names - find a column, or a class, by its name, in constant time. */
#ifndef KITH_BASE_NAMES_H
#define KITH_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

struct kith_names {
	char **name; /* n names, in the order of the columns */
	size_t n;

	/* The rest is base/names.c's: open addressing, 0 is free. */
	size_t *slot, slots, room;
};

/* Where name is among the names: 0..n-1, or n when it is none of them. */
size_t kith_names_find(const struct kith_names *names, const char *name);

/*
 * Index n names, which stay where they are.  Returns the place of the first
 * one that stood there before, or n when all differ.
 */
size_t kith_names_index(struct kith_names *names, char **name, size_t n, struct kith_pool *pool);

/* Makes names the n names of[at[0]], of[at[1]], ..., whose texts stay where they are. */
void kith_names_take(struct kith_names *names, const struct kith_names *of, const size_t *at,
    size_t n, struct kith_pool *pool);

/*
 * Where name is among the names, a copy of it put at their end if need be.
 * Only for names that began as {0} and grew by this function alone, in the same
 * pool each time.
 */
size_t kith_names_add(struct kith_names *names, const char *name, struct kith_pool *pool);

/*
 * Sorts names that all differ by their bytes.  Element i of the result (in the pool) is the new
 * place of the name that was at i.
 */
size_t *kith_names_sort(struct kith_names *names, struct kith_pool *pool);

/*
 * Returns whether the user may have meant a name by a word that is another one, and rather than the
 * names so far.  The distance is the number of bytes to insert, remove or replace, case not
 * counted, up to two fifths of the word, or 1 where the name contains the word, of 3 bytes or more.
 * *least, SIZE_MAX at first, is the smallest distance so far.
 */
bool kith_names_nearer(const char *word, const char *name, size_t *least);

#endif
