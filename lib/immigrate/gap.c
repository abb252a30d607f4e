/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/gap.h"

#include "base/pool.h"
#include "immigrate/model.h"
#include "la/blas.h"

#include <float.h>
#include <math.h>

/* Of |Sigma_-|: beyond this an error of Sigma may turn V anywhere. */
#define SMALL 1e-4

/* Of |Sigma|: a slope that is one. */
#define STEEP 1e-9

/* Sigma, or u, as the numbers of the gap need it. */
struct sums {
	double W, V;          /* tr(Sigma W), tr(Sigma V) */
	double all, negative; /* |Sigma|, |Sigma_-| */
	bool falls;           /* tr(Sigma (V - W)) < 0, and not by rounding */
};

/* tr(Sigma W) for the upper triangle of Sigma. */
static double
product(size_t p, const double *Sigma, const double *W)
{
	double sum = 0;

	for (size_t i = 0; i < p; i++)
		for (size_t j = i; j < p; j++)
			sum += (i == j ? 1 : 2) * Sigma[i * p + j] * W[i * p + j];
	return sum;
}

static struct sums
of_matrix(const struct kith_immigrate_model *model, const double *W, const double *V)
{
	const size_t p = model->data.p;
	const double *Sigma = model->sum.total;

	return (struct sums){product(p, Sigma, W), product(p, Sigma, V),
	    sqrt(product(p, Sigma, Sigma)), model->form.norm, true};
}

/* tr(Z' diag(sign) Z W) */
static double
gram_product(const struct kith_immigrate_model *model, const double *W, struct kith_pool *tmp)
{
	const size_t n = model->pairs, p = model->data.p, ld = model->data.ld;
	double *WZ = kith_new(tmp, p, sizeof(*WZ)), sum = 0;

	for (size_t k = 0; k < n; k++) {
		const double *z = model->Z + k * ld;

		kith_blas_times(p, p, W, p, z, WZ);
		for (size_t j = 0; j < p; j++)
			sum += model->Z_sign[k] * z[j] * WZ[j];
	}
	return sum;
}

/* The same for Sigma = Z' diag(sign) Z. */
static struct sums
of_gram(const struct kith_immigrate_model *model, const double *W, const double *V)
{
	struct kith_pool tmp = {0};
	const size_t n = model->pairs, ld = model->data.ld;
	double *K = kith_new(&tmp, n, n * sizeof(*K)), square = 0;
	struct sums s = {.negative = model->form.norm, .falls = true};

	kith_blas_rows(n, n, ld, model->Z, ld, model->Z, ld, K, n);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			square += model->Z_sign[i] * model->Z_sign[j] * K[i * n + j] * K[i * n + j];
	s.all = sqrt(fmax(square, 0));
	s.W = gram_product(model, W, &tmp);
	s.V = gram_product(model, V, &tmp);
	kith_pool_free(&tmp);
	return s;
}

/* The same for a vector, w and v being made of Euclidean length 1. */
static struct sums
of_vector(const struct kith_immigrate_model *model, const double *w, const double *v)
{
	const size_t ld = model->data.ld;
	double ww = 0, vv = 0;
	struct sums s = {0};

	for (size_t j = 0; j < model->len; j++) {
		const double u = model->sum.total[j] - model->sum.total[ld + j];

		s.W += u * w[j];
		s.V += u * v[j];
		ww += w[j] * w[j];
		vv += v[j] * v[j];
		s.all += u * u;
		s.negative += u < 0 ? u * u : 0;
	}
	s.all = sqrt(s.all);
	s.falls = s.W - s.V > STEEP * s.all;
	s.W /= sqrt(ww);
	s.V /= sqrt(vv);
	s.negative = sqrt(s.negative);
	return s;
}

/* The largest distance that a quadratic form is made of. */
static double
largest(const struct kith_immigrate_model *model)
{
	double most = 0;

	if (model->matrix) /* D'D, each D being below 1 */
		return (double)model->data.p;
	for (size_t i = 0; i < model->data.n; i++)
		most = fmax(most, fmax(model->soft.hit.most[i], model->soft.miss.most[i]));
	return most;
}

/*
 * The error of Sigma: sums are rounded, and so are the exponents d/sigma.  What
 * can be had exactly: pairs of |c| <= least were left out, and products of BLOCK
 * pairs were of floats.
 */
static double
rounding(const struct kith_immigrate_model *model, double *left_out)
{
	const double n = (double)model->data.n, p = (double)model->data.p;
	const double exponent = largest(model) / model->soft.sigma;

	*left_out = n * n / 2 * model->sum.least * p;
	if (model->sum.floats)
		*left_out += FLT_EPSILON * KITH_IMMIGRATE_BLOCK * model->sum.size;
	return DBL_EPSILON * (n + 8 * p * (1 + exponent)) * model->sum.size;
}

struct kith_immigrate_gap
kith_immigrate_gap(
    const struct kith_immigrate_model *model, const double *W, const double *V, bool squared)
{
	const struct sums s = !model->matrix ? of_vector(model, W, V)
	    : model->by_gram                 ? of_gram(model, W, V)
					     : of_matrix(model, W, V);
	struct kith_immigrate_gap gap = {(s.W - s.V) / s.all, INFINITY, false, s.falls};
	double apart = 0, left_out, e = rounding(model, &left_out);

	for (size_t k = 0; k < model->len; k++)
		apart += (W[k] - V[k]) * (W[k] - V[k]);
	if (squared)
		gap.value = apart / 2;
	gap.left_out = e <= SMALL * s.negative && e + left_out > SMALL * s.negative;
	e = (e + left_out) / s.negative;
	if (e <= SMALL)
		gap.error = e * (sqrt(apart) + e);
	return gap;
}
