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

#define SKIP 1e-12 /* of the mean row weight: what is left out of Sigma is 1e-11 of it */

enum { STORED = 10000 }; /* up to so many rows distances are stored: 400 MB */

struct kith_pair_scratch {
	double *B, *Y;      /* TILE x ld each */
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
	all = data->tiles * (data->tiles + 1) / 2 * TILE;
	pairs->exponent = data->exponent * (matrix ? 2 : 1);
	pairs->sigma = fmax(ldexp(sigma, -pairs->exponent), DBL_TRUE_MIN);
	pairs->skip = SKIP * data->total / (double)n;
	pairs->threads = threads;
	if (n <= STORED)
		pairs->store = kith_new(pool, all, TILE * sizeof(*pairs->store));
	if (line)
		KITH_NEW_REALS(pool, all, TILE, &pairs->from, &pairs->to);
	for (size_t s = 0; s < 2; s++)
		pairs->side[s] = kith_new(pool, n, sizeof(*pairs->side[s]));
	pairs->scratch = kith_new(pool, threads, sizeof(*pairs->scratch));
	for (size_t t = 0; t < threads; t++) {
		struct kith_pair_scratch *scratch = pairs->scratch + t;

		if (matrix && data->p > FEW)
			KITH_NEW_REALS(pool, TILE, data->ld, &scratch->B, &scratch->Y);
		KITH_NEW_REALS(pool, TILE, TILE, &scratch->D, &scratch->d);
		scratch->strip = kith_new(pool, n, TILE * sizeof(*scratch->strip));
		KITH_NEW_REALS(pool, n + 7, 1, &scratch->chosen, &scratch->e);
	}
	return pairs;
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

/* The distances of row i of tile I to the rows of tile J, by a matrix. */
static void
distances_matrix(const struct kith_pairs *pairs, size_t I, size_t J, size_t i,
    struct kith_pair_scratch *scratch, double *d)
{
	const struct kith_immigrate_kernels *kernel = kith_immigrate_kernels_at_level();
	const struct kith_immigrate_data *data = &pairs->data;
	const struct kith_pair_metric *metric = &pairs->metric;
	const double *x = data->X + (I * TILE + i) * data->ld;
	const size_t from = I == J ? i : 0, n = kith_tile_rows(data, J) - from;

	if (metric->W) {
		kernel->differences(
		    data->p, x, data->columns + J * data->p * TILE, TILE, scratch->D);
		kernel->quadratic(data->p, metric->W, scratch->D, from, d);
	} else if (metric->r > 0) {
		for (size_t k = 0; k < n; k++)
			kernel->scaled(data->ld, x, data->X + (J * TILE + from + k) * data->ld, 1,
			    scratch->B + k * data->ld);
		kith_blas_product(n, metric->r, data->p, scratch->B, data->ld, metric->R, data->ld,
		    scratch->Y, metric->r);
		kernel->norms(n, metric->r, scratch->Y, metric->sign, d + from);
	} else {
		memset(d, 0, TILE * sizeof(*d));
	}
}

/* d (TILE x TILE) of tiles I <= J; of no use behind the rows of the last tile. */
static void
compute_tile(const struct kith_pairs *pairs, size_t I, size_t J, size_t thread, double *d)
{
	if (pairs->metric.w)
		distances_diagonal(&pairs->data, &pairs->metric, I, J, d);
	else
		for (size_t i = 0; i < kith_tile_rows(&pairs->data, I); i++)
			distances_matrix(pairs, I, J, i, pairs->scratch + thread, d + i * TILE);
	if (I == J)
		kith_mirror(TILE, TILE, d);
}

/* Where the distances of tiles I <= J are stored. */
static size_t
place_of(const struct kith_immigrate_data *data, size_t I, size_t J)
{
	return (I * data->tiles - I * (I + 1) / 2 + J) * TILE * TILE;
}

static const double *
tile_of(const struct kith_pairs *pairs, size_t I, size_t J, size_t thread)
{
	double *d = pairs->scratch[thread].d;

	if (pairs->store)
		return pairs->store + place_of(&pairs->data, I, J);
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

/* The softmax over the rows from..hole-1 and after..to-1, for distances d to all rows. */
static struct kith_softmax
find_softmax(const struct kith_pairs *pairs, struct kith_pair_scratch *scratch, const double *d,
    size_t from, size_t hole, size_t after, size_t to)
{
	const size_t head = hole - from, n = head + to - after;

	if (n == 0)
		return (struct kith_softmax){.sum = 1, .above = INFINITY};
	memcpy(scratch->chosen, d + from, head * sizeof(*d));
	memcpy(scratch->chosen + head, d + after, (n - head) * sizeof(*d));
	return kith_immigrate_kernels_at_level()->softmax(
	    n, pairs->sigma, scratch->chosen, scratch->e);
}

/* Of the rows of tile I, the softmax over hits and over misses; or votes, where they are wanted. */
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

		for (size_t h = 0; h < data->c && pairs->V; h++) {
			const size_t from = data->start[h], end = data->start[h + 1];
			const bool is_own = h == data->y[i];
			const struct kith_softmax s = find_softmax(
			    pairs, scratch, d, from, is_own ? i : end, is_own ? i + 1 : end, end);

			pairs->V[data->row[i] * data->c + h] = kith_softmax_mean(&s);
		}
		if (pairs->V)
			continue;
		pairs->side[0][i] = find_softmax(pairs, scratch, d, 0, own[0], own[1], data->n);
		pairs->side[1][i] = find_softmax(pairs, scratch, d, own[0], i, i + 1, own[1]);
		for (size_t s = 0; s < 2; s++)
			pairs->side[s][i].share = data->weight[i] / pairs->side[s][i].sum;
	}
}

static void
store_tiles(void *to, size_t I, size_t thread)
{
	const struct kith_pairs *pairs = to;

	for (size_t J = I; J < pairs->data.tiles; J++)
		compute_tile(pairs, I, J, thread, pairs->store + place_of(&pairs->data, I, J));
}

void
kith_pairs_update(struct kith_pairs *pairs)
{
	if (pairs->store)
		kith_par(pairs->threads, pairs->data.tiles, store_tiles, pairs);
	kith_par(pairs->threads, pairs->data.tiles, soften_tile, pairs);
}

void
kith_pairs_begin_line(struct kith_pairs *pairs)
{
	double *spare = pairs->from;

	pairs->from = pairs->store;
	pairs->store = pairs->to;
	kith_par(pairs->threads, pairs->data.tiles, store_tiles, pairs);
	pairs->store = spare;
}

static void
blend_tiles(void *to, size_t I, size_t thread)
{
	const struct kith_pairs *pairs = to;
	const double g = pairs->g, norm = pairs->norm;
	const size_t from = place_of(&pairs->data, I, I),
		     end = place_of(&pairs->data, I + 1, I + 1);

	(void)thread;
	for (size_t k = from; k < end; k++)
		pairs->store[k] = (pairs->from[k] + g * (pairs->to[k] - pairs->from[k])) / norm;
}

void
kith_pairs_go(struct kith_pairs *pairs, double g, double norm)
{
	pairs->g = g;
	pairs->norm = norm;
	kith_par(pairs->threads, pairs->data.tiles, blend_tiles, pairs);
	kith_par(pairs->threads, pairs->data.tiles, soften_tile, pairs);
}

void
kith_pairs_cost(const struct kith_pairs *pairs, long double *distance, long double *logs)
{
	const struct kith_softmax *hit = pairs->side[1], *miss = pairs->side[0];

	*distance = *logs = 0;
	for (size_t i = 0; i < pairs->data.n; i++) {
		*distance += pairs->data.weight[i] * (hit[i].least - miss[i].least);
		*logs += pairs->data.weight[i] * (log(miss[i].sum) - log(hit[i].sum));
	}
}

/*
 * The entropy of a softmax, log sum + the mean of (d - least)/sigma; NaN where the package, which
 * does not shift exponents, finds a weight of 0.
 */
static double
entropy_of(const struct kith_softmax *s, double sigma)
{
	const double smallest = exp(-s->most / sigma);

	if (isinf(s->above))
		return 0;
	return smallest > 0 && smallest / (s->sum * exp(-s->least / sigma)) > 0
	    ? log(s->sum) + s->above / s->sum / sigma
	    : NAN;
}

double
kith_pairs_entropy(const struct kith_pairs *pairs)
{
	double sum = 0;

	for (size_t i = 0; i < pairs->data.n; i++)
		sum += entropy_of(pairs->side[0] + i, pairs->sigma) -
		    entropy_of(pairs->side[1] + i, pairs->sigma);
	return sum;
}

void
kith_pairs_expected(struct kith_pairs *pairs, double *V)
{
	pairs->V = V;
	kith_par(pairs->threads, pairs->data.tiles, soften_tile, pairs);
	pairs->V = NULL;
}

size_t
kith_pairs_weights(const struct kith_pairs *pairs, size_t I, size_t J, size_t thread, double *c)
{
	const struct kith_immigrate_data *data = &pairs->data;
	const double *d = tile_of(pairs, I, J, thread);
	const size_t columns = kith_tile_rows(data, J), *y = data->y + J * TILE;
	const double sigma = pairs->sigma;
	double a[KITH_TILE] = {0}, b[KITH_TILE] = {0};
	size_t count = 0;

	memset(c, 0, TILE * TILE * sizeof(*c));
	for (size_t i = I * TILE; i < I * TILE + kith_tile_rows(data, I);
	     i++, c += TILE, d += TILE) {
		const struct kith_softmax own[] = {pairs->side[0][i], pairs->side[1][i]};
		const size_t from = I == J ? i % TILE + 1 : 0;

		for (size_t l = from; l < columns; l++) {
			const bool hit = y[l] == data->y[i];

			a[l] = own[hit].least - d[l];
			b[l] = pairs->side[hit][J * TILE + l].least - d[l];
		}
		for (size_t l = 0; l < TILE; l++) { /* all 64: two at a time */
			a[l] /= sigma;
			b[l] /= sigma;
		}
		kith_vexp(columns - from, a + from, a + from);
		kith_vexp(columns - from, b + from, b + from);
		for (size_t l = from; l < columns; l++) {
			const bool hit = y[l] == data->y[i];
			const double sum = a[l] * own[hit].share +
			    b[l] * pairs->side[hit][J * TILE + l].share;
			const bool counts = sum > pairs->skip;

			c[l] = counts * (hit ? sum : -sum);
			count += counts;
		}
	}
	return count;
}
