/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine/keys - the lines at the head of a model, each a key and its values, and the number of
 * rows below them; for both formats of models.
 *
 * A format describes each of its keys: what the values are, and where they stand in memory.  The
 * description both reads and writes.
 *
 * All lines are read first, each value as a text.  Then the keys are parsed in the order of the
 * format, so that the description of a key may depend on the values of the keys before.  Every
 * function that fails says the file, the line, and the key.
 */
#ifndef KITH_MACHINE_KEYS_H
#define KITH_MACHINE_KEYS_H

#include "base/err.h"
#include "text/rows.h"

struct kith_out;

/* A key. */
struct kith_key {
	const char *name;
	enum kith_key_kind {
		KITH_KEY_WORD, /* an int or an enum: the index of one of the words */
		KITH_KEY_SIZE, /* a size_t */
		KITH_KEY_REAL, /* a finite double */
		KITH_KEY_NAME  /* a char *, in the pool */
	} kind;
	enum kith_key_when {
		KITH_KEY_NEVER,   /* an error */
		KITH_KEY_IGNORED, /* whatever its values are; not written */
		KITH_KEY_MAYBE,   /* missing where it is 0 or NULL */
		KITH_KEY_ALWAYS
	} when;
	void *to;   /* the value; or NULL: list is where the values are */
	void *list; /* a pointer to n values, in the pool; of names, all different, kith_names */
	size_t n;   /* names that are read: 0 for any number above 0 */
	enum kith_key_bound { KITH_KEY_ANY, KITH_KEY_FROM_0, KITH_KEY_ABOVE_0 } bound;
	size_t most;              /* of sizes; 0: any */
	const char *const *words; /* NULL ends them, and "" is none */
};

enum { KITH_KEYS_MOST = 20 }; /* keys of a format, and one behind them */

struct kith_keys {
	/* The format. */
	struct kith_key (*key_of)(void *model, size_t i); /* from 0; name NULL behind all */
	const char *before;                               /* stands before each name */
	char sep;                                         /* stands before each value */
	const char *end; /* the line below the keys; NULL: any that does not begin with `before` */

	void *model;

	/* A model that is read; the record is its line that was read last. */
	struct kith_rec rec;
	struct kith_key_given {
		size_t line; /* where the key stands; 0: nowhere */
		size_t n;
		char **value; /* n */
	} given[KITH_KEYS_MOST];
	size_t next;  /* the key to be parsed next */
	size_t below; /* the line below the keys, for messages about missing keys */
	struct kith_pool *pool;
	struct kith_err *err;
};

/* Fails at the line that was read last. */
#define kith_keys_fail_here(k, ...) \
	kith_fail_at((k)->err, EX_DATAERR, (k)->rec.file, (k)->rec.line, __VA_ARGS__)

/* Fails at the line of a key, or below the keys where it is missing; returns -1. */
int kith_keys_fail(const struct kith_keys *k, const char *key, const char *fmt, ...)
    KITH_PRINTF(3, 4);

/* What is given of a key. */
const struct kith_key_given *kith_keys_given(const struct kith_keys *k, const char *key);

/*
 * Reads the lines of keys, and the line below them; fails where there is none, and where a key is
 * unknown or there twice.
 */
int kith_keys_read(struct kith_keys *k);

/*
 * Parses the values of the next keys, up to but not the key `end` (NULL: of all), as their
 * descriptions require; returns 0 or -1.
 */
int kith_keys_parse(struct kith_keys *k, const char *end);

/*
 * Reads row i of n, the number that the key says.  Returns 1, 0 behind the last row, or -1, also
 * where there are more rows, or fewer.
 */
int kith_keys_row(struct kith_keys *k, const char *key, size_t i, size_t n);

/* Writes the lines of all keys that the model has. */
void kith_keys_write(const struct kith_keys *k, struct kith_out *out);

/*
 * Copies s to `to`, with a backslash and the byte of `as` in the place of each byte of `from`;
 * returns the end.
 */
char *kith_keys_escape(char *to, const char *s, const char *from, const char *as);

#endif
