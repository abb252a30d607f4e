/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/base/progress.h and progress_line.h: what a run tells of itself.
 */
#include "base/progress.h"

#include "base/par.h"
#include "base/progress_line.h"
#include "tap.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DONE = 7 };

/* The line of a moment, by a clock that the test sets. */
static const char *
line(const struct kith_progress_now *now, size_t width)
{
	static char s[KITH_PROGRESS_ROOM + 1];

	s[kith_progress_line(now, width, s)] = '\0';
	return s;
}

static void
is_line(const struct kith_progress_now *now, const char *due)
{
	is_text(line(now, KITH_PROGRESS_ROOM), due, due);
}

static void
test_times(void)
{
	static const struct {
		double seconds;
		const char *due;
	} at[] = {{0, "0.0 s"}, {12.39, "12.3 s"}, {99.99, "99.9 s"}, {100, "1 min 40 s"},
	    {3599, "59 min 59 s"}, {3600, "1 h 0 min"}, {359999, "99 h 59 min"},
	    {360000, "4 d 4 h"}, {1e300, "11574 d 1 h"}};

	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		const struct kith_progress_now now = {.tool = "t", .seconds = at[i].seconds};
		char due[60];

		snprintf(due, sizeof(due), "t: running for %s", at[i].due);
		is_line(&now, due);
	}
}

static void
test_phases(void)
{
	struct kith_progress_now now = {.tool = "knnclf",
	    .seconds = 12.3,
	    .depth = 2,
	    .level = {{.name = "cross-validation",
			  .unit = "parts",
			  .done = 3,
			  .total = 10,
			  .seconds = 12},
		{.name = "neighbours", .unit = "rows", .done = 400, .total = 900, .seconds = 1}}};

	is_line(&now,
	    "knnclf: cross-validation, 3 of 10 parts; neighbours, 400 of 900 "
	    "rows; 12.3 s, about 28 s left");
	is_text(line(&now, 80), "knnclf: cross-validation, 3 of 10 parts; 12.3 s, about 28 s left",
	    "80 columns have room for the outer phase");
	is_text(line(&now, 20), "knnclf: cross-valida", "20 for its beginning");
	is_text(line(&now, 0), "", "0 for nothing");
	now.level[0].done = 0;
	is_line(&now,
	    "knnclf: cross-validation, 0 of 10 parts; neighbours, 400 of 900 "
	    "rows; 12.3 s");
	now.level[0].done = 11;
	is_line(&now,
	    "knnclf: cross-validation, 11 of 10 parts; neighbours, 400 of 900 "
	    "rows; 12.3 s, about 0 s left");
	now.level[0] = (struct kith_progress_level){
	    .name = "steps", .unit = "events", .done = 7, .seconds = 12};
	is_line(&now, "knnclf: steps, 7 events; neighbours, 400 of 900 rows; 12.3 s");
	now.level[1].unit = NULL;
	is_line(&now, "knnclf: steps, 7 events; neighbours; 12.3 s");
	now.level[0] = (struct kith_progress_level){.name = "reading",
	    .of = "a\033\xff.tsv",
	    .unit = "bytes",
	    .done = 12399999,
	    .total = 45000000,
	    .seconds = 12.4};
	now.depth = 1;
	is_line(&now,
	    "knnclf: reading a\?\?.tsv, 12.3 of 45.0 MB; 12.3 s, about 32 s "
	    "left");
	now.level[0].total = 0;
	is_line(&now, "knnclf: reading a\?\?.tsv, 12.3 MB; 12.3 s");
	now.tool = NULL;
	is_line(&now, "progress\treading a\?\?.tsv, 12.3 MB; 12.3 s");
}

static void
test_values(void)
{
	static const struct {
		double x;
		const char *due;
	} at[] = {{0, "0"}, {-0., "0"}, {7, "7"}, {123456789, "123456789"}, {.25, "0.25"},
	    {-.025, "-0.025"}, {1. / 3, "0.33333"}, {2. / 3e4, "6.6667e-5"}, {1e-4, "0.0001"},
	    {12345.678, "12346"}, {-1234.5, "-1234.5"}, {99999.6, "100000"}, {9.99999, "10"},
	    {123456.5, "123460"}, {1e15, "1e15"}, {1.25e300, "1.25e300"}, {-3e-300, "-3e-300"},
	    {1e-310, "0"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}, {NAN, "NA"}};

	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		const struct kith_progress_now now = {.tool = "t",
		    .depth = 1,
		    .level = {{.name = "a", .values = 1, .value = {{"x", at[i].x}}}}};
		char due[60];

		snprintf(due, sizeof(due), "t: a, x %s; 0.0 s", at[i].due);
		is_line(&now, due);
	}
}

/* Let all times in seconds be 0, as of a machine that has nothing to do. */
static void
stop_clock(char *text)
{
	char *to = text;

	while (*text) {
		const size_t len = strspn(text, "0123456789.");
		const bool time = len > 0 && strncmp(text + len, " s", 2) == 0;
		const size_t kept = !time ? len + (len == 0) : memchr(text, '.', len) ? 3 : 1;

		memmove(to, time ? "0.0" : text, kept);
		to += kept;
		text += len + (len == 0);
	}
	*to = '\0';
}

/* What a child says on standard error while it does this. */
static const char *
said(void (*act)(void))
{
	static char text[1 << 14];
	ssize_t got;
	size_t used = 0;
	int fd[2], status;
	pid_t child;

	if (pipe(fd))
		return "";
	fflush(stdout);
	child = fork();
	if (child == 0) {
		dup2(fd[1], STDERR_FILENO);
		kith_progress_begin("t");
		act();
		_exit(DONE);
	}
	close(fd[1]);
	while ((got = read(fd[0], text + used, sizeof(text) - 1 - used)) > 0)
		used += (size_t)got;
	text[used] = '\0';
	stop_clock(text);
	close(fd[0]);
	waitpid(child, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == DONE ? text : "died";
}

static void
nest(void)
{
	kith_progress_end(); /* of nothing */
	kith_progress_add(1);
	kith_progress_value("x", 1);
	raise(SIGUSR1);
	kith_progress_phase("a", 0, NULL);
	kith_progress_value("x", .5);
	kith_progress_value("y", 1);
	kith_progress_value("x", 2);
	kith_progress_phase("b", 4, "rows");
	kith_progress_add(1);
	kith_progress_add(2);
	raise(SIGUSR1);
	kith_progress_phase("c", 0, NULL);
	kith_progress_phase("d", 0, NULL);
	kith_progress_phase("e", 0, "rows");
	kith_progress_add(9);
	raise(SIGUSR1);
	kith_progress_end();
	kith_progress_end();
	kith_progress_end();
	kith_progress_end();
	raise(SIGUSR1);
	kith_progress_end();
	raise(SIGUSR1);
}

/* Work that has phases and parts of its own, which are not told of. */
static void
inner(void *to, size_t block, size_t thread)
{
	(void)to, (void)block, (void)thread;
	kith_progress_add(1000);
}

static void
outer(void *to, size_t block, size_t thread)
{
	const struct kith_par_phase phase = {"inner", 70, "rows"};

	(void)thread;
	kith_progress_phase("part", 9, "x");
	kith_progress_add(1000);
	kith_progress_value("x", 1);
	kith_par_told(2, 3, inner, to, &phase);
	kith_progress_end();
	if (block == *(const size_t *)to)
		raise(SIGUSR1);
}

static void
share_out(void)
{
	const struct kith_par_phase phase = {"outer", 100, "rows"};
	size_t last = 6;

	kith_par_told(1, 7, outer, &last, &phase);
	kith_progress_phase("whole", 0, "rows");
	for (size_t threads = 1; threads < 4; threads++) {
		kith_par(threads, 7, outer, &last);
		kith_par_told(threads, 0, outer, &last, &phase);
	}
	kith_progress_end();
}

static void
rest_a_while(double seconds)
{
	nanosleep(&(struct timespec){0, (long)(1e9 * seconds)}, NULL);
}

static void
tell_lines(void)
{
	static const struct kith_progress_how how = {.02, .02, false};

	kith_progress_phase("a", 4, "rows");
	kith_progress_tell(&how);
	rest_a_while(.3);
	kith_progress_stop();
	rest_a_while(.1);
}

static void
tell_late(void)
{
	static const struct kith_progress_how how = {30, .01, false};

	kith_progress_tell(&how);
	rest_a_while(.1);
	kith_progress_stop();
	kith_progress_stop();
}

static void
rewrite(void)
{
	static const struct kith_progress_how how = {.02, .02, true};

	kith_progress_phase("a", 4, "rows");
	kith_progress_tell(&how);
	rest_a_while(.3);
	kith_progress_hold();
	fputs("message\n", stderr);
	rest_a_while(.1);
	kith_progress_release();
	rest_a_while(.2);
	kith_progress_stop();
	fputs("last\n", stderr);
	rest_a_while(.1);
}

static void
wait_for_input(void)
{
	static const struct kith_progress_how how = {.02, .02, true};

	kith_progress_reading("f", 0);
	kith_progress_tell(&how);
	rest_a_while(.3);
	kith_progress_stop();
}

static size_t
count(const char *text, const char *part)
{
	size_t n = 0;

	while ((text = strstr(text, part))) {
		text += strlen(part);
		n++;
	}
	return n;
}

static void
test_telling(void)
{
	static const char shown[] = "\r\033[Kt: a, 0 of 4 rows; ";
	const char *text = said(tell_lines), *at;

	ok(count(text, "progress\ta, 0 of 4 rows; 0.0 s\n") > 1, "lines come again");
	ok(count(text, "progress\t") == count(text, "\n") && !strchr(text, '\r'), "whole ones");
	is_text(said(tell_late), "", "none before the first is due");
	text = said(rewrite);
	ok(strncmp(text, shown, strlen(shown)) == 0, "a line for a terminal");
	ok(count(text, shown) > 2, "which comes again");
	at = strstr(text, "s\r\033[Kmessage\n");
	ok(at != NULL, "and is wiped before a message");
	ok(at && strncmp(strchr(at, '\n') + 1, shown, strlen(shown)) == 0,
	    "after which it is there again");
	at = strstr(text, "s\r\033[Klast\n");
	ok(at && strcmp(strchr(at, '\n'), "\n") == 0, "it is wiped at the end");
	ok(count(said(wait_for_input), "reading f") < 2, "there is none while nothing comes in");
}

int
main(void)
{
	signal(SIGUSR1, SIG_DFL);
	test_times();
	test_phases();
	test_values();
	is_text(said(nest),
	    "t: running for 0.0 s\n"
	    "t: a, x 2, y 1; b, 3 of 4 rows; 0.0 s\n"
	    "t: a, x 2, y 1; b, 3 of 4 rows; c; d; 0.0 s\n"
	    "t: a, x 2, y 1; 0.0 s\n"
	    "t: running for 0.0 s\n",
	    "phases inside one another");
	is_text(said(share_out),
	    "t: outer, 85 of 100 rows; 0.0 s, about 0 s left\n"
	    "t: whole, 0 rows; 0.0 s\n"
	    "t: whole, 0 rows; 0.0 s\n"
	    "t: whole, 0 rows; 0.0 s\n",
	    "blocks are parts of one phase");
	test_telling();
	return done();
}
