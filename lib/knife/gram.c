/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/gram.h"

#include "base/err.h"
#include "base/par.h"
#include "knife/kernels.h"
#include "knife/tiles.h"
#include "la/blas.h"

#include <math.h>
#include <string.h>

struct job {
	struct kith_knife_state *state;
	const struct kith_kern *kern;
};

/* The columns of weight > 0 into Z. */
static void
pack(struct kith_knife_state *state, const double *w)
{
	struct kith_pool tmp = {0};
	const bool linear = state->problem->kernel == KITH_KNIFE_LAPLACIAN;
	size_t *column = kith_new(&tmp, state->p, sizeof(*column)), kept = 0;
	double *by = kith_new(&tmp, state->p, sizeof(*by));

	for (size_t j = 0; j < state->p; j++)
		if (w[j] > 0) {
			by[kept] = linear ? w[j] : sqrt(w[j]);
			column[kept++] = j;
		}
	for (size_t i = 0; i < state->n; i++) {
		const double *x = kith_row(&state->X, i);
		double *z = state->Z + i * kept, sum = 0;

		for (size_t l = 0; l < kept; l++) {
			z[l] = by[l] * x[column[l]];
			sum += z[l] * z[l];
		}
		state->size[i] = sum;
	}
	state->kept = kept;
	kith_pool_free(&tmp);
}

/* Row i of the upper triangle. */
static void
finish_row(const struct job *job, size_t i)
{
	struct kith_knife_state *state = job->state;
	const size_t n = state->n;
	const bool poly = state->problem->kernel == KITH_KNIFE_POLYNOMIAL;
	const size_t first = poly ? i : i + 1;
	const struct kith_knife_pair pair = {
	    state, job->kern, n - first, state->Z + first * state->kept, state->size + first};

	kith_knife_kernels(
	    &pair, i, state->K + i * n + first, poly ? state->H + i * n + first : NULL);
	if (kith_knife_of_differences(state->problem))
		state->K[i * n + i] = 1;
}

/* Rows of the upper triangle. */
static void
upper_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	struct kith_knife_state *state = job->state;
	const size_t n = state->n, kept = state->kept;
	size_t first;
	const size_t last = kith_knife_tile(n, block, &first);
	const double *Z = state->Z + first * kept;

	(void)thread;
	if (kept == 0)
		for (size_t i = first; i < last; i++)
			memset(state->K + i * n + i, 0, (n - i) * sizeof(*state->K));
	else if (state->problem->kernel != KITH_KNIFE_LAPLACIAN) {
		kith_blas_square(last - first, kept, Z, kept, state->K + first * n + first, n);
		kith_blas_rows(last - first, n - last, kept, Z, kept, state->Z + last * kept, kept,
		    state->K + first * n + last, n);
	}
	for (size_t i = first; i < last; i++)
		finish_row(job, i);
}

static void
mirror(size_t n, size_t first, size_t last, double *K)
{
	enum { SIDE = 32 };

	for (size_t k0 = 0; k0 < last; k0 += SIDE)
		for (size_t i = first; i < last; i++)
			for (size_t k = k0; k < k0 + SIDE && k < i; k++)
				K[i * n + k] = K[k * n + i];
}

static void
lower_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	struct kith_knife_state *state = job->state;
	size_t first;
	const size_t last = kith_knife_tile(state->n, block, &first);

	(void)thread;
	mirror(state->n, first, last, state->K);
	if (state->H != state->K)
		mirror(state->n, first, last, state->H);
}

double
kith_knife_own(const struct kith_knife_state *state, size_t i)
{
	return state->tiled ? kith_knife_tiles_own(state, i) : state->K[i * state->n + i];
}

void
kith_knife_columns(const struct kith_knife_state *state, size_t m, const size_t *row, double *C)
{
	const size_t n = state->n;

	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < m; l++)
			C[i * m + l] = state->K[row[l] * n + i];
}

/* The diagonals tell: K is semidefinite, and H as large. */
static int
check_size(const struct kith_knife_state *state, struct kith_err *err)
{
	for (size_t i = 0; i < state->n; i++)
		if (!isfinite(state->size[i]) ||
		    (!state->primal && !isfinite(kith_knife_own(state, i))))
			return kith_fail(err, EX_DATAERR,
			    "values of the kernel are too large for a double "
			    "(tabscale?)");
	return 0;
}

int
kith_knife_gram(struct kith_knife_state *state, const double *w, struct kith_err *err)
{
	const struct kith_knife_problem *problem = state->problem;
	const size_t tiles = kith_knife_tiles(state->n);
	struct kith_metric metric = {KITH_ABSOLUTE, 0, NULL};
	struct kith_kern kern = kith_knife_kern(problem);
	struct job job = {state, &kern};

	kern.metric = &metric;
	state->ranked = false;
	pack(state, w);
	metric.p = state->kept;
	state->primal = problem->kernel == KITH_KNIFE_LINEAR && state->kept < state->n;
	if (!state->primal && !state->tiled) {
		kith_par(problem->threads, tiles, upper_block, &job);
		kith_par(problem->threads, tiles, lower_block, &job);
	}
	return check_size(state, err);
}

struct product {
	const struct kith_knife_state *state;
	const double *v;
	double *to;
};

static void
times_block(void *to, size_t block, size_t thread)
{
	const struct product *job = to;
	const size_t n = job->state->n;
	size_t first;
	const size_t last = kith_knife_tile(n, block, &first);

	(void)thread;
	kith_blas_times(last - first, n, job->state->K + first * n, n, job->v, job->to + first);
}

/* Z Z'v */
static void
primal_times(const struct kith_knife_state *state, const double *v, double *to)
{
	struct kith_pool tmp = {0};
	const size_t n = state->n, k = state->kept;
	double *Zv = kith_new(&tmp, k + 1, sizeof(*Zv));

	memset(to, 0, n * sizeof(*to));
	if (k > 0) {
		kith_blas_turned(n, k, state->Z, k, v, Zv);
		kith_blas_times(n, k, state->Z, k, Zv, to);
	}
	kith_pool_free(&tmp);
}

void
kith_knife_times(const struct kith_knife_state *state, const double *v, double *to)
{
	struct product job = {state, v, to};

	if (state->primal) {
		primal_times(state, v, to);
		return;
	}
	if (state->tiled) {
		kith_knife_tiles_times(state, 1, v, to);
		return;
	}
	kith_par(state->problem->threads, kith_knife_tiles(state->n), times_block, &job);
}
