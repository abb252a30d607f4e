/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine/keys - the lines at the head of a model, each a key and its values.
 *
 * The lines are read first, each value as a text; what the values must be is known when all keys
 * are.  Every function that can fail says the file, the line of the key, and the key.
 */
#ifndef KITH_MACHINE_KEYS_H
#define KITH_MACHINE_KEYS_H

#include "base/err.h"

#include <stddef.h>

struct kith_pool;

struct kith_key {
	size_t line;    /* where the key stands; 0: nowhere */
	char **value;   /* its n values */
	size_t n, room; /* room: allocated */
};

struct kith_keys {
	const char *file;
	const char *const *name; /* names of all keys, then NULL */
	struct kith_key *key;    /* as many, all zero before the first line */
	size_t end;              /* the line behind the last key, for messages about missing keys */
	struct kith_pool *pool;
	struct kith_err *err;
};

/* Adds a key at a line; returns its index, or -1 where it is unknown or was there before. */
int kith_keys_add(struct kith_keys *k, const char *name, size_t line);

/* Adds a value, a copy of len bytes, to a key. */
void kith_keys_value(struct kith_keys *k, int key, const char *s, size_t len);

/* Fails at the line of the key, or behind the keys where it is missing; returns -1. */
int kith_keys_fail(const struct kith_keys *k, int key, const char *fmt, ...) KITH_PRINTF(3, 4);

/* Requires the key, with n values: 0 or -1. */
int kith_keys_due(const struct kith_keys *k, int key, size_t n);

/* Requires one value that is a word of the list `words`, which NULL ends; *which is its index. */
int kith_keys_word(const struct kith_keys *k, int key, const char *const *words, int *which);

/* Requires n whole numbers from `least` to `most`; sets x (n). */
int kith_keys_sizes(
    const struct kith_keys *k, int key, size_t n, size_t least, size_t most, size_t *x);

/* Requires n finite numbers; sets *x to an array of the numbers, in the pool. */
int kith_keys_reals(const struct kith_keys *k, int key, size_t n, double **x);

#endif
