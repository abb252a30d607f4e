/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/pool - memory that is freed all at once.
 *
 * Results live in the pool the caller hands in; scratch lives in a pool of
 * the function's own, freed before it returns.  Nothing is freed alone.
 *
 *	struct kith_pool pool = {0};
 *	double *x = kith_new(&pool, n, sizeof(*x));
 *	...
 *	kith_pool_free(&pool);
 *
 * Each array is a block of its own, so sanitizers and valgrind see its exact
 * bounds.  A pool is used by one thread at a time.
 */
#ifndef KITH_BASE_POOL_H
#define KITH_BASE_POOL_H

#include "base/err.h"

#include <stddef.h>

struct kith_pool {
	struct kith_block *last;
	char *text; /* room for short texts: so many bytes */
	size_t text_left;
};

/*
 * n zeroed objects of the given size, aligned to 64 bytes.  Never NULL:
 * kith_no_memory() is called when there is no room, or when n * size does not
 * fit a size_t.
 */
void *kith_new(struct kith_pool *pool, size_t n, size_t size);

/*
 * Lets each of several pointers, of which the addresses are given, point at n times p
 * zeros, doubles or sizes: KITH_NEW_REALS(pool, n, p, &x, &y).
 */
#define KITH_NEW_REALS(pool, n, p, ...) \
	kith_new_arrays(pool, n, (p) * sizeof(double), (void *const[]){__VA_ARGS__, NULL})
#define KITH_NEW_SIZES(pool, n, p, ...) \
	kith_new_arrays(pool, n, (p) * sizeof(size_t), (void *const[]){__VA_ARGS__, NULL})
void kith_new_arrays(struct kith_pool *pool, size_t n, size_t size, void *const *array);

/*
 * Resize an array of this pool (or NULL, for a new one) to n objects.  The
 * objects behind the old ones are not zeroed; the array is aligned to 64 bytes.
 * A large array is remapped, not copied, so growing one costs no second copy of
 * it in memory.
 */
void *kith_grow(struct kith_pool *pool, void *array, size_t n, size_t size);

/*
 * An array of *room objects, n of which are in use, with room for one more: it
 * is as it was, or, where it is full, the array and *room grow to twice their
 * size and some.
 */
void *kith_more(struct kith_pool *pool, void *array, size_t n, size_t *room, size_t size);

/*
 * A copy of the first len bytes of s, with a null byte added.  Short ones share
 * a block: millions of names cost little more than their bytes.
 */
char *kith_strndup(struct kith_pool *pool, const char *s, size_t len);

/* Returns the text that printf(3) would print. */
char *kith_text(struct kith_pool *pool, const char *fmt, ...) KITH_PRINTF(2, 3);

/* Free all that the pool holds; the pool is then empty and can be reused. */
void kith_pool_free(struct kith_pool *pool);

/*
 * Called when memory runs out; it must not return.  The first version prints
 * a message and exits with status 71; tests put their own in its place.
 */
extern void (*kith_no_memory)(size_t n, size_t size);

#endif
