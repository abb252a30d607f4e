/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine/keys.h"

#include "base/num.h"
#include "base/pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int
kith_keys_add(struct kith_keys *k, const char *name, size_t line)
{
	int key = 0;

	while (k->name[key] && strcmp(name, k->name[key]) != 0)
		key++;
	if (!k->name[key])
		return kith_fail_at(
		    k->err, EX_DATAERR, k->file, line, "key " KITH_NAME ": unknown", name);
	if (k->key[key].line)
		return kith_fail_at(
		    k->err, EX_DATAERR, k->file, line, "key \"%s\": given twice", name);
	k->key[key].line = line;
	return key;
}

void
kith_keys_value(struct kith_keys *k, int key, const char *s, size_t len)
{
	struct kith_key *at = &k->key[key];

	at->value = kith_more(k->pool, at->value, at->n, &at->room, sizeof(*at->value));
	at->value[at->n++] = kith_strndup(k->pool, s, len);
}

int
kith_keys_fail(const struct kith_keys *k, int key, const char *fmt, ...)
{
	const size_t line = k->key[key].line;
	char why[200];
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	return kith_fail_at(
	    k->err, EX_DATAERR, k->file, line ? line : k->end, "key \"%s\": %s", k->name[key], why);
}

int
kith_keys_due(const struct kith_keys *k, int key, size_t n)
{
	if (!k->key[key].line)
		return kith_keys_fail(k, key, "not found");
	if (k->key[key].n != n)
		return kith_keys_fail(k, key, "%zu values where %zu are due", k->key[key].n, n);
	return 0;
}

int
kith_keys_word(const struct kith_keys *k, int key, const char *const *words, int *which)
{
	if (kith_keys_due(k, key, 1))
		return -1;
	for (*which = 0; words[*which]; ++*which)
		if (*words[*which] && strcmp(words[*which], *k->key[key].value) == 0)
			return 0;
	return kith_keys_fail(k, key, "unknown: " KITH_CELL, *k->key[key].value);
}

int
kith_keys_sizes(const struct kith_keys *k, int key, size_t n, size_t least, size_t most, size_t *x)
{
	if (kith_keys_due(k, key, n))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const char *s = k->key[key].value[i];

		if (kith_parse_size(s, &x[i]) || x[i] < least || x[i] > most)
			return kith_keys_fail(
			    k, key, "not a whole number from %zu: " KITH_CELL, least, s);
	}
	return 0;
}

int
kith_keys_reals(const struct kith_keys *k, int key, size_t n, double **x)
{
	if (kith_keys_due(k, key, n))
		return -1;
	*x = kith_new(k->pool, n, sizeof(**x));
	for (size_t i = 0; i < n; i++) {
		const char *s = k->key[key].value[i];

		if (kith_parse_real(s, strlen(s), &(*x)[i]))
			return kith_keys_fail(k, key, "not a finite number: " KITH_CELL, s);
	}
	return 0;
}
