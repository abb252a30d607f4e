/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine of a linear kernel with fewer weights above 0 than rows, found in the columns.
 *
 * With beta_j = w_j x_j' alpha the outputs are f_i = b + sum_j x_ij beta_j, and the penalty
 * lambda1 alpha' K alpha is lambda1 sum_j beta_j^2 / w_j.  With an intercept columns are centred,
 * s_ij = x_ij - centre_j; beta minimises
 *
 *	L(y, b + sum_j beta_j s_j) + sum_j r_j beta_j^2 / 2,  r_j = 2 lambda1 / w_j
 *
 * and Newton's step d solves, with D = L'' and Z the columns s_j, then 1,
 *
 *	(Z' D Z + diag(r)) d = -(Z' L' + r beta)
 *
 * Then alpha = -L' / (2 lambda1), and x_j' alpha = beta_j / w_j, which does not cancel.  A precise
 * engine sums in long double, so that columns of very different scales do no harm; residuals count
 * in units of the largest number of their column.
 *
 * The squared loss has D = 2: the products S'S of all columns are formed once for all weights
 * (spambase, 4601 x 57: 5 times faster).
 */
#include "knife/engine.h"

#include "la/blas.h"
#include "la/lapack.h"
#include "la/mat.h"
#include "la/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Tries with a larger ridge each time, of a matrix that is singular to working precision. */
enum { RIDGES = 4 };

/* The first ridge, a share of the diagonal of Z'DZ: steps with it are repeated until r vanishes. */
#define RIDGE 1e-13

static void
centre_columns(struct kith_knife_engine *e)
{
	struct kith_knife_columns *s = &e->columns;
	const size_t n = e->n, p = e->p;

	for (size_t j = 0; j < p; j++) {
		const double centre = e->problem.intercept ? kith_knife_median(e->problem.X, j) : 0;
		double most = 0;

		for (size_t i = 0; i < n; i++) {
			s->S[i * (p + 1) + j] = kith_row(e->problem.X, i)[j] - centre;
			most = fmax(most, fabs(s->S[i * (p + 1) + j]));
		}
		e->machine.centre[j] = centre;
		s->unit[j] = most;
	}
	s->unit[p] = 1;
	for (size_t i = 0; i < n; i++)
		s->S[i * (p + 1) + p] = 1;
}

void
kith_knife_columns_new(struct kith_knife_engine *e, struct kith_pool *pool)
{
	struct kith_knife_columns *s = &e->columns;
	const size_t n = e->n, p = e->p, c = e->c, side = n > p + 1 ? n : p + 1;

	KITH_NEW_REALS(pool, n, p + 1, &s->S, &s->Z, &s->B);
	KITH_NEW_REALS(pool, side, 1, &s->in, &s->out);
	KITH_NEW_REALS(pool, p + 1, 1, &s->curved, &s->unit);
	KITH_NEW_REALS(pool, p, 1, &e->machine.centre);
	s->source = kith_new(pool, p + 1, sizeof(*s->source));
	kith_new_arrays(
	    pool, p + 1, sizeof(*s->r), (void *const[]){&s->r, &s->square, &s->xa, NULL});
	kith_new_arrays(
	    pool, p + 1, c * sizeof(*s->coef), (void *const[]){&s->coef, &s->step, &s->left, NULL});
	e->machine.slope = kith_new(pool, p, c * sizeof(*e->machine.slope));
	e->machine.offset = kith_new(pool, c, sizeof(*e->machine.offset));
	centre_columns(e);
	if (e->problem.loss == KITH_KNIFE_SQUARED && p < n) {
		s->gram = kith_new(pool, p + 1, (p + 1) * sizeof(*s->gram));
		kith_blas_gram(n, p + 1, 1, s->S, p + 1, s->gram);
	}
}

/* to (n) = A v (m), or with turned to (m) = A' v (n); in long double where precise. */
static void
multiply(struct kith_knife_engine *e, bool turned, size_t m, const double *A, const long double *v,
    long double *to)
{
	struct kith_knife_columns *s = &e->columns;
	const size_t n = e->n, in = turned ? n : m, out = turned ? m : n;

	if (m == 0 || e->precise) {
		for (size_t i = 0; i < out; i++)
			to[i] = 0;
		for (size_t i = 0; i < n; i++) {
			long double sum = 0;

			for (size_t l = 0; l < m && !turned; l++)
				sum += v[l] * A[i * m + l];
			for (size_t l = 0; l < m && turned; l++)
				to[l] += v[i] * A[i * m + l];
			if (!turned)
				to[i] = sum;
		}
		return;
	}
	for (size_t i = 0; i < in; i++)
		s->in[i] = (double)v[i];
	if (turned)
		kith_blas_turned(n, m, A, m, s->in, s->out);
	else
		kith_blas_times(n, m, A, m, s->in, s->out);
	for (size_t i = 0; i < out; i++)
		to[i] = s->out[i];
}

/* The columns that count: not constant, and of a penalty that fits a double. */
void
kith_knife_columns_begin(struct kith_knife_engine *e)
{
	struct kith_knife_columns *s = &e->columns;
	const size_t n = e->n, p = e->p;
	size_t m = 0;

	for (size_t l = 0; l < e->k; l++) {
		const size_t j = e->column[l];
		const long double r = 2 * (long double)e->problem.lambda1 / e->weight[l];

		if (!(s->unit[j] > 0) || !(r <= DBL_MAX))
			continue;
		s->r[m] = r;
		s->source[m++] = j;
	}
	if (e->problem.intercept) {
		s->r[m] = 0;
		s->source[m++] = p;
	}
	s->m = m;
	memset(s->curved, 0, m * sizeof(*s->curved));
	memset(s->square, 0, p * sizeof(*s->square));
	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < m; l++)
			s->Z[i * m + l] = s->S[i * (p + 1) + s->source[l]];
	for (size_t o = 0; o < e->c; o++)
		for (size_t l = 0; l < m; l++) {
			const size_t j = s->source[l];

			s->coef[o * m + l] = j == p ? e->machine.offset[o]
						    : e->machine.slope[o * p + j];
		}
}

void
kith_knife_columns_outputs(struct kith_knife_engine *e, size_t o)
{
	const struct kith_knife_columns *s = &e->columns;

	multiply(e, false, s->m, s->Z, s->coef + o * s->m, e->f + o * e->n);
}

double
kith_knife_columns_residual(struct kith_knife_engine *e, size_t o, long double total)
{
	struct kith_knife_columns *s = &e->columns;
	long double *left = s->left + o * s->m, worst = 0, size = 0;

	multiply(e, true, s->m, s->Z, e->g + o * e->n, left);
	for (size_t l = 0; l < s->m; l++) {
		const long double own = s->r[l] * s->coef[o * s->m + l];
		const double unit = s->unit[s->source[l]];

		left[l] += own;
		worst = fmaxl(worst, fabsl(left[l]) / unit);
		size = fmaxl(size, total + fabsl(own) / unit);
	}
	return worst > 0 ? (double)(worst / size) : isnan(worst) ? NAN : 0;
}

/* R = Z'DZ, upper triangle. */
static void
set_curvature(struct kith_knife_engine *e)
{
	struct kith_knife_columns *s = &e->columns;
	const size_t n = e->n, p = e->p, m = s->m;

	if (s->gram) {
		for (size_t a = 0; a < m; a++)
			for (size_t b = a; b < m; b++)
				e->R[a * m + b] = 2 *
				    s->gram[s->source[a] * (p + 1) + s->source[b]];
		return;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < m; l++)
			s->B[i * m + l] = e->root[i] * s->Z[i * m + l];
	memset(e->R, 0, m * m * sizeof(*e->R));
	kith_blas_gram(n, m, 1, s->B, m, e->R);
}

/* The factor of Z'DZ + diag(r), with a ridge (a share of Z'DZ's diagonal) where it is singular. */
static bool
factor(struct kith_knife_engine *e)
{
	struct kith_knife_columns *s = &e->columns;
	const size_t m = s->m;
	double ridge = 0;

	for (int trial = 0; trial < RIDGES && m > 0; trial++) {
		set_curvature(e);
		for (size_t l = 0; l < m; l++) {
			s->curved[l] = e->R[l * m + l];
			e->R[l * m + l] += (double)s->r[l] + ridge * s->curved[l];
		}
		if (e->fixed_bias) /* without curvature nothing else limits the step of b */
			e->R[m * m - 1] += (double)e->n;
		if (kith_spd_factor(m, e->R))
			return true;
		ridge = ridge > 0 ? 100 * ridge : RIDGE;
	}
	return m == 0;
}

bool
kith_knife_columns_step(struct kith_knife_engine *e, bool factored)
{
	struct kith_knife_columns *s = &e->columns;
	const size_t m = s->m;
	double *d = s->in;

	if (!factored)
		e->factored = factor(e);
	if (!e->factored)
		return false;
	e->slope = e->curve = 0;
	for (size_t o = 0; o < e->c; o++) {
		const long double *left = s->left + o * m, *coef = s->coef + o * m;
		long double *step = s->step + o * m;

		for (size_t l = 0; l < m; l++)
			d[l] = e->fixed_bias && l == m - 1 ? 0 : (double)-left[l];
		if (m > 0)
			kith_spd_solve(m, 1, e->R, d);
		for (size_t l = 0; l < m; l++) {
			step[l] = d[l];
			e->slope += s->r[l] * coef[l] * step[l];
			e->curve += s->r[l] * step[l] * step[l];
		}
		multiply(e, false, m, s->Z, step, e->df + o * e->n);
	}
	return true;
}

/*
 * alpha, b, K alpha and the linear function of output o, and its part of (x_j' alpha)^2.  For
 * weights of 0, and where the penalty outweighs the curvature, x_j' alpha is -x_j' L' / (2
 * lambda1).
 */
void
kith_knife_columns_machine(struct kith_knife_engine *e, size_t o)
{
	struct kith_knife_columns *s = &e->columns;
	const size_t n = e->n, p = e->p;
	const long double two = 2 * (long double)e->problem.lambda1, *g = e->g + o * n;
	long double b = 0, *slope = e->machine.slope + o * p;

	multiply(e, true, p + 1, s->S, g, s->xa);
	for (size_t j = 0; j < p; j++) {
		s->xa[j] /= -two;
		slope[j] = 0;
	}
	e->machine.offset[o] = 0;
	for (size_t l = 0; l < s->m; l++) {
		const long double coef = s->coef[o * s->m + l];
		const size_t j = s->source[l];

		if (j == p) {
			e->machine.offset[o] = coef;
			continue;
		}
		slope[j] = coef;
		if (!(s->r[l] > s->curved[l]))
			s->xa[j] = coef * s->r[l] / two; /* coef / w_j */
		b -= coef * e->machine.centre[j];
	}
	e->machine.bias[o] = (double)(b + e->machine.offset[o]);
	for (size_t j = 0; j < p; j++)
		s->square[j] += s->xa[j] * s->xa[j];
	for (size_t i = 0; i < n; i++) {
		e->machine.alpha[o * n + i] = (double)(-g[i] / two);
		e->Ka[o * n + i] = (double)(e->f[o * n + i] - e->machine.bias[o]);
	}
}
