#include "la/spd.h"

#include <assert.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>

/* What is not finite reaches the pivot of its column. */
bool
kith_spd_factor(size_t n, double *A)
{
	double most = 0;

	assert(n <= INT_MAX);
	for (size_t i = 0; i < n; i++)
		most = fmax(most, A[i * n + i]);
	if (n == 0)
		return true;
	if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)n, A, (int)n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		const double pivot = A[i * n + i] * A[i * n + i];

		if (!(pivot > (double)n * 0x1p-52 * most) || !isfinite(pivot))
			return false;
	}
	return true;
}

void
kith_spd_solve(size_t n, size_t c, const double *R, double *B)
{
	assert(n <= INT_MAX && c <= INT_MAX);
	if (n == 0 || c == 0)
		return;
	LAPACKE_dpotrs_work(
	    LAPACK_COL_MAJOR, 'L', (int)n, (int)c, R, (int)n, B, (int)n);
}
