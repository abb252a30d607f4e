/* SPDX-License-Identifier: BSD-2-Clause */
#include "la/lapack.h"

#include "base/pool.h"

#include <assert.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* What is not finite reaches the pivot of its column. */
bool
kith_spd_factor(size_t n, double *A)
{
	struct kith_pool tmp = {0};
	double *diagonal = kith_new(&tmp, n, sizeof(*diagonal));
	bool regular;

	assert(n <= INT_MAX);
	for (size_t i = 0; i < n; i++)
		diagonal[i] = A[i * n + i];
	regular = n == 0 || LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)n, A, (int)n) == 0;
	for (size_t i = 0; i < n && regular; i++) {
		const double pivot = A[i * n + i] * A[i * n + i];

		regular = pivot > (double)n * 0x1p-52 * diagonal[i] && isfinite(pivot);
	}
	kith_pool_free(&tmp);
	return regular;
}

void
kith_spd_solve(size_t n, size_t c, const double *R, double *B)
{
	assert(n <= INT_MAX && c <= INT_MAX);
	if (n == 0 || c == 0)
		return;
	LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (int)n, (int)c, R, (int)n, B, (int)n);
}

static bool
all_finite(size_t n, const double *A)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			if (!isfinite(A[i * n + j]))
				return false;
	return true;
}

/* A vector and its opposite are both right: choose one. */
static void
choose_sign(size_t n, double *v)
{
	size_t largest = 0;

	for (size_t j = 1; j < n; j++)
		if (fabs(v[j]) > fabs(v[largest]))
			largest = j;
	if (v[largest] > 0)
		return;
	for (size_t j = 0; j < n; j++)
		v[j] = v[j] == 0 ? 0 : -v[j];
}

/*
 * The columns of LAPACK are our rows, and our upper triangle is its lower one; the vectors take the
 * place of A.
 */
bool
kith_eig(size_t n, double *A, double *lambda, double *V)
{
	/* The room that dsyevd needs. */
	const lapack_int m = (lapack_int)n, reals = 1 + 6 * m + 2 * m * m, ints = 3 + 5 * m;
	struct kith_pool tmp = {0};
	bool done;

	assert(n <= 30000); /* reals is an int */
	if (n == 0)
		return true;
	done = all_finite(n, A) &&
	    LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', m, A, m, lambda,
		kith_new(&tmp, (size_t)reals, sizeof(double)), reals,
		kith_new(&tmp, (size_t)ints, sizeof(lapack_int)), ints) == 0;
	kith_pool_free(&tmp);
	if (!done)
		return false;
	memcpy(V, A, n * n * sizeof(*A));
	for (size_t i = 0; i < n; i++)
		choose_sign(n, V + i * n);
	return true;
}
