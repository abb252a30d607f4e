/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/opt_parse.h"

#include "base/err.h"
#include "cli/opt_value.h"
#include "text/out.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum {
	LONG = 256, /* LONG + i: option i by its long name */
	HEAD = 24,  /* columns before the text of --help */
	WIDTH = 80
};

size_t
kith_opt_count(const struct kith_opt *opts)
{
	size_t n = 0;

	while (opts[n].key || opts[n].name)
		n++;
	return n;
}

/* Whether a long option takes a value, as getopt_long() wants it. */
static int
argument(const struct kith_opt *o)
{
	if (o->type == KITH_O_MAYBE || o->type == KITH_O_HELP)
		return optional_argument;
	return o->arg ? required_argument : no_argument;
}

/* Write the options as getopt_long() wants them. */
static void
spell(const struct kith_opt *opts, struct option *longs, char *shorts)
{
	assert(kith_opt_count(opts) <= KITH_OPT_MOST);
	*shorts++ = ':'; /* tell a missing argument from an unknown option */
	for (const struct kith_opt *o = opts; o->key || o->name; o++) {
		if (o->name)
			*longs++ = (struct option){
			    o->name, argument(o), NULL, LONG + (int)(o - opts)};
		if (o->key)
			*shorts++ = (char)o->key;
		if (o->key && argument(o) == required_argument)
			*shorts++ = ':';
	}
}

/* What every command had. */
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

/* Fail because the command has no option `word`, of len bytes; it may have had it once. */
static void
fail_unknown(const struct kith_gone *gone, const char *word, int len, struct kith_err *err)
{
	const struct kith_gone *const table[] = {gone, gone_everywhere};

	for (size_t a = 0; a < 2; a++)
		for (const struct kith_gone *g = table[a]; g && g->option; g++)
			if (strlen(g->option) == (size_t)len &&
			    memcmp(g->option, word, (size_t)len) == 0) {
				kith_fail(
				    err, KITH_EX_USAGE, "%s is gone: %s", g->option, g->instead);
				return;
			}
	kith_fail(err, KITH_EX_USAGE, "unknown option '%.*s'", len < 60 ? len : 60, word);
}

/*
 * The long option that getopt_long() found, as c, in word, which may be an
 * abbreviation of it; or NULL.
 */
static const struct kith_opt *
found_long(const struct kith_opt *o, const struct kith_gone *gone, int c, const char *word,
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
found(const struct kith_opt *opts, const struct kith_gone *gone, int c, char *argv[],
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
		return found_long(opts + key - LONG, gone, c, word, err);
	if (key == 0)
		return found_long(NULL, gone, c, word, err);
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

/* Fail because the option c, found as o, does not take its value. */
static int
refuse(int c, const struct kith_opt *o, struct kith_err *err)
{
	char due[200], name[] = "-x";

	name[1] = (char)c;
	kith_opt_due(o, due, sizeof(due));
	return kith_fail(err, KITH_EX_USAGE, "bad %s%s: " KITH_CELL " (%s)", c < LONG ? "" : "--",
	    c < LONG ? name : o->name, optarg, due);
}

int
kith_opt_parse(const struct kith_opt *opts, const struct kith_gone *gone, int argc, char *argv[],
    bool *given, struct kith_pool *pool, struct kith_err *err)
{
	struct option longs[KITH_OPT_MOST + 1] = {0};
	char shorts[2 * KITH_OPT_MOST + 2] = "";
	int c;

	opterr = 0;
	optind = 0; /* glibc: from the start, also a second time */
	spell(opts, longs, shorts);
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct kith_opt *o = found(opts, gone, c, argv, err);

		if (!o)
			return -1;
		given[o - opts] = true;
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
	const bool maybe = argument(o) == optional_argument;

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
	const char *arg = argument(o) == required_argument ? o->arg : NULL;
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
	static const char *const type[] = {[KITH_O_HELP] = "optional",
	    [KITH_O_VERSION] = "flag",
	    [KITH_O_FLAG] = "flag",
	    [KITH_O_CHAR] = "character",
	    [KITH_O_REAL] = "number",
	    [KITH_O_SIZE] = "count",
	    [KITH_O_TEXT] = "text",
	    [KITH_O_FILE] = "file",
	    [KITH_O_COLUMN] = "column",
	    [KITH_O_COLUMNS] = "columns",
	    [KITH_O_RANGE] = "range",
	    [KITH_O_SIGMA] = "sigma",
	    [KITH_O_CHOICE] = "choice",
	    [KITH_O_MAYBE] = "optional",
	    [KITH_O_REALS] = "numbers",
	    [KITH_O_SIZES] = "counts",
	    [KITH_O_SHARD] = "shard"};
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
			 type[o->type], heading, o->help, NULL};
		     *s; s++) {
			kith_out_char(out, '\t');
			kith_out_text(out, *s);
		}
		kith_out_char(out, '\n');
	}
}
