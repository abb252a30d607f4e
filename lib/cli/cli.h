/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cli - what the commands share: options, messages, log, exit status.
 *
 * A command states its options once, in a table; parsing, range checks,
 * --help, and from that the shell completions, come from it.
 *
 *	int
 *	main(int argc, char *argv[])
 *	{
 *		char **operand = kith_begin(&tool, argc, argv);
 *		...
 *		if (kith_out_open_table(&out, kith_output(), &err))
 *			kith_die(&err);
 *		...
 *		return kith_finish(&out, 0);
 *	}
 */
#ifndef KITH_CLI_CLI_H
#define KITH_CLI_CLI_H

#include "base/err.h"
#include "cli/log.h"
#include "cli/opt.h"
#include "text/readers.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_dest;
struct kith_out;

/*
 * The options of every reader of tables; the first without --format, for a
 * command that has an option of this name for its output.
 */
/* clang-format off */
#define KITH_TABLE_OPTIONS_BUT_FORMAT(format) \
	{'d', "delimiter", KITH_CHAR(&(format)->sep), "CHAR divides cells [the header's tab, ',' or ';']"}, \
	{'H', "no-header", KITH_FLAG(&(format)->no_header), "no column names: they are V1, V2, ..."}, \
	{0, "header", KITH_FLAG(&(format)->header), "the first record is the names, even numbers"}
#define KITH_FORMAT_OPTION(format) \
	{0, "format", KITH_CHOICE(&(format)->form, KITH_READER_WORDS), "format of files [by first bytes]"}
#define KITH_TABLE_OPTIONS(format) \
	KITH_TABLE_OPTIONS_BUT_FORMAT(format), \
	KITH_FORMAT_OPTION(format)

/* The options of every command; stored by cli/cli.c itself. */
#define KITH_COMMON_OPTIONS \
	{'o', "output", KITH_FILE(&kith_run.output), "write to FILE, not to standard output"}, \
	{0, "csv", KITH_FLAG(&kith_run.csv), "divide cells by commas, not tabs"}, \
	{0, "jsonl", KITH_FLAG(&kith_run.jsonl), "write JSON Lines, an object for each row"}, \
	{0, "digits", KITH_SIZE(&kith_run.digits, 1, 17), "round numbers to N significant digits"}, \
	{0, "log", KITH_FILE(&kith_run.log), "write a log to FILE, a key and a value a line"}, \
	{0, "dry-run", KITH_FLAG(&kith_run.dry), "read all, print what the run would cost, and end"}, \
	{0, "progress", KITH_FLAG(&kith_run.progress), "report every 10 s how far the run is"}, \
	{'q', NULL, KITH_FLAG(&kith_run.quiet), "no warnings"}, \
	{'v', NULL, KITH_FLAG(&kith_run.verbose), "report counts and iterations on standard error"}, \
	{'h', "help", KITH_O_HELP, NULL, {0}, 0, 0, "print this and exit"}, \
	{'V', "version", KITH_O_VERSION, NULL, {0}, 0, 0, "print the version and exit"}

/* The options of commands that use threads, or random numbers. */
#define KITH_THREADS_OPTION(threads) \
	{'j', "threads", KITH_SIZE(threads, 1, 256), "use N threads; the output is the same [1]"}
#define KITH_SEED_OPTION(seed) \
	{0, "seed", KITH_SIZE(seed, 0, 0x1p53), "start random numbers from N [1]"}
/* clang-format on */

/* What the common options say; commands read it through the functions below. */
extern struct kith_run {
	const char *output, *log;
	bool csv, jsonl;
	size_t digits; /* 0: all */
	bool quiet, verbose, dry, progress;
} kith_run;

struct kith_tool {
	const char *name;            /* as in messages */
	const char *args;            /* synopsis after "[OPTION]..." */
	const char *about;           /* one line */
	const char *examples;        /* two that run, each indented by two */
	const struct kith_opt *opts; /* ended by {0} */
};

/*
 * The first act of a command.  Make descriptors 0 to 2 safe to use, parse
 * options into the places the table of self points at, and return the
 * operands, ended by NULL.  --help and --version are answered, and exit with
 * 0; a wrong or abbreviated option is reported, and exits with 2.  What the
 * parser allocates lives as long as the process.
 */
char **kith_begin(const struct kith_tool *self, int argc, char *argv[]);

/*
 * Where the command's table goes, and how: what -o, --csv, --jsonl and --digits
 * say.
 */
const struct kith_dest *kith_output(void);

/* Whether the table is to tell what the run costs (--dry-run: cost/cost.h). */
bool kith_dry(void);

/* A file that a command writes, and the option that names it. */
struct kith_written {
	const char *option; /* without its dashes */
	const char *path;   /* NULL: none; "-": standard output */
};

/* Where the command's table goes, as such a file, and --log. */
struct kith_written kith_written_output(void);
struct kith_written kith_written_log(void);

/*
 * End with a wrong call where two of n files are the same: "--output and
 * --trace are the same file".
 */
void kith_apart(const struct kith_written *file, size_t n);

/*
 * The files that the rows come from: the operands, or standard input where
 * there is none.  Ends with a wrong call when standard input is asked for twice
 * among them and the n files (NULL: none) of other options.
 */
const char *const *kith_inputs(
    char *const *operand, const char *const *other, size_t n);

/* Warn on standard error, unless -q: "tool: warning: ...". */
void kith_warn(const char *fmt, ...) KITH_PRINTF(1, 2);

/* Whether it does: a table need not be looked at for a warning that is not said. */
bool kith_warns(void);

/* Say on standard error, with -v only: "tool: ...". */
void kith_note(const char *fmt, ...) KITH_PRINTF(1, 2);

/*
 * The last act: close the command's table, give all files that were closed
 * their names, write the log, and return the exit status, which is `status` (0
 * or 1) when all could be written; else the failure is reported and the process
 * exits.  Requires that the other files are closed.
 */
int kith_finish(struct kith_out *out, int status);

/*
 * Print "tool: file:line: message" on standard error, on one line, write the
 * log, and exit with the status of err: no other file appears.  The tool is the
 * one of kith_begin(), here and below.
 */
_Noreturn void kith_die(const struct kith_err *err);

/* Print "tool: message" and where to find help; end so with status 2. */
_Noreturn void kith_misuse(const char *fmt, ...) KITH_PRINTF(1, 2);

#endif
