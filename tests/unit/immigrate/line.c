/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/line.h: what is left out changes F by no more than is
 * said, Sigma hardly, and all of it is found again where it is needed.
 */
#include "immigrate/line.h"

#include "immigrate/data.h"
#include "tap.h"

#define TILE ((size_t)KITH_IMMIGRATE_TILE)

/* Both at the same weights; `full` leaves nothing out. */
struct pair {
	struct kith_immigrate_model *some, *full;
	size_t left; /* times that pairs were left out */
};

static struct kith_immigrate_model *
model_of(const struct set *set, double sigma)
{
	struct kith_immigrate_how how = usual(sigma, 1);

	how.monotone = true;
	return kith_immigrate_model_new(&set->rows, &how, true, &pool);
}

/* W + g (V - W), normalised, into Z; what it is divided by. */
static double
blend(size_t len, const double *W, const double *V, double g, double *Z)
{
	double square = 0;

	for (size_t k = 0; k < len; k++) {
		Z[k] = W[k] + g * (V[k] - W[k]);
		square += Z[k] * Z[k];
	}
	for (size_t k = 0; k < len; k++)
		Z[k] /= sqrt(square);
	return sqrt(square);
}

/* Whether F is right but for its error, and Sigma but for what is left out. */
static void
compare(struct pair *pair, const double *Z, double g)
{
	const struct kith_immigrate_model *some = pair->some;
	const struct kith_immigrate_model *full = pair->full;
	const size_t p = some->data.p;
	double worst = 0;

	kith_immigrate_model_at(pair->full, Z, false);
	ok(fabs(some->F - full->F) <= some->error + 1e-9 * fabs(full->F),
	    "at %g F is %.10g, off by %.1e of %.1e", g, some->F, some->F - full->F, some->error);
	pair->left += some->soft.some && some->error > 0;
	kith_immigrate_sum(&pair->some->sum);
	kith_immigrate_sum(&pair->full->sum);
	for (size_t i = 0; i < p; i++)
		for (size_t j = i; j < p; j++)
			worst = fmax(
			    worst, fabs(some->sum.total[i * p + j] - full->sum.total[i * p + j]));
	ok(worst <= 1e-5 * full->sum.size, "Sigma: %.1e of %.1e", worst, full->sum.size);
}

/* The next V, towards which both models are at W: some of it, then all of it. */
static bool
next(struct pair *pair, const double *W, double *V)
{
	kith_immigrate_model_at(pair->full, W, false);
	kith_immigrate_sum(&pair->full->sum);
	return kith_immigrate_form_closed(
		   &pair->some->form, pair->full->sum.total, pair->full->sum.size) &&
	    (kith_immigrate_form_full(&pair->some->form, V), true);
}

static void
test_line(size_t n, size_t p, double sigma, bool single, bool weights)
{
	static const double step[] = {1, .5, 1, 1, .125, .25, 1, .5};
	struct set *set = draw(n, p, 3, single, true);
	struct pair pair = {0};
	double *W = start(p, true), *V = start(p, true), *Z = start(p, true);

	if (weights)
		set->rows.weight = set->weight;
	pair.some = model_of(set, sigma);
	pair.full = model_of(set, sigma);
	kith_immigrate_model_at(pair.some, W, false);
	for (size_t k = 0; k < 8 && next(&pair, W, V); k++) {
		pair.some->line.full = 0; /* few or not */
		kith_immigrate_model_draw(pair.some, V, true);
		for (int halving = 0; ldexp(1, -halving) >= step[k]; halving++) {
			const double g = ldexp(1, -halving);

			kith_immigrate_model_go(pair.some, W, g, blend(p * p, W, V, g, Z));
			compare(&pair, Z, g);
		}
		memcpy(W, Z, p * p * sizeof(*W));
	}
	ok(pair.left > 3, "pairs were left out %zu times", pair.left);
	kith_pool_free(&pool);
}

/* Where nothing may be left out nothing is. */
static void
test_full(void)
{
	struct set *set = draw(80, 30, 2, false, false);
	struct pair pair = {.some = model_of(set, .05)};
	double *W = start(30, true), *V = start(30, true), *Z = start(30, true);

	pair.full = model_of(set, .05);
	kith_immigrate_model_at(pair.some, W, false);
	ok(next(&pair, W, V), "there is a V");
	ok(!kith_immigrate_model_draw(pair.some, V, false), "all are asked");
	kith_immigrate_model_go(pair.some, W, .5, blend(900, W, V, .5, Z));
	ok(!pair.some->soft.some && pair.some->error == 0, "nothing is left out");
	compare(&pair, Z, .5);
	kith_pool_free(&pool);
}

/* Distances of all pairs i < j under a model that leaves nothing out, by place. */
static void
distances_of(struct kith_immigrate_model *full, const double *W, double *D)
{
	const size_t n = full->data.n;

	kith_immigrate_model_at(full, W, false);
	for (size_t t = 0; t < kith_immigrate_tile_pairs(&full->data); t++) {
		size_t I, J;

		kith_immigrate_tile_pair(&full->data, t, &I, &J);
		for (size_t at = 0; at < TILE * TILE; at++) {
			const size_t i = I * TILE + at / TILE;
			const size_t j = J * TILE + at % TILE;

			if (i < n && j < n)
				D[i * n + j] = D[j * n + i] = full->soft
								  .store[t * TILE * TILE + at];
		}
	}
}

/* Up to where pairs of a row count: ends of a line, and the limit on it. */
static double
limits(const struct kith_immigrate_model *some, const double *from, const double *to, double g)
{
	const struct kith_immigrate_data *data = &some->data;
	const size_t n = data->n;
	const double above = (10 + log((double)n)) * some->soft.sigma;
	double worst = 0;

	for (size_t k = 0; k < 2 * n; k++) {
		const size_t i = k / 2;
		const bool hit = k % 2;
		const struct kith_immigrate_near *near = hit ? &some->line.hit : &some->line.miss;
		size_t at = n;

		for (size_t j = 0; j < n; j++)
			if (j != i && (data->y[j] == data->y[i]) == hit &&
			    (at == n || from[i * n + j] < from[i * n + at]))
				at = j;
		if (at == n)
			continue;
		worst = fmax(worst, fabs(near->from[i] - from[i * n + at]));
		/* Of rows that are equally near either may be it. */
		if (from[i * n + at] > 0)
			worst = fmax(worst, fabs(near->to[i] - to[i * n + at]));
		worst = fmax(worst,
		    fabs(
			near->most[i] - near->from[i] - g * (near->to[i] - near->from[i]) - above));
	}
	return worst;
}

/* Every pair: its distance on the line, or a bound of one that is too far. */
static void
pairs_at(const struct kith_immigrate_model *some, const double *D, double norm, size_t *left,
    double *worst)
{
	const struct kith_immigrate_data *data = &some->data;
	const size_t n = data->n;

	for (size_t t = 0; t < kith_immigrate_tile_pairs(data); t++) {
		size_t I, J;

		kith_immigrate_tile_pair(data, t, &I, &J);
		for (size_t at = 0; at < TILE * TILE; at++) {
			const size_t i = I * TILE + at / TILE;
			const size_t j = J * TILE + at % TILE;
			const double d = some->soft.store[t * TILE * TILE + at];
			const struct kith_immigrate_near *near;
			double most;

			if (i >= j || i >= n || j >= n)
				continue;
			near = data->y[i] == data->y[j] ? &some->line.hit : &some->line.miss;
			most = fmax(near->most[i], near->most[j]);
			if (!signbit(d)) {
				*worst = fmax(*worst, fabs(d - D[i * n + j]));
				continue;
			}
			++*left;
			*worst = fmax(*worst, -d - D[i * n + j]);
			*worst = fmax(*worst, most / norm + d);
		}
	}
}

/* What is left out is too far away, by a bound; all else is as it is. */
static void
test_pairs(size_t n, bool single)
{
	const size_t p = 30;
	struct set *set = draw(n, p, 3, single, false);
	struct pair pair = {0};
	double *W = start(p, true), *V = start(p, true), *Z = start(p, true);
	double *from, *to, *at, worst = 0, ends = 0;
	size_t left = 0, same = 0;

	from = kith_new(&pool, n, n * sizeof(*from));
	to = kith_new(&pool, n, n * sizeof(*to));
	at = kith_new(&pool, n, n * sizeof(*at));
	pair.some = model_of(set, .04);
	pair.full = model_of(set, .04);
	kith_immigrate_model_at(pair.some, W, false);
	for (size_t k = 0; k < 4 && next(&pair, W, V); k++) {
		distances_of(pair.full, W, from);
		distances_of(pair.full, V, to);
		pair.some->line.full = 0;
		same += kith_immigrate_model_draw(pair.some, V, true);
		for (int halving = 0; halving <= (k % 2 ? 0 : 3); halving++) {
			const double g = ldexp(1, -halving);
			const double norm = blend(p * p, W, V, g, Z);

			kith_immigrate_model_go(pair.some, W, g, norm);
			ends = fmax(ends, k == 0 ? limits(pair.some, from, to, g) : 0);
			distances_of(pair.full, Z, at);
			pairs_at(pair.some, at, norm, &left, &worst);
		}
		memcpy(W, Z, p * p * sizeof(*W));
	}
	ok(same > 0 && left > 100, "%zu pairs are left out", left);
	ok(worst <= 1e-10, "they are far, the others known: %g", worst);
	ok(ends <= 1e-12, "nearest rows, and limits beyond: %g", ends);
	kith_pool_free(&pool);
}

/* Where too little was left out, four draws leave nothing out. */
static void
test_rest(double sigma)
{
	struct set *set = draw(80, 30, 2, false, false);
	struct pair pair = {.some = model_of(set, sigma)};
	double *W = start(30, true), *V = start(30, true), *Z = start(30, true);
	bool some[7] = {false};

	pair.full = model_of(set, sigma);
	kith_immigrate_model_at(pair.some, W, false);
	for (size_t k = 0; k < 7 && next(&pair, W, V); k++) {
		some[k] = kith_immigrate_model_draw(pair.some, V, true);
		kith_immigrate_model_go(pair.some, W, k ? 1 : .5, blend(900, W, V, k ? 1 : .5, Z));
		memcpy(W, Z, 900 * sizeof(*W));
		compare(&pair, Z, k ? 1 : .5);
	}
	ok(some[0] && !some[1] && !some[2] && !some[3] && !some[4] && some[5],
	    "little at a scale of %g: %d%d%d%d%d%d", sigma, some[0], some[1], some[2], some[3],
	    some[4], some[5]);
	kith_pool_free(&pool);
}

/* What a run says where pairs are left out, and then of all of them. */
static void
test_run(void)
{
	struct set *set = draw(130, 30, 3, false, true);
	const struct kith_immigrate_how how = {.sigma = .04, .monotone = true, .threads = 1};
	struct pair pair = {.some = model_of(set, .04)};
	double *W = start(30, true), *V = start(30, true), *Z = start(30, true);
	struct kith_immigrate_run run = kith_immigrate_run_new(&how, pair.some, W, &pool);
	double F, error;

	pair.full = model_of(set, .04);
	ok(next(&pair, W, V) && kith_immigrate_model_draw(pair.some, V, true), "a line");
	kith_immigrate_model_go(pair.some, W, .5, blend(900, W, V, .5, Z));
	kith_immigrate_run_look(&run);
	F = run.F;
	error = run.error;
	ok(error > 0 && error < 1e-2 * fabs(F), "F is %g, but for %g", F, error);
	memcpy(run.W, Z, 900 * sizeof(*Z));
	kith_immigrate_run_all(&run);
	kith_immigrate_model_at(pair.full, Z, false);
	ok(run.error == 0 && run.F == pair.full->F && run.C == run.F,
	    "of all pairs it has no error");
	ok(fabs(run.F - F) <= error + 1e-12 * fabs(F), "off by %g", run.F - F);
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_line(130, 30, .04, false, false);
	test_line(150, 45, .08, true, false);
	test_line(90, 60, .05, false, true);
	test_full();
	test_pairs(100, false);
	test_pairs(70, true);
	test_rest(1e3);
	test_rest(.3);
	test_run();
	return done();
}
