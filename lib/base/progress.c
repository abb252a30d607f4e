/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/progress.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
	DEPTH = 4,    /* phases inside one another that are printed */
	VALUES = 3,   /* numbers of a phase */
	LENGTH = 511, /* bytes of a line */
	COLUMNS = 80,
	LONG_WAIT = 1000000 /* seconds that the printing thread sleeps at most */
};

/* Moves a terminal's cursor to the start of its line, and wipes the line. */
static const char wipe[] = "\r\033[K";

static const char *tool_name;
static struct timespec began;

/* One thread begins and ends phases; any thread adds; the printing thread reads. */
struct phase {
	const char *name, *of, *unit; /* of: a file, or NULL */
	size_t total;
	double began;
	atomic_size_t done;
	struct {
		_Atomic(const char *) name;
		_Atomic double x;
	} value[VALUES];
};
static struct phase phase[DEPTH];
static size_t depth;                                       /* may exceed DEPTH */
static pthread_mutex_t phases = PTHREAD_MUTEX_INITIALIZER; /* locks the above, but done, value */
static _Thread_local int muted;

static sem_t asked; /* wakes the printing thread: posted by each signal, and by tell() */
static atomic_int signals;

/* Locks what follows, and standard error. */
static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
static double interval;       /* seconds */
static double due = INFINITY; /* seconds: when the next line is printed */
static bool rewrite;          /* lines are rewritten */
static bool shown;            /* a line that is rewritten is on the terminal */
static atomic_bool rows_seen; /* standard output is that terminal, too */

double
kith_progress_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - began.tv_sec) + (double)(now.tv_nsec - began.tv_nsec) / 1e9;
}

/* ---- The line. ---- */

struct line {
	char s[LENGTH + sizeof(wipe) + 1];
	size_t used; /* may exceed the size of s */
};

__attribute__((format(printf, 2, 3))) static void
add(struct line *l, const char *form, ...)
{
	const size_t used = l->used < sizeof(l->s) ? l->used : sizeof(l->s) - 1;
	va_list ap;

	va_start(ap, form);
	l->used += (size_t)vsnprintf(l->s + used, sizeof(l->s) - used, form, ap);
	va_end(ap);
}

/* Adds a time in two units, as "2 h 5 min"; below 100 s in seconds, with a decimal if `tenths`. */
static void
add_time(struct line *l, double seconds, bool tenths)
{
	const long s = seconds < 1e9 ? (long)seconds : 1000000000;

	if (s >= 360000)
		add(l, "%ld d %ld h", s / 86400, s % 86400 / 3600);
	else if (s >= 3600)
		add(l, "%ld h %ld min", s / 3600, s % 3600 / 60);
	else if (s >= 100)
		add(l, "%ld min %ld s", s / 60, s % 60);
	else if (tenths)
		add(l, "%.1f s", floor(10 * seconds) / 10);
	else
		add(l, "%ld s", s);
}

static void
add_phase(struct line *l, const struct phase *p)
{
	const bool bytes = p->unit && strcmp(p->unit, "bytes") == 0;
	const double unit = bytes ? 1e6 : 1;
	const int decimals = bytes ? 1 : 0;

	add(l, "%s%s", p->name, p->of ? " " : "");
	for (const char *s = p->of; s && *s; s++) /* a terminal obeys other bytes */
		add(l, "%c", ' ' <= *s && *s <= '~' ? *s : '?');
	if (p->unit)
		add(l, ", %.*f", decimals, (double)p->done / unit);
	if (p->unit && p->total > 0)
		add(l, " of %.*f", decimals, (double)p->total / unit);
	if (p->unit)
		add(l, " %s", bytes ? "MB" : p->unit);
	for (size_t i = 0; i < VALUES && p->value[i].name; i++) {
		const double x = p->value[i].x;

		add(l, x == rint(x) && fabs(x) < 1e15 ? ", %s %.0f" : ", %s %.5g",
		    (const char *)p->value[i].name, x);
	}
	add(l, "; ");
}

/* Composes the line of `tool` (NULL: of the log), with up to `inner` phases, behind `before`. */
static void
compose(struct line *l, const char *before, const char *tool, size_t inner)
{
	const double now = kith_progress_seconds();
	const double done = (double)phase->done, total = (double)phase->total;

	l->used = 0;
	add(l, "%s%s%s", before, tool ? tool : "progress", tool ? ": " : "\t");
	for (size_t i = 0; i < inner; i++)
		add_phase(l, &phase[i]);
	if (inner == 0)
		add(l, "running for ");
	add_time(l, now, true);
	/* The time that is left is that of the outer phase. */
	if (depth == 0 || !phase->unit || !(total > 0) || !(done > 0))
		return;
	add(l, ", about ");
	add_time(l, done < total ? (now - phase->began) * (total - done) / done : 0, false);
	add(l, " left");
}

/*
 * Prints the line with `before` and `after`, in one write.  Inner phases are left out where it
 * would be longer than `width`.
 */
static void
print(const char *before, const char *tool, size_t width, const char *after)
{
	const size_t most = strlen(before) + width;
	struct line l;
	size_t inner;

	pthread_mutex_lock(&phases);
	inner = depth < DEPTH ? depth : DEPTH;
	do
		compose(&l, before, tool, inner);
	while (l.used > most && inner-- > 1);
	pthread_mutex_unlock(&phases);
	l.used = l.used < most ? l.used : most;
	add(&l, "%s", after);
	if (write(STDERR_FILENO, l.s, l.used) < 0) /* where nobody reads it, the run goes on */
		errno = 0;
}

/* ---- The thread that prints. ---- */

/* Returns whether the run reads, and has read nothing since the last call. */
static bool
is_waiting(void)
{
	static size_t read = SIZE_MAX;
	const size_t before = read;

	pthread_mutex_lock(&phases);
	read = depth > 0 && depth <= DEPTH && phase[depth - 1].of ? phase[depth - 1].done
								  : SIZE_MAX;
	pthread_mutex_unlock(&phases);
	return read < SIZE_MAX && read == before;
}

static void
print_when_due(void)
{
	const double now = kith_progress_seconds();
	const pid_t front = tcgetpgrp(STDERR_FILENO);
	struct winsize size;

	for (; signals > 0; signals--) {
		print(shown ? wipe : "", tool_name, LENGTH, "\n");
		shown = false;
	}
	if (now < due)
		return;
	due = now + interval;
	if (!rewrite) {
		print("", NULL, LENGTH, "\n");
	} else if ((front < 0 || front == getpgrp()) && !is_waiting()) { /* in the foreground */
		/* The wipe reaches one line, which the last column may end. */
		if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2)
			size.ws_col = COLUMNS;
		print(wipe, tool_name, size.ws_col <= LENGTH ? size.ws_col - 1U : LENGTH, "");
		shown = true;
	}
}

/* Prints when a signal asks, and when the next line is due. */
static void *
keep_printing(void *to)
{
	struct timespec t;
	double left;

	(void)to;
	for (;;) {
		pthread_mutex_lock(&printing);
		print_when_due();
		left = fmin(due - kith_progress_seconds(), LONG_WAIT);
		pthread_mutex_unlock(&printing);
		clock_gettime(CLOCK_REALTIME, &t);
		left += (double)t.tv_nsec / 1e9;
		t.tv_sec += (time_t)floor(left);
		t.tv_nsec = (long)(1e9 * (left - floor(left)));
		sem_timedwait(&asked, &t);
	}
	return NULL;
}

/* Starts the thread once, without signals; where it cannot be had, no line is printed. */
static void
start(void)
{
	static atomic_flag started = ATOMIC_FLAG_INIT;
	pthread_attr_t detached;
	pthread_t id;
	sigset_t all, old;

	if (!tool_name || atomic_flag_test_and_set(&started))
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	pthread_create(&id, &detached, keep_printing, NULL);
	pthread_attr_destroy(&detached);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void
on_ask(int sig)
{
	const int old = errno;

	(void)sig;
	signals++;
	sem_post(&asked);
	errno = old;
}

void
kith_progress_begin(const char *tool)
{
	static const int ask[] = {
	    SIGUSR1,
#ifdef SIGINFO
	    SIGINFO,
#endif
	};
	const struct sigaction act = {.sa_handler = on_ask, .sa_flags = SA_RESTART};
	struct sigaction old;

	tool_name = tool;
	clock_gettime(CLOCK_MONOTONIC, &began);
	sem_init(&asked, 0, 0);
	for (size_t i = 0; i < sizeof(ask) / sizeof(*ask); i++)
		if (!sigaction(ask[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(ask[i], &act, NULL);
}

void
kith_progress_tell(double first, double every, bool on_terminal)
{
	pthread_mutex_lock(&printing);
	due = first;
	interval = every;
	rewrite = on_terminal;
	rows_seen = rewrite && isatty(STDOUT_FILENO);
	pthread_mutex_unlock(&printing);
	start();
	sem_post(&asked);
}

void
kith_progress_hold(void)
{
	pthread_mutex_lock(&printing);
	if (shown && write(STDERR_FILENO, wipe, sizeof(wipe) - 1) < 0)
		errno = 0;
	shown = false;
}

void
kith_progress_release(void)
{
	pthread_mutex_unlock(&printing);
}

void
kith_progress_stop(void)
{
	kith_progress_hold();
	due = INFINITY;
	rows_seen = false;
	kith_progress_release();
}

void
kith_progress_give_way(void)
{
	if (rows_seen)
		kith_progress_stop();
}

/* ---- Phases. ---- */

int
kith_progress_mute(int by)
{
	muted += by;
	return muted;
}

void
kith_progress_phase_of(const char *name, const char *of, size_t total, const char *unit)
{
	if (muted)
		return;
	start();
	pthread_mutex_lock(&phases);
	if (depth < DEPTH)
		phase[depth] = (struct phase){.name = name,
		    .of = of,
		    .unit = unit,
		    .total = total,
		    .began = kith_progress_seconds()};
	depth++;
	pthread_mutex_unlock(&phases);
}

void
kith_progress_end(void)
{
	if (muted || depth == 0)
		return;
	pthread_mutex_lock(&phases);
	depth--;
	pthread_mutex_unlock(&phases);
}

/* Returns the current phase, or NULL: the threads of base/par add while it does not change. */
static struct phase *
current(void)
{
	return muted || depth == 0 || depth > DEPTH ? NULL : &phase[depth - 1];
}

void
kith_progress_add(size_t n)
{
	struct phase *p = current();

	if (p)
		atomic_fetch_add_explicit(&p->done, n, memory_order_relaxed);
}

void
kith_progress_value(const char *name, double x)
{
	struct phase *p = current();

	for (size_t i = 0; p && i < VALUES; i++)
		if (!p->value[i].name || strcmp(p->value[i].name, name) == 0) {
			p->value[i].x = x; /* before its name, as the line may be printed now */
			p->value[i].name = name;
			return;
		}
}
