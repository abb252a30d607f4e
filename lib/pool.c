#include "pool.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum {
	ALIGN = 64,
	TEXT = 4096 /* bytes of a block of short texts */
};

/* Stands before each object, and fills one alignment unit. */
struct kith_block {
	struct kith_block *prev, *next;
	void *start; /* what to free: of kith_new() it lies before the block */
	char pad[ALIGN - 3 * sizeof(void *)];
};

static void
no_memory(size_t n, size_t size)
{
	fprintf(
	    stderr, "out of memory: no room for %zu x %zu bytes\n", n, size);
	exit(EX_OSERR);
}

void (*kith_no_memory)(size_t n, size_t size) = no_memory;

/* The bytes of a block for n objects; 0 when they cannot be counted. */
static size_t
block_size(size_t n, size_t size)
{
	const size_t most = PTRDIFF_MAX - sizeof(struct kith_block) -
	    2 * (size_t)ALIGN;

	assert(size > 0);
	if (n > most / size)
		return 0;
	return sizeof(struct kith_block) +
	    (n * size + ALIGN - 1) / ALIGN * ALIGN;
}

/* Put a block that starts at start at the end of the pool's list. */
static void *
link_block(struct kith_pool *pool, struct kith_block *b, void *start)
{
	*b = (struct kith_block){.prev = pool->last, .start = start};
	if (b->prev)
		b->prev->next = b;
	pool->last = b;
	return b + 1;
}

static void
unlink_block(struct kith_pool *pool, struct kith_block *b)
{
	if (b->next)
		b->next->prev = b->prev;
	else
		pool->last = b->prev;
	if (b->prev)
		b->prev->next = b->next;
}

/* calloc() knows which memory is zero already; aligned_alloc() does not. */
void *
kith_new(struct kith_pool *pool, size_t n, size_t size)
{
	const size_t bytes = block_size(n, size);
	char *start = bytes ? calloc(1, bytes + ALIGN) : NULL;

	if (!start) {
		kith_no_memory(n, size);
		abort();
	}
	return link_block(pool,
	    (struct kith_block *)(start + ALIGN - (uintptr_t)start % ALIGN),
	    start);
}

void *
kith_grow(struct kith_pool *pool, void *array, size_t n, size_t size)
{
	const size_t bytes = block_size(n, size);
	struct kith_block *old = array;
	char *start = NULL;
	size_t before = 0; /* bytes between start and block */

	if (old) {
		unlink_block(pool, --old);
		start = old->start;
		before = (size_t)((char *)old - start);
	}
	start = bytes ? realloc(start, bytes + before) : NULL;
	if (!start) {
		kith_no_memory(n, size);
		abort();
	}
	return link_block(pool, (struct kith_block *)(start + before), start);
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
