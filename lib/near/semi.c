/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/semi.h"

#include "base/pool.h"
#include "la/chol.h"
#include "la/vec.h"

#include <math.h>

enum { STEPS = 300 };

/* Whether W + ridge has a Cholesky factor. */
static bool
has_factor(size_t p, const double *W, double ridge)
{
	struct kith_pool tmp = {0};
	struct kith_chol chol = kith_chol_new(p, &tmp);
	bool yes = true;

	for (size_t i = 0; i < p && yes; i++)
		yes = kith_chol_append(
		    &chol, W + i * p, W[i * p + i] + ridge, 0);
	kith_pool_free(&tmp);
	return yes;
}

/*
 * The largest eigenvalue of W / most by the power method: the quotient v'Wv /
 * v'v of v = W^k e, which is never above it, and after STEPS next to it.
 */
static double
largest(size_t p, const double *W, double most)
{
	struct kith_pool tmp = {0};
	double *v, *u, found = 0, size = 1;

	KITH_NEW_REALS(&tmp, p, 1, &v, &u);
	for (size_t i = 0; i < p; i++)
		v[i] = 1 +
		    (double)i / (double)p; /* not at right angles to it */
	for (int step = 0; step < STEPS && size > 0; step++) {
		double vv = 0, uv = 0;

		size = 0;
		for (size_t i = 0; i < p; i++) {
			u[i] = 0;
			for (size_t j = 0; j < p; j++)
				u[i] += W[i * p + j] / most * v[j];
			vv += v[i] * v[i];
			uv += u[i] * v[i];
			size = fmax(size, fabs(u[i]));
		}
		found = fmax(found, uv / vv);
		for (size_t i = 0; i < p && size > 0; i++)
			v[i] = u[i] / size;
	}
	kith_pool_free(&tmp);
	return found;
}

/*
 * No diagonal entry exceeds the largest eigenvalue: a factor with a share of
 * the largest entry is enough, else with a share of the eigenvalue.
 */
bool
kith_semi_definite(size_t p, const double *W)
{
	double most = 0;

	for (size_t i = 0; i < p; i++) {
		if (W[i * p + i] < 0)
			return false;
		most = fmax(most, W[i * p + i]);
	}
	if (most == 0)
		return kith_vec_largest(p * p, W) == 0;
	return has_factor(p, W, KITH_SEMI * most) ||
	    has_factor(p, W, KITH_SEMI * most * largest(p, W, most));
}

double
kith_semi_below(size_t p, const double *W, const double *x, const double *z)
{
	double most = 0, square = 0;

	for (size_t i = 0; i < p; i++) {
		double sum = 0;

		for (size_t j = 0; j < p; j++)
			sum += fabs(W[i * p + j]);
		most = fmax(most, sum);
		square += (x[i] - z[i]) * (x[i] - z[i]);
	}
	return KITH_SEMI * most * square;
}
