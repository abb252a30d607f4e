/* SPDX-License-Identifier: BSD-2-Clause */
/* cli/opt_value - the types of options (cli/opt.h): what each stores, and how a value is read. */
#include "cli/opt.h"

#include "base/num.h"
#include "base/pool.h"
#include "text/rec.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const struct kith_opt_kind kith_opt_kinds[] = {
    [KITH_O_HELP] = {"optional", 0, NULL},
    [KITH_O_VERSION] = {"flag", 0, NULL},
    [KITH_O_FLAG] = {"flag", sizeof(bool), NULL},
    [KITH_O_CHAR] = {"character", sizeof(char), "one character"},
    [KITH_O_REAL] = {"number", sizeof(double), "a number"},
    [KITH_O_SIZE] = {"count", sizeof(size_t), "a whole number"},
    [KITH_O_TEXT] = {"text", sizeof(const char *), NULL},
    [KITH_O_FILE] = {"file", sizeof(const char *), NULL},
    [KITH_O_COLUMN] = {"column", sizeof(const char *), NULL},
    [KITH_O_COLUMNS] = {"columns", sizeof(const char *), NULL},
    [KITH_O_RANGE] = {"range", sizeof(const char *), NULL},
    [KITH_O_SIGMA] = {"sigma", sizeof(const char *), NULL},
    [KITH_O_CHOICE] = {"choice", sizeof(int), NULL},
    [KITH_O_MAYBE] = {"optional", sizeof(int), NULL},
    [KITH_O_REALS] = {"numbers", sizeof(struct kith_reals), "distinct numbers, as .1,.3,"},
    [KITH_O_SIZES] = {"counts", sizeof(struct kith_sizes), "distinct whole numbers, as 1,3,5,"},
    [KITH_O_SHARD] = {"shard", sizeof(struct kith_shard), "I/N with I from 1 to N"},
};

static bool
in_range(const struct kith_opt *o, double x)
{
	return o->min <= x && x <= o->max;
}

static int
parse_size(const struct kith_opt *o, const char *s, size_t *n)
{
	size_t got;

	if (kith_parse_size(s, &got) || !in_range(o, (double)got))
		return -1;
	*n = got;
	return 0;
}

static int
parse_real(const struct kith_opt *o, const char *s, double *x)
{
	double got;

	if (kith_parse_real(s, strlen(s), &got) || !in_range(o, got))
		return -1;
	*x = got;
	return 0;
}

size_t
kith_opt_divide(const char *arg, char by, char ***text, struct kith_pool *pool)
{
	char *s = kith_strndup(pool, arg, strlen(arg));
	size_t n = 0;

	*text = kith_new(pool, strlen(arg) + 1, sizeof(**text));
	while (s) {
		(*text)[n++] = s;
		s = strchr(s, by);
		if (s)
			*s++ = '\0';
	}
	return n;
}

/* Stores a list of numbers, or of whole numbers, each there once. */
static int
store_list(const struct kith_opt *o, const char *arg, struct kith_pool *pool)
{
	char **text;
	const size_t n = kith_opt_divide(arg, ',', &text, pool);
	const bool whole = o->type == KITH_O_SIZES;
	double *x;
	size_t *k;

	KITH_NEW_REALS(pool, n, 1, &x);
	KITH_NEW_SIZES(pool, n, 1, &k);
	for (size_t i = 0; i < n; i++) {
		if (whole ? parse_size(o, text[i], &k[i]) : parse_real(o, text[i], &x[i]))
			return -1;
		for (size_t h = 0; h < i; h++)
			if (whole ? k[h] == k[i] : x[h] == x[i])
				return -1;
	}
	if (whole)
		*o->to.sizes = (struct kith_sizes){n, k};
	else
		*o->to.reals = (struct kith_reals){n, x};
	return 0;
}

static int
store_char(const struct kith_opt *o, const char *arg)
{
	if (strcmp(arg, "\\t") == 0)
		arg = "\t";
	if (strcmp(arg, "space") == 0) {
		*o->to.ch = KITH_SEP_BLANKS;
		return 0;
	}
	if (!arg[0] || arg[1] || strchr("\n\r\"", arg[0]))
		return -1;
	*o->to.ch = arg[0];
	return 0;
}

static int
store_choice(const struct kith_opt *o, const char *arg)
{
	const size_t len = strlen(arg);
	const char *word = o->arg;

	for (int i = 0;; i++) {
		const size_t room = strcspn(word, "|");

		if (room == len && memcmp(word, arg, len) == 0) {
			*o->to.choice = i;
			return 0;
		}
		if (!word[room])
			return -1;
		word += room + 1;
	}
}

/* 1 without a word, 2 for the first of the words. */
static int
store_maybe(const struct kith_opt *o, const char *arg)
{
	if (!arg)
		*o->to.choice = 1;
	else if (store_choice(o, arg))
		return -1;
	else
		*o->to.choice += 2;
	return 0;
}

static int
store_shard(const struct kith_opt *o, const char *arg, struct kith_pool *pool)
{
	struct kith_shard shard;
	char **text;

	if (kith_opt_divide(arg, '/', &text, pool) != 2 || kith_parse_size(text[0], &shard.i) ||
	    kith_parse_size(text[1], &shard.n) || shard.i < 1 || shard.i > shard.n)
		return -1;
	*o->to.shard = shard;
	return 0;
}

int
kith_opt_store(const struct kith_opt *o, const char *arg, struct kith_pool *pool)
{
	switch (o->type) {
	case KITH_O_HELP:
	case KITH_O_VERSION:
		break;
	case KITH_O_FLAG:
		*o->to.flag = true;
		return 0;
	case KITH_O_CHAR:
		return store_char(o, arg);
	case KITH_O_REAL:
		return parse_real(o, arg, o->to.real);
	case KITH_O_SIZE:
		return parse_size(o, arg, o->to.size);
	case KITH_O_TEXT:
	case KITH_O_FILE:
	case KITH_O_COLUMN:
	case KITH_O_COLUMNS:
	case KITH_O_RANGE:
	case KITH_O_SIGMA:
		*o->to.text = arg;
		return 0;
	case KITH_O_CHOICE:
		return store_choice(o, arg);
	case KITH_O_MAYBE:
		return store_maybe(o, arg);
	case KITH_O_REALS:
	case KITH_O_SIZES:
		return store_list(o, arg, pool);
	case KITH_O_SHARD:
		return store_shard(o, arg, pool);
	}
	return -1;
}

/* Writes what, and the range of o: "from 1 to 9", "above 0" or the like. */
static void
describe_range(const struct kith_opt *o, const char *what, char *text, size_t size)
{
	const bool whole = o->type == KITH_O_SIZE || o->type == KITH_O_SIZES;
	const bool above = !whole && 0 < o->min && o->min < 1e-300;
	/* A bound of what can be stored is left out. */
	const bool bound = o->max < (whole ? 0x1p53 : DBL_MAX);
	char min[KITH_NUM_ROOM] = "0", max[KITH_NUM_ROOM] = "";

	if (whole)
		kith_format_size(min, (size_t)o->min);
	else if (!above)
		kith_format_real(min, o->min);
	if (bound && whole)
		kith_format_size(max, (size_t)o->max);
	else if (bound)
		kith_format_real(max, o->max);
	snprintf(text, size, "%s%s%s%s%s", what,
	    o->min == -INFINITY ? ""
		: above         ? " above "
				: " from ",
	    o->min == -INFINITY ? "" : min, bound ? " to " : "", max);
}

/* Writes "majority, distance or kernel" for "majority|distance|kernel". */
static void
describe_choice(const struct kith_opt *o, char *text, size_t size)
{
	size_t used = 0;

	for (const char *word = o->arg; *word && used < size;) {
		const size_t len = strcspn(word, "|");
		const bool last = !word[len];

		used += (size_t)snprintf(text + used, size - used, "%s%.*s",
		    word == o->arg ? ""
			: last     ? " or "
				   : ", ",
		    (int)len, word);
		word += last ? len : len + 1;
	}
}

void
kith_opt_due(const struct kith_opt *o, char *text, size_t size)
{
	const char *what = kith_opt_kinds[o->type].due;
	const bool ranged = o->type == KITH_O_REAL || o->type == KITH_O_SIZE ||
	    o->type == KITH_O_REALS || o->type == KITH_O_SIZES;

	if (o->type == KITH_O_CHOICE || o->type == KITH_O_MAYBE)
		describe_choice(o, text, size);
	else if (ranged)
		describe_range(o, what, text, size);
	else
		snprintf(text, size, "%s", what ? what : "");
}
