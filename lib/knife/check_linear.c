/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/check_linear.h"

#include "base/pool.h"
#include "knife/check_loss.h"
#include "knife/problem.h"
#include "la/blas.h"
#include "la/mat.h"
#include "la/spd.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STEPS = 200 };

/* Newton's method ends at this residual, relatively. */
#define SOLVED 1e-18L

/* No part of a step is shorter. */
#define SHORTEST 0x1p-40L

/* One output. */
struct linear {
	const struct kith_knife_problem *of;
	size_t n, k; /* columns of weight > 0, and one of ones for b */
	size_t *column;
	int *e;
	double *Z;      /* n x k */
	long double *r; /* k: the penalties; 0 for b */
	long double *c; /* k: the solution */
	long double *f, *d1;
	double *d2;           /* n */
	double *B, *M;        /* n x k: D^(1/2) Z; k x k */
	long double *left;    /* k: of the equations */
	double *step, *spare; /* k */
};

bool
kith_check_knife_is_linear(const struct kith_knife_problem *of, const double *w)
{
	size_t some = 0;

	for (size_t j = 0; j < of->X->p; j++)
		some += w[j] > 0;
	return of->kernel == KITH_KNIFE_LINEAR && some < of->X->n;
}

/* The lower median of column j, or 0 where there is no intercept. */
static double
centre(const struct kith_knife_problem *of, size_t j)
{
	struct kith_pool tmp = {0};
	const size_t n = of->X->n;
	double *x, middle;

	if (!of->intercept)
		return 0;
	x = kith_new(&tmp, n, sizeof(*x));
	kith_mat_sorted(of->X, j, x);
	middle = x[(n - 1) / 2];
	kith_pool_free(&tmp);
	return middle;
}

/* Take column j in, unless it is 0 or its penalty is infinite. */
static void
take_column(struct linear *it, size_t j, double w)
{
	const struct kith_mat *X = it->of->X;
	const double middle = centre(it->of, j);
	double most = 0;
	long double r;
	int e;

	for (size_t i = 0; i < it->n; i++)
		most = fmax(most, fabs(kith_row(X, i)[j] - middle));
	if (!(most > 0) || !isfinite(most))
		return;
	e = ilogb(most);
	r = scalbnl(2 * (long double)it->of->lambda1 / w, -2 * e);
	if (!(r <= DBL_MAX))
		return;
	it->column[it->k] = j;
	it->e[it->k] = e;
	it->r[it->k] = r;
	for (size_t i = 0; i < it->n; i++)
		it->Z[it->k * it->n + i] = scalbn(kith_row(X, i)[j] - middle, -e);
	it->k++;
}

/* Z is made column by column; its rows are what BLAS takes. */
static void
turn(struct linear *it, struct kith_pool *pool)
{
	double *Z = kith_new(pool, it->n, (it->k + 1) * sizeof(*Z));

	for (size_t l = 0; l < it->k; l++)
		for (size_t i = 0; i < it->n; i++)
			Z[i * it->k + l] = it->Z[l * it->n + i];
	it->Z = Z;
}

static struct linear
begin(const struct kith_knife_problem *of, const double *w, struct kith_pool *pool)
{
	const size_t n = of->X->n, p = of->X->p;
	struct linear it = {.of = of, .n = n};

	it.column = kith_new(pool, p + 1, sizeof(*it.column));
	it.e = kith_new(pool, p + 1, sizeof(*it.e));
	it.r = kith_new(pool, p + 1, sizeof(*it.r));
	it.Z = kith_new(pool, p + 1, n * sizeof(*it.Z));
	for (size_t j = 0; j < p; j++)
		if (w[j] > 0)
			take_column(&it, j, w[j]);
	if (of->intercept) {
		it.column[it.k] = p;
		for (size_t i = 0; i < n; i++)
			it.Z[it.k * n + i] = 1;
		it.k++;
	}
	turn(&it, pool);
	it.c = kith_new(pool, it.k, sizeof(*it.c));
	it.left = kith_new(pool, it.k, sizeof(*it.left));
	KITH_NEW_REALS(pool, it.k, 1, &it.step, &it.spare);
	it.M = kith_new(pool, it.k, (it.k + 1) * sizeof(*it.M));
	it.B = kith_new(pool, n, (it.k + 1) * sizeof(*it.B));
	it.f = kith_new(pool, n, sizeof(*it.f));
	it.d1 = kith_new(pool, n, sizeof(*it.d1));
	it.d2 = kith_new(pool, n, sizeof(*it.d2));
	return it;
}

/* The objective at c + t step, f and the derivatives there. */
static long double
value(struct linear *it, const double *y, long double t)
{
	long double sum = 0;

	for (size_t i = 0; i < it->n; i++) {
		const double *z = it->Z + i * it->k;
		long double f = 0;

		for (size_t l = 0; l < it->k; l++)
			f += (it->c[l] + t * it->step[l]) * z[l];
		it->f[i] = f;
		sum += kith_check_knife_row(it->of, i, y[i], f, &it->d1[i], &it->d2[i]);
	}
	for (size_t l = 0; l < it->k; l++) {
		const long double c = it->c[l] + t * it->step[l];

		sum += it->r[l] * c * c / 2;
	}
	return sum;
}

/* What is left of the equations, relative to the largest of their terms. */
static long double
residual(struct linear *it)
{
	long double most = 0, largest = 0;

	for (size_t l = 0; l < it->k; l++) {
		long double sum = it->r[l] * it->c[l], size = fabsl(sum);

		for (size_t i = 0; i < it->n; i++) {
			const long double term = it->Z[i * it->k + l] * it->d1[i];

			sum += term;
			size += fabsl(term);
		}
		it->left[l] = sum;
		if (isnan(sum))
			return NAN;
		most = fmaxl(most, fabsl(sum));
		largest = fmaxl(largest, size);
	}
	return largest > 0 ? most / largest : 0;
}

/* Newton's step; false where its matrix does not factor. */
static bool
newton(struct linear *it)
{
	const size_t n = it->n, k = it->k;
	double curved = 0;

	for (size_t i = 0; i < n; i++) {
		const double root = sqrt(it->d2[i]);

		curved += it->d2[i];
		for (size_t l = 0; l < k; l++)
			it->B[i * k + l] = root * it->Z[i * k + l];
	}
	memset(it->M, 0, k * k * sizeof(*it->M));
	if (k > 0)
		kith_blas_gram(n, k, 1, it->B, k, it->M);
	for (size_t l = 0; l < k; l++) {
		it->M[l * k + l] += (double)it->r[l];
		it->step[l] = (double)-it->left[l];
	}
	/* Without curvature nothing else tells how far b goes. */
	if (it->of->intercept && !(curved > 0))
		it->M[k * k - 1] = (double)n;
	if (!kith_spd_factor(k, it->M))
		return false;
	kith_spd_solve(k, 1, it->M, it->step);
	return true;
}

/* The part of the step, 1 or 1/2 ..., that lowers F as it should; or 0. */
static long double
search(struct linear *it, const double *y, long double *F)
{
	const long double was = *F;
	long double slope = 0, t = 1;

	for (size_t l = 0; l < it->k; l++)
		slope += it->left[l] * it->step[l];
	while ((*F = value(it, y, t)) > was + 1e-4L * t * slope + 1e-16L * fabsl(was)) {
		t /= 2;
		if (t < SHORTEST)
			return 0;
	}
	return t;
}

/* A step along parabolas above the losses, from c; the part of it gone. */
static long double
go_below(struct linear *it, const double *y, long double *F)
{
	value(it, y, 0);
	for (size_t i = 0; i < it->n; i++)
		it->d2[i] = kith_check_knife_weight(it->of, i) *
		    kith_check_knife_curvature(it->of, y[i], (double)it->f[i]);
	return newton(it) ? search(it, y, F) : 0;
}

/*
 * A step of c.  Where the curvature here tells too little of that further on,
 * Newton's step is short, and the lower one of two is taken.
 */
static long double
go(struct linear *it, const double *y, long double *F)
{
	const size_t size = it->k * sizeof(*it->step);
	long double t = 0, first = *F, second = *F, other;

	if (newton(it))
		t = search(it, y, &first);
	if (t < 1) {
		memcpy(it->spare, it->step, size);
		other = go_below(it, y, &second);
		if (t > 0 && !(other > 0 && second < first))
			memcpy(it->step, it->spare, size);
		else {
			t = other;
			first = second;
		}
	}
	for (size_t l = 0; l < it->k; l++)
		it->c[l] += t * it->step[l];
	memset(it->step, 0, size);
	*F = value(it, y, 0);
	return t;
}

/* Solve for one output; how far that came, or NaN. */
static long double
solve(struct linear *it, const double *y, long double *F)
{
	long double left;

	memset(it->c, 0, it->k * sizeof(*it->c));
	memset(it->step, 0, it->k * sizeof(*it->step));
	*F = value(it, y, 0);
	left = residual(it);
	for (int step = 0; step < STEPS && left > SOLVED; step++) {
		const long double last = left, t = go(it, y, F);

		if (!(t > 0))
			return NAN;
		left = residual(it);
		/* Rounding allows no more. */
		if (t == 1 && left < 1e-8L && left > last / 4)
			break;
	}
	return left;
}

/* x_j' L' for all j, of the columns as they are. */
static void
find_products(const struct linear *it, long double *xu)
{
	const struct kith_mat *X = it->of->X;

	for (size_t j = 0; j < X->p; j++)
		xu[j] = 0;
	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < X->p; j++)
			xu[j] += it->d1[i] * kith_row(X, i)[j];
}

/*
 * x_j' alpha of a column with a weight: from c, where the products with L'
 * cancel; from these, where the penalty outweighs the curvature.
 */
static long double
product(const struct linear *it, const double *w, size_t l, long double xu)
{
	long double curved = 0;

	for (size_t i = 0; i < it->n; i++) {
		const double z = it->Z[i * it->k + l];

		curved += it->d2[i] * z * z;
	}
	if (it->r[l] > curved)
		return -xu / (2 * it->of->lambda1);
	return scalbnl(it->c[l] / w[it->column[l]], -it->e[l]);
}

/* alpha, b, and the squares of x_j' alpha, of output o. */
static void
give(struct linear *it, size_t o, const double *w, struct kith_check_knife_point *s,
    long double *square)
{
	const struct kith_mat *X = it->of->X;
	long double *xu = s->xu + o * X->p, *xa;
	const long double two = 2 * (long double)it->of->lambda1;
	struct kith_pool tmp = {0};
	long double b = 0;

	xa = kith_new(&tmp, X->p, sizeof(*xa));
	find_products(it, xu);
	for (size_t j = 0; j < X->p; j++)
		xa[j] = -xu[j] / two;
	for (size_t l = 0; l < it->k; l++) {
		const size_t j = it->column[l];

		if (j == X->p) {
			b += it->c[l];
			continue;
		}
		xa[j] = product(it, w, l, xu[j]);
		b -= it->c[l] * scalbn(centre(it->of, j), -it->e[l]);
	}
	for (size_t j = 0; j < X->p; j++)
		square[j] += xa[j] * xa[j];
	s->b[o] = (double)b;
	for (size_t i = 0; i < it->n; i++) {
		s->u[o * it->n + i] = it->d1[i];
		s->alpha[o * it->n + i] = (double)(-it->d1[i] / two);
		s->f[o * it->n + i] = (double)it->f[i];
	}
	kith_pool_free(&tmp);
}

void
kith_check_knife_linear(struct kith_check_knife_point *s, const double *w, struct kith_pool *pool)
{
	const struct kith_knife_problem *of = s->of;
	const size_t p = of->X->p;
	struct kith_pool tmp = {0};
	struct linear it = begin(of, w, &tmp);
	long double *square = kith_new(&tmp, p, sizeof(*square)), F = 0;

	s->u = kith_new(pool, of->c, s->n * sizeof(*s->u));
	s->xu = kith_new(pool, of->c, p * sizeof(*s->xu));
	for (size_t j = 0; j < p; j++)
		F += (long double)of->lambda2 * w[j];
	for (size_t o = 0; o < of->c; o++) {
		long double one;
		const long double left = solve(&it, of->Y + o * s->n, &one);

		F += isnan(left) ? NAN : one;
		s->residual = fmax(s->residual, (double)left);
		give(&it, o, w, s, square);
	}
	s->F = (double)F;
	for (size_t j = 0; j < p; j++)
		s->dF[j] = (double)(of->lambda2 - of->lambda1 * square[j]);
	kith_pool_free(&tmp);
}
