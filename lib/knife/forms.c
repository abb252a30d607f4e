/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/forms.h"

#include "base/par.h"
#include "knife/moduli.h"
#include "knife/tiles.h"
#include "la/blas.h"

#include <math.h>
#include <string.h>

struct job {
	struct kith_knife_state *state;
	const double *apart; /* n: sum over l != i of M_il; not polynomial */
};

/*
 * Twice H_il sum_o alpha_i alpha_l of row i and the n - i - 1 rows l after it.
 */
static void
pair_weights(const struct kith_knife_state *state, size_t i, double *M)
{
	const size_t n = state->n, after = i + 1, rest = n - after;
	const double *H = state->H + i * n + after;

	memset(M, 0, rest * sizeof(*M));
	for (size_t o = 0; o < state->c; o++) {
		const double *alpha = state->alpha + o * n + after;
		const double a = 2 * state->alpha[o * n + i];

		for (size_t l = 0; l < rest; l++)
			M[l] += a * alpha[l];
	}
	for (size_t l = 0; l < rest; l++)
		M[l] *= H[l];
}

static double
own_weight(const struct kith_knife_state *state, size_t i)
{
	double sum = 0;

	if (state->problem->kernel != KITH_KNIFE_POLYNOMIAL)
		return 0;
	for (size_t o = 0; o < state->c; o++) {
		const double a = state->alpha[o * state->n + i];

		sum += a * a;
	}
	return sum * state->H[i * state->n + i];
}

/*
 * The part of a tile in x_j' M x_j, M symmetric, for all j: rows of the upper
 * triangle of M, doubled off the diagonal, times X, times X.
 */
static void
product_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	struct kith_knife_state *state = job->state;
	const size_t n = state->n, p = state->p;
	size_t first;
	const size_t last = kith_knife_tile(n, block, &first);
	double *M = state->room + thread * 2 * state->tile;
	double *MX = M + state->tile, *sum = state->sums + block * p;

	for (size_t i = first; i < last; i++) {
		double *row = M + (i - first) * (n - first);

		memset(row, 0, (i - first) * sizeof(*row));
		row[i - first] = own_weight(state, i);
		pair_weights(state, i, row + (i - first) + 1);
	}
	kith_blas_product(last - first, p, n - first, M, state->X.v + first * p, MX);
	memset(sum, 0, p * sizeof(*sum));
	for (size_t i = first; i < last; i++) {
		const double *x = kith_row(&state->X, i);
		const double *y = MX + (i - first) * p;
		const double r = job->apart ? job->apart[i] : 0;

		if (job->apart)
			for (size_t j = 0; j < p; j++)
				sum[j] += (r * x[j] - y[j]) * x[j];
		else
			for (size_t j = 0; j < p; j++)
				sum[j] += y[j] * x[j];
	}
}

static void
modulus_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	struct kith_knife_state *state = job->state;
	const size_t n = state->n, p = state->p;
	size_t first;
	const size_t last = kith_knife_tile(n, block, &first);
	double *M = state->room + thread * 2 * state->tile;
	double *sum = state->sums + block * p;

	memset(sum, 0, p * sizeof(*sum));
	for (size_t i = first; i < last; i++) {
		pair_weights(state, i, M);
		kith_knife_moduli(
		    n - i - 1, p, M, kith_row(&state->X, i), state->X.v + (i + 1) * p, sum);
	}
}

/* Linear: the squares of x_j' alpha. */
static void
linear_forms(const struct kith_knife_state *state, double *q)
{
	struct kith_pool tmp = {0};
	double *xa = kith_new(&tmp, state->p, sizeof(*xa));

	memset(q, 0, state->p * sizeof(*q));
	for (size_t o = 0; o < state->c; o++) {
		kith_blas_turned(
		    state->n, state->p, state->X.v, state->p, state->alpha + o * state->n, xa);
		for (size_t j = 0; j < state->p; j++)
			q[j] += xa[j] * xa[j];
	}
	kith_pool_free(&tmp);
}

/*
 * What a row has in common with others: alpha_i ((K alpha)_i - K_ii alpha_i).
 * The diagonal has no part in differences, and would drown small ones.
 */
static void
set_apart(const struct kith_knife_state *state, double *apart)
{
	const size_t n = state->n;

	memset(apart, 0, n * sizeof(*apart));
	for (size_t o = 0; o < state->c; o++)
		for (size_t i = 0; i < n; i++) {
			const double a = state->alpha[o * n + i];

			apart[i] += a * (state->Ka[o * n + i] - state->K[i * n + i] * a);
		}
}

void
kith_knife_forms(struct kith_knife_state *state, double *q)
{
	const struct kith_knife_problem *problem = state->problem;
	const size_t p = state->p, tiles = kith_knife_tiles(state->n);
	struct kith_pool tmp = {0};
	struct job job = {state, NULL};
	double factor = (double)problem->degree;

	if (state->tiled) {
		kith_knife_tiles_forms(state, q);
		return;
	}
	if (problem->kernel == KITH_KNIFE_LINEAR) {
		linear_forms(state, q);
		return;
	}
	if (problem->kernel == KITH_KNIFE_LAPLACIAN)
		factor = -problem->gamma;
	if (problem->kernel == KITH_KNIFE_GAUSSIAN) {
		double *apart = kith_new(&tmp, state->n, sizeof(*apart));

		set_apart(state, apart);
		job.apart = apart;
		factor = -2 * problem->gamma;
	}
	kith_par(problem->threads, tiles,
	    problem->kernel == KITH_KNIFE_LAPLACIAN ? modulus_block : product_block, &job);
	memset(q, 0, p * sizeof(*q));
	for (size_t block = 0; block < tiles; block++)
		for (size_t j = 0; j < p; j++)
			q[j] += state->sums[block * p + j];
	for (size_t j = 0; j < p; j++)
		q[j] *= factor;
	kith_pool_free(&tmp);
}
