/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/cli: the text of --help, what was given, and words. */
#include "base/err.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/opt.h"
#include "tap.h"
#include "written.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static struct kith_pool pool;
static bool flag;
static double real = .5;
static size_t size = 3, many;
static const char *text = "usual", *other;
static int choice, maybe;

static int help;
static const struct kith_opt opts[] = {
    {'f', "flag", KITH_FLAG(&flag), "a flag", "First"},
    {'x', NULL, KITH_REAL(&real, 0, 1), "a number", NULL},
    {0, "text", KITH_TEXT(&text, "WORD"), "long only", "First"},
    {0, "maybe", KITH_MAYBE(&maybe, "se"), "with a word or without", NULL},
    {0, "choice-of-words", KITH_CHOICE(&choice, "one|two"), "stands beside, where it fits",
	"Second"},
    {0, "choice-of-other", KITH_CHOICE(&choice, "one|two"),
	"1234 6789 1234 6789 1234 6789 1234 6789 1234 67", NULL},
    {0, "choice-of-least", KITH_CHOICE(&choice, "one|two"),
	"1234 6789 1234 6789 1234 6789 1234 6789 1234 678", NULL},
    {0, "a-very-long-choice", KITH_CHOICE(&choice, "one|two|three|four"),
	"or below, where the line would be longer than what 80 columns can "
	"hold, and goes on in the next line",
	NULL},
    {0, "n12345678901", KITH_SIZE(&many, 0, 9), "at the border", NULL},
    {0, "n123456789012", KITH_SIZE(&many, 0, 9), "behind it", NULL},
    {'o', "other", KITH_FILE(&other), "only named", KITH_COMMON},
    {0, "size", KITH_SIZE(&size, 0, 9), "only named", NULL},
    {0, "a-long-name-12345678", KITH_SIZE(&many, 0, 9), "only named", NULL},
    {0, "a-long-name-123456789", KITH_SIZE(&many, 0, 9), "up to column 80", NULL},
    {'h', "help", KITH_O_ANSWER, "tsv", {.choice = &help}, 0, 0, "help", NULL},
    {0},
};

static void
test_help(void)
{
	struct kith_out out;
	struct kith_err err;

	if (kith_out_open(&out, scratch_text(0, ""), &err))
		abort();
	kith_opt_help(&out, opts);
	is_text(written(&out, 0),
	    "First:\n"
	    "  -f, --flag            a flag\n"
	    "  -x X                  a number\n"
	    "      --text WORD       long only\n"
	    "      --maybe[=se]      with a word or without\n"
	    "Second:\n"
	    "      --choice-of-words one|two  stands beside, where it fits\n"
	    "      --choice-of-other one|two  1234 6789 1234 6789 1234 6789 "
	    "1234 6789 1234 67\n"
	    "      --choice-of-least one|two\n"
	    "                        1234 6789 1234 6789 1234 6789 1234 6789 "
	    "1234 678\n"
	    "      --a-very-long-choice one|two|three|four\n"
	    "                        or below, where the line would be longer "
	    "than what 80\n"
	    "                        columns can hold, and goes on in the next "
	    "line\n"
	    "      --n12345678901 N  at the border\n"
	    "      --n123456789012 N  behind it\n"
	    "Of all commands, explained in kith(7):\n"
	    "  -o/--other FILE  --size N  --a-long-name-12345678 N  "
	    "--a-long-name-123456789 N\n"
	    "  -h/--help\n",
	    "lines of 80 columns");
	if (kith_out_open(&out, scratch_text(0, ""), &err))
		abort();
	kith_opt_table(&out, opts + 2);
	is_text(written(&out, 0),
	    "option\targument\ttype\theading\twords\n"
	    "--text\tWORD\ttext\tFirst\tlong only\n"
	    "--maybe\tse\toptional\tFirst\twith a word or without\n"
	    "--choice-of-words\tone|two\tchoice\tSecond\tstands beside, where it fits\n"
	    "--choice-of-other\tone|two\tchoice\tSecond\t"
	    "1234 6789 1234 6789 1234 6789 1234 6789 1234 67\n"
	    "--choice-of-least\tone|two\tchoice\tSecond\t"
	    "1234 6789 1234 6789 1234 6789 1234 6789 1234 678\n"
	    "--a-very-long-choice\tone|two|three|four\tchoice\tSecond\tor below, where the "
	    "line would be longer than what 80 columns can hold, and goes on in the next line\n"
	    "--n12345678901\tN\tcount\tSecond\tat the border\n"
	    "--n123456789012\tN\tcount\tSecond\tbehind it\n"
	    "-o, --other\tFILE\tfile\tCommon\tonly named\n"
	    "--size\tN\tcount\tCommon\tonly named\n"
	    "--a-long-name-12345678\tN\tcount\tCommon\tonly named\n"
	    "--a-long-name-123456789\tN\tcount\tCommon\tup to column 80\n"
	    "-h, --help\ttsv\toptional\tCommon\thelp\n",
	    "an option a line");
}

static void
test_words(void)
{
	static char a[] = "knnclf", b[] = "-k", c[] = "a b", d[] = "", e[] = "'", g[] = "don't",
		    h[] = "x_@%+=:,./-9Z", i[] = "*";
	char *const words[] = {a, b, c, d, e, g, h, i, NULL};

	is_text(kith_log_words(words, &pool),
	    "knnclf -k 'a b' '' ''\\''' 'don'\\''t' x_@%+=:,./-9Z '*'",
	    "words as a shell reads them");
	is_text(kith_log_words(words + 8, &pool), "", "none");
}

int
main(void)
{
	test_help();
	test_words();
	kith_pool_free(&pool);
	return done();
}
