/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/float.h"

#include "base/pool.h"
#include "base/sort.h"
#include "la/blas.h"
#include "la/simd.h"
#include "la/vec.h"
#include "near/absolute.h"
#include "near/pack.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST = 1 << 18,        /* features, so that gamma holds */
	MOST_MATRIX = 1 << 14, /* and for a matrix */
	NORM = 80,             /* rows of the reference: |A|^2 < 2^NORM */
	NORM_MATRIX = 60,
	SAMPLE = 63,
	BLOCK = 64, /* rows turned at a time */
	BALANCE = 8 /* most |exponent| of scale->a */
};

/* Rows of a query with |A|^2 or |B|^2 beyond it are not screened. */
static const double far_away = 0x1p110;

static const double tiny = 0x1p-60;

static bool
is_matrix(const struct kith_knn_pack *pack)
{
	return pack->metric.kind == KITH_SQUARED_MATRIX;
}

static bool
is_absolute(const struct kith_knn_pack *pack)
{
	return pack->metric.kind == KITH_ABSOLUTE;
}

/* The largest |x_j - c_j| of the reference. */
static double
reach(const struct kith_mat *X, const double *c)
{
	double most = 0;

	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < X->p; j++)
			most = fmax(most, fabs(kith_row(X, i)[j] - c[j]));
	return most;
}

/* The least e with 2^e >= n. */
static int
log2_up(size_t n)
{
	int e = 0;

	while (((size_t)1 << e) < n)
		e++;
	return e;
}

/* KITH_SQUARED, KITH_ABSOLUTE: the scale is 2^e, so that |A| < 2^NORM. */
static int
exponent_of(const struct kith_knn_pack *pack)
{
	return NORM - 3 - pack->size - log2_up(pack->metric.p) - 1;
}

/* KITH_ABSOLUTE: whether the factors w_j 2^e, and differences, are in range. */
static bool
absolute_serves(const struct kith_knn_pack *pack)
{
	const double *w = pack->metric.w;
	const int e = exponent_of(pack);

	for (size_t j = 0; w && j < pack->metric.p; j++)
		if (abs(ilogb(w[j]) + e) > 1000)
			return false;
	return reach(&pack->X, pack->X.v) < 0x1p1000;
}

bool
kith_knn_float_serves(const struct kith_knn_pack *pack)
{
	const size_t p = pack->metric.p;
	double r, w;

	if (pack->X.n > UINT32_MAX || pack->size < -620 || pack->size > 930)
		return false;
	if (pack->metric.kind == KITH_SQUARED)
		return p <= MOST;
	if (is_absolute(pack))
		return p <= MOST && absolute_serves(pack);
	if (!is_matrix(pack) || p > MOST_MATRIX)
		return false;
	/* Keep all sums of the matrix form far from overflow and underflow. */
	r = reach(&pack->X, pack->X.v);
	w = kith_vec_largest(p * p, pack->metric.w);
	return 0x1p-300 < r && r < 0x1p300 && 0x1p-300 < w && w < 0x1p300;
}

/*
 * Feature by feature the median of a sample of rows: unlike means, no outlier
 * moves it, and with it the precision of all others.
 */
static double *
centre_of(const struct kith_mat *X, struct kith_pool *pool)
{
	double *c = kith_new(pool, X->p, sizeof(*c)), sample[SAMPLE];
	const size_t m = X->n < SAMPLE ? X->n : SAMPLE;

	for (size_t j = 0; j < X->p; j++) {
		for (size_t i = 0; i < m; i++)
			sample[i] = kith_row(X, i * (X->n / m))[j];
		kith_sort_reals(sample, m);
		c[j] = sample[m / 2];
	}
	return c;
}

KITH_INLINE const kith_v8d_at *
at(const double *x)
{
	return (const kith_v8d_at *)x;
}

KITH_CLONES static double
float_dot(const double *x, const double *z, size_t p)
{
	kith_v8d v = {0};
	double s = 0;
	size_t j;

	for (j = 0; j + 8 <= p; j += 8)
		v += *at(x + j) * *at(z + j);
	for (; j < p; j++)
		s += x[j] * z[j];
	for (size_t l = 0; l < 8; l++)
		s += v[l];
	return s;
}

KITH_CLONES static void
float_convert(const double *x, double by, size_t p, float *out)
{
	size_t j;

	for (j = 0; j + 8 <= p; j += 8)
		*(kith_v8f_at *)(out + j) = __builtin_convertvector(
		    *at(x + j) * by, kith_v8f);
	for (; j < p; j++)
		out[j] = (float)(x[j] * by);
}

KITH_CLONES static void
float_scale_row(const struct kith_knn_scale *s, const double *x, double *out)
{
	const double *c = s->centre, *f = s->factor;
	const size_t p = s->pack->metric.p;
	size_t j;

	for (j = 0; j + 8 <= p; j += 8)
		*(kith_v8d_at *)(out + j) = (*at(x + j) - *at(c + j)) *
		    *at(f + j);
	for (; j < p; j++)
		out[j] = (x[j] - c[j]) * f[j];
}

void
kith_knn_scale_row(const struct kith_knn_scale *s, const double *x, double *out)
{
	float_scale_row(s, x, out);
}

/* KITH_SQUARED: factors sqrt(w_j) 2^e; KITH_ABSOLUTE: w_j 2^e. */
static void
scale_vector(struct kith_knn_scale *s, double *factor)
{
	const struct kith_metric *metric = &s->pack->metric;
	const bool absolute = is_absolute(s->pack);
	const int e = exponent_of(s->pack) / (absolute ? 1 : 2);

	for (size_t j = 0; j < metric->p; j++) {
		const double w = metric->w ? metric->w[j] : 1;

		factor[j] = ldexp(absolute ? w : sqrt(w), e);
	}
	s->scale = ldexp(1, absolute ? e : 2 * e);
}

/* Choose a and b such that A and B are about as long. */
static void
balance(struct kith_knn_scale *s)
{
	struct kith_pool tmp = {0};
	const struct kith_mat *X = &s->pack->X;
	const size_t p = X->p;
	double *A = kith_new(&tmp, p, sizeof(*A)), a = 0, b = 0;
	double *B = kith_new(&tmp, p, sizeof(*B));
	const size_t step = X->n / 64 + 1; /* a sample will do */
	int e = 0;

	for (size_t i = 0; i < X->n; i += step) {
		kith_knn_scale_row(s, kith_row(X, i), A);
		kith_blas_product(1, p, p, A, s->W, B);
		for (size_t j = 0; j < p; j++) {
			a += A[j] * A[j];
			b += B[j] * B[j];
		}
	}
	if (a > 0 && b > 0)
		e = (int)lrint(log2(b / a) / 4);
	e = e > BALANCE ? BALANCE : e < -BALANCE ? -BALANCE : e;
	s->a = ldexp(1, e);
	s->b = ldexp(1, -e);
	kith_pool_free(&tmp);
}

/* KITH_SQUARED_MATRIX: one factor 2^e, and W 2^-f with entries up to 2. */
static void
scale_matrix(struct kith_knn_scale *s, double *factor, struct kith_pool *pool)
{
	const struct kith_metric *metric = &s->pack->metric;
	const size_t p = metric->p;
	const int f = ilogb(kith_vec_largest(p * p, metric->w));
	const int r = ilogb(reach(&s->pack->X, s->centre)) + 1;
	const int e = (NORM_MATRIX - 2 * r - log2_up(p) - 1) / 2;
	double *W = kith_new(pool, p * p, sizeof(*W)), norm = 0;

	for (size_t j = 0; j < p; j++)
		factor[j] = ldexp(1, e);
	for (size_t i = 0; i < p * p; i++) {
		W[i] = ldexp(metric->w[i], -f);
		norm += W[i] * W[i];
	}
	s->W = W;
	s->scale = ldexp(1, 2 * e - f);
	s->rounding = (16 * (double)p + 200) * 0x1p-53 * sqrt(norm);
	balance(s);
}

struct kith_knn_scale
kith_knn_scale_new(const struct kith_knn_pack *pack, struct kith_pool *pool)
{
	double *factor = kith_new(pool, pack->metric.p, sizeof(*factor));
	struct kith_knn_scale s = {.pack = pack,
	    .centre = centre_of(&pack->X, pool),
	    .factor = factor,
	    .a = 1,
	    .b = 1};

	assert(kith_knn_float_serves(pack));
	if (is_matrix(pack))
		scale_matrix(&s, factor, pool);
	else
		scale_vector(&s, factor);
	return s;
}

struct kith_knn_float
kith_knn_float_room(
    const struct kith_knn_scale *scale, size_t n, struct kith_pool *pool)
{
	const size_t row = scale->pack->metric.p * sizeof(float);
	struct kith_knn_float f = {.n = n};

	/* Large, and filled soon: not zeroed first. */
	f.A = kith_grow(pool, NULL, n, row);
	f.B = f.A;
	if (scale->W)
		f.B = kith_grow(pool, NULL, n, row);
	else if (is_absolute(scale->pack))
		f.B = kith_new(pool, kith_strips_size(n, scale->pack->metric.p),
		    sizeof(*f.B));
	f.low = kith_new(pool, n, sizeof(*f.low));
	f.wide = kith_new(pool, n, sizeof(*f.wide));
	return f;
}

static double
sum_absolute(const double *x, size_t p)
{
	double s = 0;

	for (size_t j = 0; j < p; j++)
		s += fabs(x[j]);
	return s;
}

/*
 * q of a row, and gamma h + tiny, from its double rows A and, for a matrix, B;
 * false: it is too far away.
 */
static bool
bound_row(const struct kith_knn_scale *s, const double *A, const double *B,
    double *q, double *err)
{
	const size_t p = s->pack->metric.p;
	const double gamma = 1.05 * ((double)p + 16) * 0x1p-24;
	double aa, bb;

	if (is_absolute(s->pack)) {
		const double h = sum_absolute(A, p);

		*q = 0;
		*err = gamma * h + tiny;
		return h < far_away;
	}
	aa = *q = float_dot(A, A, p);
	*err = gamma * (aa * s->a * s->a);
	bb = 0;
	if (B) {
		bb = float_dot(B, B, p) * s->b * s->b;
		*q = float_dot(A, B, p);
		*err += gamma * bb + s->rounding * aa;
	}
	*err += tiny;
	return aa * s->a * s->a < far_away && bb < far_away;
}

/* Row i of `to` from the double rows A and, for a matrix, B. */
static void
fill_row(const struct kith_knn_scale *s, const double *A, const double *B,
    struct kith_knn_float *to, size_t i)
{
	const size_t p = s->pack->metric.p;
	float *row = to->A + i * p;
	double q, err;

	if (bound_row(s, A, B, &q, &err)) {
		float_convert(A, s->a, p, row);
		if (B)
			float_convert(B, s->b, p, to->B + i * p);
		to->low[i] = (float)(q - err);
		to->wide[i] = (float)(2 * err * (1 + 0x1p-20));
	} else {
		memset(row, 0, p * sizeof(*row));
		if (B)
			memset(to->B + i * p, 0, p * sizeof(*to->B));
		to->low[i] = INFINITY;
		to->wide[i] = 0;
	}
	if (is_absolute(s->pack))
		kith_strips_put(to->B, i, p, row);
}

void
kith_knn_float_fill(const struct kith_knn_scale *s, const double *const *z,
    size_t n, struct kith_knn_float *to)
{
	struct kith_pool tmp = {0};
	const size_t p = s->pack->metric.p;
	double *A = kith_new(&tmp, BLOCK, p * sizeof(*A)), *B = NULL;

	if (s->W)
		B = kith_new(&tmp, BLOCK, p * sizeof(*B));
	for (size_t first = 0; first < n; first += BLOCK) {
		const size_t m = n - first < BLOCK ? n - first : BLOCK;

		for (size_t i = 0; i < m; i++)
			kith_knn_scale_row(s, z[first + i], A + i * p);
		if (B)
			kith_blas_product(m, p, p, A, s->W, B);
		for (size_t i = 0; i < m; i++)
			fill_row(
			    s, A + i * p, B ? B + i * p : NULL, to, first + i);
	}
	kith_pool_free(&tmp);
}

void
kith_knn_float_cross(const struct kith_knn_scale *scale, size_t m,
    const float *A, const struct kith_knn_float *X, size_t j, size_t n,
    float *C)
{
	const size_t p = scale->pack->metric.p;

	if (is_absolute(scale->pack))
		kith_absolute_cross(m, n, p, A, X->B + j * p, C);
	else
		kith_blas_cross(m, n, p, -2, A, X->B + j * p, C);
}
