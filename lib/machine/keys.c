/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine/keys.h"

#include "base/num.h"
#include "base/pool.h"
#include "text/out.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes that no value has as they are: each is a backslash and the letter below it. */
static const char plain[] = "\\\n\r", escaped[] = "\\nr";

static const size_t value_size[] = {[KITH_KEY_WORD] = sizeof(int),
    [KITH_KEY_SIZE] = sizeof(size_t),
    [KITH_KEY_REAL] = sizeof(double),
    [KITH_KEY_NAME] = sizeof(char *)};

/* The index of a key; where the format has none of this name, the number of its keys. */
static size_t
find(const struct kith_keys *k, const char *key)
{
	const char *name;
	size_t i = 0;

	while ((name = k->key_of(k->model, i).name) && strcmp(name, key) != 0)
		i++;
	return i;
}

const struct kith_key_given *
kith_keys_given(const struct kith_keys *k, const char *key)
{
	return &k->given[find(k, key)];
}

int
kith_keys_fail(const struct kith_keys *k, const char *key, const char *fmt, ...)
{
	const size_t line = kith_keys_given(k, key)->line;
	char why[200];
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	return kith_fail_at(
	    k->err, EX_DATAERR, k->rec.file, line ? line : k->below, "key \"%s\": %s", key, why);
}

int
kith_keys_read(struct kith_keys *k)
{
	const size_t before = strlen(k->before);
	int got;

	while ((got = kith_rec_next(&k->rec, k->err)) > 0) {
		const struct kith_cell *cell = k->rec.text;
		const size_t n = k->rec.n - 1;
		const char *name = cell->s + before;
		struct kith_key_given *to;

		if (strncmp(cell->s, k->before, before) != 0 ||
		    (k->end && n == 0 && strcmp(cell->s, k->end) == 0))
			break;
		to = &k->given[find(k, name)];
		if (!k->key_of(k->model, (size_t)(to - k->given)).name)
			return kith_keys_fail_here(k, "key " KITH_NAME ": unknown", name);
		if (to->line)
			return kith_keys_fail_here(k, "key \"%s\": given twice", name);
		to->line = k->rec.line;
		to->n = n;
		to->value = kith_new(k->pool, n, sizeof(*to->value));
		for (size_t i = 0; i < n; i++)
			to->value[i] = kith_strndup(k->pool, cell[1 + i].s, cell[1 + i].len);
	}
	k->below = k->rec.line;
	if (got == 0)
		kith_fail_at(k->err, EX_DATAERR, k->rec.file, 0,
		    "no %s below the keys: not the whole model", k->end ? k->end : "table");
	return got > 0 ? 0 : -1;
}

char *
kith_keys_escape(char *to, const char *s, const char *from, const char *as)
{
	for (; *s; s++) {
		const char *at = strchr(from, *s);

		if (at)
			*to++ = '\\';
		*to++ = *(at ? as + (at - from) : s);
	}
	*to = '\0';
	return to;
}

/* Undoes kith_keys_escape() of names into `to`; -1 where it did not write s. */
static int
unescape(char *to, const char *s)
{
	for (; (*to = *s); s++, to++)
		if (*s == '\\') {
			const char *at = *++s ? strchr(escaped, *s) : NULL;

			if (!at)
				return -1;
			*to = plain[at - escaped];
		}
	return 0;
}

/* Parses a value of a key. */
static int
parse_value(const struct kith_keys *k, const struct kith_key *as, const char *s, void *to)
{
	int *word = to;
	size_t *size = to;
	double *real = to;
	char **name = to;

	switch (as->kind) {
	case KITH_KEY_WORD:
		for (*word = 0; as->words[*word]; ++*word)
			if (*as->words[*word] && strcmp(as->words[*word], s) == 0)
				return 0;
		return kith_keys_fail(k, as->name, "unknown: " KITH_CELL, s);
	case KITH_KEY_SIZE:
		if (kith_parse_size(s, size) || *size < (as->bound == KITH_KEY_ABOVE_0) ||
		    (as->most && *size > as->most))
			return kith_keys_fail(k, as->name, "not a whole number from %d: " KITH_CELL,
			    as->bound == KITH_KEY_ABOVE_0, s);
		return 0;
	case KITH_KEY_REAL:
		if (kith_parse_real(s, strlen(s), real))
			return kith_keys_fail(k, as->name, "not a finite number: " KITH_CELL, s);
		if (as->bound == KITH_KEY_ABOVE_0 && !(*real > 0))
			return kith_keys_fail(k, as->name, "not above 0: " KITH_CELL, s);
		if (as->bound == KITH_KEY_FROM_0 && *real < 0)
			return kith_keys_fail(k, as->name, "below 0: " KITH_CELL, s);
		return 0;
	default:
		*name = kith_strndup(k->pool, s, strlen(s));
		return unescape(*name, s)
		    ? kith_keys_fail(k, as->name, "a backslash too many: " KITH_CELL, s)
		    : 0;
	}
}

/* Parses the values of a key. */
static int
parse_key(const struct kith_keys *k, struct kith_key as, const struct kith_key_given *given)
{
	const bool names = as.list && as.kind == KITH_KEY_NAME;
	const size_t n = as.to ? 1 : as.n || !names ? as.n : given->n + !given->n;
	char *value = as.to;

	assert(as.to || as.list || as.when == KITH_KEY_IGNORED);
	if (as.when == (given->line ? KITH_KEY_NEVER : KITH_KEY_ALWAYS))
		return kith_keys_fail(
		    k, as.name, "%s", as.when ? "not found" : "too much beside the other keys");
	if (!given->line || as.when == KITH_KEY_IGNORED)
		return 0;
	if (given->n != n)
		return kith_keys_fail(k, as.name, "%zu values where %zu are due", given->n, n);
	if (as.list)
		value = kith_new(k->pool, n, value_size[as.kind]);
	for (size_t i = 0; i < n; i++)
		if (parse_value(k, &as, given->value[i], value + i * value_size[as.kind]))
			return -1;
	if (names) {
		char **name = (void *)value;
		const size_t twin = kith_names_index(as.list, name, n, k->pool);

		if (twin < n)
			return kith_keys_fail(k, as.name, "given twice: " KITH_CELL, name[twin]);
	} else if (as.list)
		memcpy(as.list, &value, sizeof(value));
	return 0;
}

int
kith_keys_parse(struct kith_keys *k, const char *end)
{
	struct kith_key as = k->key_of(k->model, k->next);

	while (as.name && (!end || strcmp(as.name, end) != 0)) {
		if (parse_key(k, as, &k->given[k->next]))
			return -1;
		as = k->key_of(k->model, ++k->next);
	}
	return 0;
}

int
kith_keys_row(struct kith_keys *k, const char *key, size_t i, size_t n)
{
	const int got = kith_rec_next(&k->rec, k->err);

	if (got > 0 && i == n)
		return kith_keys_fail_here(k, "more rows than key \"%s\" says: %zu", key, n);
	if (got == 0 && i < n)
		return kith_fail_at(k->err, EX_DATAERR, k->rec.file, 0,
		    "%zu rows where key \"%s\" says %zu: not the whole model", i, key, n);
	return got;
}

static void
write_value(const struct kith_key *as, const void *value, struct kith_out *out)
{
	const size_t *size = value;
	const double *real = value;
	char *const *name = value;
	struct kith_pool tmp = {0};
	char *cell;

	switch (as->kind) {
	case KITH_KEY_WORD:
		kith_out_text(out, as->words[*(const int *)value]);
		break;
	case KITH_KEY_SIZE:
		kith_out_size(out, *size);
		break;
	case KITH_KEY_REAL:
		assert(!isinf(*real));
		kith_out_real(out, *real);
		break;
	default:
		cell = kith_new(&tmp, strlen(*name) + 1, 2);
		kith_keys_escape(cell, *name, plain, escaped);
		kith_out_cell(out, cell);
		kith_pool_free(&tmp);
	}
}

void
kith_keys_write(const struct kith_keys *k, struct kith_out *out)
{
	static const char zero[sizeof(double)];

	struct kith_key as;

	for (size_t key = 0; (as = k->key_of(k->model, key)).name; key++) {
		const size_t n = as.to ? 1 : as.n, size = value_size[as.kind];
		const char *value = as.to;

		static_assert(offsetof(struct kith_names, name) == 0, "a list");
		if (as.list) /* a pointer, or struct kith_names, which begins with one */
			memcpy(&value, as.list, sizeof(value));
		if (as.when < KITH_KEY_MAYBE ||
		    (as.when == KITH_KEY_MAYBE &&
			(n == 0 || !value || (as.to && memcmp(value, zero, size) == 0))))
			continue;
		assert(value || n == 0);
		kith_out_text(out, k->before);
		kith_out_text(out, as.name);
		for (size_t i = 0; i < n; i++) {
			kith_out_char(out, k->sep);
			write_value(&as, value + i * size, out);
		}
		kith_out_char(out, '\n');
	}
}
