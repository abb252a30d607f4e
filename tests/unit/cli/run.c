/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/cli/cli.h: whole runs of a command, in children. */
#include "base/pool.h"
#include "child.h"
#include "cli/cli.h"
#include "tap.h"
#include "text/out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double x = 1, y = 2;
static size_t k = 3;
static struct kith_reals list;
static const char *from, *save, *start;

static const struct kith_opt opts[] = {
    {'x', "first", KITH_REAL(&x, 0, 9), "a number", NULL},
    {0, "second", KITH_REAL(&y, 0, 9), "another", NULL},
    {'k', NULL, KITH_SIZE(&k, 0, 9), "a count", NULL},
    {0, "list", KITH_REALS(&list, 0, 9), "numbers", NULL},
    {0, "from", KITH_FILE(&from), "a file", NULL},
    {0, "save", KITH_SAVE(&save), "a file", NULL},
    {0, "start", KITH_FILE_OR(&start, "random|FILE"), "a word or a file", NULL},
    KITH_OUTPUT_OPTIONS,
    KITH_COMMON_OPTIONS,
    {0},
};
static const struct kith_tool tool = {
    .name = "tool",
    .args = "[FILE]...",
    .about = "Do nothing.",
    .examples = "  tool\n  tool x\n",
    .opts = opts,
    .gone = {{"--third", "use --second"}},
};

/* A table of one cell, and whatever a test wants before it. */
static void (*act)(char **operand);

static void
run_tool(void *words)
{
	static char name[] = "tool";
	char *argv[20] = {name}, **operand;
	int argc = 1;
	struct kith_out out;
	struct kith_err err;

	for (char *w = strtok(words, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	operand = kith_begin(&tool, argc, argv);
	if (act)
		act(operand);
	if (!freopen("/dev/null", "w", stdout) || kith_out_open_table(&out, kith_output(), &err))
		kith_die(&err);
	kith_out_note(&out, "sigma", 1);
	kith_out_header(&out, (const char *const[]){"a"}, 1);
	kith_out_put(&out, "%g\n", x);
	exit(kith_finish(&out, 1)); /* NOLINT(concurrency-mt-unsafe) */
}

static char *said; /* on standard error */

/* Run it with these words; its status. */
static int
run(void (*what)(char **), const char *words)
{
	char copy[200];
	int status;

	act = what;
	snprintf(copy, sizeof(copy), "%s", words);
	said = child_said(run_tool, copy, &status);
	return status;
}

static void
is_run(void (*what)(char **), const char *words, int due, const char *text)
{
	const int status = run(what, words);

	ok(status == due, "tool %s (status %d)", words, status);
	is_text(said, text, "and says");
}

#define TRY "try 'tool --help'\n"

static void
unused(char **operand)
{
	(void)operand;
	kith_unused(&x, "--this");
	kith_unused(&y, "--this");
	kith_unused(&k, "without --other");
	if (x > 1 || y > 2 || x < 1 || y < 2 || kith_given(&x))
		exit(70); /* NOLINT(concurrency-mt-unsafe) */
}

static void
idle(char **operand)
{
	const struct kith_idle all[] = {{false, &x, "a"}, {true, &y, "b"}, {true, &k, "c"}};

	(void)operand;
	kith_unused_all(all, 2);
}

static void
obey(char **operand)
{
	const struct kith_rule rule[] = {{x > 1, "first"}, {y > 2, "second"}, {true, "third"}};

	(void)operand;
	kith_increasing("list", &list);
	kith_obey(rule, 2);
}

static void
read_inputs(char **operand)
{
	const char *const *files = kith_inputs(operand);

	for (size_t i = 0; files[i]; i++)
		kith_warn("%s", files[i]);
}

static void
die(char **operand)
{
	struct kith_err err;

	kith_fail_at(&err, k == 3 ? 65 : KITH_EX_USAGE, *operand, 4, "wrong");
	kith_die(&err);
}

/* Characters of UTF-8; then what is none, or would hide or turn text. */
static void
say_bytes(char **operand)
{
	(void)operand;
	kith_warn("%d ~ %s", 7, "\x1f \x7f\n");
	kith_say("\u00e4 \u00a0 \u07ff \u0800 \u540d \U0001f600");
	kith_say("\xe4 \xc1\xbf \xe0\x9f\xbf \xed\xa0\x80 \xf0\x8f\xbf\xbf \xf4\x90\x80\x80 \xf5");
	/* NOLINTNEXTLINE(misc-misleading-bidirectional): marks of direction are what is tested */
	kith_say("\xc2\x85 \xe2\x80\xae \u2028 \u200b \xe2\x81\xa6 \ufeff \xe5\x90");
}

static void
test_messages(void)
{
	is_run(say_bytes, "-q", 1,
	    "tool: \u00e4 \u00a0 \u07ff \u0800 \u540d \U0001f600\n"
	    "tool: \\xE4 \\xC1\\xBF \\xE0\\x9F\\xBF \\xED\\xA0\\x80 "
	    "\\xF0\\x8F\\xBF\\xBF \\xF4\\x90\\x80\\x80 \\xF5\n"
	    "tool: \\xC2\\x85 \\xE2\\x80\\xAE \\xE2\\x80\\xA8 \\xE2\\x80\\x8B "
	    "\\xE2\\x81\\xA6 \\xEF\\xBB\\xBF \\xE5\\x90\n");
	ok(run(say_bytes, "") == 1 && strstr(said, "tool: warning: 7 ~ \\x1F \\x7F\\x0A\n") == said,
	    "a warning is one line, whatever its bytes");
	is_run(die, "fi\x7fle\1", 65, "tool: fi\\x7Fle\\x01:4: wrong\n");
}

static void
test_options(void)
{
	is_run(unused, "", 1, "");
	is_run(unused, "-x 5 --second 6 -k 7", 1,
	    "tool: warning: --first is not used with --this\n"
	    "tool: warning: --second is not used with --this\n"
	    "tool: warning: -k is not used without --other\n");
	is_run(unused, "-x 5 -q", 1, "");
	is_run(idle, "-x 5 --second 6 -k 7", 1, "tool: warning: --second is not used with b\n");
	is_run(obey, "--list 1,2,3", 1, "");
	is_run(obey, "--list 1,3,2", 2, "tool: bad --list: the list must increase\n" TRY);
	is_run(obey, "--second 3", 2, "tool: second\n" TRY);
	is_run(obey, "--second 3 -x 3", 2, "tool: first\n" TRY);
	is_run(NULL, "-o a.npy", 2,
	    "tool: writing .npy is gone: write FILE.tsv, which numpy.genfromtxt() reads\n" TRY);
	is_run(NULL, "--jsonl", 2,
	    "tool: --jsonl is gone: 'mlr --itsv --ojsonl cat' makes JSON Lines of a table\n" TRY);
	is_run(NULL, "--third 1", 2, "tool: --third is gone: use --second\n" TRY);
	is_run(NULL, "--sec 1", 2, "tool: unknown option '--sec' (--second?)\n" TRY);
	is_run(die, "file", 65, "tool: file:4: wrong\n");
	is_run(die, "-k 4 file", 2, "tool: file:4: wrong\n" TRY);
}

static void
test_files(void)
{
	is_run(read_inputs, "--save a", 1, "tool: warning: -\n");
	is_run(read_inputs, "--save /tmp/../tmp/a -o /tmp/a", 2,
	    "tool: --output and --save are the same file\n" TRY);
	is_run(read_inputs, "--save -", 2, "tool: --output and --save are the same file\n" TRY);
	is_run(read_inputs, "", 1, "tool: warning: -\n");
	is_run(read_inputs, "-- a b", 1, "tool: warning: a\ntool: warning: b\n");
	is_run(read_inputs, "--from - a", 1, "tool: warning: a\n");
	is_run(read_inputs, "--from - --start - a", 2,
	    "tool: standard input named twice (give the rows as operand "
	    "FILE)\n" TRY);
	is_run(read_inputs, "--start random", 1, "tool: warning: -\n");
	is_run(read_inputs, "--from -", 2,
	    "tool: standard input named twice (give the rows as operand "
	    "FILE)\n" TRY);
	is_run(read_inputs, "- a -", 2,
	    "tool: standard input named twice (give the rows as operand "
	    "FILE)\n" TRY);
	is_run(
	    NULL, "-o /nowhere/at/all", 74, "tool: /nowhere/at/all: No such file or directory\n");
}

/* Logs a key of each kind. */
static void
log_keys(char **operand)
{
	kith_log_text("text", *operand);
	kith_log_size("size", 12);
	kith_log_real("real", .1);
	kith_log_real("missing", NAN);
	kith_log_line("line", "%d of %d\n", 1, 2);
	kith_warn("warned");
}

/* What is logged by a run with these words, of status 1, behind `arguments`. */
static void
is_log(const char *words, const char *due)
{
	const int status = run(log_keys, words);
	const char *begin = "version\t" KITH_VERSION "\n", *at = strstr(said, "\narguments\t");
	const char *end = strstr(said, "\nseconds\t");

	ok(status == 1 && strncmp(said, begin, strlen(begin)) == 0, "tool %s has a log", words);
	ok(at && end && strcspn(end + 1, "\n") + 2 == strlen(end), "it ends with the seconds");
	if (at && end) {
		said[end + 1 - said] = '\0';
		is_text(at + 1, due, "its keys");
	}
}

static void
test_log(void)
{
#define KEYS "text\ta\\x01b\nsize\t12\nreal\t0.1\nmissing\tNA\nline\t1 of 2\\x0A\n"
	is_run(log_keys, "a", 1, "tool: warning: warned\n");
	is_log(
	    "-v -- a\1b", "arguments\t-v -- 'a\\x01b'\n" KEYS "tool: warning: warned\nstatus\t1\n");
	is_log("-q --verbose a\1b", "arguments\t-q --verbose 'a\\x01b'\n" KEYS "status\t1\n");
	ok(run(die, "-v file") == 65 &&
		strstr(said, "\ntool: file:4: wrong\nstatus\t65\nseconds\t"),
	    "the log of a run that fails");
	ok(run(obey, "-v --second 3") == 2 && strstr(said, TRY "status\t2\nseconds\t"),
	    "of a wrong call");
	is_run(NULL, "-v --sec 1", 2, "tool: unknown option '--sec' (--second?)\n" TRY);
}

int
main(void)
{
	test_messages();
	test_options();
	test_files();
	test_log();
	return done();
}
