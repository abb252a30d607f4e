/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/progress.h"

#include "base/progress_line.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
	DEPTH = KITH_PROGRESS_DEPTH,
	VALUES = KITH_PROGRESS_VALUES,
	TRIES = 3,       /* looks at phases that change */
	COLUMNS = 80,    /* of a terminal that does not tell */
	STACK = 1 << 18, /* bytes, of the thread that tells */
};

/* What a terminal does to be at the start of a line without text. */
static const char wipe[] = "\r\033[K";

static const char *tool_name;
static struct timespec began;

/*
 * The phases.  One thread begins and ends them; any adds; the one that tells,
 * and signal handlers, read.  `changes` is odd while depth and names are not
 * those of one moment.
 */
struct phase {
	_Atomic(const char *) name, of, unit;
	atomic_size_t done, total;
	_Atomic double began;
	struct {
		_Atomic(const char *) name;
		_Atomic double x;
	} value[VALUES];
};
static struct phase phase[DEPTH];
static atomic_size_t depth; /* may exceed DEPTH: those are not told of */
static atomic_uint changes;
static _Thread_local int muted;

/* The thread that tells, under the lock; shown: its line is to be seen. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken;
static struct kith_progress_how how;
static bool telling, rows_seen;
static atomic_bool shown;

static double
seconds_to(struct timespec now)
{
	return (double)(now.tv_sec - began.tv_sec) + (double)(now.tv_nsec - began.tv_nsec) / 1e9;
}

double
kith_progress_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return seconds_to(now);
}

int
kith_progress_mute(int by)
{
	muted += by;
	return muted;
}

static void
begin_phase(const char *name, const char *of, size_t total, const char *unit)
{
	const size_t at = depth;

	if (muted)
		return;
	changes++;
	if (at < DEPTH) {
		struct phase *p = &phase[at];

		p->name = name;
		p->of = of;
		p->unit = unit;
		p->total = total;
		p->done = 0;
		p->began = kith_progress_seconds();
		for (size_t i = 0; i < VALUES; i++)
			p->value[i].name = NULL;
	}
	depth = at + 1;
	changes++;
}

void
kith_progress_phase(const char *name, size_t total, const char *unit)
{
	begin_phase(name, NULL, total, unit);
}

void
kith_progress_reading(const char *file, size_t bytes)
{
	begin_phase("reading", file, bytes, "bytes");
}

void
kith_progress_end(void)
{
	if (muted || depth == 0)
		return;
	changes++;
	depth--;
	changes++;
}

/* The phase that goes on, or NULL. */
static struct phase *
current(void)
{
	const size_t at = atomic_load_explicit(&depth, memory_order_relaxed);

	return muted || at == 0 || at > DEPTH ? NULL : &phase[at - 1];
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

	for (size_t i = 0; p && i < VALUES; i++) {
		const char *old = p->value[i].name;

		if (old && old != name && strcmp(old, name) != 0)
			continue;
		atomic_store_explicit(&p->value[i].x, x, memory_order_relaxed);
		if (!old)
			p->value[i].name = name;
		return;
	}
}

static void
look_at(struct phase *p, double seconds, struct kith_progress_level *level)
{
	*level = (struct kith_progress_level){.name = p->name,
	    .of = p->of,
	    .unit = p->unit,
	    .done = p->done,
	    .total = p->total,
	    .seconds = seconds - p->began};
	for (size_t i = 0; i < VALUES; i++) {
		const char *name = p->value[i].name;

		if (!name)
			return;
		level->value[i].name = name;
		level->value[i].x = p->value[i].x;
		level->values = i + 1;
	}
}

/* What the run is doing now; without phases where these do not hold still. */
static void
look(struct kith_progress_now *now)
{
	now->seconds = kith_progress_seconds();
	for (int try = 0; try < TRIES; try++) {
		const unsigned before = changes;

		now->depth = depth < DEPTH ? depth : DEPTH;
		for (size_t i = 0; i < now->depth && before % 2 == 0; i++)
			look_at(&phase[i], now->seconds, &now->level[i]);
		if (before % 2 == 0 && changes == before)
			return;
	}
	now->depth = 0;
}

/* Write, in one piece.  Where nobody can read it, the run goes on. */
static void
put(const char *s, size_t len)
{
	const int old = errno;

	if (write(STDERR_FILENO, s, len) < 0)
		errno = 0;
	errno = old;
}

/* Write the line of a tool (NULL: of the log) as it is now, after a wipe, before an end of line. */
static void
put_line(const char *tool, size_t width, bool wiped, bool ended)
{
	char s[sizeof(wipe) + KITH_PROGRESS_ROOM] = "";
	struct kith_progress_now now;
	size_t used = 0;

	look(&now);
	now.tool = tool;
	if (wiped) {
		memcpy(s, wipe, sizeof(wipe) - 1);
		used = sizeof(wipe) - 1;
	}
	used += kith_progress_line(&now, width, s + used);
	if (ended)
		s[used++] = '\n';
	put(s, used);
}

static void
on_ask(int sig)
{
	(void)sig;
	put_line(tool_name, KITH_PROGRESS_ROOM, atomic_exchange(&shown, false), true);
}

static void
answer(int sig)
{
	struct sigaction act = {.sa_handler = on_ask}, old;

	act.sa_flags = SA_RESTART;
	sigemptyset(&act.sa_mask);
	if (!sigaction(sig, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(sig, &act, NULL);
}

void
kith_progress_begin(const char *tool)
{
	tool_name = tool;
	clock_gettime(CLOCK_MONOTONIC, &began);
	answer(SIGUSR1);
#ifdef SIGINFO
	answer(SIGINFO);
#endif
}

/* Whether it reads, and has read nothing since the last call. */
static bool
waits(size_t *read)
{
	struct kith_progress_now now;
	size_t bytes = SIZE_MAX;

	look(&now);
	if (now.depth > 0 && now.level[now.depth - 1].of)
		bytes = now.level[now.depth - 1].done;
	if (bytes < SIZE_MAX && bytes == *read)
		return true;
	*read = bytes;
	return false;
}

/* Whether another run has the terminal: the shell moved this one behind it. */
static bool
is_behind(void)
{
	const pid_t front = tcgetpgrp(STDERR_FILENO);

	return front >= 0 && front != getpgrp();
}

/* Columns that a line may have, for the next wipe reaches one line only. */
static size_t
columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2)
		return COLUMNS - 1;
	return size.ws_col - 1U;
}

/* Add seconds to a time. */
static void
pass(struct timespec *t, double seconds)
{
	const long long ns = t->tv_nsec + (long long)(1e9 * seconds);

	t->tv_sec += (time_t)(ns / 1000000000);
	t->tv_nsec = (long)(ns % 1000000000);
}

static void *
tell(void *to)
{
	struct timespec due = began;
	size_t read = 0;

	(void)to;
	pthread_mutex_lock(&lock);
	pass(&due, how.first);
	while (telling) {
		if (pthread_cond_timedwait(&woken, &lock, &due) != ETIMEDOUT)
			continue;
		clock_gettime(CLOCK_MONOTONIC, &due);
		pass(&due, how.every);
		if (!how.rewrite)
			put_line(NULL, KITH_PROGRESS_ROOM, false, true);
		else if (!is_behind() && !waits(&read)) {
			put_line(tool_name, columns(), true, false);
			shown = true;
		}
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

/* Start the thread, which gets no signal. */
static int
start(void)
{
	pthread_condattr_t clock;
	pthread_attr_t attr;
	pthread_t id;
	sigset_t all, old;
	int got;

	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&woken, &clock);
	pthread_condattr_destroy(&clock);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	got = pthread_create(&id, &attr, tell, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return got;
}

void
kith_progress_tell(const struct kith_progress_how *wanted)
{
	pthread_mutex_lock(&lock);
	how = *wanted;
	rows_seen = how.rewrite && isatty(STDOUT_FILENO);
	telling = true;
	if (start())
		telling = rows_seen = false;
	pthread_mutex_unlock(&lock);
}

void
kith_progress_hold(void)
{
	pthread_mutex_lock(&lock);
	if (atomic_exchange(&shown, false))
		put(wipe, sizeof(wipe) - 1);
}

void
kith_progress_release(void)
{
	pthread_mutex_unlock(&lock);
}

void
kith_progress_stop(void)
{
	kith_progress_hold();
	if (telling)
		pthread_cond_signal(&woken);
	telling = rows_seen = false;
	kith_progress_release();
}

void
kith_progress_give_way(void)
{
	if (rows_seen)
		kith_progress_stop();
}
