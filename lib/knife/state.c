/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/state.h"

#include "base/err.h"
#include "la/vec.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Between mean and median, over the spread of half of the numbers. */
#define FAR 1024.

/* The number that is x[k] where x (n) is sorted; x is moved (Hoare 1961). */
static double
ordered(double *x, size_t n, size_t k)
{
	size_t first = 0, last = n - 1;

	while (first < last) {
		const double pivot = x[first + (last - first) / 2];
		size_t a = first, b = last;

		for (;; a++, b--) {
			while (x[a] < pivot)
				a++;
			while (x[b] > pivot)
				b--;
			if (a >= b)
				break;
			kith_vec_swap(x, a, b);
		}
		if (k <= b)
			last = b;
		else
			first = b + 1;
	}
	return x[k];
}

/*
 * What is taken from column j: its mean, unless a few numbers of another size
 * have moved that to where the others differ in their last digits; then the
 * median.
 */
static double
middle(const struct kith_mat *X, size_t j, double mean)
{
	struct kith_pool tmp = {0};
	const size_t n = X->n;
	double *x = kith_new(&tmp, n, sizeof(*x)), median, spread;

	for (size_t i = 0; i < n; i++)
		x[i] = kith_row(X, i)[j];
	median = ordered(x, n, (n - 1) / 2);
	spread = ordered(x, n, (3 * n - 1) / 4) - ordered(x, n, n / 4);
	if (!(spread > 0))
		kith_mat_sorted(X, j, x);
	for (size_t i = 0; i < n && !(spread > 0); i++)
		spread = fabs(x[i] - median); /* half of them are equal */
	kith_pool_free(&tmp);
	return fabs(mean - median) <= FAR * spread ? mean : median;
}

/* Take the middle from each column: an offset would cost digits. */
static void
centre(struct kith_mat *X)
{
	struct kith_pool tmp = {0};
	double *mean = kith_new(&tmp, X->p, sizeof(*mean));
	const double part = 1 / (double)X->n;

	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < X->p; j++)
			mean[j] += part * kith_row(X, i)[j];
	for (size_t j = 0; j < X->p; j++)
		mean[j] = middle(X, j, mean[j]);
	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < X->p; j++)
			kith_row(X, i)[j] -= mean[j];
	kith_pool_free(&tmp);
}

/* Room for K, or for what knife/primal.c makes in its place, and for a factor. */
static void
new_matrices(struct kith_knife_state *state)
{
	const struct kith_knife_problem *problem = state->problem;
	const size_t n = state->n, p = state->p;
	const bool primal = p < n && problem->kernel == KITH_KNIFE_LINEAR;
	const size_t side = primal ? p : n;
	struct kith_pool *pool = &state->pool;

	if (state->tiled)
		return;
	state->K = kith_new(pool, n, side * sizeof(*state->K));
	state->R = kith_new(pool, side, side * sizeof(*state->R));
	state->H = state->K;
	if (problem->kernel == KITH_KNIFE_POLYNOMIAL)
		state->H = kith_new(pool, n, n * sizeof(*state->H));
	state->tile = (n < KITH_KNIFE_TILE ? n : KITH_KNIFE_TILE) * (n > p ? n : p);
	state->room = kith_new(pool, problem->threads * 2, state->tile * sizeof(*state->room));
}

struct kith_knife_state
kith_knife_begin(const struct kith_knife_problem *problem, bool tiled)
{
	const size_t n = problem->X->n, p = problem->X->p, c = problem->c;
	struct kith_knife_state state = {
	    .problem = problem, .n = n, .p = p, .c = c, .X = *problem->X};

	state.dense = SIZE_MAX;
	state.tiled = tiled && kith_knife_is_large(problem);
	if (kith_knife_of_differences(problem)) {
		state.X = kith_mat_new(&state.pool, n, p);
		memcpy(state.X.v, problem->X->v, n * p * sizeof(double));
		centre(&state.X);
	}
	state.Z = kith_new(&state.pool, n, p * sizeof(*state.Z));
	state.size = kith_new(&state.pool, n, sizeof(*state.size));
	state.mean = kith_new(&state.pool, p, sizeof(*state.mean));
	new_matrices(&state);
	KITH_NEW_REALS(&state.pool, n, c, &state.alpha, &state.Ka);
	state.bias = kith_new(&state.pool, c, sizeof(*state.bias));
	state.sums = kith_new(&state.pool, kith_knife_tiles(n), p * sizeof(*state.sums));
	return state;
}

void
kith_knife_end(struct kith_knife_state *state)
{
	kith_pool_free(&state->now);
	kith_pool_free(&state->pool);
}

int
kith_knife_singular(const struct kith_knife_state *state, struct kith_err *err)
{
	return kith_fail(err, EX_DATAERR,
	    "lambda1 %g is too small: K + lambda1 I is singular to working "
	    "precision",
	    state->problem->lambda1);
}

double
kith_knife_balance(size_t n, double sum, const double *u, double *v)
{
	const double b = (sum - kith_vec_sum(n, v)) / kith_vec_sum(n, u);

	for (size_t i = 0; i < n; i++)
		v[i] += b * u[i];
	return b;
}
