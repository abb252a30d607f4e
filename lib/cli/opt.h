/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/opt - the options of a command, stated once, in a table: values, ranges, the text
 * of --help and the table of --help=tsv come from it.
 */
#ifndef KITH_CLI_OPT_H
#define KITH_CLI_OPT_H

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_out;
struct kith_pool;

enum { KITH_OPT_MOST = 64, KITH_GONE_MOST = 16 }; /* options of a table, and those that are gone */

/* A list of numbers from the command line: v[0..n-1]. */
struct kith_sizes {
	size_t n, *v;
};
struct kith_reals {
	size_t n;
	double *v;
};

/* --shard I/N: block i (from 1) of n; {1, 1} is all. */
struct kith_shard {
	size_t i, n;
};

struct kith_opt {
	int key;          /* short option, or 0 */
	const char *name; /* long option, or NULL; neither ends the table */
	enum kith_opt_type {
		KITH_O_ANSWER, /* as KITH_O_MAYBE, or without words; what follows is not parsed */
		KITH_O_FLAG,
		KITH_O_CHAR,
		KITH_O_REAL,
		KITH_O_AUTO, /* a number from 0, or the word auto: stored is -1 */
		KITH_O_SIZE,
		KITH_O_TEXT,
		KITH_O_FILE,    /* a text, as the next three: a file that is read */
		KITH_O_SAVE,    /* a file that is written */
		KITH_O_COLUMN,  /* name or number of a column */
		KITH_O_COLUMNS, /* a list of columns */
		KITH_O_CHOICE,  /* arg is "a|b|c"; stored is 0, 1, 2 */
		KITH_O_MAYBE,   /* --name or --name=a; stored is 1, or 2, 3 */
		KITH_O_REALS,
		KITH_O_SIZES,
		KITH_O_SHARD
	} type;
	const char *arg; /* what --help calls the argument, or NULL */
	union {
		bool *flag;
		char *ch;
		double *real;
		size_t *size;
		const char **text;
		int *choice;
		struct kith_reals *reals;
		struct kith_sizes *sizes;
		struct kith_shard *shard;
		void *place; /* any of them */
	} to;
	double min, max;  /* of a number, both allowed, min < max; DBL_TRUE_MIN: above 0 */
	const char *help; /* what the option does, the default in brackets */
	/* The heading of --help that the option stands under; NULL: that of the option above. */
	const char *heading;
};

/* Options under this heading are only named in --help: kith(7) explains them. */
#define KITH_COMMON "Common"

/* An option that the command had in an earlier version. */
struct kith_gone {
	const char *option;  /* "--name" or "-k"; NULL: no more; "": any unknown option */
	const char *instead; /* what the user does now: "the path is exact; leave it out"; of "" the
				end of the message: " (an option of COMMAND?)" */
};

/* A row's type, place and range: {'k', NULL, KITH_SIZE(&k, 1, 9), "words", "heading"} */
#define KITH_FLAG(v) KITH_O_FLAG, NULL, {.flag = (v)}, 0, 0
#define KITH_CHAR(v) KITH_O_CHAR, "CHAR", {.ch = (v)}, 0, 0
#define KITH_COL(v) KITH_O_COLUMN, "COL", {.text = (v)}, 0, 0
#define KITH_LIST(v) KITH_O_COLUMNS, "LIST", {.text = (v)}, 0, 0
#define KITH_FILE(v) KITH_FILE_OR(v, "FILE")
#define KITH_FILE_OR(v, words) KITH_O_FILE, (words), {.text = (v)}, 0, 0 /* "random|FILE" */
#define KITH_SAVE(v) KITH_O_SAVE, "FILE", {.text = (v)}, 0, 0
#define KITH_TEXT(v, arg) KITH_O_TEXT, (arg), {.text = (v)}, 0, 0
#define KITH_CHOICE(v, words) KITH_O_CHOICE, (words), {.choice = (v)}, 0, 0
#define KITH_MAYBE(v, words) KITH_O_MAYBE, (words), {.choice = (v)}, 0, 0
#define KITH_AUTO(v, lo, hi) KITH_O_AUTO, "auto|X", {.real = (v)}, (lo), (hi)
#define KITH_REAL(v, lo, hi) KITH_O_REAL, "X", {.real = (v)}, (lo), (hi)
#define KITH_SIZE(v, lo, hi) KITH_O_SIZE, "N", {.size = (v)}, (lo), (hi)
#define KITH_REALS(v, lo, hi) KITH_O_REALS, "LIST", {.reals = (v)}, (lo), (hi)
#define KITH_SIZES(v, lo, hi) KITH_O_SIZES, "LIST", {.sizes = (v)}, (lo), (hi)
#define KITH_SHARD(v) KITH_O_SHARD, "I/N", {.shard = (v)}, 1, 0

/*
 * Parses the command line: stores values where the options point; lists go to the pool.  Operands
 * are moved to the end of argv; returns where they start there.  Stops at --help and --version,
 * which are left to the caller.
 *
 * Of an option that is given several times the last value counts.  Fails with KITH_EX_USAGE on a
 * FILE or a list that has another value then, on an option that is unknown or abbreviated, lacks
 * its value or has one too many, and on a value that is not allowed.  The message about an unknown
 * option that is among the KITH_GONE_MOST of `gone` (NULL: there is none) says what to do instead.
 */
int kith_opt_parse(const struct kith_opt *opts, const struct kith_gone *gone, int argc,
    char *argv[], struct kith_pool *pool, struct kith_err *err);

/* The option of the last command line's table with this name, "-k" or "--name", or NULL. */
const struct kith_opt *kith_opt_find(const char *name);

/* Whether the last command line had the option that stores at this place. */
bool kith_given(const void *place);

/*
 * Makes the option that stores at this place as if it had not been given: its default is stored
 * there, and kith_given() says no.  Returns it, or NULL where it was not given.
 */
const struct kith_opt *kith_opt_forget(const void *place);

/* Stores a value (NULL for a flag) where o points; returns -1 if it is wrong. */
int kith_opt_store(const struct kith_opt *o, const char *arg, struct kith_pool *pool);

/* Divides a copy of arg, in the pool, at each byte `by` into texts; returns their number. */
size_t kith_opt_divide(const char *arg, char by, char ***text, struct kith_pool *pool);

/*
 * Prints the options under their headings, as --help does; the options of KITH_COMMON by their
 * names alone.
 */
void kith_opt_help(struct kith_out *out, const struct kith_opt *opts);

/* Prints the table of --help=tsv: option, argument, type, heading, words; a line an option. */
void kith_opt_table(struct kith_out *out, const struct kith_opt *opts);

#endif
