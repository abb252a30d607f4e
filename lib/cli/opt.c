/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/opt.h"

#include "base/err.h"
#include "base/names.h"
#include "base/num.h"
#include "base/pool.h"
#include "text/out.h"
#include "text/rows.h"

#include <assert.h>
#include <float.h>
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- Types of options: what each stores, and how a value is read ---- */

/* The types, by enum kith_opt_type. */
static const struct kind {
	const char *name; /* in the table of --help=tsv */
	size_t stored;    /* bytes that an option stores */
	const char *due;  /* what the option takes, for messages; NULL: they name the value alone */
} kinds[] = {
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
	case KITH_O_VERSION:
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
	case KITH_O_HELP:
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

/* Writes what o takes, "a whole number from 1". */
static void
describe(const struct kith_opt *o, char *text, size_t size)
{
	const char *what = kinds[o->type].due;
	const bool ranged = o->type == KITH_O_REAL || o->type == KITH_O_SIZE ||
	    o->type == KITH_O_REALS || o->type == KITH_O_SIZES;

	if (o->type == KITH_O_CHOICE || o->type == KITH_O_MAYBE || o->type == KITH_O_HELP)
		describe_choice(o, text, size);
	else if (ranged)
		describe_range(o, what, text, size);
	else
		snprintf(text, size, "%s", what ? what : "");
}

/* ---- The command line ---- */

enum { LONG = 256 }; /* LONG + i: option i by its long name */

/* The last command line that was parsed. */
static const struct kith_opt *options;
static bool given[KITH_OPT_MOST + 1];                        /* option i was on the command line */
static char usual[KITH_OPT_MOST][sizeof(struct kith_reals)]; /* its default; no type stores more */

/* The number of options in a table. */
static size_t
count_options(const struct kith_opt *opts)
{
	size_t n = 0;

	while (opts[n].key || opts[n].name)
		n++;
	return n;
}

/* Returns no_argument, required_argument or optional_argument. */
static int
argument_of(const struct kith_opt *o)
{
	if (o->type == KITH_O_MAYBE || o->type == KITH_O_HELP)
		return optional_argument;
	return o->arg ? required_argument : no_argument;
}

/* Sets the tables of getopt_long(). */
static void
set_getopt_tables(const struct kith_opt *opts, struct option *longs, char *shorts)
{
	*shorts++ = ':'; /* tell a missing argument from an unknown option */
	for (const struct kith_opt *o = opts; o->key || o->name; o++) {
		if (o->name)
			*longs++ = (struct option){
			    o->name, argument_of(o), NULL, LONG + (int)(o - opts)};
		if (o->key)
			*shorts++ = (char)o->key;
		if (o->key && argument_of(o) == required_argument)
			*shorts++ = ':';
	}
}

/* Options that every command had. */
static const struct kith_gone gone_everywhere[] = {
    {"--dry-run", "'head -n 1000 TABLE' and 'time' tell what a run costs"},
    {"--jsonl", "'mlr --itsv --ojsonl cat' makes JSON Lines of a table"},
    {"--format", "files are recognised; tabscale --method none --format svmlight FILE | COMMAND"},
    {"--header", "letters before names that are numbers: sed '1s/[^,]*/V&/g' TABLE | COMMAND"},
    {"--ignore", "-x '!a,!b' leaves the columns a and b out"},
    {"--keep", "--id names the rows, and join adds columns of the table by it"},
    {"--na-string", "tabscale --method none --na-string LIST TABLE | COMMAND"},
    {"--log", "-v prints the log: COMMAND -v 2> log"},
    {"--progress", "-v prints progress every 10 s, in its log"},
    {"--trace", "-v prints each iteration"},
    {0},
};

/* Fails: the command has no option `word`, of len bytes, but may have had it once. */
static void
fail_unknown(const struct kith_gone *gone, const char *word, int len, struct kith_err *err)
{
	const struct kith_gone *const table[] = {gone, gone_everywhere};
	char text[61];
	const char *hint = "", *likely = NULL;
	size_t least = SIZE_MAX;

	for (size_t a = 0; a < 2; a++)
		for (const struct kith_gone *g = table[a]; g && g->option; g++)
			if (!*g->option) {
				hint = g->instead;
			} else if (strlen(g->option) == (size_t)len &&
			    memcmp(g->option, word, (size_t)len) == 0) {
				kith_fail(
				    err, KITH_EX_USAGE, "%s is gone: %s", g->option, g->instead);
				return;
			}
	snprintf(text, sizeof(text), "%.*s", len, word);
	for (const struct kith_opt *o = options; o->key || o->name; o++)
		if (o->name && len > 2 && kith_names_nearer(text + 2, o->name, &least))
			likely = o->name;
	kith_fail(err, KITH_EX_USAGE, "unknown option '%s'%s%s%s", text, likely ? " (--" : hint,
	    likely ? likely : "", likely ? "?)" : "");
}

/*
 * The long option that getopt_long() found, as c, in word, which may be an
 * abbreviation of it; or NULL.
 */
static const struct kith_opt *
find_long(const struct kith_opt *o, const struct kith_gone *gone, int c, const char *word,
    struct kith_err *err)
{
	const int len = (int)strcspn(word, "=");
	const char *name = o ? o->name : "";

	if (!o || (size_t)len != strlen(name) + 2)
		fail_unknown(gone, word, len, err);
	else if (c == ':')
		kith_fail(err, KITH_EX_USAGE, "--%s needs a value", name);
	else if (c == '?')
		kith_fail(err, KITH_EX_USAGE, "--%s takes no value", name);
	else
		return o;
	return NULL;
}

/* The option that getopt_long() found, as c; NULL when it is none. */
static const struct kith_opt *
find_parsed(const struct kith_opt *opts, const struct kith_gone *gone, int c, char *argv[],
    struct kith_err *err)
{
	const bool wrong = c == '?' || c == ':';
	const int key = wrong ? optopt : c;
	const char *word = argv[optind - 1];
	const struct kith_opt *o = opts;
	char name[] = "-x";

	if (!wrong && word == optarg)
		word = argv[optind - 2];
	if (key >= LONG)
		return find_long(opts + key - LONG, gone, c, word, err);
	if (key == 0)
		return find_long(NULL, gone, c, word, err);
	name[1] = (char)key;
	if (c == ':')
		kith_fail(err, KITH_EX_USAGE, "%s needs a value", name);
	if (c == '?')
		fail_unknown(gone, name, 2, err);
	if (wrong)
		return NULL;
	while (o->key != key)
		o++;
	return o;
}

/* Fail because the option c, which is o, does not take its value. */
static int
refuse(int c, const struct kith_opt *o, struct kith_err *err)
{
	char due[200], name[] = "-x";

	name[1] = (char)c;
	describe(o, due, sizeof(due));
	return kith_fail(err, KITH_EX_USAGE, "bad %s%s: " KITH_CELL " (%s)", c < LONG ? "" : "--",
	    c < LONG ? name : o->name, optarg, due);
}

/*
 * Fails because the option c, which is o, was given before with another value, where the user may
 * have meant the files or lists of both; else the last one counts.
 */
static int
refuse_second(int c, const struct kith_opt *o, const char *before, struct kith_err *err)
{
	const char name[] = {'-', (char)c, '\0'};

	if (o->type != KITH_O_FILE && o->type != KITH_O_COLUMNS && o->type != KITH_O_REALS &&
	    o->type != KITH_O_SIZES)
		return 0;
	if (before && strcmp(before, optarg) == 0)
		return 0;
	return kith_fail(err, KITH_EX_USAGE, "%s%s: given twice%s", c < LONG ? "" : "--",
	    c < LONG ? name : o->name, o->type == KITH_O_FILE ? "" : " (one LIST, as a,b?)");
}

int
kith_opt_parse(const struct kith_opt *opts, const struct kith_gone *gone, int argc, char *argv[],
    struct kith_pool *pool, struct kith_err *err)
{
	struct option longs[KITH_OPT_MOST + 1] = {0};
	char shorts[2 * KITH_OPT_MOST + 2] = "";
	const char *before[KITH_OPT_MOST] = {0}; /* values of options on the command line so far */
	int c;

	assert(count_options(opts) <= KITH_OPT_MOST);
	options = opts;
	for (const struct kith_opt *o = opts; o->key || o->name; o++) {
		const size_t size = kinds[o->type].stored;

		given[o - opts] = false;
		if (size > 0)
			memcpy(usual[o - opts], o->to.place, size);
	}
	opterr = 0;
	optind = 0; /* glibc: from the start, also a second time */
	set_getopt_tables(opts, longs, shorts);
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct kith_opt *o = find_parsed(opts, gone, c, argv, err);

		if (!o)
			return -1;
		if (given[o - opts] && refuse_second(c, o, before[o - opts], err))
			return -1;
		given[o - opts] = true;
		before[o - opts] = optarg;
		if (kith_opt_store(o, optarg, pool))
			return refuse(c, o, err);
		if (o->type == KITH_O_HELP || o->type == KITH_O_VERSION)
			break;
	}
	return optind;
}

/* The number of the option that stores at this place; that of all for none. */
static size_t
option_at(const void *place)
{
	const size_t n = count_options(options);

	for (size_t i = 0; i < n; i++)
		if (options[i].to.place == place)
			return i;
	return n;
}

bool
kith_given(const void *place)
{
	return given[option_at(place)];
}

const struct kith_opt *
kith_opt_forget(const void *place)
{
	const size_t i = option_at(place);

	if (!given[i])
		return NULL;
	memcpy(options[i].to.place, usual[i], kinds[options[i].type].stored);
	given[i] = false;
	return &options[i];
}

/* ---- --help ---- */

enum {
	HEAD = 24, /* columns before the text of --help */
	WIDTH = 80
};

/* Print a text from column from on, at column at, in lines of WIDTH. */
static void
put_text(struct kith_out *out, const char *s, size_t from, size_t at)
{
	for (;;) {
		for (; at < from; at++)
			kith_out_char(out, ' ');
		for (size_t len; *s; s += len, at += len) {
			len = 1 + strcspn(s + 1, " ");
			if (at > from && at + len > WIDTH)
				break;
			kith_out_bytes(out, s, len);
		}
		kith_out_char(out, '\n');
		if (!*s)
			return;
		s++; /* the blank between lines */
		at = 0;
	}
}

/* Writes what stands before the words of an option, and returns its length. */
static size_t
head_of(const struct kith_opt *o, char head[static WIDTH])
{
	const bool maybe = argument_of(o) == optional_argument;

	return (size_t)snprintf(head, WIDTH, "  %s%c%s%s%s%s%s%s", o->key ? "-" : " ",
	    o->key ? o->key : ' ',
	    !o->key       ? "  "
		: o->name ? ", "
			  : "",
	    o->name ? "--" : "", o->name ? o->name : "",
	    maybe        ? "[="
		: o->arg ? " "
			 : "",
	    o->arg ? o->arg : "", maybe ? "]" : "");
}

/* Prints a line on an option, or two: words that follow a long head stand beside it if they fit. */
static void
print_option(struct kith_out *out, const struct kith_opt *o)
{
	char head[WIDTH];
	size_t len = head_of(o, head), from = HEAD;

	kith_out_text(out, head);
	if (len > HEAD - 2 && len + 2 + strlen(o->help) <= WIDTH) {
		from = len + 2;
	} else if (len > HEAD - 2) {
		kith_out_char(out, '\n');
		len = 0;
	}
	put_text(out, o->help, from, len);
}

/* Prints the names of an option, "  -o/--output FILE"; at is the length of the line so far. */
static size_t
print_name(struct kith_out *out, const struct kith_opt *o, size_t at)
{
	const char *arg = argument_of(o) == required_argument ? o->arg : NULL;
	char key[] = "-x/", name[WIDTH];
	size_t len;

	key[1] = (char)o->key;
	len = (size_t)snprintf(name, WIDTH, "  %s--%s%s%s", o->key ? key : "", o->name,
	    arg ? " " : "", arg ? arg : "");
	if (at + len > WIDTH) {
		kith_out_char(out, '\n');
		at = 0;
	}
	kith_out_text(out, name);
	return at + len;
}

void
kith_opt_help(struct kith_out *out, const struct kith_opt *opts)
{
	const char *heading = "";
	size_t at = 0;

	for (const struct kith_opt *o = opts; o->key || o->name; o++) {
		const bool begins = o->heading && strcmp(o->heading, heading) != 0;

		if (begins)
			heading = o->heading;
		if (strcmp(heading, KITH_COMMON) == 0) {
			if (begins)
				kith_out_text(out, "Of all commands, explained in kith(7):\n");
			at = print_name(out, o, at);
			continue;
		}
		if (begins) {
			kith_out_text(out, heading);
			kith_out_text(out, ":\n");
		}
		print_option(out, o);
	}
	if (at > 0)
		kith_out_char(out, '\n');
}

void
kith_opt_table(struct kith_out *out, const struct kith_opt *opts)
{
	const char *heading = "";

	kith_out_text(out, "option\targument\ttype\theading\twords\n");
	for (const struct kith_opt *o = opts; o->key || o->name; o++) {
		char option[WIDTH];

		if (o->heading)
			heading = o->heading;
		snprintf(option, sizeof(option), "%s%c%s%s%s", o->key ? "-" : "",
		    o->key ? o->key : '-', o->key && o->name ? ", -" : "", o->name ? "-" : "",
		    o->name ? o->name : "");
		kith_out_text(out, option);
		for (const char *const *s = (const char *const[]){o->arg ? o->arg : "",
			 kinds[o->type].name, heading, o->help, NULL};
		     *s; s++) {
			kith_out_char(out, '\t');
			kith_out_text(out, *s);
		}
		kith_out_char(out, '\n');
	}
}
