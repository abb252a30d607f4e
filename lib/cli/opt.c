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
    [KITH_O_ANSWER] = {"optional", 0, NULL},
    [KITH_O_FLAG] = {"flag", sizeof(bool), NULL},
    [KITH_O_CHAR] = {"character", sizeof(char), "one character"},
    [KITH_O_REAL] = {"number", sizeof(double), "a number"},
    [KITH_O_AUTO] = {"number", sizeof(double), "auto or a number"},
    [KITH_O_SIZE] = {"count", sizeof(size_t), "a whole number"},
    [KITH_O_TEXT] = {"text", sizeof(const char *), NULL},
    [KITH_O_FILE] = {"file", sizeof(const char *), NULL},
    [KITH_O_SAVE] = {"file", sizeof(const char *), NULL},
    [KITH_O_COLUMN] = {"column", sizeof(const char *), NULL},
    [KITH_O_COLUMNS] = {"columns", sizeof(const char *), NULL},
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
	return kith_parse_size(s, n) || !in_range(o, (double)*n) ? -1 : 0;
}

static int
parse_real(const struct kith_opt *o, const char *s, double *x)
{
	return kith_parse_real(s, strlen(s), x) || !in_range(o, *x) ? -1 : 0;
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

/* Stores `first` for the first of the words, one more for the next. */
static int
store_choice(const struct kith_opt *o, const char *arg, int first, struct kith_pool *pool)
{
	char **word;
	const size_t n = kith_opt_divide(o->arg, '|', &word, pool);

	for (size_t i = 0; i < n; i++)
		if (strcmp(word[i], arg) == 0) {
			*o->to.choice = first + (int)i;
			return 0;
		}
	return -1;
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

/* Whether the value of an option may be left out. */
static bool
is_optional(const struct kith_opt *o)
{
	return o->type == KITH_O_MAYBE || o->type == KITH_O_ANSWER;
}

int
kith_opt_store(const struct kith_opt *o, const char *arg, struct kith_pool *pool)
{
	assert(arg || is_optional(o) || o->type == KITH_O_FLAG);
	switch (o->type) {
	case KITH_O_ANSWER:
	case KITH_O_MAYBE:
		if (arg)
			return store_choice(o, arg, 2, pool);
		*o->to.choice = 1;
		return 0;
	case KITH_O_FLAG:
		*o->to.flag = true;
		return 0;
	case KITH_O_CHAR:
		return store_char(o, arg);
	case KITH_O_AUTO:
		*o->to.real = -1;
		return strcmp(arg, "auto") == 0 ? 0 : parse_real(o, arg, o->to.real);
	case KITH_O_REAL:
		return parse_real(o, arg, o->to.real);
	case KITH_O_SIZE:
		return parse_size(o, arg, o->to.size);
	case KITH_O_CHOICE:
		return store_choice(o, arg, 0, pool);
	case KITH_O_REALS:
	case KITH_O_SIZES:
		return store_list(o, arg, pool);
	case KITH_O_SHARD:
		return store_shard(o, arg, pool);
	default: /* a text, of whatever kind */
		*o->to.text = arg;
		return 0;
	}
}

/* Writes what o takes: "a whole number from 1", "majority, distance or kernel". */
static void
describe(const struct kith_opt *o, char *text, size_t size, struct kith_pool *pool)
{
	const bool words = o->type == KITH_O_CHOICE || is_optional(o);
	char **word = NULL;
	const size_t n = words ? kith_opt_divide(o->arg, '|', &word, pool) : 0;
	const char *what = kinds[o->type].due;
	const double stored = o->type == KITH_O_SIZE || o->type == KITH_O_SIZES ? 0x1p53 : DBL_MAX;
	size_t used = (size_t)snprintf(text, size, "%s", what ? what : "");

	for (size_t i = 0; i < n && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
		    i == 0          ? ""
			: i + 1 < n ? ", "
				    : " or ",
		    word[i]);
	if (!(o->min < o->max))
		return;
	if (0 < o->min && o->min < 1e-300)
		used += (size_t)snprintf(text + used, size - used, " above 0");
	else if (o->min > -INFINITY)
		used += (size_t)snprintf(text + used, size - used, " from %.16g", o->min);
	if (o->max < stored) /* a bound of what can be stored is left out */
		snprintf(text + used, size - used, " to %.16g", o->max);
}

/* ---- The command line ---- */

/* The last command line that was parsed. */
static const struct kith_opt *options;
static bool given[KITH_OPT_MOST + 1];                        /* option i was on the command line */
static char usual[KITH_OPT_MOST][sizeof(struct kith_reals)]; /* its default; no type stores more */

const struct kith_opt *
kith_opt_find(const char *name)
{
	for (const struct kith_opt *o = options; o->key || o->name; o++)
		if (name[1] != '-' ? o->key == name[1] : o->name && strcmp(name + 2, o->name) == 0)
			return o;
	return NULL;
}

/* Options that every command had. */
static const struct kith_gone gone_everywhere[KITH_GONE_MOST] = {
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
};

/* Fails: the command has no option of this name, but may have had it once. */
static void
fail_unknown(const struct kith_gone *gone, const char *name, struct kith_err *err)
{
	const struct kith_gone *const table[] = {gone, gone_everywhere};
	const char *hint = "", *likely = NULL;
	size_t least = SIZE_MAX;

	for (size_t a = gone ? 0 : 1; a < 2; a++)
		for (size_t i = 0; i < KITH_GONE_MOST && table[a][i].option; i++) {
			const struct kith_gone *g = &table[a][i];

			if (!*g->option)
				hint = g->instead;
			else if (strcmp(g->option, name) == 0) {
				kith_fail(err, KITH_EX_USAGE, "%s is gone: %s", name, g->instead);
				return;
			}
		}
	for (const struct kith_opt *o = options; o->key || o->name; o++)
		if (o->name && name[2] && kith_names_nearer(name + 2, o->name, &least))
			likely = o->name;
	kith_fail(err, KITH_EX_USAGE, "unknown option '%s'%s%s%s", name, likely ? " (--" : hint,
	    likely ? likely : "", likely ? "?)" : "");
}

enum { LONG = 256, NAME_SIZE = 61 }; /* LONG: what getopt_long() returns for each long option */

/* Sets the tables of getopt_long(). */
static void
set_getopt_tables(struct option *longs, char *shorts)
{
	*shorts++ = ':'; /* tell a missing value from an unknown option */
	for (const struct kith_opt *o = options; o->key || o->name; o++) {
		int value = is_optional(o) ? optional_argument : required_argument;

		if (!o->arg)
			value = no_argument;
		if (o->name)
			*longs++ = (struct option){o->name, value, NULL, LONG};
		if (o->key)
			*shorts++ = (char)o->key;
		if (o->key && value == required_argument)
			*shorts++ = ':';
	}
}

/* The option that getopt_long() found, as c, and its name in the user's words; NULL if wrong. */
static const struct kith_opt *
find_parsed(int c, char *argv[], const struct kith_gone *gone, char *name, struct kith_err *err)
{
	const int key = c == '?' || c == ':' ? optopt : c;
	const char *word = argv[optind - 1] == optarg ? argv[optind - 2] : argv[optind - 1];
	const struct kith_opt *o;

	if (key == 0 || key == LONG) /* 0: no option begins like this one */
		snprintf(name, NAME_SIZE, "%.*s", (int)strcspn(word, "="), word);
	else
		snprintf(name, NAME_SIZE, "-%c", key);
	o = kith_opt_find(name); /* getopt_long() takes abbreviations, too */
	if (!o)
		fail_unknown(gone, name, err);
	else if (c == ':')
		kith_fail(err, KITH_EX_USAGE, "%s needs a value", name);
	else if (c == '?')
		kith_fail(err, KITH_EX_USAGE, "%s takes no value", name);
	else
		return o;
	return NULL;
}

/*
 * Stores the value of an option.  Fails where it was given before with another value, where the
 * user may have meant the files or lists of both; else, as with "random|FILE", the last one counts.
 */
static int
store_value(const struct kith_opt *o, const char *name, const char *before, struct kith_pool *pool,
    struct kith_err *err)
{
	const bool file = strcmp(o->arg ? o->arg : "", "FILE") == 0;
	const bool list = o->type == KITH_O_COLUMNS || o->type == KITH_O_REALS ||
	    o->type == KITH_O_SIZES;
	char due[200];

	if (before && optarg && (list || file) && strcmp(before, optarg) != 0)
		return kith_fail(err, KITH_EX_USAGE, "%s: given twice%s", name,
		    list ? " (one LIST, as a,b?)" : "");
	if (kith_opt_store(o, optarg, pool) == 0)
		return 0;
	describe(o, due, sizeof(due), pool);
	return kith_fail(err, KITH_EX_USAGE, "bad %s: " KITH_CELL " (%s)", name, optarg, due);
}

int
kith_opt_parse(const struct kith_opt *opts, const struct kith_gone *gone, int argc, char *argv[],
    struct kith_pool *pool, struct kith_err *err)
{
	struct option longs[KITH_OPT_MOST + 1] = {0};
	char shorts[2 * KITH_OPT_MOST + 2] = "", name[NAME_SIZE];
	const char *before[KITH_OPT_MOST] = {0}; /* values of options on the command line so far */
	int c;

	options = opts;
	for (const struct kith_opt *o = opts; o->key || o->name; o++) {
		const size_t size = kinds[o->type].stored;

		assert(o - opts < KITH_OPT_MOST);
		given[o - opts] = false;
		if (size > 0)
			memcpy(usual[o - opts], o->to.place, size);
	}
	opterr = 0;
	optind = 0; /* glibc: from the start, also a second time */
	set_getopt_tables(longs, shorts);
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct kith_opt *o = find_parsed(c, argv, gone, name, err);

		if (!o || store_value(o, name, before[o - opts], pool, err))
			return -1;
		given[o - opts] = true;
		before[o - opts] = optarg;
		if (o->type == KITH_O_ANSWER)
			break;
	}
	return optind;
}

/* The number of the option that stores at this place; that of all for none. */
static size_t
option_at(const void *place)
{
	size_t i = 0;

	while ((options[i].key || options[i].name) && options[i].to.place != place)
		i++;
	return i;
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

/* Writes the names of an option, "-f, --flag", divided by `by`. */
static void
write_names(const struct kith_opt *o, const char *by, char text[static WIDTH])
{
	const char key[] = {'-', (char)o->key, '\0'};

	snprintf(text, WIDTH, "%s%s%s%s", o->key ? key : "", o->key && o->name ? by : "",
	    o->name ? "--" : "", o->name ? o->name : "");
}

/* Prints a line on an option, or two: words that follow a long head stand beside it if they fit. */
static void
print_option(struct kith_out *out, const struct kith_opt *o)
{
	const bool maybe = is_optional(o);
	char names[WIDTH], head[2 * WIDTH];
	size_t len, from = HEAD;

	write_names(o, ", ", names);
	len = (size_t)snprintf(head, sizeof(head), "  %s%s%s%s%s", o->key ? "" : "    ", names,
	    maybe        ? "[="
		: o->arg ? " "
			 : "",
	    o->arg ? o->arg : "", maybe ? "]" : "");
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
	const char *arg = is_optional(o) ? NULL : o->arg;
	char names[WIDTH], name[2 * WIDTH];
	size_t len;

	write_names(o, "/", names);
	len = (size_t)snprintf(
	    name, sizeof(name), "  %s%s%s", names, arg ? " " : "", arg ? arg : "");
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
	bool common = false;
	size_t at = 0;

	for (const struct kith_opt *o = opts; o->key || o->name; o++) {
		if (o->heading && strcmp(o->heading, heading) != 0) {
			heading = o->heading;
			common = strcmp(heading, KITH_COMMON) == 0;
			kith_out_text(
			    out, common ? "Of all commands, explained in kith(7)" : heading);
			kith_out_text(out, ":\n");
		}
		if (common)
			at = print_name(out, o, at);
		else
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
		char option[WIDTH], line[10 * WIDTH];

		if (o->heading)
			heading = o->heading;
		write_names(o, ", ", option);
		snprintf(line, sizeof(line), "%s\t%s\t%s\t%s\t%s\n", option, o->arg ? o->arg : "",
		    kinds[o->type].name, heading, o->help);
		kith_out_text(out, line);
	}
}
