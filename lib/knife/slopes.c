#include "knife/slopes.h"

#include "base/par.h"
#include "knife/forms.h"
#include "la/blas.h"

#include <math.h>
#include <string.h>

struct job {
	struct kith_knife_state *state;
	const double *alpha;  /* n */
	const double *square; /* n x p: squares of X */
	double *A;            /* n x p */
};

/* Row i of H diag(alpha); with differences its diagonal has no part. */
static double
weigh_row(const struct job *job, size_t i, double *M)
{
	const struct kith_knife_state *state = job->state;
	const double *H = state->H + i * state->n;
	double sum = 0;

	for (size_t l = 0; l < state->n; l++)
		M[l] = H[l] * job->alpha[l];
	if (state->problem->kernel != KITH_KNIFE_POLYNOMIAL)
		M[i] = 0;
	for (size_t l = 0; l < state->n; l++)
		sum += M[l];
	return sum;
}

static void
product_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_knife_state *state = job->state;
	const struct kith_knife_problem *problem = state->problem;
	const size_t n = state->n, p = state->p, wide = n > p ? n : p;
	const size_t rows = n < KITH_KNIFE_TILE ? n : KITH_KNIFE_TILE;
	size_t first;
	const size_t last = kith_knife_tile(n, block, &first);
	double *M = state->room + thread * 2 * rows * wide;
	double *MS = M + rows * wide, *A = job->A + first * p;
	double total[KITH_KNIFE_TILE];

	for (size_t i = first; i < last; i++)
		total[i - first] = weigh_row(job, i, M + (i - first) * n);
	kith_blas_product(last - first, p, n, M, state->X.v, A);
	if (job->square)
		kith_blas_product(last - first, p, n, M, job->square, MS);
	for (size_t i = first; i < last; i++) {
		const double *x = kith_row(&state->X, i);
		const double *ms = MS + (i - first) * p;
		double *a = job->A + i * p;

		if (!job->square)
			for (size_t j = 0; j < p; j++)
				a[j] *= (double)problem->degree * x[j];
		else
			for (size_t j = 0; j < p; j++)
				a[j] = -problem->gamma *
				    ((total[i - first] * x[j] - 2 * a[j]) *
					    x[j] +
					ms[j]);
	}
}

static void
modulus_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_knife_state *state = job->state;
	const size_t n = state->n, p = state->p, wide = n > p ? n : p;
	const size_t rows = n < KITH_KNIFE_TILE ? n : KITH_KNIFE_TILE;
	size_t first;
	const size_t last = kith_knife_tile(n, block, &first);
	double *M = state->room + thread * 2 * rows * wide;

	for (size_t i = first; i < last; i++) {
		double *a = job->A + i * p;

		weigh_row(job, i, M);
		memset(a, 0, p * sizeof(*a));
		kith_knife_moduli(
		    n, p, M, kith_row(&state->X, i), state->X.v, a);
		for (size_t j = 0; j < p; j++)
			a[j] *= -state->problem->gamma;
	}
}

static void
linear_slopes(const struct job *job)
{
	const struct kith_knife_state *state = job->state;
	struct kith_pool tmp = {0};
	double *xa = kith_new(&tmp, state->p, sizeof(*xa));

	kith_blas_turned(
	    state->n, state->p, state->X.v, state->p, job->alpha, xa);
	for (size_t i = 0; i < state->n; i++)
		for (size_t j = 0; j < state->p; j++)
			job->A[i * state->p + j] = kith_row(&state->X, i)[j] *
			    xa[j];
	kith_pool_free(&tmp);
}

void
kith_knife_slopes(
    struct kith_knife_state *state, size_t o, double *square, double *A)
{
	const struct kith_knife_problem *problem = state->problem;
	const size_t tiles = kith_knife_tiles(state->n);
	struct job job = {state, state->alpha + o * state->n, NULL, A};

	if (problem->kernel == KITH_KNIFE_LINEAR) {
		linear_slopes(&job);
		return;
	}
	if (problem->kernel == KITH_KNIFE_GAUSSIAN) {
		for (size_t k = 0; k < state->n * state->p; k++)
			square[k] = state->X.v[k] * state->X.v[k];
		job.square = square;
	}
	kith_par(problem->threads, tiles,
	    problem->kernel == KITH_KNIFE_LAPLACIAN ? modulus_block
						    : product_block,
	    &job);
}
