/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/cli/opt.h: values, their ranges, and what is said of wrong ones.
 */
#include "cli/opt.h"

#include "base/err.h"
#include "base/pool.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static bool flag;
static char ch;
static double real, above, share;
static size_t size, few;
static const char *file, *column, *columns, *width;
static int choice, maybe;
static struct kith_reals reals;
static struct kith_sizes sizes;
static struct kith_shard shard;

static int help;
static const struct kith_opt opts[] = {
    {'f', "flag", KITH_FLAG(&flag), "a flag", NULL},
    {'d', NULL, KITH_CHAR(&ch), "a character", NULL},
    {0, "real", KITH_REAL(&real, -INFINITY, INFINITY), "a number", NULL},
    {0, "above", KITH_REAL(&above, DBL_TRUE_MIN, INFINITY), "above 0", NULL},
    {0, "share", KITH_REAL(&share, 0, 1), "between", NULL},
    {'k', NULL, KITH_SIZE(&size, 1, INFINITY), "from 1", NULL},
    {'n', "few", KITH_SIZE(&few, 0, 9), "to 9", NULL},
    {'t', "train", KITH_FILE(&file), "a file", NULL},
    {'c', "column", KITH_COL(&column), "a column", NULL},
    {'l', "columns", KITH_LIST(&columns), "columns", NULL},
    {0, "width", KITH_TEXT(&width, "S"), "a bandwidth", NULL},
    {0, "vote", KITH_CHOICE(&choice, "one|other|third"), "a choice", NULL},
    {0, "maybe", KITH_MAYBE(&maybe, "se|sd"), "a word or none", NULL},
    {0, "reals", KITH_REALS(&reals, 0, 100), "numbers", NULL},
    {0, "sizes", KITH_SIZES(&sizes, 1, INFINITY), "whole numbers", NULL},
    {0, "shard", KITH_SHARD(&shard), "a part", NULL},
    {'h', "help", KITH_O_ANSWER, "tsv", {.choice = &help}, 0, 0, "help", NULL},
    {0},
};

static const struct kith_gone gone[KITH_GONE_MOST] = {
    {"--sigma", "use --real"},
    {"--rea", "use --real"},
    {"-z", "leave it out"},
};

enum { WORDS = 32 }; /* of a line, and the NULL behind */
enum { OPTS = sizeof(opts) / sizeof(*opts) - 1 };

static struct kith_pool pool;

/* Parse a line of words, divided by blanks; where operands start, or -1. */
static int
parse(char *line, char *argv[WORDS], struct kith_err *err)
{
	int argc = 0;

	argv[argc++] = line;
	for (; *line; line++)
		if (*line == ' ') {
			*line = '\0';
			argv[argc++] = line + 1;
		}
	argv[argc] = NULL;
	return kith_opt_parse(opts, gone, argc, argv, &pool, err);
}

static int
try(const char *words)
{
	char *argv[WORDS];
	struct kith_err err;

	return parse(kith_strndup(&pool, words, strlen(words)), argv, &err);
}

static void
test_values(void)
{
	is_size((size_t)try("x -fk 3 -d ; --real=-1e3"), 6, "all are options");
	ok(flag && size == 3 && ch == ';' && real == -1e3, "clustered and not");
	ok(kith_given(&flag) && kith_given(&size) && !kith_given(&share) && !kith_given(&pool),
	    "those given are known");
	is_size((size_t)try("x -d \\t a -k2 -- -k b"), 5, "some are not");
	ok(ch == '\t' && size == 2, "operands may stand between options");
	is_size((size_t)try("x -"), 1, "- is an operand");
	try("x --above 4.9e-324 --share .5 -n 9 --vote third -t=a");
	is_near(above, DBL_TRUE_MIN, 0, "the least number above 0");
	ok(share == .5 && few == 9 && choice == 2, "values");
	is_text(file, "=a", "a short option's value is all that follows");
	try("x -c a -l a,b --width auto");
	ok(strcmp(column, "a") == 0 && strcmp(columns, "a,b") == 0 && strcmp(width, "auto") == 0,
	    "texts of other kinds");
	try("x --reals 0,2.5,100 --sizes 5,1 --shard 2/3");
	ok(reals.n == 3 && reals.v[1] == 2.5 && reals.v[2] == 100, "numbers");
	ok(sizes.n == 2 && sizes.v[0] == 5 && sizes.v[1] == 1, "in order");
	ok(shard.i == 2 && shard.n == 3, "a shard");
	try("x --maybe a");
	ok(maybe == 1, "an option whose value may be left out");
	is_size((size_t)try("x --maybe=sd a"), 2, "is no value of such a one");
	ok(maybe == 3, "the value it may have");
	try("x -h -y");
	ok(help == 1, "nothing behind --help is looked at");
}

/* Words, and what is said of them. */
static const char *const refused[][2] = {
    {"x -k 0", "bad -k: '0' (a whole number from 1)"},
    {"x -k 1x", "bad -k: '1x' (a whole number from 1)"},
    {"x -k -1", "bad -k: '-1' (a whole number from 1)"},
    {"x -k 99999999999999999999", "bad -k: '99999999999999999999' (a whole number from 1)"},
    {"x -k 1e3", "bad -k: '1e3' (a whole number from 1)"},
    {"x -k 0x10", "bad -k: '0x10' (a whole number from 1)"},
    {"x --real 0x10", "bad --real: '0x10' (a number)"},
    {"x --real 1e999", "bad --real: '1e999' (a number)"},
    {"x -n 10", "bad -n: '10' (a whole number from 0 to 9)"},
    {"x --real nan", "bad --real: 'nan' (a number)"},
    {"x --real inf", "bad --real: 'inf' (a number)"},
    {"x --above 0", "bad --above: '0' (a number above 0)"},
    {"x --share 1.5", "bad --share: '1.5' (a number from 0 to 1)"},
    {"x -d ab", "bad -d: 'ab' (one character)"},
    {"x -d \"", "bad -d: '\"' (one character)"},
    {"x --vote on", "bad --vote: 'on' (one, other or third)"},
    {"x --vote one|", "bad --vote: 'one|' (one, other or third)"},
    {"x --maybe=s", "bad --maybe: 's' (se or sd)"},
    {"x --mayb", "unknown option '--mayb' (--maybe?)"},
    {"x --reals 1,,2", "bad --reals: '1,,2' (distinct numbers, as .1,.3, from 0 to 100)"},
    {"x --reals 1,1.0", "bad --reals: '1,1.0' (distinct numbers, as .1,.3, from 0 to 100)"},
    {"x --sizes 1,2,", "bad --sizes: '1,2,' (distinct whole numbers, as 1,3,5, from 1)"},
    {"x --shard 0/2", "bad --shard: '0/2' (I/N with I from 1 to N)"},
    {"x --shard 3/2", "bad --shard: '3/2' (I/N with I from 1 to N)"},
    {"x --shard 1", "bad --shard: '1' (I/N with I from 1 to N)"},
    {"x -y", "unknown option '-y'"},
    {"x -fy", "unknown option '-y'"},
    {"x -\xE4", "unknown option '-\xE4'"},
    {"x --trai", "unknown option '--trai' (--train?)"},
    {"x --s 1", "unknown option '--s'"},
    {"x --k 1", "unknown option '--k'"},
    {"x -t", "-t needs a value"},
    {"x --train", "--train needs a value"},
    {"x --flag=1", "--flag takes no value"},
    {"x --sigma", "--sigma is gone: use --real"},
    {"x --sigma=3 -y", "--sigma is gone: use --real"},
    {"x a --sigma 3", "--sigma is gone: use --real"},
    {"x --rea 1", "--rea is gone: use --real"},
    {"x -fz", "-z is gone: leave it out"},
    {"x --sigm", "unknown option '--sigm'"},
    {"x --sigma2", "unknown option '--sigma2'"},
    {"x --z", "unknown option '--z'"},
    {"x -t a -t b", "-t: given twice"},
    {"x -t a --train=b", "--train: given twice"},
    {"x --columns a -l b", "-l: given twice (one LIST, as a,b?)"},
    {"x --reals 1 --reals 2", "--reals: given twice (one LIST, as a,b?)"},
    {"x --sizes 1 --sizes 2", "--sizes: given twice (one LIST, as a,b?)"},
};

static void
test_refused(void)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		const char *words = refused[i][0];
		char *argv[WORDS];
		struct kith_err err = {0};

		ok(parse(kith_strndup(&pool, words, strlen(words)), argv, &err) < 0 &&
			err.status == KITH_EX_USAGE,
		    "refuses %s", words);
		is_text(err.msg, refused[i][1], "and says");
	}
	is_size((size_t)try("x -k 1 -k 2 --vote one --vote other --column a -c b -l a -l a"), 17,
	    "repeated");
	ok(size == 2 && choice == 1, "the last of others counts");
	is_size((size_t)try("x -- --sigma"), 2, "what is gone is an operand behind --");
}

/* What was there before a call is put back, whatever the type. */
static void
test_forget(void)
{
	double one[] = {.5};
	size_t two[] = {7};

	try("x -f -d , --real 1 --above 2 --share .5 -k 3 -n 4 -t a "
	    "--vote third --shard 1/2");
	reals = (struct kith_reals){1, one};
	sizes = (struct kith_sizes){1, two};
	flag = false; /* there is no option that says so */
	try("x -f -d ; --real 9 --above 9 --share .9 -k 9 -n 9 -t b --vote one "
	    "--reals 1,2 --sizes 3,4 --shard 2/2");
	for (size_t i = 0; i < OPTS; i++) {
		const bool given = opts[i].to.place && kith_given(opts[i].to.place);

		ok((opts[i].to.place && kith_opt_forget(opts[i].to.place) != NULL) == given,
		    "forgets what was given");
	}
	ok(!flag && ch == ',', "a flag and a character");
	ok(real == 1 && above == 2 && share == .5, "numbers");
	ok(size == 3 && few == 4, "whole numbers");
	is_text(file, "a", "a text");
	ok(choice == 2, "a choice");
	ok(reals.n == 1 && reals.v == one, "a list of numbers");
	ok(sizes.n == 1 && sizes.v == two, "a list of whole numbers");
	ok(shard.i == 1 && shard.n == 2, "a part");
}

int
main(void)
{
	test_values();
	test_refused();
	test_forget();
	kith_pool_free(&pool);
	return done();
}
