/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/range.h"

#include "kernel/kern.h"
#include "la/mat.h"

#include <float.h>

enum { ORIGINS = 16 }; /* rows from which distances are computed */

#define SIGNS 1e14L
#define MARGINS 5e9L

static double
kernel(const struct kith_kern *kern, const struct kith_mat *X, size_t i, size_t r)
{
	double K;

	kith_kern_rows(kern, kith_row(X, i), kith_row(X, r), 1, &K);
	return K;
}

/* Returns the mean squared distance from row r; *same: all K are equal. */
static long double
mean_distance(
    const struct kith_kern *kern, const struct kith_mat *X, size_t r, long double *most, bool *same)
{
	const double Krr = kernel(kern, X, r, r);
	long double sum = 0;

	for (size_t i = 0; i < X->n; i++) {
		const long double Kii = kernel(kern, X, i, i), Kir = kernel(kern, X, i, r);

		sum += fabsl(Kii - 2 * Kir + Krr);
		*most = fmaxl(*most, Kii);
		*same &= Kii == Krr && Kir == Krr;
	}
	return sum / X->n;
}

bool
kith_svm_resolved(const struct kith_kern *kern, const struct kith_mat *X, double ridge)
{
	const size_t origins = X->n < ORIGINS ? X->n : ORIGINS;
	const long double added = kith_svm_ridge(ridge, kern, X);
	long double S = INFINITY, most = 0;
	bool same = true;

	if (kern->kind != KITH_KERN_LINEAR && kern->kind != KITH_KERN_POLYNOMIAL)
		return true;
	for (size_t o = 0; o < origins; o++)
		S = fminl(S, mean_distance(kern, X, o * X->n / origins, &most, &same));
	return same || (most <= SIGNS * S && most <= MARGINS * (S + added));
}

double
kith_svm_ridge(double ridge, const struct kith_kern *kern, const struct kith_mat *X)
{
	double mean = 0;

	for (size_t i = 0; i < X->n; i++) /* no sum overflows */
		mean += (kernel(kern, X, i, i) - mean) / (double)(i + 1);
	return ridge * mean;
}

size_t
kith_svm_too_large(const struct kith_kern *kern, const struct kith_mat *X)
{
	for (size_t i = 0; i < X->n; i++)
		if (!(fabs(kernel(kern, X, i, i)) <= 1e-4 * DBL_MAX))
			return i;
	return X->n;
}
