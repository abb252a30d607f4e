/* SPDX-License-Identifier: BSD-2-Clause */
/* eliminate - dense linear equations by elimination with pivots, in long double. */
#ifndef ELIMINATE_H
#define ELIMINATE_H

#include <math.h>
#include <stddef.h>

static inline void
exchange(long double *a, long double *b, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		const long double t = a[k];

		a[k] = b[k];
		b[k] = t;
	}
}

/* Solves A X = B: A (n x n, its rows ld apart) is lost, B (n x sides) becomes X. */
static inline void
eliminate(size_t n, size_t ld, long double *A, size_t sides, long double *B)
{
	for (size_t j = 0; j < n; j++) {
		size_t top = j;

		for (size_t i = j; i < n; i++)
			if (fabsl(A[i * ld + j]) > fabsl(A[top * ld + j]))
				top = i;
		exchange(A + j * ld, A + top * ld, n);
		exchange(B + j * sides, B + top * sides, sides);
		for (size_t i = 0; i < n; i++) {
			const long double f = A[i * ld + j] / A[j * ld + j];

			for (size_t k = j; k < n && i != j && f != 0; k++)
				A[i * ld + k] -= f * A[j * ld + k];
			for (size_t k = 0; k < sides && i != j; k++)
				B[i * sides + k] -= f * B[j * sides + k];
		}
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sides; k++)
			B[i * sides + k] /= A[i * ld + i];
}

#endif
