/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kith_platt_fit(): u = (f - mean) / sd in place of f, so that the matrix below is
 * well scaled; then from A = 0, B = log((N- + 1) / (N+ + 1)), until the slope is
 * rounding,
 *
 *	1. p_i = 1 / (1 + exp(z_i)); the gradient sums u_i (t_i - p_i) and t_i - p_i,
 *	   the matrix p_i (1 - p_i) (u_i, 1)' (u_i, 1)
 *	2. Newton's step, of the matrix and a ridge
 *	3. halve it until F falls by a part of what the slope promises; where that
 *	   is no more than F's rounding, Newton's step is good as it is
 */
#include "machine/platt.h"

#include "base/pool.h"
#include "la/chol.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#define SURE 1e-7    /* no r is nearer to 0 or 1 */
#define RIDGE 1e-12  /* of the matrix, per row */
#define SLOPE 1e-13  /* per row: rounding */
#define PROMISE 1e-4 /* Armijo's constant */
#define NEAR 1e-9    /* of F: Newton's steps square what is left */
enum { STEPS = 100, HALVES = 60 };

/* The rows, and what their standard scores make of A and B. */
struct fit {
	const double *f;
	const bool *plus;
	size_t n;
	double mean, scale; /* scale 0: all f are equal */
	double t[2];
};

struct slope {
	double a, b, aa, ab, bb;
};

double
kith_platt_sigmoid(double A, double B, double f)
{
	const double z = (A == 0 ? 0 : A * f) + B; /* f may be infinite */

	return z >= 0 ? exp(-z) / (1 + exp(-z)) : 1 / (1 + exp(z));
}

static double
standard(const struct fit *s, size_t i)
{
	return s->scale > 0 ? (s->f[i] - s->mean) / s->scale : 0;
}

/* F: log(1 + exp(-z)) + t z, where nothing overflows. */
static double
entropy(const struct fit *s, double a, double b)
{
	long double sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		const double z = a * standard(s, i) + b, t = s->t[s->plus[i]];

		sum += z >= 0 ? t * z + log1p(exp(-z)) : (t - 1) * z + log1p(exp(z));
	}
	return (double)sum;
}

static void
slope_at(const struct fit *s, double a, double b, struct slope *d)
{
	*d = (struct slope){.aa = RIDGE * (double)s->n};
	d->bb = d->aa;
	for (size_t i = 0; i < s->n; i++) {
		const double u = standard(s, i);
		const double p = kith_platt_sigmoid(a, b, u);
		const double q = kith_platt_sigmoid(-a, -b, u);
		const double e = s->t[s->plus[i]] - p;

		d->a += u * e;
		d->b += e;
		d->aa += u * u * p * q;
		d->ab += u * p * q;
		d->bb += p * q;
	}
}

static double
size_of(const struct fit *s, const struct slope *d)
{
	return fmax(fabs(d->a), fabs(d->b)) / (double)s->n;
}

/* A step from (a, b) down; false: there is none. */
static bool
step(const struct fit *s, const struct slope *d, double *a, double *b)
{
	const double det = d->aa * d->bb - d->ab * d->ab;
	const double da = (d->ab * d->b - d->bb * d->a) / det;
	const double db = (d->ab * d->a - d->aa * d->b) / det;
	const double promise = d->a * da + d->b * db;
	const double F = entropy(s, *a, *b);
	if (!(promise < 0))
		return false;
	if (-promise <= NEAR * F) {
		*a += da;
		*b += db;
		return true;
	}
	for (int half = 0; half < HALVES; half++) {
		const double by = ldexp(1, -half);

		if (entropy(s, *a + by * da, *b + by * db) <= F + PROMISE * by * promise) {
			*a += by * da;
			*b += by * db;
			return true;
		}
	}
	return false;
}

/* Mean and standard deviation of f, and the targets. */
static void
begin(struct fit *s, double *b)
{
	long double sum = 0, square = 0;
	double plus = 0, minus;

	for (size_t i = 0; i < s->n; i++) {
		sum += s->f[i];
		plus += s->plus[i];
	}
	minus = (double)s->n - plus;
	s->mean = (double)(sum / (long double)s->n);
	for (size_t i = 0; i < s->n; i++) {
		const long double d = s->f[i] - (long double)s->mean;

		square += d * d;
	}
	s->scale = (double)sqrtl(square / (long double)s->n);
	if (!(s->scale > DBL_EPSILON * fabs(s->mean)))
		s->scale = 0;
	s->t[1] = (plus + 1) / (plus + 2);
	s->t[0] = 1 / (minus + 2);
	*b = log((minus + 1) / (plus + 1));
}

void
kith_platt_fit(const double *f, const bool *plus, size_t n, struct kith_platt *fit)
{
	struct fit s = {.f = f, .plus = plus, .n = n};
	struct slope d;
	double a = 0, b;

	assert(n > 0);
	begin(&s, &b);
	slope_at(&s, a, b, &d);
	for (int i = 0; i < STEPS && size_of(&s, &d) > SLOPE; i++) {
		if (!step(&s, &d, &a, &b))
			break;
		slope_at(&s, a, b, &d);
	}
	fit->A = s.scale > 0 ? a / s.scale : 0;
	fit->B = b - fit->A * s.mean;
}

/*
 * p is where Q p is a multiple of e = (1, ..., 1)', with Q_gg = sum r_hg^2 and
 * Q_gh = -r_hg r_gh; so p is (Q + e e')^-1 e, divided by its sum, and the matrix
 * is positive definite.
 */
void
kith_platt_couple(size_t c, const double *r, double *p)
{
	struct kith_pool tmp = {0};
	double *Q = kith_new(&tmp, c, c * sizeof(*Q)), sum = 0;
	struct kith_chol chol;

	for (size_t g = 0; g < c; g++)
		for (size_t h = 0; h < c; h++) {
			const double wins = fmin(fmax(r[g * c + h], SURE), 1 - SURE);

			if (g == h)
				continue;
			Q[g * c + g] += (1 - wins) * (1 - wins);
			Q[g * c + h] = -wins * (1 - wins);
		}
	chol = kith_chol_new(c, &tmp);
	for (size_t g = 0; g < c; g++) {
		double *row = Q + g * c;
		bool good;

		for (size_t h = 0; h <= g; h++)
			row[h] += 1;
		good = kith_chol_append(&chol, row, row[g], 0);
		assert(good);
		(void)good;
		p[g] = 1;
	}
	kith_chol_solve(&chol, p);
	for (size_t g = 0; g < c; g++) {
		p[g] = fmax(p[g], 0);
		sum += p[g];
	}
	for (size_t g = 0; g < c; g++)
		p[g] /= sum;
	kith_pool_free(&tmp);
}
