/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * la/blas - the products of matrices that kith needs; the one user of CBLAS.
 *
 * OpenBLAS runs on one thread whatever the environment says, for kith's own
 * threads share the work; calls may come from several threads at once.  For
 * each of them OpenBLAS needs a buffer; where there is no memory for it,
 * kith_no_memory() is called.  A result depends in its last digits on the
 * shape of the call, and on the processor.
 */
#ifndef KITH_LA_BLAS_H
#define KITH_LA_BLAS_H

#include <stddef.h>

/* Sanitizers take the place of functions of libc themselves. */
#if defined(__has_feature)
#define KITH_SANITIZED \
	(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
	    __has_feature(memory_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KITH_SANITIZED 1
#else
#define KITH_SANITIZED 0
#endif

/* What is linked: "OpenBLAS 0.3.21"; and its kernel for this processor. */
const char *kith_blas_library(void);
const char *kith_blas_kernel(void);

/* For libraries that call BLAS themselves: the calls run on one thread. */
void kith_blas_alone(void);

/*
 * C = A B in doubles: A is m x p with rows lda apart, B p x n with rows ldb
 * apart, C m x n with rows ldc apart; p >= 1.
 */
void kith_blas_product(size_t m, size_t n, size_t p, const double *A, size_t lda, const double *B,
    size_t ldb, double *C, size_t ldc);

/* C = A B' in the same way, B being n x p. */
void kith_blas_rows(size_t m, size_t n, size_t p, const double *A, size_t lda, const double *B,
    size_t ldb, double *C, size_t ldc);

/*
 * C += alpha A' A in doubles: A is m x p with rows lda apart, C p x p, of which
 * the upper triangle alone is right: below it some numbers may change; p >= 1.
 * About half the work of a product.
 */
void kith_blas_gram(size_t m, size_t p, double alpha, const double *A, size_t lda, double *C);

/*
 * C = A A' in doubles: A is n x p with rows lda apart, C n x n with rows ldc
 * apart, of which the upper triangle alone is changed; p >= 1.
 */
void kith_blas_square(size_t n, size_t p, const double *A, size_t lda, double *C, size_t ldc);

/* y (m) = A x, A being m x n with rows lda apart; n >= 1. */
void kith_blas_times(size_t m, size_t n, const double *A, size_t lda, const double *x, double *y);

/* y (n) = A' x, A being m x n with rows lda apart; n >= 1. */
void kith_blas_turned(size_t m, size_t n, const double *A, size_t lda, const double *x, double *y);

#endif
