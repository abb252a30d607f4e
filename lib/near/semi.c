#include "near/semi.h"

#include "base/pool.h"
#include "la/chol.h"
#include "la/eig.h"
#include "la/vec.h"

#include <math.h>
#include <string.h>

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
 * No diagonal entry exceeds the largest eigenvalue: a factor with a share of
 * the largest entry is enough.
 */
bool
kith_semi_definite(size_t p, const double *W)
{
	struct kith_pool tmp = {0};
	double *A, *l, *Q, most = 0;
	bool yes;

	for (size_t i = 0; i < p; i++) {
		if (W[i * p + i] < 0)
			most = INFINITY;
		most = fmax(most, W[i * p + i]);
	}
	if (most == 0)
		return kith_vec_largest(p * p, W) == 0;
	if (isfinite(most) && has_factor(p, W, KITH_SEMI * most))
		return true;
	A = kith_new(&tmp, p, p * sizeof(*A));
	Q = kith_new(&tmp, p, p * sizeof(*Q));
	l = kith_new(&tmp, p, sizeof(*l));
	memcpy(A, W, p * p * sizeof(*A));
	yes = kith_eig(p, A, l, Q) && l[0] >= -KITH_SEMI * l[p - 1];
	kith_pool_free(&tmp);
	return yes;
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
