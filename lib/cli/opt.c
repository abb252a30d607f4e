/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/opt.h"

#include "base/err.h"
#include "base/names.h"

#include <assert.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

int
kith_opt_argument(const struct kith_opt *o)
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
			    o->name, kith_opt_argument(o), NULL, LONG + (int)(o - opts)};
		if (o->key)
			*shorts++ = (char)o->key;
		if (o->key && kith_opt_argument(o) == required_argument)
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
	kith_opt_due(o, due, sizeof(due));
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
		const size_t size = kith_opt_kinds[o->type].stored;

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
		if (o->type == KITH_O_HELP && optarg && strcmp(optarg, o->arg) != 0)
			return kith_fail(err, KITH_EX_USAGE, "bad --%s: " KITH_CELL " (%s)",
			    o->name, optarg, o->arg);
		if (o->type == KITH_O_HELP)
			*o->to.flag = optarg;
		if (o->type == KITH_O_HELP || o->type == KITH_O_VERSION)
			break;
		if (kith_opt_store(o, optarg, pool))
			return refuse(c, o, err);
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
	memcpy(options[i].to.place, usual[i], kith_opt_kinds[options[i].type].stored);
	given[i] = false;
	return &options[i];
}

bool
kith_opt_given_type(enum kith_opt_type type)
{
	for (size_t i = 0; i < count_options(options); i++)
		if (given[i] && options[i].type == type)
			return true;
	return false;
}
