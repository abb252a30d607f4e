/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/tile.h and lib/immigrate/sum.h: distances of all kinds
 * of metrics, and sums over pairs, against loops over rows and features.
 */
#include "immigrate/tile.h"

#include "immigrate/data.h"
#include "tap.h"

#define TILE ((size_t)KITH_IMMIGRATE_TILE)

/* A model of n rows, and the metric under test. */
struct bench {
	struct kith_immigrate_model *model;
	const struct kith_immigrate_data *data;
	struct kith_immigrate_metric metric;
	struct kith_immigrate_tile_room *room;
	double *d; /* TILE x TILE */
};

static struct bench
bench_of(size_t n, size_t p, bool matrix, double sigma, size_t threads)
{
	struct set *set = draw(n, p, 3, false, true);
	struct kith_immigrate_how how = usual(sigma, 1);
	struct bench b;

	how.threads = threads;
	b.model = kith_immigrate_model_new(&set->rows, &how, matrix, &pool);
	b.data = &b.model->data;
	b.metric = (struct kith_immigrate_metric){0};
	b.room = &b.model->soft.room->tile;
	b.d = kith_new(&pool, TILE * TILE, sizeof(*b.d));
	return b;
}

static double
diff(const struct kith_immigrate_data *data, size_t i, size_t j, size_t f)
{
	return fabs(data->X[i * data->ld + f] - data->X[j * data->ld + f]);
}

/* The distance as immigrate/tile.h defines it. */
static double
plain(const struct bench *b, size_t i, size_t j)
{
	const struct kith_immigrate_metric *m = &b->metric;
	const size_t p = b->data->p, ld = b->data->ld;
	double d = 0;

	for (size_t f = 0; f < p && m->w; f++) {
		const double D = diff(b->data, i, j, f);

		d += m->w[f] * (m->squared ? D * D : D);
	}
	for (size_t k = 0; k < p * p && m->W; k++)
		d += diff(b->data, i, j, k / p) * m->W[k] * diff(b->data, i, j, k % p);
	for (size_t q = 0; q < m->r; q++) {
		double along = 0;

		for (size_t f = 0; f < p; f++)
			along += m->R[q * ld + f] * diff(b->data, i, j, f);
		d += m->sign[q] * along * along;
	}
	return d;
}

/* How far the tiles of a metric are from plain distances. */
static double
compare(const struct bench *b)
{
	const size_t n = b->data->n;
	double worst = 0;

	for (size_t t = 0; t < kith_immigrate_tile_pairs(b->data); t++) {
		size_t I, J;

		kith_immigrate_tile_pair(b->data, t, &I, &J);
		for (size_t k = 0; k < TILE * TILE; k++)
			b->d[k] = NAN;
		kith_immigrate_tile(b->data, &b->metric, I, J, b->room, b->d);
		for (size_t k = 0; k < TILE * TILE; k++) {
			const size_t i = I * TILE + k / TILE;
			const size_t j = J * TILE + k % TILE;
			const double due = i < n && j < n ? plain(b, i, j) : 0;

			if (i >= n || j >= n)
				continue;
			if (!(fabs(b->d[k] - due) <= worst))
				worst = fabs(b->d[k] - due);
			if (i == j && b->d[k] != 0)
				return INFINITY;
		}
	}
	return worst;
}

static void
test_vectors(void)
{
	static const size_t ns[] = {4, 64, 65, 130};
	static const size_t ps[] = {1, 8, 24, 25, 257, 300};
	double worst[4] = {0};

	for (size_t run = 0; run < 24; run++) {
		const size_t p = ps[run % 6];
		struct bench b = bench_of(ns[run / 6], p, true, 1, 2);
		double *w = kith_new(&pool, b.data->ld, sizeof(*w));
		double *W = start(p, false);

		for (size_t f = 0; f < p; f++)
			w[f] = kith_rng_unit(&rng) / (double)p;
		b.metric.w = w;
		worst[0] = fmax(worst[0], compare(&b));
		b.metric.squared = true;
		worst[1] = fmax(worst[1], compare(&b));
		b.metric = (struct kith_immigrate_metric){.W = W};
		if (p <= KITH_IMMIGRATE_SMALL)
			worst[2] = fmax(worst[2], compare(&b));
		for (size_t k = 0; k < p * p; k++)
			W[k] = k % (p + 1) ? 0 : W[k];
		if (p <= KITH_IMMIGRATE_SMALL)
			worst[3] = fmax(worst[3], compare(&b));
		kith_pool_free(&pool);
	}
	ok(worst[0] <= 1e-14, "vectors: %g", worst[0]);
	ok(worst[1] <= 1e-14, "of squares: %g", worst[1]);
	ok(worst[2] <= 1e-12, "small matrices: %g", worst[2]);
	ok(worst[3] <= 1e-13, "and diagonal ones: %g", worst[3]);
}

/* Distances of n pairs, listed in a tile and by their rows. */
static double
compare_some(const struct bench *b, size_t n, bool own)
{
	const size_t columns = kith_immigrate_tile_rows(b->data, own ? 0 : 1);
	uint16_t at[600];
	size_t i[600], j[600], k = 0;
	double d[600], worst = 0;

	for (size_t r = 0; r < TILE && k < n; r++)
		for (size_t c = own ? r + 1 : 0; c < columns && k < n; c++)
			if ((r + c) % 3) {
				at[k] = (uint16_t)(r * TILE + c);
				i[k] = r;
				j[k++] = own ? c : TILE + c;
			}
	for (size_t l = 0; l < TILE * TILE; l++)
		b->d[l] = 77;
	kith_immigrate_tile_some(b->data, &b->metric, 0, own ? 0 : 1, k, at, b->room, b->d);
	kith_immigrate_tile_pairs_of(b->data, &b->metric, k, i, j, b->room, d);
	for (size_t l = 0; l < k; l++) {
		const double due = plain(b, i[l], j[l]);
		const size_t of = at[l] % TILE * TILE + at[l] / TILE;

		worst = fmax(worst, fabs(b->d[at[l]] - due));
		worst = fmax(worst, fabs(d[l] - due));
		if (own)
			worst = fmax(worst, fabs(b->d[of] - due));
	}
	/* The others stay, but for the diagonal. */
	for (size_t l = 0; l < TILE * TILE; l++)
		if ((l / TILE + l % TILE) % 3 == 0 && b->d[l] != 77 &&
		    (!own || l / TILE != l % TILE || b->d[l] != 0))
			return INFINITY;
	return worst;
}

/* Factors: whole tiles, the first of their rows, and some pairs. */
static void
test_factors(void)
{
	static const size_t ns[] = {3, 64, 90, 128}, rs[] = {8, 16, 24, 0};
	double worst = 0, first = 0, some = 0;

	for (size_t run = 0; run < 16; run++) {
		const size_t p = 25 + run, r = rs[run / 4];
		struct bench b = bench_of(ns[run % 4], p, true, 1, 2);
		double *R = kith_new(&pool, r + 1, b.data->ld * sizeof(*R));
		double *sign = kith_new(&pool, r + 1, sizeof(*sign));
		double along = 0;

		for (size_t k = 0; k < r * p; k++)
			R[k / p * b.data->ld + k % p] = kith_rng_unit(&rng) / (double)p;
		for (size_t q = 0; q < r; q++)
			sign[q] = q + 2 < r ? (q % 3 == 1 ? -1 : 1) : 0;
		b.metric.R = R;
		b.metric.sign = sign;
		b.metric.r = r;
		worst = fmax(worst, compare(&b));
		if (r == 0)
			continue;
		kith_immigrate_tile_first(b.data, &b.metric, 0, 0, b.d);
		for (size_t k = 0; k < b.data->n && k < TILE; k++) {
			const size_t j = (k + 1) % (b.data->n < TILE ? b.data->n : TILE);

			along = 0;
			for (size_t f = 0; f < p; f++)
				along += R[f] * diff(b.data, k, j, f);
			first = fmax(first, fabs(b.d[k * TILE + j] + along * along));
			first = fmax(first, fabs(b.d[j * TILE + k] + along * along));
			first = fmax(first, fabs(b.d[k * TILE + k]));
		}
		if (b.data->n < 90)
			continue;
		kith_immigrate_tile_first(b.data, &b.metric, 0, 1, b.d);
		along = 0;
		for (size_t f = 0; f < p; f++)
			along += R[f] * diff(b.data, 63, 64 + 25, f);
		first = fmax(first, fabs(b.d[63 * TILE + 25] + along * along));
		for (size_t k = 254; k < 259; k++)
			some = fmax(some, compare_some(&b, k, k % 2));
		some = fmax(some, compare_some(&b, 514, false));
		some = fmax(some, compare_some(&b, 512, true));
		kith_pool_free(&pool);
	}
	ok(worst <= 1e-12, "factors: %g", worst);
	ok(first <= 1e-13, "their first rows: %g", first);
	ok(some <= 1e-12, "some pairs: %g", some);
}

/* Sums over pairs, of c that immigrate/soft.h gives. */
struct sums {
	double *total, trace, size;
	size_t pairs;
};

/* What the pair i, j of a matrix adds, or of a vector. */
static void
add_pair(const struct kith_immigrate_data *data, size_t i, size_t j, double c, bool matrix,
    struct sums *s)
{
	const size_t p = data->p;

	for (size_t f = 0; f < p; f++) {
		const double D = diff(data, i, j, f);

		if (!matrix) {
			s->total[f + (c > 0 ? 0 : data->ld)] += fabs(c) * D;
			s->size += fabs(c) * D;
			continue;
		}
		s->trace += c * D * D;
		s->size += fabs(c) * D * D;
		for (size_t g = f; g < p; g++)
			s->total[f * p + g] += c * D * diff(data, i, j, g);
	}
}

static struct sums
sums_of(const struct bench *b, bool matrix)
{
	const struct kith_immigrate_data *data = b->data;
	const size_t p = data->p, ld = data->ld;
	struct sums s = {kith_new(&pool, p * p + 2 * ld, sizeof(double)), 0, 0, 0};

	for (size_t t = 0; t < kith_immigrate_tile_pairs(data); t++) {
		size_t I, J;

		kith_immigrate_tile_pair(data, t, &I, &J);
		kith_immigrate_soft_c(&b->model->soft, I, J, 0, b->d);
		for (size_t k = 0; k < TILE * TILE; k++)
			if (fabs(b->d[k]) > b->model->sum.least) {
				s.pairs++;
				add_pair(data, I * TILE + k / TILE, J * TILE + k % TILE, b->d[k],
				    matrix, &s);
			}
	}
	return s;
}

static double
off_sums(const struct bench *b, const struct sums *due, bool matrix)
{
	const struct kith_immigrate_sum *sum = &b->model->sum;
	const double size = due->size;
	double worst = fabs(sum->size - size) / size;

	for (size_t k = 0; k < sum->len; k++)
		if (!matrix || k / b->data->p <= k % b->data->p)
			worst = fmax(worst, fabs(sum->total[k] - due->total[k]) / size);
	return matrix ? fmax(worst, fabs(sum->trace - due->trace) / size) : worst;
}

static void
test_sums(void)
{
	static const size_t ps[] = {1, 3, 4, 9, 24, 25, 40, 270};
	static const size_t ns[] = {5, 64, 100, 140};
	double worst = 0, rows = 0;
	size_t odd = 0;

	for (size_t run = 0; run < 32; run++) {
		const size_t p = ps[run % 8], n = ns[run / 8];
		const bool matrix = p < 270 && run % 3 != 2;
		struct bench b = bench_of(n, p, matrix, run % 5 ? .02 : 1, 1 + run % 2);
		struct kith_immigrate_sum *sum = &b.model->sum;
		double *Z, *sign;
		struct sums due;
		double trace = 0;

		kith_immigrate_model_at(b.model, matrix ? start(p, true) : even(p), false);
		due = sums_of(&b, matrix);
		kith_immigrate_sum(sum);
		worst = fmax(worst, off_sums(&b, &due, matrix));
		if (!matrix || due.pairs > 3000)
			continue;
		Z = kith_new(&pool, due.pairs, b.data->ld * sizeof(*Z));
		sign = kith_new(&pool, due.pairs, sizeof(*sign));
		odd += kith_immigrate_sum_rows(sum, due.pairs - 1, Z, sign) != due.pairs;
		odd += kith_immigrate_sum_rows(sum, due.pairs, Z, sign) != due.pairs;
		rows = fmax(rows, fabs(sum->trace - due.trace) / due.size);
		rows = fmax(rows, fabs(sum->size - due.size) / due.size);
		for (size_t k = 0; k < due.pairs; k++)
			trace += sign[k] * Z[k * b.data->ld] * Z[k * b.data->ld + (p > 1)];
		rows = fmax(rows, fabs(trace - due.total[p > 1]) / due.size);
		kith_pool_free(&pool);
	}
	ok(worst <= 1e-11, "sums over pairs: %g", worst);
	ok(rows <= 1e-13, "by rows of a matrix: %g", rows);
	is_size(odd, 0, "of which there are so many");
	kith_pool_free(&pool);
}

/* So many parts as the data ask for; fewer at once where they are large. */
static void
test_parts(void)
{
	static const struct {
		size_t n, p, parts, once;
	} due[] = {{100, 10, 1, 1}, {640, 390, 55, 55}, {640, 392, 55, 2}, {320, 90, 15, 15},
	    {320, 30, 15, 15}, {320, 20, 9, 9}, {720, 100, 64, 64}};

	for (size_t k = 0; k < sizeof(due) / sizeof(*due); k++) {
		const struct bench b = bench_of(due[k].n, due[k].p, true, 1, 2);

		is_size(b.model->sum.parts, due[k].parts, "parts");
		is_size(b.model->sum.once, due[k].once, "at once");
		kith_pool_free(&pool);
	}
}

int
main(void)
{
	kith_rng_seed(&rng, 12, KITH_RNG_SAMPLE, 0);
	test_vectors();
	test_factors();
	test_sums();
	test_parts();
	return done();
}
