/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/base/pool.h. */
#include "base/pool.h"

#include "tap.h"

#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#if defined(__has_feature)
#define WATCHED(how) __has_feature(how##_sanitizer)
#else
#define WATCHED(how) 0
#endif
/* Whether realloc() is known to move pages: that of sanitizers copies. */
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    WATCHED(address) || WATCHED(thread) || WATCHED(memory)
#define MOVES false
#else
#define MOVES true
#endif

static jmp_buf back;
static size_t asked_n, asked_size;

static void
give_up(size_t n, size_t size)
{
	asked_n = n;
	asked_size = size;
	longjmp(back, 1);
}

static void
test_new(struct kith_pool *pool)
{
	static const char none[1000];
	size_t right = 0;

	for (size_t n = 0; n < 1000; n++) {
		char *s = kith_new(pool, n, 1);

		right += (uintptr_t)s % 64 == 0 && memcmp(s, none, n) == 0;
		memset(s, 1, n);
	}
	is_size(right, 1000, "new objects are zero, and aligned");
}

static void
test_new_each(struct kith_pool *pool)
{
	double *x, *y;
	size_t *a, *b;

	KITH_NEW_REALS(pool, 3, 1, &x, &y);
	KITH_NEW_SIZES(pool, 2, 1, &a, &b);
	ok(x != y && x[2] == 0 && y[2] == 0 && a != b && a[1] == 0 && b[1] == 0, "several arrays");
}

static void
test_grow(struct kith_pool *pool)
{
	size_t *v[3] = {NULL}, right = 0;

	/* Three arrays that grow in turn, so that each leaves the list's
	   middle and its end. */
	for (size_t n = 1; n <= 300; n++)
		for (size_t k = 0; k < 3; k++) {
			v[k] = kith_grow(pool, v[k], n, sizeof(*v[k]));
			v[k][n - 1] = 3 * n + k;
		}
	for (size_t n = 1; n <= 300; n++)
		for (size_t k = 0; k < 3; k++)
			right += v[k][n - 1] == 3 * n + k && (uintptr_t)v[k] % 64 == 0;
	is_size(right, 900, "growing keeps what was there, and aligns it");
	v[0] = kith_grow(pool, v[0], 10, sizeof(*v[0]));
	is_size(v[0][9], 30, "shrinking too");
}

static void
test_more(struct kith_pool *pool)
{
	size_t room = 0, *v = NULL, grown = 0, right = 0;

	for (size_t n = 0; n < 500; n++) {
		const size_t before = room;

		v = kith_more(pool, v, n, &room, sizeof(*v));
		v[n] = n;
		right += room > n && room >= before;
		if (room != before) {
			right -= before != n || room < 2 * n + 1;
			grown++;
		}
	}
	is_size(right, 500, "there is room for one more");
	is_size(grown, 4, "an array grows when it is full, and not otherwise");
	right = 0;
	for (size_t n = 0; n < 500; n++)
		right += v[n] == n;
	is_size(right, 500, "and keeps what was there");
}

/* Copies of all lengths lie beside each other. */
static void
test_texts(struct kith_pool *pool)
{
	enum { MOST = 2100 };
	static char text[MOST + 1];
	static char *copy[MOST + 1];
	size_t right = 0;

	memset(text, 'x', MOST);
	for (size_t len = 0; len <= MOST; len++) {
		text[len / 2] = 'y';
		copy[len] = kith_strndup(pool, text, len);
		text[len / 2] = 'x';
	}
	for (size_t len = 0; len <= MOST; len++) {
		text[len / 2] = 'y';
		right += strlen(copy[len]) == len && memcmp(copy[len], text, len) == 0;
		text[len / 2] = 'x';
	}
	is_size(right, MOST + 1, "texts of all lengths");
}

/* The most memory that this process has had so far, in thousands of bytes. */
static size_t
most_memory(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (size_t)usage.ru_maxrss;
}

static void
test_grow_large(void)
{
	const size_t n = (size_t)1 << 23, add = (size_t)1 << 12;
	struct kith_pool pool = {0};
	size_t *v = kith_new(&pool, n, sizeof(*v)), right = 0, before;

	for (size_t i = 0; i < n; i++)
		v[i] = i;
	before = most_memory();
	for (size_t times = 2; times <= 4; times++)
		v = kith_grow(&pool, v, times * n, sizeof(*v));
	v = kith_grow(&pool, v, n + add, sizeof(*v));
	for (size_t i = n; i < n + add; i++)
		v[i] = i;
	for (size_t i = 0; i < n + add; i++)
		right += v[i] == i;
	is_size(right, n + add, "a large array keeps what was there");
	if (MOVES)
		ok(most_memory() - before < n * sizeof(*v) / 1000 / 2,
		    "growing it takes no second copy of it");
	kith_pool_free(&pool);
}

static void
test_no_memory(struct kith_pool *pool)
{
	void (*const before)(size_t, size_t) = kith_no_memory;
	char *s = kith_new(pool, 1, 1);

	kith_no_memory = give_up;
	if (setjmp(back) == 0) {
		kith_new(pool, SIZE_MAX / 4, 8);
		ok(false, "a size that overflows");
	} else
		ok(asked_n == SIZE_MAX / 4 && asked_size == 8, "a size that overflows is told");
	if (setjmp(back) == 0) {
		kith_grow(pool, s, PTRDIFF_MAX, 1);
		ok(false, "a size that nobody has");
	} else
		ok(asked_n == PTRDIFF_MAX, "a size that nobody has is told");
	kith_no_memory = before;
	ok(kith_new(pool, 1, 1) != NULL, "the pool still works");
}

int
main(void)
{
	struct kith_pool pool = {0};

	test_new(&pool);
	test_new_each(&pool);
	test_grow(&pool);
	test_more(&pool);
	test_texts(&pool);
	test_grow_large();
	is_text(kith_strndup(&pool, "abcdef", 3), "abc", "part of a text");
	is_text(kith_strndup(&pool, "abc", 0), "", "nothing of it");
	is_text(kith_text(&pool, "%s=%d", "a", 12), "a=12", "a formatted text");
	ok(strlen(kith_text(&pool, "%5000s", "a")) == 5000, "a long one");
	test_no_memory(&pool);
	kith_pool_free(&pool);
	ok(!pool.last, "an empty pool");
	kith_pool_free(&pool);
	ok(*(char *)kith_new(&pool, 1, 1) == 0, "which can be used again");
	kith_pool_free(&pool);
	return done();
}
