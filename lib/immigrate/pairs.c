/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Distances and softmax weights of all pairs of rows.
 *
 * 1. Rows are sorted by class, scaled by a power of two, and cut into tiles of 64 rows.
 * 2. The distances of a pair of tiles are 64 x 64 numbers; d is symmetric, so tiles I <= J suffice.
 * 3. For each row, its hits and its misses: the least distance, and with it the sums of
 *    e = exp((least - d)/sigma) and of e (d - least), which neither overflow nor vanish.
 *
 * From these: F, the weights of a pair in Sigma, and expected distances.
 */
#include "immigrate/pairs.h"

#include "base/par.h"
#include "base/pool.h"
#include "base/sort.h"
#include "la/blas.h"
#include "la/kernels.h"
#include "la/mat.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define TILE ((size_t)KITH_TILE)
#define FEW ((size_t)KITH_FEW_FEATURES)

enum { STORED = 10000 }; /* up to so many rows distances are stored: 400 MB */

struct kith_pair_scratch {
	double *B, *Y;      /* KITH_PAIR_BLOCK x ld each */
	double *D;          /* FEW x TILE */
	double *d;          /* TILE x TILE */
	double *strip;      /* TILE x n: distances of the rows of a tile to all rows */
	double *chosen, *e; /* n, rounded up to a multiple of 8: distances, exponentials */
};

struct kith_immigrate_data
kith_immigrate_prepare(const struct kith_immigrate_rows *rows, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const struct kith_mat *X = rows->X;
	struct kith_immigrate_data data = {.n = X->n, .p = X->p, .c = rows->c};
	double *least, *most;

	KITH_NEW_REALS(&tmp, X->p, 1, &least, &most);
	data.exponent = INT_MIN;
	for (size_t j = 0; j < data.p; j++) {
		kith_mat_range(X, j, &least[j], &most[j]);
		if (least[j] < most[j] && data.exponent <= kith_range_exponent(least[j], most[j]))
			data.exponent = kith_range_exponent(least[j], most[j]) + 1;
	}
	if (data.exponent == INT_MIN)
		data.exponent = 0; /* all features are constant */
	data.ld = (X->p + 7) / 8 * 8;
	data.tiles = (X->n + TILE - 1) / TILE;
	KITH_NEW_SIZES(pool, data.n, 1, &data.y, &data.row);
	data.start = kith_new(pool, data.c + 1, sizeof(*data.start));
	kith_sort_by_class(rows->y, data.n, data.c, data.row, data.start);
	data.X = kith_new(pool, data.n, data.ld * sizeof(*data.X));
	data.columns = kith_new(pool, data.tiles * data.p, TILE * sizeof(*data.columns));
	data.weight = kith_new(pool, data.n, sizeof(*data.weight));
	for (size_t i = 0; i < data.n; i++) {
		const double *x = kith_row(X, data.row[i]);
		double *column = data.columns + i / TILE * data.p * TILE + i % TILE;

		data.y[i] = rows->y[data.row[i]];
		data.weight[i] = rows->weight ? rows->weight[data.row[i]] : 1;
		data.total += data.weight[i];
		for (size_t j = 0; j < data.p; j++)
			if (least[j] < most[j])
				column[j * TILE] = data.X[i * data.ld + j] = ldexp(
				    x[j], -data.exponent);
	}
	kith_pool_free(&tmp);
	return data;
}

struct kith_pairs *
kith_pairs_new(const struct kith_immigrate_rows *rows, double sigma, bool matrix, bool line,
    size_t threads, struct kith_pool *pool)
{
	struct kith_pairs *pairs = kith_new(pool, 1, sizeof(*pairs));
	const struct kith_immigrate_data *data = &pairs->data;
	size_t n, all;

	pairs->data = kith_immigrate_prepare(rows, pool);
	n = data->n;
	all = kith_tile_pairs(data) * TILE;
	pairs->sigma = fmax(ldexp(sigma, -data->exponent * (matrix ? 2 : 1)), DBL_TRUE_MIN);
	pairs->threads = threads;
	if (n <= STORED)
		pairs->store = kith_new(pool, all, TILE * sizeof(*pairs->store));
	if (line)
		KITH_NEW_REALS(pool, all, TILE, &pairs->from, &pairs->to);
	KITH_NEW_REALS(pool, n, 1, &pairs->hit.least, &pairs->hit.most, &pairs->hit.sum,
	    &pairs->hit.above, &pairs->miss.least, &pairs->miss.most, &pairs->miss.sum,
	    &pairs->miss.above);
	pairs->scratch = kith_new(pool, threads, sizeof(*pairs->scratch));
	for (size_t t = 0; t < threads; t++) {
		struct kith_pair_scratch *scratch = pairs->scratch + t;

		if (matrix && data->p > FEW)
			KITH_NEW_REALS(pool, KITH_PAIR_BLOCK, data->ld, &scratch->B, &scratch->Y);
		KITH_NEW_REALS(pool, TILE, TILE, &scratch->D, &scratch->d);
		scratch->strip = kith_new(pool, n, TILE * sizeof(*scratch->strip));
		KITH_NEW_REALS(pool, n + 7, 1, &scratch->chosen, &scratch->e);
	}
	return pairs;
}

void
kith_tile_pair(const struct kith_immigrate_data *data, size_t t, size_t *I, size_t *J)
{
	*I = 0;
	while (t >= data->tiles - *I)
		t -= data->tiles - (*I)++;
	*J = *I + t;
}

/* A diagonal metric, 64 features at a time: the columns of two tiles fit the first cache. */
static void
distances_diagonal(const struct kith_immigrate_data *data, const struct kith_pair_metric *metric,
    size_t I, size_t J, double *d)
{
	const double *x = data->columns + I * data->p * TILE;
	const double *z = data->columns + J * data->p * TILE;

	memset(d, 0, TILE * TILE * sizeof(*d));
	for (size_t f = 0; f < data->p; f += TILE)
		kith_immigrate_kernels_at_level()->diagonal(data->p - f < TILE ? data->p - f : TILE,
		    metric->w + f, metric->squared, x + f * TILE, z + f * TILE, d);
}

static void
distances_small(const struct kith_immigrate_data *data, const double *W, size_t I, size_t J,
    double *D, double *d)
{
	const struct kith_immigrate_kernels *kernel = kith_immigrate_kernels_at_level();
	const size_t p = data->p;
	double doubled[FEW * FEW];

	for (size_t f = 0; f < p; f++)
		for (size_t g = f; g < p; g++)
			doubled[f * p + g] = (g > f ? 2 : 1) * W[f * p + g];
	for (size_t i = 0; i < kith_tile_rows(data, I); i++) {
		kernel->differences(
		    p, data->X + (I * TILE + i) * data->ld, data->columns + J * p * TILE, TILE, D);
		kernel->quadratic(p, doubled, D, I == J ? i : 0, d + i * TILE);
	}
}

/* Four rows of tile I and the 64 of tile J are a block of 256 pairs: Y = D R, d = norms of Y. */
static void
distances_factor(const struct kith_immigrate_data *data, const struct kith_pair_metric *metric,
    size_t I, size_t J, struct kith_pair_scratch *scratch, double *d)
{
	const struct kith_immigrate_kernels *kernel = kith_immigrate_kernels_at_level();
	const size_t rows = kith_tile_rows(data, I), columns = kith_tile_rows(data, J),
		     ld = data->ld;
	const size_t step = KITH_PAIR_BLOCK / TILE;

	for (size_t i = 0; i < rows; i += step) {
		const size_t held = rows - i < step ? rows - i : step;
		const size_t from = I == J ? i : 0, n = columns - from;

		for (size_t k = 0; k < held * n; k++)
			kernel->scaled(ld, data->X + (I * TILE + i + k / n) * ld,
			    data->X + (J * TILE + from + k % n) * ld, 1, scratch->B + k * ld);
		kith_blas_product(held * n, metric->r, data->p, scratch->B, ld, metric->R, ld,
		    scratch->Y, metric->r);
		for (size_t k = 0; k < held; k++)
			kernel->norms(n, metric->r, scratch->Y + k * n * metric->r, metric->sign,
			    d + (i + k) * TILE + from);
	}
}

/* d (TILE x TILE) of tiles I <= J; of no use behind the rows of the last tile. */
static void
compute_tile(const struct kith_pairs *pairs, size_t I, size_t J, size_t thread, double *d)
{
	const struct kith_pair_metric *metric = &pairs->metric;
	struct kith_pair_scratch *scratch = pairs->scratch + thread;

	if (metric->w)
		distances_diagonal(&pairs->data, metric, I, J, d);
	else if (metric->W)
		distances_small(&pairs->data, metric->W, I, J, scratch->D, d);
	else if (metric->r > 0)
		distances_factor(&pairs->data, metric, I, J, scratch, d);
	else
		memset(d, 0, TILE * TILE * sizeof(*d));
	for (size_t i = 0; i < TILE && I == J; i++)
		for (size_t j = 0; j < i; j++)
			d[i * TILE + j] = d[j * TILE + i];
}

static const double *
tile_of(const struct kith_pairs *pairs, size_t I, size_t J, size_t thread)
{
	double *d = pairs->scratch[thread].d;

	if (pairs->store)
		return pairs->store + (I * pairs->data.tiles - I * (I + 1) / 2 + J) * TILE * TILE;
	compute_tile(pairs, I, J, thread, d);
	return d;
}

/* The distances of the rows of tile I to all rows, into the strip. */
static void
gather_strip(const struct kith_pairs *pairs, size_t I, size_t thread)
{
	const struct kith_immigrate_data *data = &pairs->data;
	const size_t rows = kith_tile_rows(data, I), n = data->n;
	double *strip = pairs->scratch[thread].strip;

	for (size_t J = 0; J < data->tiles; J++) {
		const size_t columns = kith_tile_rows(data, J);
		const double *d = tile_of(pairs, J < I ? J : I, J < I ? I : J, thread);

		if (J < I)
			kith_transpose(columns, rows, d, TILE, strip + J * TILE, n);
		for (size_t i = 0; i < rows && J >= I; i++)
			memcpy(strip + i * n + J * TILE, d + i * TILE, columns * sizeof(*d));
	}
}

/* A range of rows. */
struct range {
	size_t from, to;
};

/* The softmax of row i over two ranges of its distances d. */
static void
find_softmax(const struct kith_pairs *pairs, const struct kith_softmax *side, size_t i,
    const double *d, struct range one, struct range two, struct kith_pair_scratch *scratch)
{
	const struct kith_immigrate_kernels *kernel = kith_immigrate_kernels_at_level();
	const size_t head = one.to - one.from, n = head + two.to - two.from;
	const size_t whole = (n + 7) / 8 * 8;
	double *chosen = scratch->chosen, *e = scratch->e;

	side->least[i] = INFINITY;
	side->most[i] = -INFINITY;
	side->sum[i] = side->above[i] = 0;
	if (n == 0)
		return;
	memcpy(chosen, d + one.from, head * sizeof(*d));
	memcpy(chosen + head, d + two.from, (n - head) * sizeof(*d));
	for (size_t k = n; k < whole; k++)
		chosen[k] = chosen[0];
	kernel->exponents(whole, chosen, pairs->sigma, side->least + i, side->most + i, e);
	kith_vexp(n, e, e);
	for (size_t k = n; k < whole; k++)
		e[k] = 0;
	kernel->sums(whole, chosen, side->least[i], e, side->sum + i, side->above + i);
}

static void
soften_tile(void *to, size_t I, size_t thread)
{
	const struct kith_pairs *pairs = to;
	const struct kith_immigrate_data *data = &pairs->data;
	struct kith_pair_scratch *scratch = pairs->scratch + thread;

	gather_strip(pairs, I, thread);
	for (size_t k = 0; k < kith_tile_rows(data, I); k++) {
		const size_t i = I * TILE + k, *own = data->start + data->y[i];
		const double *d = scratch->strip + k * data->n;

		find_softmax(pairs, &pairs->hit, i, d, (struct range){own[0], i},
		    (struct range){i + 1, own[1]}, scratch);
		find_softmax(pairs, &pairs->miss, i, d, (struct range){0, own[0]},
		    (struct range){own[1], data->n}, scratch);
	}
}

static void
store_tile(void *to, size_t t, size_t thread)
{
	struct kith_pairs *pairs = to;
	size_t I, J;

	kith_tile_pair(&pairs->data, t, &I, &J);
	compute_tile(pairs, I, J, thread, pairs->store + t * TILE * TILE);
}

void
kith_pairs_update(struct kith_pairs *pairs)
{
	if (pairs->store)
		kith_par(pairs->threads, kith_tile_pairs(&pairs->data), store_tile, pairs);
	kith_par(pairs->threads, pairs->data.tiles, soften_tile, pairs);
}

void
kith_pairs_begin_line(struct kith_pairs *pairs)
{
	double *spare = pairs->from;

	pairs->from = pairs->store;
	pairs->store = pairs->to;
	kith_par(pairs->threads, kith_tile_pairs(&pairs->data), store_tile, pairs);
	pairs->store = spare;
}

static void
blend_tile(void *to, size_t t, size_t thread)
{
	const struct kith_pairs *pairs = to;
	const double *a = pairs->from + t * TILE * TILE, *b = pairs->to + t * TILE * TILE;
	const double g = pairs->g, norm = pairs->norm;
	double *d = pairs->store + t * TILE * TILE;

	(void)thread;
	for (size_t k = 0; k < TILE * TILE; k++)
		d[k] = (a[k] + g * (b[k] - a[k])) / norm;
}

void
kith_pairs_go(struct kith_pairs *pairs, double g, double norm)
{
	pairs->g = g;
	pairs->norm = norm;
	kith_par(pairs->threads, kith_tile_pairs(&pairs->data), blend_tile, pairs);
	kith_par(pairs->threads, pairs->data.tiles, soften_tile, pairs);
}

void
kith_pairs_cost(const struct kith_pairs *pairs, long double *distance, long double *logs)
{
	const struct kith_softmax *hit = &pairs->hit, *miss = &pairs->miss;

	*distance = *logs = 0;
	for (size_t i = 0; i < pairs->data.n; i++) {
		double d = -miss->least[i], l = log(miss->sum[i]);

		if (hit->sum[i] > 0) {
			d += hit->least[i];
			l -= log(hit->sum[i]);
		}
		*distance += pairs->data.weight[i] * d;
		*logs += pairs->data.weight[i] * l;
	}
}

/*
 * The entropy of a softmax, log sum + the mean of (d - least)/sigma; NaN where the package, which
 * does not shift exponents, finds a weight of 0.
 */
static double
entropy_of(const struct kith_pairs *pairs, const struct kith_softmax *side, size_t i)
{
	const double smallest = exp(-side->most[i] / pairs->sigma);
	const double sum = side->sum[i] * exp(-side->least[i] / pairs->sigma);

	if (side->sum[i] == 0)
		return 0;
	return smallest > 0 && smallest / sum > 0
	    ? log(side->sum[i]) + side->above[i] / side->sum[i] / pairs->sigma
	    : NAN;
}

double
kith_pairs_entropy(const struct kith_pairs *pairs)
{
	double sum = 0;

	for (size_t i = 0; i < pairs->data.n; i++)
		sum += entropy_of(pairs, &pairs->miss, i) - entropy_of(pairs, &pairs->hit, i);
	return sum;
}

static void
vote_tile(void *to, size_t I, size_t thread)
{
	const struct kith_pairs *pairs = to;
	const struct kith_immigrate_data *data = &pairs->data;
	struct kith_pair_scratch *scratch = pairs->scratch + thread;

	gather_strip(pairs, I, thread);
	for (size_t k = 0; k < kith_tile_rows(data, I); k++) {
		const size_t i = I * TILE + k;

		for (size_t h = 0; h < data->c; h++) {
			const size_t from = data->start[h], end = data->start[h + 1];
			const bool own = h == data->y[i];
			double least, most, sum, above;
			const struct kith_softmax s = {&least, &most, &sum, &above};

			find_softmax(pairs, &s, 0, scratch->strip + k * data->n,
			    (struct range){from, own ? i : end},
			    (struct range){own ? i + 1 : end, end}, scratch);
			pairs->V[data->row[i] * data->c + h] = sum > 0 ? least + above / sum
								       : INFINITY;
		}
	}
}

void
kith_pairs_expected(struct kith_pairs *pairs, double *V)
{
	pairs->V = V;
	kith_par(pairs->threads, pairs->data.tiles, vote_tile, pairs);
}

void
kith_pairs_weights(const struct kith_pairs *pairs, size_t I, size_t J, size_t thread, double *c)
{
	const struct kith_immigrate_kernels *kernel = kith_immigrate_kernels_at_level();
	const struct kith_immigrate_data *data = &pairs->data;
	const double *d = tile_of(pairs, I, J, thread);
	const size_t end = J * TILE + kith_tile_rows(data, J);
	double a[KITH_TILE], b[KITH_TILE];

	memset(c, 0, TILE * TILE * sizeof(*c));
	for (size_t k = 0; k < kith_tile_rows(data, I); k++) {
		const size_t i = I * TILE + k, *own = data->start + data->y[i];
		const size_t stop[] = {own[0], own[1], end}; /* misses, hits, misses */
		size_t j = I == J ? i + 1 : J * TILE;

		for (size_t s = 0; s < 3 && j < end; s++) {
			const struct kith_softmax *side = s == 1 ? &pairs->hit : &pairs->miss;
			const size_t to = stop[s] < end ? stop[s] : end, at = k * TILE + j % TILE;

			if (to <= j)
				continue;
			for (size_t l = 0; l < to - j; l++) {
				a[l] = (side->least[i] - d[at + l]) / pairs->sigma;
				b[l] = (side->least[j + l] - d[at + l]) / pairs->sigma;
			}
			kith_vexp(to - j, a, a);
			kith_vexp(to - j, b, b);
			kernel->mix(to - j, s == 1 ? 1 : -1, a, data->weight[i], side->sum[i], b,
			    data->weight + j, side->sum + j, c + at);
			j = to;
		}
	}
}
