/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/base/ends.h and lib/base/progress.h: signals, one by one. */
#include "base/ends.h"

#include "base/err.h"
#include "base/progress.h"
#include "entries.h"
#include "tap.h"
#include "text/out.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DONE = 7 }; /* the status of a child that goes on to its end */

/* What no handler sees, or what does not end a process. */
static bool
ends_none(int sig)
{
	return sig == SIGKILL || sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN ||
	    sig == SIGTTOU || sig == SIGCONT || sig == SIGCHLD || sig == SIGURG ||
	    sig == 28 /* SIGWINCH */;
}

/* Whether sanitizers have a handler for it, which is to stay. */
static bool
is_taken(int sig)
{
	struct sigaction old;

	return sigaction(sig, NULL, &old) || old.sa_handler != SIG_DFL;
}

static void
open_two(struct kith_out *o, struct kith_out *p)
{
	struct kith_err err;

	if (kith_out_open(o, "one", &err) || kith_out_open(p, "two", &err))
		_exit(1);
	kith_out_text(o, "x");
	kith_out_flush(o);
}

/* Run a child that opens two files, and does this; its wait status. */
static int
run(void (*act)(int), int sig)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		struct kith_out o, p;

		open_two(&o, &p);
		act(sig);
		exit(DONE); /* NOLINT(concurrency-mt-unsafe) */
	}
	waitpid(child, &status, 0);
	return status;
}

static void
raise_it(int sig)
{
	raise(sig);
}

static void
is_ended(int status, int sig, const char *name)
{
	ok(WIFSIGNALED(status) && WTERMSIG(status) == sig, "signal %d: %s (got %d)", sig, name,
	    status);
	is_size(entries(), 0, "and leaves no file");
}

static void
is_alive(int status, int sig, const char *name)
{
	ok(WIFEXITED(status) && WEXITSTATUS(status) == DONE, "signal %d: %s (got %d)", sig, name,
	    status);
	is_size(entries(), 0, "and at the end there is no file");
}

/* Whether a child that has no handler ends by it: emulators hold some back. */
static bool
is_sent(int sig)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		raise(sig);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFSIGNALED(status);
}

/* Each signal there is, with its default action. */
static void
test_each(void)
{
	for (int sig = 1; sig <= SIGRTMAX; sig++) {
		if (sig == SIGKILL || sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN ||
		    sig == SIGTTOU || is_taken(sig))
			continue;
		if (ends_none(sig))
			is_alive(run(raise_it, sig), sig, "does not end it");
		else if (is_sent(sig))
			is_ended(run(raise_it, sig), sig, "ends it");
	}
}

static void
test_ignored(void)
{
	static const int some[] = {SIGHUP, SIGALRM, SIGUSR2, SIGTERM};

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
		signal(some[i], SIG_IGN);
		is_alive(run(raise_it, some[i]), some[i], "stays ignored");
		signal(some[i], SIG_DFL);
	}
}

static volatile sig_atomic_t seen;

static void
on_signal(int sig)
{
	seen = sig;
}

static void
test_foreign(void)
{
	struct sigaction now;

	signal(SIGUSR2, on_signal);
	is_alive(run(raise_it, SIGUSR2), SIGUSR2, "has its own handler");
	if (!is_taken(SIGSEGV))
		return;
	kith_ends_watch(abort);
	sigaction(SIGSEGV, NULL, &now);
	ok(now.sa_handler != SIG_DFL, "that of the sanitizer stays");
}

static void
abort_it(int sig)
{
	(void)sig;
	abort();
}

static volatile bool deep = true; /* no compiler knows for how long */

/* Use more stack than there is. */
static int
dive(int n) /* NOLINT(misc-no-recursion) */
{
	volatile char here[4096];

	here[0] = (char)n;
	return deep ? dive(n + 1) + here[0] : n;
}

static void
overflow(int sig)
{
	exit(dive(sig)); /* NOLINT(concurrency-mt-unsafe) */
}

static void
test_faults(void)
{
	is_ended(run(abort_it, 0), SIGABRT, "a failed assertion");
	if (!is_taken(SIGSEGV))
		is_ended(run(overflow, 0), SIGSEGV, "a stack without room");
}

/* While a piece of work is held, a signal waits. */
static void
hold_it(int sig)
{
	kith_ends_hold();
	raise(sig);
	raise(sig);
	rename("held", "kept");
	kith_ends_release();
}

static void *
raise_there(void *to)
{
	raise(*(int *)to);
	return NULL;
}

/* The same for one that another thread gets. */
static void
hold_here(int sig)
{
	pthread_t other;

	kith_ends_hold();
	if (pthread_create(&other, NULL, raise_there, &sig))
		_exit(1);
	pthread_join(other, NULL);
	rename("held", "kept");
	kith_ends_release();
	pause();
}

static void
test_held(void)
{
	void (*const act[])(int) = {hold_it, hold_here, hold_it};
	const int sig[] = {SIGTERM, SIGTERM, SIGTRAP};

	for (size_t i = 0; i < 3; i++) {
		FILE *f = fopen("held", "w");
		int status;

		fclose(f);
		status = run(act[i], sig[i]);
		ok(WIFSIGNALED(status) && WTERMSIG(status) == sig[i],
		    "a signal that waited ends it all the same");
		ok(!unlink("kept"), "when the work was done");
		is_size(entries(), 0, "and leaves no file");
	}
}

/* Ask a child n times, and let it end; what it says. */
static const char *
ask(int n)
{
	static char text[4096];
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
		kith_progress_begin("tool");
		for (int i = 0; i < n; i++)
			raise(SIGUSR1);
		_exit(kith_progress_seconds() < 60 ? DONE : 1);
	}
	close(fd[1]);
	while ((got = read(fd[0], text + used, sizeof(text) - 1 - used)) > 0)
		used += (size_t)got;
	text[used] = '\0';
	close(fd[0]);
	waitpid(child, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == DONE ? text : "died";
}

static void
test_progress(void)
{
	is_text(ask(1), "tool: running for 0.0 s\n", "SIGUSR1 asks");
	is_text(ask(2), "tool: running for 0.0 s\ntool: running for 0.0 s\n", "a line each time");
	signal(SIGUSR1, SIG_IGN);
	is_text(ask(1), "", "unless the caller ignores it");
	signal(SIGUSR1, SIG_DFL);
}

int
main(void)
{
	char dir[] = "/tmp/kith-ends-XXXXXX";

	/* Under nohup and in the background some are ignored. */
	for (int sig = 1; sig <= SIGRTMAX; sig++) {
		struct sigaction old;

		if (!sigaction(sig, NULL, &old) && old.sa_handler == SIG_IGN)
			signal(sig, SIG_DFL);
	}
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	test_each();
	test_ignored();
	test_faults();
	test_held();
	test_progress();
	test_foreign();
	if (rmdir(dir))
		printf("# %s stays\n", dir);
	return done();
}
