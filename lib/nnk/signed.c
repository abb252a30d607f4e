/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/signed.h"

#include "kernel/kern.h"
#include "la/chol.h"
#include "la/chol_extend.h"
#include "near/metric.h"
#include "nnk/local.h"
#include "nnk/row.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

/* A row of G depends on others where its pivot is so much of its diagonal. */
#define SINGULAR 1e-12

static bool
factor(struct kith_nnk_row *row, struct kith_chol *chol, size_t *index)
{
	for (size_t i = 0; i < row->n; i++)
		index[i] = i;
	return kith_chol_factor(chol, row->A, row->ld, index, row->n, SINGULAR) == row->n;
}

static void
add_ridge(struct kith_nnk_row *row)
{
	for (size_t i = 0; i < row->n; i++)
		row->A[i * row->ld + i] += row->ridge;
}

/* How far w is from its conditions. */
static double
violation(const struct kith_nnk_row *row, double mu)
{
	const double *w = row->t;
	double sum = 0, size = 0, most = 0, worst = 0;

	for (size_t i = 0; i < row->n; i++) {
		sum += w[i];
		size += fabs(w[i]);
		most = fmax(most, row->A[i * row->ld + i]);
	}
	for (size_t i = 0; i < row->n; i++) {
		double g = -mu;

		for (size_t j = 0; j < row->n; j++)
			g += row->A[i * row->ld + j] * w[j];
		worst = fmax(worst, fabs(g));
	}
	worst /= mu + most * size;
	return isfinite(worst) ? fmax(worst, fabs(sum - 1) / size) : INFINITY;
}

/* |q - sum w x|^2 / 2; the sum goes into row->q. */
static double
distance(struct kith_nnk_row *row)
{
	const struct kith_metric *metric = &row->pack->metric;
	struct kith_metric plain = *metric;
	const size_t p = metric->p;
	double square = 0;

	if (metric->kind == KITH_SQUARED)
		plain.w = NULL; /* their roots are in G */
	for (size_t a = 0; a < p; a++) {
		row->q[a] = 0;
		for (size_t i = 0; i < row->n; i++)
			row->q[a] += row->t[i] * row->G[i * p + a];
	}
	kith_kern_products(&plain, row->q, 1, 1, &square);
	return scalbn(fmax(square, 0) / 2, -row->exponent);
}

double
kith_nnk_signed(struct kith_nnk_row *row, struct kith_chol *chol, size_t *index, double *error)
{
	bool regular = row->n <= row->pack->metric.p;
	double sum = 0;

	assert(row->form == KITH_NNK_SIGNED);
	*error = NAN;
	if (row->n == 0)
		return 0;
	regular = regular && factor(row, chol, index);
	if (!regular) {
		add_ridge(row);
		if (!factor(row, chol, index))
			return INFINITY;
	}
	for (size_t i = 0; i < row->n; i++)
		row->t[i] = 1;
	kith_chol_solve(chol, row->t);
	for (size_t i = 0; i < row->n; i++)
		sum += row->t[i];
	for (size_t i = 0; i < row->n; i++)
		row->t[i] /= sum;
	*error = distance(row);
	if (!isfinite(*error))
		*error = NAN;
	return violation(row, 1 / sum);
}
