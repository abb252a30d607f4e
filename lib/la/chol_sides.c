#include "la/chol_sides.h"

#include "la/lanes.h"
#include "la/simd.h"

#include <assert.h>

/*
 * Whole vectors of rows and of x are used, from the one that holds the first
 * entry meant: what R has beside its triangle is 0.
 */
KITH_INLINE const kith_v8d *
at(const double *x, size_t j)
{
	return (const kith_v8d *)(x + j);
}

/* Solve R' y = b, then R x = y; sides is a constant, for the compiler. */
KITH_INLINE void
solve(const struct kith_chol *chol, size_t sides, double *x)
{
	const size_t n = chol->n, ld = chol->ld;

	for (size_t i = 0; i < n; i++) {
		const double *row = chol->R + i * ld;
		double a[KITH_CHOL_SIDES];

		for (size_t k = 0; k < sides; k++)
			a[k] = x[k * ld + i] *= chol->inverse[i];
		for (size_t j = (i + 1) / 8 * 8; j < n; j += 8)
			for (size_t k = 0; k < sides; k++)
				*(kith_v8d *)(x + k * ld + j) -= a[k] *
				    *at(row, j);
	}
	for (size_t i = n; i-- > 0;) {
		const double *row = chol->R + i * ld;
		kith_v8d s[KITH_CHOL_SIDES] = {{0}};

		for (size_t j = (i + 1) / 8 * 8; j < n; j += 8)
			for (size_t k = 0; k < sides; k++)
				s[k] += *at(row, j) * *at(x + k * ld, j);
		for (size_t k = 0; k < sides; k++)
			x[k * ld + i] = (x[k * ld + i] -
					    kith_lanes_sum(&s[k])) *
			    chol->inverse[i];
	}
}

KITH_CLONES void
kith_chol_solve_sides(const struct kith_chol *chol, size_t sides, double *x)
{
	assert(1 <= sides && sides <= KITH_CHOL_SIDES);
	for (size_t k = 0; k < sides; k++)
		for (size_t j = chol->n; j < chol->ld; j++)
			x[k * chol->ld + j] = 0;
	if (sides == 1)
		solve(chol, 1, x);
	else if (sides == 2)
		solve(chol, 2, x);
	else
		solve(chol, 3, x);
}
