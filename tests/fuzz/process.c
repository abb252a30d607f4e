/* SPDX-License-Identifier: BSD-2-Clause */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	HANDLERS = 8,
	HELD = 1 << 16, /* pieces of memory, a power of 2 */
	FILES = 64      /* that a command may have open */
};

/* As much as sanitizers fill the last variable of a section up to. */
typedef uint64_t lump __attribute__((vector_size(32)));

/* The data of kith's objects, from and to; the linker gives these names. */
/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl*) */
extern lump __start_kith_data[], __stop_kith_data[];
extern lump __start_kith_bss[], __stop_kith_bss[];
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl*) */
static lump *first_data;

/* The run that goes on. */
static struct {
	bool on;
	jmp_buf back;
	pthread_t thread;
	void (*handler[HANDLERS])(void);
	size_t handlers;
} run;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *held[HELD];
static struct process ended;
static int console;

/* A place in held for this pointer, or for NULL one that is free. */
static void **
place(const void *p)
{
	size_t at = (uintptr_t)p / 16 * 0x9e3779b97f4a7c15U >> 48;

	while (held[at] && held[at] != p)
		at = (at + 1) % HELD;
	return &held[at];
}

static void
hold(void *p)
{
	if (p)
		*place(p) = p;
}

/* Others behind it may have found this place taken: they are put in anew. */
static void
let_go(const void *p)
{
	void **at = place(p);

	if (!p || !*at)
		return;
	*at = NULL;
	for (size_t i = (size_t)(at - held + 1) % HELD; held[i]; i = (i + 1) % HELD) {
		void *other = held[i];

		held[i] = NULL;
		hold(other);
	}
}

void *
whole_calloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	pthread_mutex_lock(&lock);
	hold(p);
	pthread_mutex_unlock(&lock);
	return p;
}

void *
whole_realloc(void *old, size_t size)
{
	void *p;

	pthread_mutex_lock(&lock);
	let_go(old);
	p = realloc(old, size);
	hold(p ? p : old);
	pthread_mutex_unlock(&lock);
	return p;
}

void
whole_free(void *p)
{
	pthread_mutex_lock(&lock);
	let_go(p);
	pthread_mutex_unlock(&lock);
	free(p);
}

void
whole_cmp8(uint64_t a, uint64_t b)
{
	(void)a;
	(void)b;
}

void
whole_const_cmp8(uint64_t a, uint64_t b)
{
	(void)a;
	(void)b;
}

int
whole_atexit(void (*handler)(void))
{
	if (run.handlers == HANDLERS)
		return -1;
	run.handler[run.handlers++] = handler;
	return 0;
}

void
whole_exit(int status)
{
	if (!run.on || !pthread_equal(run.thread, pthread_self()))
		_exit(99);
	ended.status = status;
	longjmp(run.back, 1);
}

int
whole_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	int state = PTHREAD_CREATE_JOINABLE;

	if (attr)
		pthread_attr_getdetachstate(attr, &state);
	return state == PTHREAD_CREATE_DETACHED ? EAGAIN : pthread_create(id, attr, start, arg);
}

/* Plain loops: memory between variables is not for memcpy() of a sanitizer. */
__attribute__((no_sanitize("address", "undefined"))) static void
copy(volatile lump *to, const volatile lump *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from[i];
}

static size_t
lumps(const lump *start, const lump *stop)
{
	const size_t bytes = (size_t)((uintptr_t)stop - (uintptr_t)start);

	if (bytes % sizeof(*start) != 0)
		abort();
	return bytes / sizeof(*start);
}

static void
keep_data(bool restore)
{
	const size_t n = lumps(__start_kith_data, __stop_kith_data);
	const size_t m = lumps(__start_kith_bss, __stop_kith_bss);

	if (!first_data)
		first_data = aligned_alloc(sizeof(lump), (n + m) * sizeof(*first_data));
	if (!first_data)
		abort();
	if (restore) {
		copy(__start_kith_data, first_data, n);
		copy(__start_kith_bss, first_data + n, m);
	} else {
		copy(first_data, __start_kith_data, n);
		copy(first_data + n, __start_kith_bss, m);
	}
}

static void
take(int fd, const char *file)
{
	const int from = open(file, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);

	if (from < 0 || dup2(from, fd) < 0)
		abort();
	close(from);
}

void
process_begin(int shown)
{
	console = shown;
	keep_data(false);
}

const struct process *
process_call(process_main *main, int n, char **word, const char *out)
{
	ssize_t got;

	keep_data(true);
	take(STDIN_FILENO, "stdin");
	take(STDOUT_FILENO, out);
	take(STDERR_FILENO, "stderr");
	optind = 0;
	run.handlers = 0;
	run.thread = pthread_self();
	run.on = true;
	if (!setjmp(run.back))
		ended.status = main(n, word);
	while (run.handlers > 0) {
		run.handlers--;
		if (!setjmp(run.back))
			run.handler[run.handlers]();
	}
	run.on = false;
	fflush(stderr);
	for (size_t i = 0; i < HELD; i++)
		if (held[i]) {
			free(held[i]);
			held[i] = NULL;
		}
	for (int fd = console + 1; fd < console + FILES; fd++)
		close(fd);
	got = pread(STDERR_FILENO, ended.said, sizeof(ended.said) - 1, 0);
	ended.said[got > 0 ? got : 0] = '\0';
	dup2(console, STDERR_FILENO);
	return &ended;
}
