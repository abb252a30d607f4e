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
 * The columns of LAPACK are our rows, and our upper triangle is its lower one.
 * The first call asks for the room that the second uses; the vectors take the
 * place of A.
 */
static bool
solve(size_t n, double *A, double *lambda, struct kith_pool *tmp)
{
	const lapack_int m = (lapack_int)n;
	lapack_int *iroom, isize;
	double *room, size;

	if (LAPACKE_dsyevd_work(
		LAPACK_COL_MAJOR, 'V', 'L', m, A, m, lambda, &size, -1, &isize, -1) != 0)
		return false;
	room = kith_new(tmp, (size_t)size, sizeof(*room));
	iroom = kith_new(tmp, (size_t)isize, sizeof(*iroom));
	return LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', m, A, m, lambda, room,
		   (lapack_int)size, iroom, isize) == 0;
}

bool
kith_eig(size_t n, double *A, double *lambda, double *V)
{
	struct kith_pool tmp = {0};
	bool done;

	assert(n <= 30000); /* the room has 2 n^2 numbers, an int */
	if (n == 0)
		return true;
	if (!all_finite(n, A))
		return false;
	done = solve(n, A, lambda, &tmp);
	kith_pool_free(&tmp);
	if (!done)
		return false;
	memcpy(V, A, n * n * sizeof(*A));
	for (size_t i = 0; i < n; i++)
		choose_sign(n, V + i * n);
	return true;
}
