/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/gram.h"

#include "base/err.h"
#include "base/par.h"
#include "knife/tiles.h"
#include "la/blas.h"
#include "la/lanes.h"
#include "la/simd.h"
#include "near/dist.h"

#include <math.h>
#include <string.h>

/*
 * A product leaves |z - x|^2 with the rounding of |z|^2 + |x|^2: it is made
 * from the differences where it is a smaller part than NEAR, and the rounding
 * is one that the kernel could show.
 */
#define NEAR 1e-4
#define SEEN 1.0

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

/*
 * Products become squared distances of a row, own = |z|^2, from others;
 * whether one of them is near.
 */
KITH_CLONES static bool
knife_distances(size_t n, double own, const double *size, double *K)
{
	kith_v8i near = {0};
	bool some = false;
	size_t k;

	for (k = 0; k + 8 <= n; k += 8) {
		const kith_v8d both = own + *kith_lanes_at(size + k);
		const kith_v8d d = both - 2 * *kith_lanes_at(K + k);

		near |= d < NEAR * both;
		*(kith_v8d_at *)(K + k) = (kith_v8d)((kith_v8i)d & ~(d <= 0));
	}
	for (int l = 0; l < 8; l++)
		some = some || near[l];
	for (; k < n; k++) {
		const double both = own + size[k], d = both - 2 * K[k];

		some = some || d < NEAR * both;
		K[k] = d <= 0 ? 0 : d;
	}
	return some;
}

/* Squared distances from products, for row i. */
static void
distances(const struct kith_knife_pair *pair, size_t i, double *K)
{
	const struct kith_knife_state *state = pair->state;
	const struct kith_metric metric = {KITH_SQUARED, state->kept, NULL};
	const double gamma = state->problem->gamma, own = state->size[i];
	const size_t kept = state->kept;

	if (!knife_distances(pair->n, own, pair->size, K))
		return;
	for (size_t k = 0; k < pair->n; k++) {
		const double both = own + pair->size[k];

		if (K[k] < NEAR * both && gamma * both > SEEN)
			kith_dist_rows(&metric, state->Z + i * kept,
			    pair->Z + k * kept, 1, &K[k]);
	}
}

/* S = products + coef0 in K become S^(degree - 1) in H and S^degree in K. */
static void
powers(const struct kith_knife_problem *problem, size_t n, double *K, double *H)
{
	for (size_t k = 0; k < n; k++) {
		const double S = K[k] + problem->coef0;
		double square = S, power = 1;

		for (size_t e = problem->degree - 1; e > 0; e /= 2) {
			if (e % 2 == 1)
				power *= square;
			square *= square;
		}
		if (H)
			H[k] = power;
		K[k] = power * S;
	}
}

void
kith_knife_kernels(
    const struct kith_knife_pair *pair, size_t i, double *K, double *H)
{
	const struct kith_knife_state *state = pair->state;

	switch (state->problem->kernel) {
	case KITH_KNIFE_GAUSSIAN:
		distances(pair, i, K);
		kith_kern_of_dist(pair->kern, pair->n, K, 0, K);
		break;
	case KITH_KNIFE_LAPLACIAN:
		kith_kern_rows(pair->kern, state->Z + i * state->kept, pair->Z,
		    pair->n, K);
		break;
	case KITH_KNIFE_POLYNOMIAL:
		powers(state->problem, pair->n, K, H);
		break;
	case KITH_KNIFE_LINEAR:
		break;
	}
}

/* Row i of the upper triangle. */
static void
finish_row(const struct job *job, size_t i)
{
	struct kith_knife_state *state = job->state;
	const size_t n = state->n;
	const bool poly = state->problem->kernel == KITH_KNIFE_POLYNOMIAL;
	const size_t first = poly ? i : i + 1;
	const struct kith_knife_pair pair = {state, job->kern, n - first,
	    state->Z + first * state->kept, state->size + first};

	kith_knife_kernels(&pair, i, state->K + i * n + first,
	    poly ? state->H + i * n + first : NULL);
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
			memset(state->K + i * n + i, 0,
			    (n - i) * sizeof(*state->K));
	else if (state->problem->kernel != KITH_KNIFE_LAPLACIAN) {
		kith_blas_square(last - first, kept, Z, kept,
		    state->K + first * n + first, n);
		kith_blas_rows(last - first, n - last, kept, Z, kept,
		    state->Z + last * kept, kept, state->K + first * n + last,
		    n);
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

/* K_ii */
static double
own(const struct kith_knife_state *state, size_t i)
{
	return state->tiled ? kith_knife_tiles_own(state, i)
			    : state->K[i * state->n + i];
}

/* The diagonals tell: K is semidefinite, and H as large. */
static int
check_size(const struct kith_knife_state *state, struct kith_err *err)
{
	for (size_t i = 0; i < state->n; i++)
		if (!isfinite(state->size[i]) ||
		    (!state->primal && !isfinite(own(state, i))))
			return kith_fail(err, EX_DATAERR,
			    "values of the kernel are too large for a double "
			    "(tabscale?)");
	return 0;
}

int
kith_knife_gram(
    struct kith_knife_state *state, const double *w, struct kith_err *err)
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
	state->primal = problem->kernel == KITH_KNIFE_LINEAR &&
	    state->kept < state->n;
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
	kith_blas_times(last - first, n, job->state->K + first * n, n, job->v,
	    job->to + first);
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
kith_knife_times(
    const struct kith_knife_state *state, const double *v, double *to)
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
	kith_par(state->problem->threads, kith_knife_tiles(state->n),
	    times_block, &job);
}
