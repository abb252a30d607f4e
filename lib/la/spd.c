/* SPDX-License-Identifier: BSD-2-Clause */
#include "la/spd.h"

#include "base/pool.h"

#include <assert.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>

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
