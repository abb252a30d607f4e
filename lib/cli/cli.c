/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/cli.h"

#include "base/pool.h"
#include "base/progress.h"
#include "base/temp.h"
#include "cli/message.h"
#include "cli/opt_given.h"
#include "cli/opt_parse.h"
#include "cli/version.h"
#include "text/out.h"
#include "text/place.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The command this process is: set once, by kith_begin(). */
static const struct kith_tool *tool;
static struct kith_pool kept; /* what options point to */

static bool settled; /* files have their names */

struct kith_run kith_run;

static void
say_error(const struct kith_err *err)
{
	kith_message_error(
	    tool->name, err, settled ? kith_temp_replaced() : "");
}

/* Warn which rights of an old file its successor could not be given. */
static void
warn_unkept(const char *file, unsigned rights)
{
	static const char *const word[] = {
	    "owner", "group", "mode", "access list"};
	char words[40] = "";
	size_t used = 0;

	for (size_t i = 0; i < 4; i++)
		if (rights & 1U << i)
			used += (size_t)snprintf(words + used,
			    sizeof(words) - used, "%s%s", used ? ", " : "",
			    word[i]);
	kith_warn("%s: not kept of the old file: %s", file, words);
}

/* The way out of a run that failed: the log is written all the same. */
static _Noreturn void
leave(int status)
{
	struct kith_err err;

	kith_progress_stop();
	if (kith_log_close(status, warn_unkept, &err))
		say_error(&err);
	exit(status);
}

static _Noreturn void
misused(void)
{
	kith_progress_stop();
	fprintf(stderr, "try '%s --help'\n", tool->name);
	leave(KITH_EX_USAGE);
}

_Noreturn void
kith_misuse(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	kith_message(tool->name, "", fmt, ap);
	va_end(ap);
	misused();
}

_Noreturn void
kith_die(const struct kith_err *err)
{
	say_error(err);
	if (err->status == KITH_EX_USAGE)
		misused();
	leave(err->status);
}

bool
kith_warns(void)
{
	return !kith_run.quiet;
}

void
kith_warn(const char *fmt, ...)
{
	va_list ap;

	if (!kith_warns())
		return;
	va_start(ap, fmt);
	kith_message(tool->name, "warning: ", fmt, ap);
	va_end(ap);
}

void
kith_note(const char *fmt, ...)
{
	va_list ap;

	if (!kith_run.verbose)
		return;
	va_start(ap, fmt);
	kith_message(tool->name, "", fmt, ap);
	va_end(ap);
}

static bool starved; /* the process ends, out of memory */

/*
 * The first thread that finds no memory ends the process; where none is left
 * for its log either, at once.
 */
static void
no_memory(size_t n, size_t size)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	static _Thread_local bool mine;

	if (mine)
		exit(EX_OSERR);
	while (atomic_flag_test_and_set(&told))
		pause();
	kith_progress_stop();
	fprintf(
	    stderr, "%s: no memory for %zu x %zu bytes", tool->name, n, size);
	kith_message_end(kith_temp_replaced());
	starved = mine = true;
	leave(EX_OSERR);
}

/*
 * The last that exit() calls of ours.  Other threads may be at work still in a
 * library, which must not free what they use.
 */
static void
end_starved(void)
{
	if (starved)
		_exit(EX_OSERR);
}

/*
 * Open closed ones of descriptors 0 to 2 the wrong way round: their use then
 * fails, and no file opened later can be taken for one of them.
 */
static void
guard_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
			exit(EX_IOERR);
}

static void
close_or_die(struct kith_out *out)
{
	struct kith_err err;

	if (kith_out_close(out, &err))
		kith_die(&err);
}

/* Answer --help and --version on standard output, and exit. */
static void
answer(void)
{
	const char *help[] = {"usage: ", tool->name, " [OPTION]... ",
	    tool->args, "\n", tool->about, "\n\n"};
	const bool version = kith_opt_given_type(KITH_O_VERSION);
	struct kith_out out;
	struct kith_err err;

	if (!version && !kith_opt_given_type(KITH_O_HELP))
		return;
	if (kith_out_open(&out, NULL, &err))
		kith_die(&err);
	if (version) {
		kith_version_put(&out, tool->name);
	} else {
		for (size_t i = 0; i < sizeof(help) / sizeof(*help); i++)
			kith_out_text(&out, help[i]);
		kith_opt_help(&out, tool->opts);
		kith_out_text(&out, "Examples:\n");
		kith_out_text(&out, tool->examples);
	}
	close_or_die(&out);
	exit(0);
}

/*
 * Open the log, so that one that cannot be written is known before the work;
 * it gets its name at the end.
 */
static void
begin_log(const char *arguments)
{
	struct kith_err err;
	const struct kith_written file[] = {
	    kith_written_output(), kith_written_log()};

	kith_apart(file, 2);
	if (kith_log_open(kith_run.log, &err))
		kith_die(&err);
	kith_version_log();
	kith_log_text("arguments", arguments);
}

/* What goes on is told of in lines for a log, or in one line on a terminal. */
static void
begin_progress(void)
{
	static const struct kith_progress_how lines = {10, 10, false},
					      line = {2, 1, true};

	if (kith_run.progress)
		kith_progress_tell(&lines);
	else if (!kith_run.quiet && isatty(STDERR_FILENO))
		kith_progress_tell(&line);
}

/* Whether the name of the output says NumPy's format. */
static bool
is_npy(void)
{
	const size_t len = kith_run.output ? strlen(kith_run.output) : 0;

	return len > 4 && strcmp(kith_run.output + len - 4, ".npy") == 0;
}

char **
kith_begin(const struct kith_tool *self, int argc, char *argv[])
{
	static char line[4096]; /* a message goes out in one piece */
	const char *arguments;
	struct kith_err err;
	int operand;

	guard_descriptors();
	setvbuf(stderr, line, _IOLBF, sizeof(line));
	tool = self;
	atexit(end_starved);
	kith_progress_begin(tool->name);
	kith_no_memory = no_memory;
	/* Before getopt_long() puts the operands last. */
	arguments = kith_log_words(argv + (argc > 0), &kept);
	operand = kith_opt_parse(tool->opts, argc, argv,
	    kith_opt_given_begin(tool->opts), &kept, &err);
	if (operand < 0)
		kith_die(&err);
	answer();
	if (kith_run.csv && kith_run.jsonl)
		kith_misuse("--csv excludes --jsonl");
	if ((kith_run.csv || kith_run.jsonl) && is_npy())
		kith_misuse("--csv and --jsonl exclude an --output whose name "
			    "ends in .npy");
	if (kith_run.log)
		begin_log(arguments);
	begin_progress();
	return argv + operand;
}

const struct kith_dest *
kith_output(void)
{
	static struct kith_dest to;

	to = (struct kith_dest){kith_run.output,
	    kith_run.csv         ? KITH_STYLE_CSV
		: kith_run.jsonl ? KITH_STYLE_JSONL
		: is_npy()       ? KITH_STYLE_NPY
				 : KITH_STYLE_TSV,
	    kith_run.digits};
	return &to;
}

/* Warn of what JSON Lines, or .npy, could not say. */
static void
warn_unsaid(const struct kith_out *out)
{
	if (out->unsaid)
		kith_warn("%s has no comments: # %s is left out",
		    is_npy() ? ".npy" : "JSON Lines", out->unsaid);
	if (out->vague)
		kith_warn("a text that reads as missing, such as NA, is "
			  "missing in .npy");
	if (out->other)
		kith_warn("bytes that are no UTF-8 are written as U+FFFD");
}

bool
kith_dry(void)
{
	return kith_run.dry;
}

struct kith_written
kith_written_output(void)
{
	return (struct kith_written){
	    "output", kith_run.output ? kith_run.output : "-"};
}

struct kith_written
kith_written_log(void)
{
	return (struct kith_written){"log", kith_run.log};
}

/* End with a wrong call: they are one file, which stays as it is. */
static _Noreturn void
are_same(const struct kith_written *a, const struct kith_written *b)
{
	if (a->path == kith_run.log || b->path == kith_run.log)
		kith_log_drop();
	kith_misuse("--%s and --%s are the same file", a->option, b->option);
}

void
kith_apart(const struct kith_written *file, size_t n)
{
	for (size_t b = 1; b < n; b++)
		for (size_t a = 0; a < b; a++)
			if (file[a].path && file[b].path &&
			    kith_place_same(file[a].path, file[b].path))
				are_same(&file[a], &file[b]);
}

static bool
is_stdin(const char *file)
{
	return file && strcmp(file, "-") == 0;
}

const char *const *
kith_inputs(char *const *operand, const char *const *other, size_t n)
{
	static const char *const standard_input[] = {"-", NULL};
	const char *const *files = standard_input;
	size_t asked = 0;

	if (*operand)
		files = (const char *const *)operand;
	for (size_t i = 0; files[i]; i++)
		asked += is_stdin(files[i]);
	for (size_t i = 0; i < n; i++)
		asked += is_stdin(other[i]);
	if (asked > 1)
		kith_misuse("standard input named twice (give the rows as "
			    "operand FILE)");
	return files;
}

int
kith_finish(struct kith_out *out, int status)
{
	struct kith_err err;

	close_or_die(out);
	kith_progress_stop();
	warn_unsaid(out);
	if (kith_out_settle(warn_unkept, &err))
		kith_die(&err);
	settled = true;
	if (kith_log_close(status, warn_unkept, &err))
		kith_die(&err);
	return status;
}
