/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/kernels - the inner loops of solve, compiled for each instruction set (la/level.h).  A
 * number is computed in one lane, so that the width of the registers does not change its bits.
 */
#include "solve/kernels.h"

#include "la/vector.h"
#include "solve/sparse.h"

#include <string.h>

static void
gradient(size_t n, const size_t *P, size_t ld, const double *A, const double *b, const double *t,
    double *g)
{
	for (size_t j = 0; j < ld; j += 8) {
		kith_vd v[KITH_PARTS];

		KITH_EACH_PART(h)
		v[h] = -kith_vd_load(b + j + h * KITH_W);
		for (size_t i = 0; i < n; i++) {
			const double *row = A + P[i] * ld + j;

			KITH_EACH_PART(h)
			v[h] += t[P[i]] * kith_vd_load(row + h * KITH_W);
		}
		KITH_EACH_PART(h)
		kith_vd_store(g + j + h * KITH_W, v[h]);
	}
}

static void
descend(size_t n, size_t ld, const double *A, const bool *copy, double *t, double *g)
{
	for (size_t j = 0; j < n; j++) {
		const double *row = A + j * ld;
		double d;

		if (copy[j] || (t[j] == 0 && g[j] >= 0))
			continue;
		d = -g[j] / row[j];
		if (d < -t[j])
			d = -t[j];
		t[j] += d;
		for (size_t l = 0; l < ld; l += KITH_W)
			kith_vd_store(g + l, kith_vd_load(g + l) + d * kith_vd_load(row + l));
	}
}

/* A vector of four numbers at most, for matrices of few columns. */
enum { WIDTH = KITH_W < 4 ? KITH_W : 4 };
typedef double vector __attribute__((vector_size(WIDTH * sizeof(double)), aligned(8), may_alias));

KITH_ALWAYS vector
load(const double *x)
{
	return *(const vector *)x;
}

/* y += a x for c numbers. */
KITH_ALWAYS void
add(size_t c, double a, const double *x, double *y)
{
	size_t k = 0;

	for (; k + WIDTH <= c; k += WIDTH)
		*(vector *)(y + k) = load(y + k) + a * load(x + k);
	for (; k < c; k++)
		y[k] += a * x[k];
}

static void
multiply(
    const struct kith_sparse *A, size_t first, size_t end, size_t c, const double *X, double *Y)
{
	for (size_t i = first; i < end; i++) {
		double *y = Y + i * c;

		for (size_t k = 0; k < c; k++)
			y[k] = A->diagonal[i] * X[i * c + k];
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
			add(c, A->x[e], X + A->column[e] * c, y);
	}
}

/* L Y = R by forward, L' Z = Y by backward substitution; Y is stored in Z. */
static void
ic_solve(const struct kith_sparse *L, size_t c, const double *R, double *Z)
{
	memcpy(Z, R, L->n * c * sizeof(*Z));
	for (size_t i = 0; i < L->n; i++) {
		double *z = Z + i * c;

		for (size_t e = L->start[i]; e < L->start[i + 1]; e++)
			add(c, -L->x[e], Z + L->column[e] * c, z);
		for (size_t k = 0; k < c; k++)
			z[k] *= L->diagonal[i];
	}
	for (size_t i = L->n; i-- > 0;) {
		double *z = Z + i * c;

		for (size_t k = 0; k < c; k++)
			z[k] *= L->diagonal[i];
		for (size_t e = L->start[i]; e < L->start[i + 1]; e++)
			add(c, -L->x[e], z, Z + L->column[e] * c);
	}
}

KITH_TABLE(kith_solve_kernels) = {
    .gradient = gradient,
    .descend = descend,
    .multiply = multiply,
    .ic_solve = ic_solve,
};
