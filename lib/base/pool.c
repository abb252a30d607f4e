/* SPDX-License-Identifier: BSD-2-Clause */
#define _DEFAULT_SOURCE /* madvise(); NOLINT(*-identifier,cert-dcl*) */
#include "base/pool.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sysexits.h>
#include <unistd.h>
#if defined(__has_feature)
#define FENCED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define FENCED 1
#else
#define FENCED 0
#endif
#if FENCED
#include <sanitizer/asan_interface.h>
#endif

enum {
	ALIGN = 64,
	TEXT = 4096,    /* bytes of a block of short texts */
	LARGE = 1 << 22 /* of a block that is worth large pages */
};

/* Stands before each object, and fills one alignment unit. */
struct kith_block {
	struct kith_block *prev, *next;
	void *start;  /* what to free: it lies before the block */
	size_t bytes; /* of this struct and the object */
	char pad[ALIGN - 3 * sizeof(void *) - sizeof(size_t)];
};

/* What glibc and musl know before main(): newer versions of OpenBLAS map memory
 * when they are loaded. */
#ifdef __linux__
extern char *program_invocation_short_name;
#define PROGRAM program_invocation_short_name
#else
#define PROGRAM "kith"
#endif

static void
no_memory(size_t n, size_t size)
{
	fprintf(stderr, "%s: no memory for %zu x %zu bytes\n", PROGRAM, n, size);
	exit(EX_OSERR);
}

void (*kith_no_memory)(size_t n, size_t size) = no_memory;

/*
 * Ask for large pages under a large block: most of the time that it takes to have
 * fresh memory goes by the number of pages.  The advice is for the whole block, its
 * first and last page, too: realloc() moves a mapping without a copy only where all
 * of it is under the same advice.
 */
static void
ask_for_pages(char *start, size_t bytes)
{
#ifdef MADV_HUGEPAGE
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t skip = (uintptr_t)start % page;

	if (bytes >= LARGE)
		madvise(start - skip, bytes + skip, MADV_HUGEPAGE);
#else
	(void)start;
	(void)bytes;
#endif
}

/*
 * Allocates n zeroed objects, if `array` is NULL and `zeros`; else resizes the array.  calloc()
 * knows which memory is zero already; aligned_alloc() does not.
 */
static void *
allocate(struct kith_pool *pool, void *array, size_t n, size_t size, bool zeros)
{
	const size_t most = PTRDIFF_MAX - sizeof(struct kith_block) - 2 * (size_t)ALIGN;
	struct kith_block *b = array;
	char *start = NULL;
	size_t before = 0, aligned; /* bytes between start and block, before and now: 1 to ALIGN */
	size_t bytes = 0;           /* of the block; 0: they cannot be counted */
	size_t held = 0;            /* bytes that stay */

	assert(size > 0);
	if (n <= most / size)
		bytes = sizeof(*b) + (n * size + ALIGN - 1) / ALIGN * ALIGN;
	if (b) {
		start = (--b)->start;
		before = (size_t)((char *)b - start);
		held = b->bytes < bytes ? b->bytes : bytes;
	}
	start = !bytes ? NULL : zeros ? calloc(1, bytes + ALIGN) : realloc(start, bytes + ALIGN);
	if (!start) {
		kith_no_memory(n, size);
		abort();
	}
	ask_for_pages(start, bytes + ALIGN);
	aligned = ALIGN - (uintptr_t)start % ALIGN;
	if (held > 0 && aligned != before)
		memmove(start + aligned, start + before, held);
	b = (struct kith_block *)(start + aligned);
	if (!array)
		*b = (struct kith_block){.prev = pool->last};
	b->start = start;
	b->bytes = bytes;
	if (b->prev)
		b->prev->next = b;
	if (b->next)
		b->next->prev = b;
	else
		pool->last = b;
#if FENCED
	/* Nothing uses the bytes before and behind the objects: sanitizers see who does. */
	__asan_poison_memory_region(b->pad, sizeof(b->pad));
	__asan_poison_memory_region(
	    (char *)(b + 1) + n * size, bytes + ALIGN - aligned - sizeof(*b) - n * size);
#endif
	return b + 1;
}

void *
kith_new(struct kith_pool *pool, size_t n, size_t size)
{
	return allocate(pool, NULL, n, size, true);
}

void
kith_new_arrays(struct kith_pool *pool, size_t n, size_t size, void *const *array)
{
	for (; *array; array++)
		memcpy(*array, &(void *){kith_new(pool, n, size)}, sizeof(void *));
}

void *
kith_grow(struct kith_pool *pool, void *array, size_t n, size_t size)
{
	return allocate(pool, array, n, size, false);
}

void *
kith_more(struct kith_pool *pool, void *array, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return array;
	*room = 2 * n + 64;
	return kith_grow(pool, array, *room, size);
}

char *
kith_strndup(struct kith_pool *pool, const char *s, size_t len)
{
	char *copy;

	if (len >= TEXT / 4)
		return memcpy(kith_new(pool, len + 1, 1), s, len);
	if (pool->text_left <= len) {
		pool->text = kith_new(pool, TEXT, 1);
		pool->text_left = TEXT;
	}
	copy = memcpy(pool->text, s, len); /* the null byte is there */
	pool->text += len + 1;
	pool->text_left -= len + 1;
	return copy;
}

char *
kith_text(struct kith_pool *pool, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	s = kith_new(pool, (size_t)len + 1, 1);
	va_start(ap, fmt);
	vsnprintf(s, (size_t)len + 1, fmt, ap);
	va_end(ap);
	return s;
}

void
kith_pool_free(struct kith_pool *pool)
{
	while (pool->last) {
		struct kith_block *b = pool->last;
		pool->last = b->prev;
		free(b->start);
	}
	*pool = (struct kith_pool){0};
}
