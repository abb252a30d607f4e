/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/relief/relief.h and of TuRF: against fits of the same rows, one
 * by one.
 */
#include "relief/data.h"

#include "relief/relief.h"

enum { SAMPLES = 12, PERMUTED = 9 };

static double weight[MOST_N];

static const struct kith_relief_how *
how_of(uint64_t seed)
{
	static const enum kith_relief_method method[] = {
	    KITH_RELIEF, KITH_RELIEFF, KITH_RELIEF_SURF, KITH_RELIEF_MULTISURF, KITH_RELIEF_SIMBA};
	static struct kith_relief_how how;

	how = (struct kith_relief_how){.method = method[seed % 5],
	    .k = 3,
	    .max_iter = 1,
	    .starts = 1,
	    .seed = seed,
	    .threads = 1};
	return &how;
}

/* How many of the features have a larger weight, or an equal one before a. */
static size_t
ahead(const double *w, size_t a)
{
	size_t count = 0;

	for (size_t b = 0; b < p; b++)
		count += w[b] > w[a] || (b < a && w[b] == w[a]);
	return count;
}

/* Sample b: counts of the rows drawn, again where one class alone came. */
static void
count_rows(uint64_t seed, size_t b, double *count)
{
	bool two = false;

	kith_rng_seed(&rng, seed, KITH_RNG_BOOTSTRAP, b);
	while (!two) {
		size_t first = NOBODY;

		memset(count, 0, n * sizeof(*count));
		for (size_t i = 0; i < n; i++)
			count[kith_rng_below(&rng, n)]++;
		for (size_t i = 0; i < n; i++) {
			if (count[i] > 0 && first == NOBODY)
				first = i;
			two = two || (count[i] > 0 && y[i] != y[first]);
		}
	}
}

/* Mean, se and top against SAMPLES fits, into due (3 x p). */
static void
by_samples(uint64_t seed, size_t top, double *due)
{
	double w[SAMPLES][MOST_P];

	for (size_t b = 0; b < SAMPLES; b++) {
		struct kith_relief_rows in = rows();

		count_rows(seed, b, weight);
		in.weight = weight;
		memcpy(w[b], run(&in, how_of(seed))->w, p * sizeof(**w));
	}
	for (size_t a = 0; a < p; a++) {
		double mean = 0, square_sum = 0, first = 0;

		for (size_t b = 0; b < SAMPLES; b++) {
			mean += w[b][a] / SAMPLES;
			first += ahead(w[b], a) < top ? 1. / SAMPLES : 0;
		}
		for (size_t b = 0; b < SAMPLES; b++)
			square_sum += square(w[b][a] - mean);
		due[a] = mean;
		due[p + a] = sqrt(square_sum / (SAMPLES - 1));
		due[2 * p + a] = first;
	}
}

/* p by PERMUTED fits: the targets in the order of a shuffle. */
static void
by_permutations(uint64_t seed, const double *w, double *due)
{
	size_t at[MOST_N], other[MOST_N];

	for (size_t a = 0; a < p; a++)
		due[a] = 1. / (PERMUTED + 1);
	for (size_t m = 0; m < PERMUTED; m++) {
		struct kith_relief_rows in = rows();
		const struct kith_relief *got;

		for (size_t i = 0; i < n; i++)
			at[i] = i;
		kith_rng_seed(&rng, seed, KITH_RNG_PERMUTE, m);
		kith_rng_shuffle(&rng, at, n);
		for (size_t i = 0; i < n; i++)
			other[i] = y[at[i]];
		in.y = other;
		got = run(&in, how_of(seed));
		for (size_t a = 0; a < p; a++)
			due[a] += got->w[a] >= w[a] ? 1. / (PERMUTED + 1) : 0;
	}
}

/* Rows of which two alone are of the second class in every third seed, so that
 * many samples have none of them. */
static struct kith_relief_rows
draw_rows(uint64_t seed)
{
	draw(seed);
	for (size_t i = 0; i < n && seed % 3 == 0; i++)
		y[i] = i < 2;
	if (seed % 3 == 0)
		c = 2;
	return rows();
}

static void
test_resample(void)
{
	double worst = 0, worst_p = 0;
	size_t bad = 0;

	for (uint64_t seed = 1; seed <= 25; seed++) {
		const struct kith_relief_rows in = draw_rows(seed);
		struct kith_relief_how how = *how_of(seed);
		const struct kith_relief_resample what = {SAMPLES, PERMUTED, 2};
		struct kith_relief_spread got, same;
		double w[MOST_P], due[3 * MOST_P], p_due[MOST_P] = {0};

		memcpy(w, run(&in, &how)->w, p * sizeof(*w));
		if (kith_relief_resample(&in, &how, &what, w, &got, &pool, &err))
			bad++;
		how.threads = 3;
		kith_relief_resample(&in, &how, &what, w, &same, &pool, &err);
		bad += memcmp(got.mean, same.mean, p * sizeof(*w)) != 0 ||
		    memcmp(got.se, same.se, p * sizeof(*w)) != 0 ||
		    memcmp(got.p, same.p, p * sizeof(*w)) != 0;
		by_samples(seed, 2, due);
		worst = fmax(worst, apart(got.mean, due, p));
		worst = fmax(worst, apart(got.se, due + p, p));
		worst = fmax(worst, apart(got.top, due + 2 * p, p));
		by_permutations(seed, w, p_due);
		worst_p = fmax(worst_p, apart(got.p, p_due, p));
	}
	ok(worst <= 1e-10, "mean, se and top as defined: %g", worst);
	ok(worst_p <= 1e-10, "p as defined: %g", worst_p);
	is_size(bad, 0, "failures, or threads that matter");
}

/* TuRF by hand: the rounds, each a fit of the features that are left. */
static void
by_rounds(const struct kith_relief_how *how, size_t drop, double *due, size_t *round)
{
	size_t kept[MOST_P], left = p;

	for (size_t a = 0; a < p; a++)
		kept[a] = a;
	for (size_t r = 1; left > 0; r++) {
		double v[MOST_N * MOST_P];
		struct kith_relief_rows in = rows();
		const double *w;
		size_t rest = 0;

		for (size_t i = 0; i < n; i++)
			for (size_t a = 0; a < left; a++)
				v[i * left + a] = x[i * p + kept[a]];
		in.X = (struct kith_mat){n, left, v};
		w = run(&in, how)->w;
		for (size_t a = 0; a < left; a++) {
			size_t before = 0;

			for (size_t b = 0; b < left; b++)
				before += w[b] > w[a] || (b < a && w[b] == w[a]);
			due[kept[a]] = w[a];
			round[kept[a]] = r;
			if (left > drop && before < left - drop)
				kept[rest++] = kept[a];
		}
		left = rest;
	}
}

static void
test_turf(void)
{
	size_t bad = 0;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		const struct kith_relief_rows in = (draw(seed), rows());
		struct kith_relief_how how = *how_of(seed);
		const double share = (double)(1 + seed % 10) / 10;
		const size_t part = (size_t)floor(share * (double)p);
		double due[MOST_P] = {0};
		size_t round[MOST_P] = {0};
		const struct kith_relief *got;

		by_rounds(&how, part > 0 ? part : 1, due, round);
		how.turf = share;
		got = run(&in, &how);
		bad += memcmp(got->w, due, p * sizeof(*due)) != 0 ||
		    memcmp(got->round, round, p * sizeof(*round)) != 0;
	}
	is_size(bad, 0, "TuRF that differs from its rounds");
}

int
main(void)
{
	test_resample();
	test_turf();
	kith_pool_free(&pool);
	return done();
}
