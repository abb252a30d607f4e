/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sigma = sum over pairs i < j of c_ij D D' with D = |x_i - x_j|, or u = sum of c_ij D, and the
 * closed form V of Theorem 3.1.
 *
 * 1. A part is the pairs of tiles I <= J for each parts-th I.  Each part has a sum of its own, and
 *    parts are added in their order: the same bytes for any number of threads.
 * 2. A matrix: blocks of rows sqrt|c| D, of hits and of misses, where c is not 0, and D'D by BLAS.
 *    At small sigma few pairs remain.
 * 3. Few features, and tiles most of whose pairs remain: blocks of 256 pairs feature by feature,
 *    products in eight lanes.
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
#define NOISE 1e-14 /* a sum beyond this, of the size of its terms, is not rounding */

enum {
	BLOCK = KITH_PAIR_BLOCK,
	LD = KITH_PAIR_LD,
	PARTS = 64,
	FEATURES = 256 /* of a vector at a time: rows of two tiles fit a cache */
};

/* Of one of as many parts at once as there are threads. */
struct kith_gradient_scratch {
	double *c; /* TILE x TILE */
	/* BLOCK x ld, of which n rows sqrt|c| D of misses and of hits wait for a matrix product. */
	double *D[2];
	size_t n[2];
	double *dense, *lanes; /* few features: p x LD, and p x p x 8 */
	double *sum, size;
};

struct kith_gradient *
kith_gradient_new(const struct kith_pairs *pairs, bool matrix, struct kith_pool *pool)
{
	struct kith_gradient *g = kith_new(pool, 1, sizeof(*g));
	const struct kith_immigrate_data *data = &pairs->data;
	const size_t p = data->p, threads = pairs->threads;
	const double n = (double)data->n;

	*g = (struct kith_gradient){.pairs = pairs, .matrix = matrix};
	g->len = matrix ? p * p : 2 * data->ld;
	g->parts = (size_t)fmax(
	    fmin(fmin(n * n / 2 * (double)g->len / WORK, PARTS), (double)data->tiles), 1);
	g->total = kith_new(pool, g->len, sizeof(*g->total));
	g->scratch = kith_new(pool, threads, sizeof(*g->scratch));
	for (size_t k = 0; k < threads; k++) {
		struct kith_gradient_scratch *scratch = g->scratch + k;

		scratch->sum = kith_new(pool, g->len, sizeof(*scratch->sum));
		KITH_NEW_REALS(pool, TILE, TILE, &scratch->c);
		if (matrix)
			KITH_NEW_REALS(pool, BLOCK, data->ld, &scratch->D[0], &scratch->D[1]);
		if (matrix && p <= KITH_FEW_FEATURES) {
			scratch->dense = kith_new(pool, p, LD * sizeof(double));
			scratch->lanes = kith_new(pool, p * p, 8 * sizeof(double));
		}
	}
	return g;
}

/*
 * Most pairs of two tiles, of few features: some rows of tile I and the 64 of tile J are a block;
 * where I is J, one row, and the tile's rows from about there on.
 */
static void
add_dense(const struct kith_gradient *g, size_t I, size_t J, struct kith_gradient_scratch *scratch)
{
	const struct kith_immigrate_kernels *kernel = kith_immigrate_kernels_at_level();
	const struct kith_immigrate_data *data = &g->pairs->data;
	const size_t rows = kith_tile_rows(data, I), step = I == J ? 1 : BLOCK / TILE;

	for (size_t i = 0; i < rows; i += step) {
		const size_t from = I == J ? i / 8 * 8 : 0;
		size_t k = 0;

		for (; k < step && i + k < rows; k++)
			kernel->differences(data->p, data->X + (I * TILE + i + k) * data->ld,
			    data->columns + J * data->p * TILE, LD, scratch->dense + k * TILE);
		scratch->size += kernel->products(data->p, k * TILE - from, scratch->dense + from,
		    scratch->c + i * TILE + from, scratch->lanes);
	}
}

/* Adds the waiting rows of hits, or of misses, to the sum. */
static void
flush(const struct kith_immigrate_data *data, struct kith_gradient_scratch *scratch, size_t hit)
{
	kith_blas_gram(
	    scratch->n[hit], data->p, hit ? 1 : -1, scratch->D[hit], data->ld, scratch->sum);
	scratch->n[hit] = 0;
}

static void
add_matrix(const struct kith_gradient *g, size_t I, size_t J, struct kith_gradient_scratch *scratch)
{
	const struct kith_immigrate_data *data = &g->pairs->data;
	const struct kith_immigrate_kernels *kernel = kith_immigrate_kernels_at_level();
	const size_t ld = data->ld;

	for (size_t at = 0; at < kith_tile_rows(data, I) * TILE; at++) {
		const double c = scratch->c[at];
		const size_t hit = c > 0;

		if (c == 0)
			continue;
		scratch->size += kernel->scaled(ld, data->X + (I * TILE + at / TILE) * ld,
		    data->X + (J * TILE + at % TILE) * ld, sqrt(fabs(c)),
		    scratch->D[hit] + scratch->n[hit]++ * ld);
		if (scratch->n[hit] == BLOCK)
			flush(data, scratch, hit);
	}
}

/* u of hits and of misses, some features at a time. */
static void
add_vector(const struct kith_gradient *g, size_t I, size_t J, struct kith_gradient_scratch *scratch)
{
	const struct kith_immigrate_kernels *kernel = kith_immigrate_kernels_at_level();
	const struct kith_immigrate_data *data = &g->pairs->data;
	const size_t rows = kith_tile_rows(data, I), ld = data->ld;
	const double *c = scratch->c;

	for (size_t f = 0; f < ld; f += FEATURES)
		for (size_t at = 0; at < rows * TILE; at++)
			if (c[at] != 0)
				kernel->add_scaled(ld - f < FEATURES ? ld - f : FEATURES,
				    data->X + (I * TILE + at / TILE) * ld + f,
				    data->X + (J * TILE + at % TILE) * ld + f, fabs(c[at]),
				    scratch->sum + (c[at] > 0 ? 0 : ld) + f);
}

static void
sum_part(void *to, size_t block, size_t thread)
{
	const struct kith_gradient *g = to;
	const struct kith_immigrate_data *data = &g->pairs->data;
	struct kith_gradient_scratch *scratch = g->scratch + block;
	const size_t p = data->p;

	(void)thread;
	memset(scratch->sum, 0, g->len * sizeof(*scratch->sum));
	scratch->size = 0;
	if (scratch->lanes)
		memset(scratch->lanes, 0, p * p * 8 * sizeof(*scratch->lanes));
	for (size_t I = g->part + block; I < data->tiles; I += g->parts)
		for (size_t J = I; J < data->tiles; J++) {
			const size_t n = kith_pairs_weights(g->pairs, I, J, block, scratch->c);

			if (!g->matrix)
				add_vector(g, I, J, scratch);
			else if (scratch->lanes && n > TILE * TILE / (I == J ? 4 : 2))
				add_dense(g, I, J, scratch);
			else
				add_matrix(g, I, J, scratch);
		}
	for (size_t hit = 0; hit < 2 && g->matrix; hit++)
		flush(data, scratch, hit);
	for (size_t k = 0; k < p * p && scratch->lanes; k++)
		scratch->sum[k] += kith_vec_lanes(scratch->lanes + k * 8);
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
	kith_mirror(p, p, W);
}
