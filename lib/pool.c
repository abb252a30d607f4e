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

/* Stands before each object and fills one alignment unit. */
struct kith_block {
	_Alignas(ALIGN) struct kith_block *prev, *next;
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
	const size_t most = PTRDIFF_MAX - sizeof(struct kith_block) - ALIGN;

	assert(size > 0);
	if (n > most / size)
		return 0;
	return sizeof(struct kith_block) +
	    (n * size + ALIGN - 1) / ALIGN * ALIGN;
}

/* Put a block, fresh or moved, at the end of the pool's list. */
static void *
link_block(struct kith_pool *pool, struct kith_block *b, size_t n, size_t size)
{
	if (!b) {
		kith_no_memory(n, size);
		abort();
	}
	*b = (struct kith_block){.prev = pool->last};
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

void *
kith_new(struct kith_pool *pool, size_t n, size_t size)
{
	const size_t bytes = block_size(n, size);
	struct kith_block *b = bytes ? aligned_alloc(ALIGN, bytes) : NULL;
	void *object = link_block(pool, b, n, size);

	return memset(object, 0, bytes - sizeof(*b));
}

void *
kith_grow(struct kith_pool *pool, void *array, size_t n, size_t size)
{
	const size_t bytes = block_size(n, size);
	struct kith_block *old = array, *b;

	if (old)
		unlink_block(pool, --old);
	b = bytes ? realloc(old, bytes) : NULL;
	if (!b)
		free(old);
	return link_block(pool, b, n, size);
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
		free(b);
	}
	*pool = (struct kith_pool){0};
}
