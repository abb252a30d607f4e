/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sigma = sum over pairs i < j of c_ij D D' with D = |x_i - x_j|, or u = sum of c_ij D, and the
 * closed form V of Theorem 3.1.
 *
 * 1. The pairs of tiles are cut into parts by their number alone; each part has a sum of its own,
 *    and parts are added in their order: the same bytes for any number of threads.
 * 2. Pairs whose |c| is at most gradient->skip are left out; at small sigma few pairs remain.
 * 3. A matrix of few features: blocks of 256 pairs feature by feature, products in eight lanes.
 *    Of more features: blocks of rows sqrt|c| D, of hits and of misses, and D'D by BLAS.
 * 4. Sigma = sum_i mu_i psi_i psi_i' gives V = sum_i eta_i psi_i psi_i', eta = (-mu)+ / |(-mu)+|.
 */
#include "immigrate/pairs.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/blas.h"
#include "la/lapack.h"
#include "la/vec.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define TILE ((size_t)KITH_TILE)
#define WORK 0x1p21 /* products of a part at least: its sum is cleared and added */
#define SKIP 1e-12  /* of the mean row weight: what is left out of Sigma is 1e-11 of it */
#define NOISE 1e-14 /* a sum beyond this, of the size of its terms, is not rounding */

enum {
	BLOCK = KITH_PAIR_BLOCK,
	LD = KITH_PAIR_LD,
	PARTS = 64,
	FEATURES = 256 /* of a vector at a time: rows of two tiles fit a cache */
};

/* Pairs that wait for a matrix product. */
struct block {
	size_t n;
	double *D; /* few features: p x LD; else BLOCK x ld */
};

/* Of one thread: c to lanes.  Of one of as many parts at once as there are threads: sum, size. */
struct kith_gradient_scratch {
	double *c;              /* TILE x TILE */
	struct block hit, miss; /* of few features all pairs are in hit */
	double *weight;         /* few features: BLOCK */
	double *lanes;          /* few features: p x p x 8 */
	double *sum;
	double size;
};

static bool
has_few(const struct kith_immigrate_data *data)
{
	return data->p <= KITH_FEW_FEATURES;
}

struct kith_gradient *
kith_gradient_new(const struct kith_pairs *pairs, bool matrix, struct kith_pool *pool)
{
	struct kith_gradient *g = kith_new(pool, 1, sizeof(*g));
	const struct kith_immigrate_data *data = &pairs->data;
	const size_t p = data->p, threads = pairs->threads;
	const double n = (double)data->n, all = (double)kith_tile_pairs(data);

	*g = (struct kith_gradient){
	    .pairs = pairs, .matrix = matrix, .skip = SKIP * data->total / n};
	g->len = matrix ? p * p : 2 * data->ld;
	g->parts = (size_t)fmax(fmin(fmin(n * n / 2 * (double)g->len / WORK, PARTS), all), 1);
	g->total = kith_new(pool, g->len, sizeof(*g->total));
	g->scratch = kith_new(pool, threads, sizeof(*g->scratch));
	for (size_t k = 0; k < threads; k++) {
		struct kith_gradient_scratch *scratch = g->scratch + k;

		scratch->sum = kith_new(pool, g->len, sizeof(*scratch->sum));
		KITH_NEW_REALS(pool, TILE, TILE, &scratch->c);
		if (matrix && has_few(data)) {
			scratch->hit.D = kith_new(pool, LD, p * sizeof(double));
			scratch->weight = kith_new(pool, BLOCK, sizeof(double));
			scratch->lanes = kith_new(pool, p * p, 8 * sizeof(double));
		} else if (matrix) {
			KITH_NEW_REALS(pool, BLOCK, data->ld, &scratch->hit.D, &scratch->miss.D);
		}
	}
	return g;
}

static void
flush_few(const struct kith_immigrate_data *data, struct kith_gradient_scratch *scratch,
    struct kith_gradient_scratch *part)
{
	struct block *block = &scratch->hit;

	while (block->n % 8 != 0)
		scratch->weight[block->n++] = 0; /* D has finite numbers there */
	part->size += kith_immigrate_kernels_at_level()->products(
	    data->p, block->n, block->D, scratch->weight, scratch->lanes);
	block->n = 0;
}

static void
add_few(const struct kith_gradient *g, size_t I, size_t J, struct kith_gradient_scratch *scratch,
    struct kith_gradient_scratch *part)
{
	const struct kith_immigrate_data *data = &g->pairs->data;
	const struct kith_immigrate_kernels *kernel = kith_immigrate_kernels_at_level();
	const double *columns = data->columns + J * data->p * TILE;
	struct block *block = &scratch->hit;

	for (size_t i = 0; i < kith_tile_rows(data, I); i++) {
		const double *c = scratch->c + i * TILE, *x = data->X + (I * TILE + i) * data->ld;
		size_t at[KITH_TILE], n = 0;

		for (size_t j = 0; j < TILE; j++) {
			at[n] = j;
			n += fabs(c[j]) > g->skip;
		}
		if (n > TILE / 2)
			n = TILE;
		if (block->n + n > BLOCK)
			flush_few(data, scratch, part);
		if (n == TILE)
			kernel->differences(data->p, x, columns, LD, block->D + block->n);
		for (size_t f = 0; f < data->p && n < TILE; f++)
			for (size_t k = 0; k < n; k++)
				block->D[f * LD + block->n + k] = fabs(
				    x[f] - columns[f * TILE + at[k]]);
		for (size_t k = 0; k < n; k++)
			scratch->weight[block->n + k] = c[n == TILE ? k : at[k]];
		block->n += n;
	}
}

static void
flush(const struct kith_immigrate_data *data, struct block *block, double sign, double *sum)
{
	kith_blas_gram(block->n, data->p, sign, block->D, data->ld, sum);
	block->n = 0;
}

static void
add_many(const struct kith_gradient *g, size_t I, size_t J, struct kith_gradient_scratch *scratch,
    struct kith_gradient_scratch *part)
{
	const struct kith_immigrate_data *data = &g->pairs->data;
	const struct kith_immigrate_kernels *kernel = kith_immigrate_kernels_at_level();
	const size_t ld = data->ld;

	for (size_t at = 0; at < kith_tile_rows(data, I) * TILE; at++) {
		const double c = scratch->c[at];
		struct block *block = c > 0 ? &scratch->hit : &scratch->miss;

		if (!(fabs(c) > g->skip))
			continue;
		part->size += kernel->scaled(ld, data->X + (I * TILE + at / TILE) * ld,
		    data->X + (J * TILE + at % TILE) * ld, sqrt(fabs(c)),
		    block->D + block->n++ * ld);
		if (block->n == BLOCK)
			flush(data, block, c > 0 ? 1 : -1, part->sum);
	}
}

/* u of hits and of misses, some features at a time. */
static void
add_vector(const struct kith_gradient *g, size_t I, size_t J, const double *c, double *sum)
{
	const struct kith_immigrate_kernels *kernel = kith_immigrate_kernels_at_level();
	const struct kith_immigrate_data *data = &g->pairs->data;
	const size_t rows = kith_tile_rows(data, I), ld = data->ld;

	for (size_t f = 0; f < ld; f += FEATURES) {
		const size_t n = ld - f < FEATURES ? ld - f : FEATURES;

		for (size_t at = 0; at < rows * TILE; at++) {
			const double *x = data->X + (I * TILE + at / TILE) * ld + f;
			const double *z = data->X + (J * TILE + at % TILE) * ld + f;

			if (fabs(c[at]) > g->skip)
				kernel->add_scaled(
				    n, x, z, fabs(c[at]), (c[at] > 0 ? sum : sum + ld) + f);
		}
	}
}

/* Add what is in blocks and lanes to the sum of a part. */
static void
finish_matrix(const struct kith_immigrate_data *data, struct kith_gradient_scratch *scratch,
    struct kith_gradient_scratch *part)
{
	const size_t p = data->p;

	if (has_few(data)) {
		flush_few(data, scratch, part);
		for (size_t f = 0; f < p; f++)
			for (size_t g = f; g < p; g++)
				part->sum[f * p + g] = kith_vec_lanes(
				    scratch->lanes + (f * p + g) * 8);
		memset(scratch->lanes, 0, p * p * 8 * sizeof(*scratch->lanes));
	} else {
		flush(data, &scratch->hit, 1, part->sum);
		flush(data, &scratch->miss, -1, part->sum);
	}
}

static void
sum_part(void *to, size_t block, size_t thread)
{
	const struct kith_gradient *g = to;
	const struct kith_immigrate_data *data = &g->pairs->data;
	const size_t all = kith_tile_pairs(data), k = g->part + block;
	struct kith_gradient_scratch *scratch = g->scratch + thread, *part = g->scratch + block;

	memset(part->sum, 0, g->len * sizeof(*part->sum));
	part->size = 0;
	for (size_t t = k * all / g->parts; t < (k + 1) * all / g->parts; t++) {
		size_t I, J;

		kith_tile_pair(data, t, &I, &J);
		kith_pairs_weights(g->pairs, I, J, thread, scratch->c);
		if (!g->matrix)
			add_vector(g, I, J, scratch->c, part->sum);
		else if (has_few(data))
			add_few(g, I, J, scratch, part);
		else
			add_many(g, I, J, scratch, part);
	}
	if (g->matrix)
		finish_matrix(data, scratch, part);
}

void
kith_gradient_sum(struct kith_gradient *g)
{
	const size_t threads = g->pairs->threads;

	memset(g->total, 0, g->len * sizeof(*g->total));
	g->size = 0;
	for (g->part = 0; g->part < g->parts; g->part += threads) {
		const size_t left = g->parts - g->part, n = left < threads ? left : threads;

		kith_par(threads, n, sum_part, g);
		for (size_t k = 0; k < n; k++) {
			for (size_t l = 0; l < g->len; l++)
				g->total[l] += g->scratch[k].sum[l];
			g->size += g->scratch[k].size;
		}
	}
	for (size_t l = 0; l < g->len && !g->matrix; l++)
		g->size += g->total[l];
}

double
kith_gradient_entry(const struct kith_gradient *g, size_t j)
{
	const double hit = g->total[j], miss = g->total[g->pairs->data.ld + j];

	return fabs(hit - miss) > NOISE * (hit + miss) ? hit - miss : 0;
}

struct kith_factor
kith_factor_new(const struct kith_immigrate_data *data, struct kith_pool *pool)
{
	struct kith_factor factor = {.p = data->p, .ld = data->ld};

	factor.R = kith_new(pool, data->ld, data->ld * sizeof(*factor.R));
	factor.sign = kith_new(pool, data->ld, sizeof(*factor.sign));
	KITH_NEW_REALS(pool, data->p, data->p, &factor.A, &factor.U);
	factor.lambda = kith_new(pool, data->p, sizeof(*factor.lambda));
	return factor;
}

/* An eigenvalue of at most this modulus is 0 up to rounding. */
static double
smallest_modulus(const struct kith_factor *factor)
{
	return fmax(-factor->lambda[0], factor->lambda[factor->p - 1]) * (double)factor->p *
	    DBL_EPSILON;
}

/* R_i = sqrt(|lambda_i| / norm) v_i of all eigenvalues but 0, or of the negative ones as +1. */
static void
set_rows(struct kith_factor *factor, bool negative, double norm)
{
	const size_t p = factor->p, ld = factor->ld;
	const double *lambda = factor->lambda;

	memset(factor->R, 0, ld * ld * sizeof(*factor->R));
	memset(factor->sign, 0, ld * sizeof(*factor->sign));
	factor->n = 0;
	for (size_t i = 0; i < p; i++) {
		if (!(fabs(lambda[i]) > smallest_modulus(factor)) || (negative && lambda[i] > 0))
			continue;
		for (size_t j = 0; j < p; j++)
			factor->R[j * ld + factor->n] = sqrt(fabs(lambda[i]) / norm) *
			    factor->U[i * p + j];
		factor->sign[factor->n++] = negative || lambda[i] > 0 ? 1 : -1;
	}
}

void
kith_factor_of(struct kith_factor *factor, const double *W)
{
	bool found;

	memcpy(factor->A, W, factor->p * factor->p * sizeof(*W));
	found = kith_eig(factor->p, factor->A, factor->lambda, factor->U);
	assert(found);
	(void)found;
	set_rows(factor, false, 1);
}

bool
kith_factor_closed(struct kith_factor *factor, const double *A, double size, bool least)
{
	const size_t p = factor->p;
	double *mu = factor->lambda, squares = 0;

	factor->norm = 0;
	memcpy(factor->A, A, p * p * sizeof(*A));
	if (!kith_eig(p, factor->A, mu, factor->U))
		return false;
	if (-mu[0] > fmax(NOISE * size, smallest_modulus(factor))) {
		for (size_t i = 0; i < p && -mu[i] > smallest_modulus(factor); i++)
			squares += mu[i] / mu[0] * (mu[i] / mu[0]);
		factor->norm = -mu[0] * sqrt(squares);
	} else if (least) {
		memset(mu, 0, p * sizeof(*mu));
		mu[0] = -1;
	} else {
		return false;
	}
	set_rows(factor, true, factor->norm > 0 ? factor->norm : 1);
	return true;
}

void
kith_factor_expand(const struct kith_factor *factor, double *W)
{
	const size_t p = factor->p;

	kith_blas_square(p, factor->n, factor->R, factor->ld, W, p);
	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < i; j++)
			W[i * p + j] = W[j * p + i];
}
