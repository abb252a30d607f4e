/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/base/progress.h: what a run tells of itself. */
#include "base/progress.h"

#include "ask.h"
#include "base/par.h"
#include "child.h"
#include "tap.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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

static void
begin(void *act)
{
	kith_progress_begin("t");
	(*(void (**)(void))act)();
}

/* What a child says on standard error while it does this. */
static const char *
said(void (*act)(void))
{
	int status;
	char *text = child_said(begin, &act, &status);

	stop_clock(text);
	return status == 0 ? text : "died";
}

static void
rest_a_while(double seconds)
{
	nanosleep(&(struct timespec){0, (long)(1e9 * seconds)}, NULL);
}

static void
nest(void)
{
	kith_progress_end(); /* of nothing */
	kith_progress_add(1);
	kith_progress_value("x", 1);
	kith_progress_phase("a", 0, NULL);
	kith_progress_value("x", .5);
	kith_progress_value("y", 1);
	kith_progress_value("x", 2);
	kith_progress_phase("b", 4, "rows");
	kith_progress_add(1);
	kith_progress_add(2);
	ask();
	kith_progress_phase("c", 0, NULL);
	kith_progress_phase("d", 0, NULL);
	kith_progress_phase("e", 0, "rows");
	kith_progress_add(9);
	ask();
	kith_progress_end();
	kith_progress_end();
	kith_progress_end();
	kith_progress_end();
	ask();
	kith_progress_end();
	ask();
}

/* Work that has phases and parts of its own, which are not told of. */
static void
inner(void *to, size_t block, size_t thread)
{
	(void)to, (void)block, (void)thread;
	rest_a_while(1e-3); /* for each thread to take a block */
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
	kith_par_tasks(2, 3, inner, to, &phase);
	kith_progress_end();
	if (block == *(const size_t *)to)
		ask();
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
tell_lines(void)
{
	kith_progress_phase("a", 4, "rows");
	kith_progress_tell(.02, .02, false);
	rest_a_while(.3);
	kith_progress_stop();
	rest_a_while(.1);
}

static void
tell_late(void)
{
	kith_progress_tell(30, .01, false);
	rest_a_while(.1);
	kith_progress_stop();
	kith_progress_stop();
}

static void
rewrite(void)
{
	kith_progress_phase("a", 4, "rows");
	kith_progress_tell(.02, .02, true);
	rest_a_while(.3);
	kith_progress_hold();
	fputs("message\n", stderr);
	rest_a_while(.1);
	kith_progress_release();
	rest_a_while(.2);
	kith_progress_stop();
	fputs("last\n", stderr);
	rest_a_while(.1);
	kith_progress_stop();
}

static void
wait_for_input(void)
{
	kith_progress_phase_of("reading", "f", 0, "bytes");
	kith_progress_tell(.02, .02, true);
	rest_a_while(.3);
	kith_progress_stop();
}

static void
two_lines(void)
{
	kith_progress_phase("a", 0, NULL);
	ask();
	ask();
	kith_progress_end();
	ask();
}

static void
no_line(void)
{
	kith_progress_phase("a", 0, NULL);
	raise(SIGUSR1);
	rest_a_while(.05);
}

/* Phases of files and numbers. */
static void
numbers(void)
{
	static const double x[] = {
	    0, 7, 123456789, .25, -.025, 1. / 3, 1e-4, 12345.678, 1.25e300, INFINITY};

	for (size_t i = 0; i < sizeof(x) / sizeof(*x); i++) {
		kith_progress_phase("a", 0, NULL);
		kith_progress_value("x", x[i]);
		ask();
		kith_progress_end();
	}
	kith_progress_phase_of("reading", "a\033\xff.tsv", 45000000, "bytes");
	kith_progress_add(12399999);
	ask();
	kith_progress_end();
	kith_progress_phase_of("reading", "b", 0, "bytes");
	ask();
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
	ok(at && strcmp(strchr(at, '\n'), "\n") == 0, "it is wiped at the end, once");
	ok(count(said(wait_for_input), "reading f") < 2, "there is none while nothing comes in");
}

int
main(void)
{
	signal(SIGUSR1, SIG_DFL);
	is_text(said(nest),
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
	is_text(said(two_lines), "t: a; 0.0 s\nt: a; 0.0 s\nt: running for 0.0 s\n",
	    "a line for each signal");
	is_text(said(numbers),
	    "t: a, x 0; 0.0 s\n"
	    "t: a, x 7; 0.0 s\n"
	    "t: a, x 123456789; 0.0 s\n"
	    "t: a, x 0.25; 0.0 s\n"
	    "t: a, x -0.025; 0.0 s\n"
	    "t: a, x 0.33333; 0.0 s\n"
	    "t: a, x 0.0001; 0.0 s\n"
	    "t: a, x 12346; 0.0 s\n"
	    "t: a, x 1.25e+300; 0.0 s\n"
	    "t: a, x inf; 0.0 s\n"
	    "t: reading a\?\?.tsv, 12.4 of 45.0 MB; 0.0 s, about 0 s left\n"
	    "t: reading b, 0.0 MB; 0.0 s\n",
	    "numbers that move, and files");
	signal(SIGUSR1, SIG_IGN);
	is_text(said(no_line), "", "nothing where the caller ignores the signal");
	signal(SIGUSR1, SIG_DFL);
	test_telling();
	return done();
}
