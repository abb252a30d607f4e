/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/form.h"

#include "base/pool.h"
#include "immigrate/rows.h"
#include "la/blas.h"
#include "la/eig.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* An eigenvalue beyond this, of the size of the terms, is no rounding. */
#define NOISE 1e-14

struct kith_immigrate_form
kith_immigrate_form_new(const struct kith_immigrate_data *data, struct kith_pool *pool)
{
	const size_t p = data->p, ld = data->ld;
	struct kith_immigrate_form form = {.p = p, .ld = ld};

	form.R = kith_new(pool, ld, ld * sizeof(*form.R));
	form.sign = kith_new(pool, ld, sizeof(*form.sign));
	KITH_NEW_REALS(pool, p, p, &form.A, &form.U);
	form.lambda = kith_new(pool, p, sizeof(*form.lambda));
	return form;
}

/* Append the row scale * v. */
static void
append(struct kith_immigrate_form *form, const double *v, double scale, double sign)
{
	double *row = form->R + form->r * form->ld;

	for (size_t j = 0; j < form->p; j++)
		row[j] = scale * v[j];
	form->sign[form->r++] = sign;
}

static void
fill_up(struct kith_immigrate_form *form)
{
	while (form->r % 8 != 0) {
		memset(form->R + form->r * form->ld, 0, form->ld * sizeof(*form->R));
		form->sign[form->r++] = 0;
	}
}

/* The largest modulus of n numbers in increasing order. */
static double
largest(size_t n, const double *lambda)
{
	return fmax(-lambda[0], lambda[n - 1]);
}

void
kith_immigrate_form_of(struct kith_immigrate_form *form, const double *W)
{
	const size_t p = form->p;
	bool done;
	double least;

	memcpy(form->A, W, p * p * sizeof(*W));
	done = kith_eig(p, form->A, form->lambda, form->U);
	assert(done);
	(void)done;
	least = largest(p, form->lambda) * (double)p * DBL_EPSILON;
	form->r = 0;
	for (size_t i = 0; i < p; i++) {
		const double lambda = form->lambda[i];

		if (fabs(lambda) > least)
			append(form, form->U + i * p, sqrt(fabs(lambda)), lambda > 0 ? 1 : -1);
	}
	fill_up(form);
}

/*
 * W = sum_i sign_i R_i R_i': rows of one sign follow each other, but for the
 * negative ones, which come first.
 */
void
kith_immigrate_form_full(const struct kith_immigrate_form *form, double *W)
{
	const size_t p = form->p;

	memset(W, 0, p * p * sizeof(*W));
	for (size_t i = 0, end; i < form->r; i = end) {
		for (end = i; end < form->r; end++)
			if (form->sign[end] != form->sign[i])
				break;
		if (form->sign[i] != 0)
			kith_blas_gram(
			    end - i, p, form->sign[i], form->R + i * form->ld, form->ld, W);
	}
	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < i; j++)
			W[i * p + j] = W[j * p + i];
}

/*
 * What is negative enough of n eigenvalues in increasing order, and the norm of
 * these; 0: none is.
 */
static size_t
count_negative(size_t n, const double *mu, double size, double *norm)
{
	const double least = largest(n, mu) * (double)n * DBL_EPSILON;
	size_t count = 0;
	double sum = 0;

	if (!(-mu[0] > NOISE * size))
		return 0;
	while (count < n && -mu[count] > least) {
		const double share = mu[count++] / mu[0];

		sum += share * share;
	}
	*norm = -mu[0] * sqrt(sum);
	return count;
}

bool
kith_immigrate_form_closed(struct kith_immigrate_form *form, const double *Sigma, double size)
{
	const size_t p = form->p;
	size_t count;

	memcpy(form->A, Sigma, p * p * sizeof(*Sigma));
	if (!kith_eig(p, form->A, form->lambda, form->U))
		return false;
	count = count_negative(p, form->lambda, size, &form->norm);
	form->r = 0;
	for (size_t i = 0; i < count; i++)
		append(form, form->U + i * p, sqrt(-form->lambda[i] / form->norm), 1);
	fill_up(form);
	return count > 0;
}

void
kith_immigrate_form_edge(struct kith_immigrate_form *form)
{
	form->r = 0;
	form->norm = 0;
	append(form, form->U, 1, 1);
	fill_up(form);
}

/* Square matrices of the Gram path. */
struct gram {
	size_t n, q; /* rows of Z; rank */
	double *K, *Q, *lambda;
	double *L, *JL; /* q x n: sqrt(lambda_i) Q_i, and with signs */
	double *T, *mu; /* q x q, q */
};

static struct gram
gram_new(size_t n, struct kith_pool *pool)
{
	struct gram g = {.n = n};

	KITH_NEW_REALS(pool, n, n, &g.K, &g.Q, &g.L, &g.JL, &g.T);
	KITH_NEW_REALS(pool, n, 1, &g.lambda, &g.mu);
	return g;
}

/*
 * Z Z' = sum_i lambda_i Q_i Q_i'.  The rows Q_i Z / sqrt(lambda_i) are
 * orthonormal, and in them Sigma is L J L', q x q, whose eigenvectors T_i make
 * those of Sigma, sum_j T_ij Q_j Z / sqrt(lambda_j).
 */
static bool
reduce(struct gram *g, const double *Z, size_t ld, const double *sign)
{
	const size_t n = g->n;
	double least;

	kith_blas_rows(n, n, ld, Z, ld, Z, ld, g->K, n);
	if (!kith_eig(n, g->K, g->lambda, g->Q))
		return false;
	least = largest(n, g->lambda) * (double)n * DBL_EPSILON;
	for (size_t i = 0; i < n; i++) {
		const double root = sqrt(fmax(g->lambda[i], 0));
		double *L = g->L + g->q * n, *JL = g->JL + g->q * n;

		if (!(g->lambda[i] > least))
			continue;
		for (size_t k = 0; k < n; k++) {
			L[k] = root * g->Q[i * n + k];
			JL[k] = sign[k] * L[k];
			g->Q[g->q * n + k] = g->Q[i * n + k] / root;
		}
		g->q++;
	}
	if (g->q == 0)
		return false;
	kith_blas_rows(g->q, g->q, n, g->L, n, g->JL, n, g->K, g->q);
	return kith_eig(g->q, g->K, g->mu, g->T);
}

bool
kith_immigrate_form_gram(
    struct kith_immigrate_form *form, size_t n, const double *Z, const double *sign, double size)
{
	struct kith_pool tmp = {0};
	struct gram g = {0};
	double *rows;
	size_t count = 0;

	assert(n < form->p);
	form->r = 0;
	if (n > 0) {
		g = gram_new(n, &tmp);
		if (reduce(&g, Z, form->ld, sign))
			count = count_negative(g.q, g.mu, size, &form->norm);
	}
	if (count > 0) {
		/* T_i Q, then times Z. */
		rows = kith_new(&tmp, count, form->ld * sizeof(*rows));
		kith_blas_product(count, n, g.q, g.T, g.Q, g.JL);
		kith_blas_product(count, form->ld, n, g.JL, Z, rows);
		for (size_t i = 0; i < count; i++)
			append(form, rows + i * form->ld, sqrt(-g.mu[i] / form->norm), 1);
	}
	fill_up(form);
	kith_pool_free(&tmp);
	return count > 0;
}
