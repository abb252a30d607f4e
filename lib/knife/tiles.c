/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows are in blocks of SIDE, so that a tile stays in a cache.  K is symmetric: a tile of the blocks
 * I <= J serves as that of J and I, too.  Products with K add up, for every
 * GROUPS-th block I, in a sum of their own, and these are added in order.
 */
#include "knife/tiles.h"

#include "base/par.h"
#include "base/pool.h"
#include "knife/kernels.h"
#include "knife/moduli.h"
#include "la/blas.h"
#include "la/vec.h"

#include <math.h>
#include <string.h>

enum { GROUPS = 16, SIDE = 128 }; /* rows of a block */

/* Rows first..last - 1 of a block. */
static size_t
block_rows(size_t n, size_t block, size_t *first)
{
	*first = block * SIDE;
	return n - *first < SIDE ? n : *first + SIDE;
}

static size_t
blocks_of(size_t n)
{
	return (n + SIDE - 1) / SIDE;
}

struct job {
	const struct kith_knife_state *state;
	struct kith_kern kern;
	struct kith_metric metric;
	double *room; /* threads x 3 x SIDE x max(SIDE, p) */
	size_t each;  /* of this for a thread */

	size_t c; /* products */
	const double *V;
	double *sum; /* GROUPS x c n, or blocks x p */

	size_t m; /* columns */
	const double *Zm, *size;
	double *C;
};

/* A tile: rows from i on, and from k on. */
struct tile {
	size_t i, ni, k, nk;
	double *K, *H, *MX; /* ni x nk, H = K or its own; ni x p */
};

static void
begin(const struct kith_knife_state *state, struct kith_pool *pool, struct job *job)
{
	const size_t wide = state->p > SIDE ? state->p : SIDE;

	*job = (struct job){.state = state,
	    .kern = kith_knife_kern(state->problem),
	    .metric = {KITH_ABSOLUTE, state->kept, NULL},
	    .each = wide * SIDE * 3};
	job->kern.metric = &job->metric;
	job->room = kith_new(pool, state->problem->threads, job->each * sizeof(*job->room));
}

/* The rows of blocks I and J. */
static struct tile
tile_of(const struct job *job, size_t I, size_t J, size_t thread)
{
	const size_t n = job->state->n;
	double *room = job->room + thread * job->each;
	struct tile t = {.K = room, .MX = room + job->each / 3};

	t.ni = block_rows(n, I, &t.i) - t.i;
	t.nk = block_rows(n, J, &t.k) - t.k;
	t.H = t.K;
	if (job->state->problem->kernel == KITH_KNIFE_POLYNOMIAL)
		t.H = room + 2 * (job->each / 3);
	return t;
}

/* Its kernels. */
static void
fill(const struct job *job, const struct tile *t)
{
	const struct kith_knife_state *state = job->state;
	const size_t kept = state->kept;
	const double *Z = state->Z;
	const struct kith_knife_pair pair = {
	    state, &job->kern, t->nk, Z + t->k * kept, state->size + t->k};

	if (kept == 0)
		memset(t->K, 0, t->ni * t->nk * sizeof(*t->K));
	else if (state->problem->kernel != KITH_KNIFE_LAPLACIAN)
		kith_blas_rows(
		    t->ni, t->nk, kept, Z + t->i * kept, kept, pair.Z, kept, t->K, t->nk);
	for (size_t i = 0; i < t->ni; i++)
		kith_knife_kernels(&pair, t->i + i, t->K + i * t->nk, t->H + i * t->nk);
	if (t->i == t->k && kith_knife_of_differences(state->problem))
		for (size_t i = 0; i < t->ni; i++)
			t->K[i * t->nk + i] = 1;
}

static void
add(size_t n, const double *v, double *sum)
{
	for (size_t i = 0; i < n; i++)
		sum[i] += v[i];
}

/* Add what the tile has in K V. */
static void
add_products(const struct job *job, const struct tile *t, double *sum)
{
	const size_t n = job->state->n;
	double part[SIDE];

	for (size_t o = 0; o < job->c; o++) {
		const double *v = job->V + o * n;

		kith_blas_times(t->ni, t->nk, t->K, t->nk, v + t->k, part);
		add(t->ni, part, sum + o * n + t->i);
		if (t->i == t->k)
			continue;
		kith_blas_turned(t->ni, t->nk, t->K, t->nk, v + t->i, part);
		add(t->nk, part, sum + o * n + t->k);
	}
}

static void
times_group(void *to, size_t group, size_t thread)
{
	const struct job *job = to;
	const size_t n = job->state->n, blocks = blocks_of(n);
	double *sum = job->sum + group * job->c * n;

	for (size_t I = group; I < blocks; I += GROUPS)
		for (size_t J = I; J < blocks; J++) {
			const struct tile t = tile_of(job, I, J, thread);

			fill(job, &t);
			add_products(job, &t, sum);
		}
}

void
kith_knife_tiles_times(const struct kith_knife_state *state, size_t c, const double *V, double *to)
{
	struct kith_pool tmp = {0};
	const size_t n = state->n;
	struct job job;

	begin(state, &tmp, &job);
	job.c = c;
	job.V = V;
	job.sum = kith_new(&tmp, GROUPS * c, n * sizeof(*job.sum));
	kith_par(state->problem->threads, GROUPS, times_group, &job);
	memset(to, 0, c * n * sizeof(*to));
	for (size_t g = 0; g < GROUPS; g++)
		add(c * n, job.sum + g * c * n, to);
	kith_pool_free(&tmp);
}

/* K becomes M: H times sum_o alpha_i alpha_l; without a diagonal for differences. */
static void
weigh(const struct job *job, const struct tile *t)
{
	const struct kith_knife_state *state = job->state;
	const size_t n = state->n;
	double by[SIDE];

	for (size_t i = 0; i < t->ni; i++) {
		double *K = t->K + i * t->nk;
		const double *H = t->H + i * t->nk;

		memset(by, 0, sizeof(by));
		for (size_t o = 0; o < state->c; o++) {
			const double *alpha = state->alpha + o * n;
			const double a = alpha[t->i + i];

			for (size_t l = 0; l < t->nk; l++)
				by[l] += a * alpha[t->k + l];
		}
		for (size_t l = 0; l < t->nk; l++)
			K[l] = H[l] * by[l];
		if (t->i == t->k && kith_knife_of_differences(state->problem))
			K[i] = 0;
	}
}

/* Add M_il (x_ij^2 + x_lj^2) / 2 over the rows i and l of a tile. */
static void
add_squares(const struct job *job, const struct tile *t, double by, double *sum)
{
	const size_t p = job->state->p;
	const double *X = job->state->X.v;
	double column[SIDE] = {0};

	for (size_t i = 0; i < t->ni; i++) {
		const double *M = t->K + i * t->nk, *x = X + (t->i + i) * p;
		const double r = by / 2 * kith_vec_sum(t->nk, M);

		add(t->nk, M, column);
		for (size_t j = 0; j < p; j++)
			sum[j] += r * x[j] * x[j];
	}
	for (size_t l = 0; l < t->nk; l++) {
		const double *x = X + (t->k + l) * p, r = by / 2 * column[l];

		for (size_t j = 0; j < p; j++)
			sum[j] += r * x[j] * x[j];
	}
}

/*
 * Add what the tile of M has in the forms, up to a factor: M_il x_ij x_lj, or
 * M_il (x_ij - x_lj)^2 / 2, or M_il |x_ij - x_lj|.
 */
static void
add_forms(const struct job *job, const struct tile *t, double *sum)
{
	const struct kith_knife_state *state = job->state;
	const size_t p = state->p;
	const bool differences = kith_knife_of_differences(state->problem);
	const double *X = state->X.v, by = t->i == t->k ? 1 : 2;
	const double sign = differences ? -by : by;

	if (state->problem->kernel == KITH_KNIFE_LAPLACIAN) {
		for (size_t i = 0; i < t->ni; i++)
			for (size_t l = 0; l < t->nk; l++)
				t->K[i * t->nk + l] *= by;
		for (size_t i = 0; i < t->ni; i++)
			kith_knife_moduli(
			    t->nk, p, t->K + i * t->nk, X + (t->i + i) * p, X + t->k * p, sum);
		return;
	}
	if (differences)
		add_squares(job, t, by, sum);
	kith_blas_product(t->ni, p, t->nk, t->K, X + t->k * p, t->MX);
	for (size_t i = 0; i < t->ni; i++) {
		const double *x = X + (t->i + i) * p, *y = t->MX + i * p;

		for (size_t j = 0; j < p; j++)
			sum[j] += sign * y[j] * x[j];
	}
}

static void
forms_block(void *to, size_t I, size_t thread)
{
	const struct job *job = to;
	const struct kith_knife_state *state = job->state;
	const size_t p = state->p;
	double *sum = job->sum + I * p;

	for (size_t J = I; J < blocks_of(state->n); J++) {
		const struct tile t = tile_of(job, I, J, thread);

		fill(job, &t);
		weigh(job, &t);
		add_forms(job, &t, sum);
	}
}

void
kith_knife_tiles_forms(const struct kith_knife_state *state, double *q)
{
	const struct kith_knife_problem *problem = state->problem;
	const size_t p = state->p, blocks = blocks_of(state->n);
	struct kith_pool tmp = {0};
	double factor = (double)problem->degree;
	struct job job;

	begin(state, &tmp, &job);
	job.sum = kith_new(&tmp, blocks, p * sizeof(*job.sum));
	if (problem->kernel == KITH_KNIFE_LAPLACIAN)
		factor = -problem->gamma;
	if (problem->kernel == KITH_KNIFE_GAUSSIAN)
		factor = -2 * problem->gamma;
	kith_par(problem->threads, blocks, forms_block, &job);
	memset(q, 0, p * sizeof(*q));
	for (size_t I = 0; I < blocks; I++)
		add(p, job.sum + I * p, q);
	for (size_t j = 0; j < p; j++)
		q[j] *= factor;
	kith_pool_free(&tmp);
}

static void
coupling_block(void *to, size_t I, size_t thread)
{
	const struct job *job = to;
	const size_t blocks = blocks_of(job->state->n);

	for (size_t J = I; J < blocks; J++) {
		const struct tile t = tile_of(job, I, J, thread);

		fill(job, &t);
		for (size_t i = 0; i < t.ni && I == J; i++)
			t.K[i * t.nk + i] = 0;
		for (size_t l = 0; l < t.ni * t.nk; l++)
			job->sum[I] = fmax(job->sum[I], fabs(t.K[l]));
	}
}

double
kith_knife_tiles_coupling(const struct kith_knife_state *state)
{
	const size_t blocks = blocks_of(state->n);
	struct kith_pool tmp = {0};
	double most;
	struct job job;

	begin(state, &tmp, &job);
	job.sum = kith_new(&tmp, blocks, sizeof(*job.sum));
	kith_par(state->problem->threads, blocks, coupling_block, &job);
	most = kith_vec_largest(blocks, job.sum);
	kith_pool_free(&tmp);
	return most;
}

static void
columns_block(void *to, size_t I, size_t thread)
{
	const struct job *job = to;
	const struct kith_knife_state *state = job->state;
	const size_t kept = state->kept, m = job->m;
	const struct kith_knife_pair pair = {state, &job->kern, m, job->Zm, job->size};
	size_t first;
	const size_t last = block_rows(state->n, I, &first);

	(void)thread;
	if (kept > 0 && state->problem->kernel != KITH_KNIFE_LAPLACIAN)
		kith_blas_rows(last - first, m, kept, state->Z + first * kept, kept, job->Zm, kept,
		    job->C + first * m, m);
	for (size_t i = first; i < last; i++)
		kith_knife_kernels(&pair, i, job->C + i * m, NULL);
}

void
kith_knife_tiles_columns(
    const struct kith_knife_state *state, size_t m, const size_t *row, double *C)
{
	struct kith_pool tmp = {0};
	const size_t kept = state->kept;
	double *Zm = kith_new(&tmp, m, (kept + 1) * sizeof(*Zm));
	double *size = kith_new(&tmp, m, sizeof(*size));
	struct job job;

	begin(state, &tmp, &job);
	for (size_t l = 0; l < m; l++) {
		memcpy(Zm + l * kept, state->Z + row[l] * kept, kept * sizeof(*Zm));
		size[l] = state->size[row[l]];
	}
	job.m = m;
	job.Zm = Zm;
	job.size = size;
	job.C = C;
	memset(C, 0, state->n * m * sizeof(*C));
	kith_par(state->problem->threads, blocks_of(state->n), columns_block, &job);
	kith_pool_free(&tmp);
}

double
kith_knife_tiles_own(const struct kith_knife_state *state, size_t i)
{
	const struct kith_knife_problem *problem = state->problem;

	if (kith_knife_of_differences(problem))
		return 1;
	return problem->kernel == KITH_KNIFE_LINEAR
	    ? state->size[i]
	    : pow(state->size[i] + problem->coef0, (double)problem->degree);
}
