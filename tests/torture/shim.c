/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shim - preloaded into a command, so that its N-th call of a function fails.
 *
 * KITH_FAULT="FUNCTION N ERRNO once|on": calls are counted from main() on; the
 * N-th, and with "on" all later ones, return what they return with this errno.
 * ERRNO 0 is for read and write, which then move one byte.  FUNCTION is one of
 * `function`, each of which stands for its family; malloc() of OpenBLAS itself
 * is left alone.  KITH_FAULT_SEEN names a
 * file that begins with the calls that were counted, and those that failed, as
 * two unsigned longs (struct seen).
 */
#define _GNU_SOURCE /* NOLINT: for RTLD_NEXT */

#include "seen.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum function { MALLOC, MMAP, READ, WRITE, OPEN, CLOSE, RENAME, STAT, FSYNC, THREAD, FUNCTIONS };
static const char *const function[FUNCTIONS] = {"malloc", "mmap", "read", "write", "open", "close",
    "rename", "stat", "fsync", "pthread_create"};

static struct kith_seen *seen; /* NULL: nothing is counted */
static enum function which = FUNCTIONS;
static unsigned long at;
static int why;
static bool lasting, in_main;

/* Whether a call comes from OpenBLAS, whose dgemm() does not look (la/blas.c). */
static bool
is_from_blas(const void *caller)
{
	Dl_info who;

	return which == MALLOC && in_main && dladdr(caller, &who) && who.dli_fname &&
	    strstr(who.dli_fname, "openblas");
}

/* Whether this call is to fail; errno is what it fails with. */
static bool
fails(enum function called)
{
	unsigned long n;

	if (called != which || !in_main)
		return false;
	n = atomic_fetch_add(&seen->calls, 1) + 1;
	if (n < at || (n > at && !lasting))
		return false;
	atomic_fetch_add(&seen->failed, 1);
	errno = why;
	return true;
}

/* Under their own names these stand for the functions of the C library. */
#define STANDS_FOR(name) __asm__(#name)
/* Where the offsets of files are told to have 64 bits, names say so. */
#if defined(_FILE_OFFSET_BITS) && _FILE_OFFSET_BITS == 64
#define WIDE "64"
#else
#define WIDE ""
#endif
#define STANDS_FOR_WIDE(name) __asm__(#name WIDE)
int kith_open(const char *, int, ...) STANDS_FOR_WIDE(open);
void *kith_mmap(void *, size_t, int, int, int, off_t) STANDS_FOR_WIDE(mmap);
ssize_t kith_read(int, void *, size_t) STANDS_FOR(read);
ssize_t kith_write(int, const void *, size_t) STANDS_FOR(write);
int kith_close(int) STANDS_FOR(close);
int kith_rename(const char *, const char *) STANDS_FOR(rename);
int kith_stat(const char *, struct stat *) STANDS_FOR_WIDE(stat);
int kith_lstat(const char *, struct stat *) STANDS_FOR_WIDE(lstat);
int kith_fstat(int, struct stat *) STANDS_FOR_WIDE(fstat);
int kith_fsync(int) STANDS_FOR(fsync);
int kith_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)
    STANDS_FOR(pthread_create);
void *kith_malloc(size_t) STANDS_FOR(malloc);
void *kith_calloc(size_t, size_t) STANDS_FOR(calloc);
void *kith_realloc(void *, size_t) STANDS_FOR(realloc);
void kith_free(void *) STANDS_FOR(free);
void *kith_aligned_alloc(size_t, size_t) STANDS_FOR(aligned_alloc);
int kith_posix_memalign(void **, size_t, size_t) STANDS_FOR(posix_memalign);
long kith_syscall(long, ...) STANDS_FOR(syscall);
typedef int kith_main(int, char **, char **);
int kith_start(kith_main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *)
    STANDS_FOR(__libc_start_main);

/* The function of this type and name without the shim. */
#define REAL_NAMED(type, name, of) \
	static type(*real) of; /* NOLINT: a type */ \
	if (!real) \
	*(void **)&real = dlsym(RTLD_NEXT, name)
#define REAL(type, name, of) REAL_NAMED(type, #name, of)
#define REAL_WIDE(type, name, of) REAL_NAMED(type, #name WIDE, of)

int
kith_open(const char *path, int flags, ...)
{
	REAL_WIDE(int, open, (const char *, int, ...));
	mode_t mode = 0;

	if (flags & O_CREAT) {
		va_list ap;

		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	return fails(OPEN) ? -1 : real(path, flags, mode);
}

void *
kith_mmap(void *to, size_t len, int prot, int flags, int fd, off_t from)
{
	REAL_WIDE(void *, mmap, (void *, size_t, int, int, int, off_t));

	return fails(MMAP) ? MAP_FAILED : real(to, len, prot, flags, fd, from);
}

ssize_t
kith_read(int fd, void *to, size_t len)
{
	REAL(ssize_t, read, (int, void *, size_t));

	if (!fails(READ))
		return real(fd, to, len);
	return why ? -1 : real(fd, to, len > 0);
}

ssize_t
kith_write(int fd, const void *from, size_t len)
{
	REAL(ssize_t, write, (int, const void *, size_t));

	if (!fails(WRITE))
		return real(fd, from, len);
	return why ? -1 : real(fd, from, len > 0);
}

/* It closes, as close() does when a late write fails. */
int
kith_close(int fd)
{
	REAL(int, close, (int));
	const int got = real(fd);

	return fails(CLOSE) ? -1 : got;
}

int
kith_rename(const char *from, const char *to)
{
	REAL(int, rename, (const char *, const char *));

	return fails(RENAME) ? -1 : real(from, to);
}

int
kith_stat(const char *path, struct stat *to)
{
	REAL_WIDE(int, stat, (const char *, struct stat *));

	return fails(STAT) ? -1 : real(path, to);
}

int
kith_lstat(const char *path, struct stat *to)
{
	REAL_WIDE(int, lstat, (const char *, struct stat *));

	return fails(STAT) ? -1 : real(path, to);
}

int
kith_fstat(int fd, struct stat *to)
{
	REAL_WIDE(int, fstat, (int, struct stat *));

	return fails(STAT) ? -1 : real(fd, to);
}

int
kith_fsync(int fd)
{
	REAL(int, fsync, (int));

	return fails(FSYNC) ? -1 : real(fd);
}

int
kith_pthread_create(pthread_t *id, const pthread_attr_t *how, void *(*run)(void *), void *to)
{
	REAL(int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *));

	return fails(THREAD) ? why : real(id, how, run, to);
}

/* Memory for those who ask while dlsym() looks for malloc() and its like. */
static alignas(max_align_t) char early[1 << 16];
static size_t used;

static bool
is_early(const void *p)
{
	return (uintptr_t)p - (uintptr_t)early < sizeof(early);
}

static void *
take_early(size_t size)
{
	void *p = early + used;

	used += (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
	if (used > sizeof(early))
		abort();
	return p;
}

static struct {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	void *(*aligned_alloc)(size_t, size_t);
	int (*posix_memalign)(void **, size_t, size_t);
} real_of;

/* Find them; false while that is being done. */
static bool
find(void)
{
	static bool begun, done;

	if (begun)
		return done;
	begun = true;
	*(void **)&real_of.malloc = dlsym(RTLD_NEXT, "malloc");
	*(void **)&real_of.calloc = dlsym(RTLD_NEXT, "calloc");
	*(void **)&real_of.realloc = dlsym(RTLD_NEXT, "realloc");
	*(void **)&real_of.free = dlsym(RTLD_NEXT, "free");
	*(void **)&real_of.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
	*(void **)&real_of.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
	done = true;
	return true;
}

void *
kith_malloc(size_t size)
{
	if (!find())
		return take_early(size);
	return !is_from_blas(__builtin_return_address(0)) && fails(MALLOC) ? NULL
									   : real_of.malloc(size);
}

void *
kith_calloc(size_t n, size_t size)
{
	if (!find())
		return take_early(n * size);
	return fails(MALLOC) ? NULL : real_of.calloc(n, size);
}

void *
kith_realloc(void *p, size_t size)
{
	if (!find() || is_early(p))
		abort();
	return fails(MALLOC) ? NULL : real_of.realloc(p, size);
}

void
kith_free(void *p)
{
	if (find() && !is_early(p))
		real_of.free(p);
}

void *
kith_aligned_alloc(size_t bytes, size_t size)
{
	if (!find())
		abort();
	return fails(MALLOC) ? NULL : real_of.aligned_alloc(bytes, size);
}

int
kith_posix_memalign(void **to, size_t bytes, size_t size)
{
	if (!find())
		abort();
	return fails(MALLOC) ? why : real_of.posix_memalign(to, bytes, size);
}

/* Map the file that counts. */
static void
begin(void)
{
	const char *file = getenv("KITH_FAULT_SEEN"), *s = getenv("KITH_FAULT");
	char *rest;
	int fd;

	if (!file || !s)
		return;
	for (which = 0; which < FUNCTIONS; which++)
		if (strncmp(s, function[which], strcspn(s, " ")) == 0)
			break;
	at = strtoul(s + strcspn(s, " "), &rest, 10);
	why = (int)strtol(rest, &rest, 10);
	lasting = strcmp(rest, " on") == 0;
	fd = open(file, O_RDWR | O_CLOEXEC);
	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd < 0 || seen == MAP_FAILED)
		abort();
	close(fd);
}

/* Calls before main() are those of the loader and of libraries. */
/* Memory of OpenBLAS is mapped by la/blas.c, in this way. */
long
kith_syscall(long number, ...)
{
	REAL(long, syscall, (long, ...));
	long word[6];
	va_list ap;

	va_start(ap, number);
	for (size_t i = 0; i < 6; i++)
		word[i] = va_arg(ap, long);
	va_end(ap);
#ifdef SYS_mmap2
	if (number == SYS_mmap2 && fails(MMAP))
#else
	if (number == SYS_mmap && fails(MMAP))
#endif
		return -1;
	return real(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}

int
kith_start(kith_main *called, int argc, char **argv, void (*first)(void), void (*last)(void),
    void (*unload)(void), void *stack)
{
	REAL(int, __libc_start_main,
	    (kith_main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *));

	begin();
	in_main = true;
	return real(called, argc, argv, first, last, unload, stack);
}
