/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/la/blas.h: products of whole numbers, which are exact in any order,
 * against plain loops, with rows that are apart, and what must stay as it was.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS; NOLINT(*-identifier,cert-dcl*) */
#include "la/blas.h"

#include "base/pool.h"
#include "la/mat.h"
#include "tap.h"

#include <errno.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

extern int openblas_get_num_threads(void);

enum { MOST = 7, LD = 9, SIZE = MOST * LD };

static double A[SIZE], B[SIZE], C[SIZE];
static float Af[SIZE], Cf[SIZE];

/* Small numbers, other ones in each place; C is -1 everywhere. */
static void
fill(void)
{
	for (int i = 0; i < SIZE; i++) {
		A[i] = Af[i] = (float)(i * 7 % 11 - 4);
		B[i] = (double)(i * 5 % 13 - 5);
		C[i] = Cf[i] = -1;
	}
}

/* sum_l a_l b_l over p numbers, those of a and b so far apart. */
static double
dot(size_t p, const double *a, size_t a_by, const double *b, size_t b_by)
{
	double s = 0;

	for (size_t l = 0; l < p; l++)
		s += a[l * a_by] * b[l * b_by];
	return s;
}

/* Whether C is `due` in its m x n places, or the upper ones, and -1 beside them. */
static size_t
wrong(size_t m, size_t n, size_t ldc, bool upper, const double *due)
{
	size_t bad = 0;

	for (size_t k = 0; k < SIZE; k++) {
		const size_t i = k / ldc, j = k % ldc;
		const bool in = i < m && j < n && (!upper || i <= j);

		bad += C[k] != (in ? due[i * MOST + j] : -1);
	}
	return bad;
}

static size_t
wrong_products(size_t m, size_t n, size_t p)
{
	double due[MOST * MOST] = {0};
	size_t bad = 0;

	fill();
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			due[i * MOST + j] = dot(p, A + i * p, 1, B + j, n);
	kith_blas_product(m, n, p, A, p, B, n, C, n);
	bad += wrong(m, n, n ? n : 1, false, due);

	fill();
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			due[i * MOST + j] = dot(p, A + i * 8, 1, B + j * LD, 1);
	kith_blas_rows(m, n, p, A, 8, B, LD, C, LD);
	bad += wrong(m, n, LD, false, due);

	return bad;
}

/* Products of a matrix with itself: C = A A', C += a A' A, C = A' A. */
static size_t
wrong_squares(size_t m, size_t p)
{
	double due[MOST * MOST] = {0};
	size_t bad = 0;

	fill();
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < m; j++)
			due[i * MOST + j] = dot(p, A + i * 8, 1, A + j * 8, 1);
	kith_blas_square(m, p, A, 8, C, LD);
	bad += wrong(m, m, LD, true, due);

	fill();
	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < p; j++)
			due[i * MOST + j] = 3 * dot(m, A + i, LD, A + j, LD) - 1;
	kith_blas_gram(m, p, 3, A, LD, C);
	for (size_t k = 0; k < p * p; k++)
		if (k % p < k / p)
			C[k] = -1; /* below the diagonal anything may be */
	bad += wrong(p, p, p, true, due);
	return bad;
}

/* y = A x and y = A' x. */
static size_t
wrong_turned(size_t m, size_t n)
{
	double due[MOST * MOST] = {0};
	size_t bad = 0;

	fill();
	for (size_t i = 0; i < m; i++)
		due[i] = dot(n, A + i * LD, 1, B, 1);
	kith_blas_times(m, n, A, LD, B, C);
	bad += wrong(1, m, SIZE, false, due);

	fill();
	for (size_t j = 0; j < n; j++)
		due[j] = dot(m, A + j, LD, B, 1);
	kith_blas_turned(m, n, A, LD, B, C);
	return bad + wrong(1, n, SIZE, false, due);
}

static void
test_products(void)
{
	size_t products = 0, squares = 0, turned = 0;

	for (size_t p = 1; p <= MOST; p++)
		for (size_t m = 0; m <= MOST; m++) {
			squares += wrong_squares(m, p);
			for (size_t n = 0; n <= MOST; n++)
				products += wrong_products(m, n, p);
			turned += wrong_turned(m, p);
		}
	is_size(products, 0, "products of all small sizes");
	is_size(squares, 0, "those of a matrix with itself");
	is_size(turned, 0, "those of a matrix that is turned");
}

/* Of more rows and columns than one call of dgemm takes: 300 x 80 by 80 x 90, and 100 x 80. */
static void
test_strips(void)
{
	enum { M = 300, P = 80, N = 90, SOME = 100 };
	static double X[M * P], Y[P * N], turned[M * P], got[M * N], due[M * N];
	size_t products = 0, squares = 0;

	for (size_t k = 0; k < (size_t)M * P; k++)
		X[k] = (double)(k * 7 % 11) - 4;
	for (size_t k = 0; k < (size_t)P * N; k++)
		Y[k] = (double)(k * 5 % 13) - 5;
	kith_transpose(P, N, Y, N, turned, P);
	kith_blas_product(M, N, P, X, P, Y, N, got, N);
	kith_blas_rows(M, N, P, X, P, turned, P, due, N);
	for (size_t k = 0; k < (size_t)M * N; k++)
		products += got[k] != due[k] || due[k] != dot(P, X + k / N * P, 1, Y + k % N, N);
	is_size(products, 0, "a product of strips");

	memset(got, 0, sizeof(got));
	kith_transpose(SOME, P, X, P, turned, SOME);
	kith_blas_gram(SOME, P, 2, X, P, got);
	kith_blas_gram(SOME, P, -1, X, P, got);
	kith_blas_square(P, SOME, turned, SOME, due, P);
	for (size_t k = 0; k < (size_t)P * P; k++)
		squares += k % P >= k / P && got[k] != due[k];
	is_size(squares, 0, "and of a matrix with itself");
}

static void
test_about(void)
{
	const char *library = kith_blas_library(), *kernel = kith_blas_kernel();
	size_t blanks = 0;

	for (const char *c = library; *c; c++)
		blanks += *c == ' ';
	ok(strncmp(library, "OpenBLAS ", 9) == 0 && blanks == 1 && strlen(library) > 9,
	    "name and version: %s", library);
	ok(kernel && *kernel, "the kernel: %s", kernel);
}

/* What OpenBLAS, and all others, see of the environment. */
static void
test_environment(void)
{
	setenv("OPENBLAS_NUM_THREADS", "4", 1);
	setenv("OMP_THREAD_LIMIT", "3", 1);
	setenv("KITH_TEST_NAME", "long", 1);
	setenv("KITH_TEST", "=short", 1);
	setenv("KITH_TES", "", 1);
	unsetenv("KITH_TE");
	is_text(getenv("OPENBLAS_NUM_THREADS"), "1", "threads of OpenBLAS");
	is_text(getenv("OMP_THREAD_LIMIT"), "1", "threads of OpenMP");
	is_text(getenv("KITH_TEST_NAME"), "long", "a variable");
	is_text(getenv("KITH_TEST"), "=short", "one whose name begins so");
	is_text(getenv("KITH_TES"), "", "an empty one");
	ok(!getenv("KITH_TE"), "one that is not there");
	is_size((size_t)openblas_get_num_threads(), 1, "threads");
	kith_blas_alone();
	is_size((size_t)openblas_get_num_threads(), 1, "and still");
}

static jmp_buf out;
static size_t asked;

static void
give_up(size_t n, size_t size)
{
	asked = n * size;
	longjmp(out, 1);
}

/* What a library calls that does not know of files of 2 GB, also where this test does. */
void *library_map(void *addr, size_t len, int prot, int flags, int fd, long offset) __asm__("mmap");

/* Map so many bytes; false where there was no memory. */
static bool
maps(size_t len, int flags, int fd, long offset, void **got)
{
	if (setjmp(out))
		return false;
	*got = library_map(NULL, len, PROT_READ, flags, fd, offset);
	return true;
}

/* No memory is said at once, but for what libraries try for its own sake. */
static void
test_map(void)
{
	void (*const before)(size_t, size_t) = kith_no_memory;
	const size_t page = 65536, far = SIZE_MAX / page * page - page;
	FILE *f = tmpfile();
	void *at = NULL;

	kith_no_memory = give_up;
	ok(!maps(far, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0, &at) && asked == far,
	    "more than there is: no memory");
	ok(maps(far, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0, &at) && at == MAP_FAILED,
	    "the same of huge pages: the caller is told");
	ok(maps(0, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0, &at) && at == MAP_FAILED && errno == EINVAL,
	    "a wrong call: the caller is told");
	ok(maps(page, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0, &at) && at != MAP_FAILED &&
		*(char *)at == 0,
	    "a page");
	munmap(at, page);
	for (size_t i = 0; f && i < 2 * page; i++)
		putc(i < page ? 'a' : 'b', f);
	ok(f && fflush(f) == 0 && maps(page, MAP_PRIVATE, fileno(f), (long)page, &at) &&
		at != MAP_FAILED && *(char *)at == 'b',
	    "a part of a file");
	munmap(at, page);
	ok(f && maps(far, MAP_PRIVATE, fileno(f), 0, &at) && at == MAP_FAILED && errno == ENOMEM,
	    "a file that is too large: the caller is told");
	if (f)
		fclose(f);
	kith_no_memory = before;
}

/* Leave the process about a MiB more than it has; the limit before. */
static struct rlimit
little_memory(void)
{
	struct rlimit before, limit;
	FILE *f = fopen("/proc/self/statm", "r");
	char line[80] = "0";
	size_t pages;

	if (f && !fgets(line, sizeof(line), f))
		line[0] = '0';
	if (f)
		fclose(f);
	pages = strtoul(line, NULL, 10);
	getrlimit(RLIMIT_AS, &before);
	limit = before;
	limit.rlim_cur = pages * (size_t)sysconf(_SC_PAGESIZE) + (1 << 20);
	if (pages > 0)
		setrlimit(RLIMIT_AS, &limit);
	return before;
}

/* Whether a product of m x p and p x n numbers says that there is no memory. */
static bool
lacks(size_t m, size_t n, size_t p, const double *X, double *Y, bool turned)
{
	const struct rlimit before = little_memory();
	const bool none = setjmp(out);

	asked = none ? asked : 0;
	if (!none && turned)
		kith_blas_rows(m, n, p, X, p, X, p, Y, n);
	else if (!none)
		kith_blas_product(m, n, p, X, p, X, n, Y, n);
	setrlimit(RLIMIT_AS, &before);
	return none && asked == (m > n ? m : n) * p * sizeof(double);
}

/* Whether there are limits of memory: an emulator of another processor has none. */
static bool
has_limits(void)
{
	const struct rlimit before = little_memory();
	void *volatile place = malloc(1 << 25);
	const bool limited = !place;

	free(place);
	setrlimit(RLIMIT_AS, &before);
	return limited;
}

/* OpenBLAS asks for memory where products have up to a million multiplications. */
static void
test_small(void)
{
	enum { SMALL = 1000000, TWICE = 2 * SMALL };
	void (*const before)(size_t, size_t) = kith_no_memory;
	struct kith_pool pool = {0};
	const double *X = kith_new(&pool, TWICE, sizeof(*X));
	double *Y = kith_new(&pool, TWICE, sizeof(*Y));

	kith_blas_product(200, 200, 200, X, 200, X, 200, Y, 200); /* has its buffer now */
	kith_no_memory = give_up;
	ok(lacks(1000, 1, 1000, X, Y, false), "no memory for a long product");
	ok(lacks(1, 1000, 1000, X, Y, false), "for a wide one");
	ok(lacks(SMALL, 1, 1, X, Y, false), "for one of a column");
	ok(lacks(1000, 1, 1000, X, Y, true), "for one that is turned");
	ok(!lacks(2048, 1, 1024, X, Y, false), "a larger one needs none");
	ok(!lacks(1024, 2, 1024, X, Y, false), "nor does one of two columns");
	kith_no_memory = before;
	kith_pool_free(&pool);
}

int
main(void)
{
	test_products();
	test_strips();
	test_about();
	test_environment();
#if !KITH_SANITIZED
	test_map();
	if (has_limits())
		test_small();
#endif
	return done();
}
