/* SPDX-License-Identifier: BSD-2-Clause */
#define _DEFAULT_SOURCE /* syscall(); NOLINT(*-identifier,cert-dcl*) */
#include "la/blas.h"

#include "base/pool.h"
#include "la/level.h"

#include <assert.h>
#include <cblas.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * OpenBLAS has habits that main() comes too late to break, so this file
 * takes the place of the functions of libc behind them: the libraries that a
 * program is linked with call what it defines, also before main().
 *
 * First, when it is loaded, OpenBLAS starts a thread for each further
 * processor, and reserves memory for each, unless OPENBLAS_NUM_THREADS is 1.
 * Where a process may have neither (ulimit -v, ulimit -u), it ends by a signal
 * or never begins.  OpenMP, which CHOLMOD brings in, would start threads of its
 * own, too, unless OMP_THREAD_LIMIT is 1.
 */
extern char **environ;

enum {
	SMALL = 1000000, /* multiplications up to which OpenBLAS has kernels for small products */
	LARGE = 2000000, /* more multiplications than a small product has in any version */
	STRIP = 16,      /* columns of a strip of kith_blas_gram() */
	ROWS = 64        /* at least, of a small product */
};

/* The value of OPENBLAS_CORETYPE where the environment has no such variable; NULL: none. */
static char *coretype;

/* ThreadSanitizer calls it before it has begun. */
#if KITH_SANITIZED
__attribute__((no_sanitize("thread")))
#endif
char *
getenv(const char *name)
{
	static char one[] = "1";
	const size_t len = strlen(name);

	if (strcmp(name, "OPENBLAS_NUM_THREADS") == 0 || strcmp(name, "OMP_THREAD_LIMIT") == 0)
		return one;
	for (char **e = environ; e && *e; e++)
		if (strncmp(*e, name, len) == 0 && (*e)[len] == '=')
			return *e + len + 1;
	return strcmp(name, "OPENBLAS_CORETYPE") == 0 ? coretype : NULL;
}

/*
 * Where OpenBLAS asks another library, as OpenMP, how many threads to use.  In a
 * static program this constructor runs before that of OpenBLAS, which is then
 * called here: it does nothing the second time.
 */
#pragma weak gotoblas_init
extern void gotoblas_init(void);

__attribute__((constructor)) void
kith_blas_alone(void)
{
	if (gotoblas_init)
		gotoblas_init();
	openblas_set_num_threads(1);
}

/*
 * Second, OpenBLAS before 0.3.25 chooses its slowest kernels, which multiply three to five times
 * slower, for a processor that is newer than the library.  OPENBLAS_CORETYPE then names kernels
 * for the instructions of the processor, and OpenBLAS chooses again.
 */
#pragma weak gotoblas_dynamic_init
#pragma weak gotoblas_dynamic_quit
extern void gotoblas_dynamic_init(void);
extern void gotoblas_dynamic_quit(void);

__attribute__((constructor)) static void
choose_kernels(void)
{
	static char avx2[] = "Haswell", avx512[] = "SkylakeX";

	if (strcmp(openblas_get_corename(), "Prescott") != 0 || getenv("OPENBLAS_CORETYPE") ||
	    !kith_processor_has("avx2") || !gotoblas_dynamic_init || !gotoblas_dynamic_quit)
		return;
	coretype = kith_processor_has("avx512") ? avx512 : avx2;
	gotoblas_dynamic_quit();
	gotoblas_dynamic_init();
}

const char *
kith_blas_library(void)
{
	/* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...": two words are enough. */
	static char words[64];
	char *space;

	snprintf(words, sizeof(words), "%s", openblas_get_config());
	space = strchr(words, ' ');
	if (space)
		space[1 + strcspn(space + 1, " ")] = '\0';
	return words;
}

const char *
kith_blas_kernel(void)
{
	return openblas_get_corename();
}

/*
 * Third, OpenBLAS maps a buffer (of 128 MB on x86-64) for each of the calls
 * that go on at the same time, and where there is no room for it, tries again
 * for ever.  Nothing else in the process maps memory in this way: malloc() and
 * threads do so within libc.  Huge pages may fail, for others are tried next.
 *
 * Sanitizers take the place of mmap() themselves.
 */
#if (defined(SYS_mmap) || defined(SYS_mmap2)) && !KITH_SANITIZED
void *kith_blas_map(void *addr, size_t len, int prot, int flags, int fd, long offset) __asm__(
    "mmap"); /* and not mmap64() */
void *
kith_blas_map(void *addr, size_t len, int prot, int flags, int fd, long offset)
{
#ifdef SYS_mmap2 /* of 32 bits, whose offsets are pages of 4096 bytes */
	const long got = syscall(SYS_mmap2, addr, len, prot, flags, fd, offset / 4096);
#else
	const long got = syscall(SYS_mmap, addr, len, prot, flags, fd, offset);
#endif

	if (got == -1 && errno == ENOMEM && fd < 0 && !(flags & MAP_HUGETLB))
		kith_no_memory(1, len);
	return (void *)got; /* NOLINT(performance-no-int-to-ptr) */
}
#endif

/*
 * Fourth, dgemm of small matrices, m x p and p x n, allocates memory for one of the two and does
 * not check that it got some; so the same memory is allocated, and freed, before.
 */
static void
check_memory(size_t m, size_t n, size_t p)
{
	const size_t room = (m > n ? m : n) * p;
	void *volatile place;

	if (m * n > LARGE || m * n * p > LARGE)
		return;
	place = malloc(room * sizeof(double));
	if (!place)
		kith_no_memory(room, sizeof(double));
	free(place);
}

static void
check_sizes(size_t m, size_t n, size_t p)
{
	assert(m <= INT_MAX && n <= INT_MAX && 1 <= p && p <= INT_MAX);
}

/*
 * Whether dgemm of small matrices copies none of them, as OpenBLAS's kernels for AVX-512 do: a
 * product of 256 x 60 and 60 x 32 takes 17 us for 24, strips of a Gram matrix 24 for 46.
 */
static bool
has_small_kernels(void)
{
	const char *name = kith_blas_kernel();

	return strcmp(name, "SkylakeX") == 0 || strcmp(name, "Cooperlake") == 0 ||
	    strcmp(name, "SapphireRapids") == 0;
}

/* NOLINTBEGIN(readability-function-size): as CBLAS */
static void
multiply(enum CBLAS_TRANSPOSE turned, size_t m, size_t n, size_t p, const double *A, size_t lda,
    const double *B, size_t ldb, double *C, size_t ldc)
{
	check_sizes(m, n, p);
	assert(lda <= INT_MAX && ldb <= INT_MAX && ldc <= INT_MAX);
	if (m == 0 || n == 0)
		return;
	check_memory(m, n, p);
	cblas_dgemm(CblasRowMajor, CblasNoTrans, turned, (int)m, (int)n, (int)p, 1, A, (int)lda, B,
	    (int)ldb, 0, C, (int)ldc);
}

void
kith_blas_product(size_t m, size_t n, size_t p, const double *A, size_t lda, const double *B,
    size_t ldb, double *C, size_t ldc)
{
	const size_t small = has_small_kernels() && n > 0 ? SMALL / (n * p) : 0;
	const size_t rows = small >= ROWS && small < m ? small / ROWS * ROWS : m;

	for (size_t i = 0; i < m; i += rows)
		multiply(CblasNoTrans, m - i < rows ? m - i : rows, n, p, A + i * lda, lda, B, ldb,
		    C + i * ldc, ldc);
}

void
kith_blas_rows(size_t m, size_t n, size_t p, const double *A, size_t lda, const double *B,
    size_t ldb, double *C, size_t ldc)
{
	multiply(CblasTrans, m, n, p, A, lda, B, ldb, C, ldc);
}
/* NOLINTEND(readability-function-size) */

void
kith_blas_gram(size_t m, size_t p, double alpha, const double *A, size_t lda, double *C)
{
	check_sizes(m, p, p);
	assert(lda <= INT_MAX);
	if (m == 0)
		return;
	if (!has_small_kernels() || m * p * STRIP > SMALL) {
		cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, (int)p, (int)m, alpha, A,
		    (int)lda, 1, C, (int)p);
		return;
	}
	check_memory(p, STRIP, m);
	for (size_t f = 0; f < p; f += STRIP)
		cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans,
		    (int)(p - f < STRIP ? p - f : STRIP), (int)(p - f), (int)m, alpha, A + f,
		    (int)lda, A + f, (int)lda, 1, C + f * p + f, (int)p);
}

void
kith_blas_square(size_t n, size_t p, const double *A, size_t lda, double *C, size_t ldc)
{
	check_sizes(n, n, p);
	assert(lda <= INT_MAX && ldc <= INT_MAX);
	if (n == 0)
		return;
	cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, (int)n, (int)p, 1, A, (int)lda, 0, C,
	    (int)ldc);
}

static void
times_vector(enum CBLAS_TRANSPOSE turned, size_t m, size_t n, const double *A, size_t lda,
    const double *x, double *y)
{
	check_sizes(m, n, n);
	assert(lda <= INT_MAX);
	if (m == 0)
		return;
	cblas_dgemv(CblasRowMajor, turned, (int)m, (int)n, 1, A, (int)lda, x, 1, 0, y, 1);
}

void
kith_blas_times(size_t m, size_t n, const double *A, size_t lda, const double *x, double *y)
{
	times_vector(CblasNoTrans, m, n, A, lda, x, y);
}

void
kith_blas_turned(size_t m, size_t n, const double *A, size_t lda, const double *x, double *y)
{
	if (m == 0)
		memset(y, 0, n * sizeof(*y));
	times_vector(CblasTrans, m, n, A, lda, x, y);
}
