/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/relief/relief.h and lib/relief/relief.h: samples of the methods
 * that look at all pairs, TuRF of matrices, targets that are numbers, and fits
 * that fail.
 */
#include "relief/diff.h"
#include "relief/relief.h"

static size_t seeds;

/* The rows of a sample are on; how many. */
static size_t
sample_of(uint64_t seed, bool *on)
{
	size_t at[MOST_N], m = 1 + seed % (n - 1);
	struct kith_rng r;

	for (size_t i = 0; i < n; i++) {
		at[i] = i;
		on[i] = false;
	}
	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 0);
	kith_rng_shuffle(&r, at, n);
	for (size_t k = 0; k < m; k++)
		on[at[k]] = true;
	return m;
}

/* What row i adds at a threshold; same: nearer targets are hits, 0: classes. */
static void
plain_row(size_t i, double T, double same, double m, double *w)
{
	double miss[MOST_C] = {0}, count[MOST_C] = {0}, share[MOST_C] = {0};
	double all = 0;

	for (size_t j = 0; j < n; j++) {
		const size_t g = same > 0 ? fabs(t[i] - t[j]) < same : y[j];
		double d = 0;

		share[g]++;
		for (size_t a = 0; a < p; a++)
			d += diff[(i * n + j) * p + a];
		count[g] += j != i && d < T - 1e-11 * T;
	}
	for (size_t g = 0; g < MOST_C; g++)
		if (g != (same > 0 ? 1 : y[i]) && count[g] > 0)
			all += same > 0 ? 1 : share[g];
	for (size_t j = 0; j < n; j++) {
		const size_t g = same > 0 ? fabs(t[i] - t[j]) < same : y[j];
		const bool hit = g == (same > 0 ? 1 : y[i]);
		double d = 0;

		for (size_t a = 0; a < p; a++)
			d += diff[(i * n + j) * p + a];
		if (j == i || !(d < T - 1e-11 * T))
			continue;
		miss[g] = hit ? -1 : (same > 0 ? 1 : share[g]) / all;
		for (size_t a = 0; a < p; a++)
			w[a] += miss[g] / count[g] / m * diff[(i * n + j) * p + a];
	}
}

/* Mean and deviation of the distances of row i to all others. */
static void
describe(size_t i, double *mean, double *sd)
{
	double d[MOST_N] = {0}, others = (double)(n - 1);

	*mean = *sd = 0;
	for (size_t j = 0; j < n; j++) {
		for (size_t a = 0; a < p; a++)
			d[j] += diff[(i * n + j) * p + a];
		*mean += d[j] / others;
	}
	for (size_t j = 0; j < n; j++)
		*sd += j == i ? 0 : square(d[j] - *mean) / others;
	*sd = sqrt(*sd);
}

/* SURF and MULTISURF of a sample: T of the rows sampled. */
static void
test_surf_sample(bool multi, bool numbers)
{
	double worst = 0;

	for (size_t seed = 4; seed <= 4 * seeds; seed += 4) {
		struct kith_relief_how how = {
		    .method = multi ? KITH_RELIEF_MULTISURF : KITH_RELIEF_SURF,
		    .seed = seed,
		    .threads = 1 + seed / 4 % 2};
		struct kith_relief_rows in = (draw(seed), rows());
		double w[MOST_P] = {0}, T = 0, mean, sd, same = 0, at = 0;
		bool on[MOST_N];

		how.samples = sample_of(seed, on);
		fill_diff(!numbers);
		for (size_t i = 0; i < n; i++)
			at += t[i] / (double)n;
		for (size_t i = 0; i < n; i++)
			same += square(t[i] - at) / (double)n;
		for (size_t i = 0; i < n; i++) {
			describe(i, &mean, &sd);
			T += on[i] ? mean / (double)how.samples : 0;
		}
		for (size_t i = 0; i < n; i++) {
			describe(i, &mean, &sd);
			if (on[i])
				plain_row(i, multi ? mean - sd / 2 : T, numbers ? sqrt(same) : 0,
				    (double)how.samples, w);
		}
		in.y = numbers ? NULL : y;
		in.t = numbers ? t : NULL;
		worst = fmax(worst, apart(run(&in, &how)->w, w, p));
	}
	ok(worst <= 1e-9, "a sample of %s%s is as defined: %g", multi ? "multisurf" : "surf",
	    numbers ? " of numbers" : "", worst);
}

/* TuRF of a matrix: the diagonal ranks, and what is left out has 0. */
static void
test_turf(void)
{
	size_t odd = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		struct kith_relief_how how = {.method = KITH_RELIEF_LFE, .threads = 1};
		struct kith_relief_rows in = (draw(seed), rows());
		const size_t drop = p / 3 > 0 ? p / 3 : 1;
		double W[MOST_P * MOST_P] = {0}, v[MOST_N * MOST_P];
		size_t kept[MOST_P] = {0}, left = p, round[MOST_P] = {0};
		const struct kith_relief *got;

		for (size_t a = 0; a < p; a++)
			kept[a] = a;
		for (size_t r = 1; left > 0; r++) {
			size_t rest = 0, was = left;

			for (size_t k = 0; k < n * left; k++)
				v[k] = x[k / left * p + kept[k % left]];
			in.X = (struct kith_mat){n, left, v};
			got = run(&in, &how);
			memset(W, 0, sizeof(W));
			for (size_t k = 0; k < left * left; k++)
				W[kept[k / left] * p + kept[k % left]] = got->w[k];
			for (size_t a = 0; a < was; a++) {
				size_t ahead = 0;

				for (size_t b = 0; b < was; b++)
					ahead += got->w[b * was + b] > got->w[a * was + a] ||
					    (b < a && got->w[b * was + b] == got->w[a * was + a]);
				round[kept[a]] = r;
				if (was > drop && ahead < was - drop)
					kept[rest++] = kept[a];
			}
			left = rest;
		}
		in.X = (struct kith_mat){n, p, x};
		how.turf = 1. / 3 + 1e-9;
		got = run(&in, &how);
		odd += memcmp(got->w, W, p * p * sizeof(*W)) != 0 ||
		    memcmp(got->round, round, p * sizeof(*round)) != 0;
	}
	is_size(odd, 0, "TuRF of matrices that differs from its rounds");
}

/* Samples and permutations of a target that is a number. */
static void
test_resample(void)
{
	enum { B = 6, M = 5 };
	const struct kith_relief_how how = {
	    .method = KITH_RELIEFF, .k = 3, .sigma = 2, .seed = 9, .threads = 2};
	const struct kith_relief_resample what = {B, M, 1};
	struct kith_relief_rows in = (draw(7), rows());
	struct kith_relief_spread got;
	double mean[MOST_P] = {0}, above[MOST_P], w[MOST_P], count[MOST_N];
	double other[MOST_N];
	size_t at[MOST_N];

	in.y = NULL;
	in.t = t;
	memcpy(w, run(&in, &how)->w, p * sizeof(*w));
	ok(kith_relief_resample(&in, &how, &what, w, &got, &pool, &err) == 0 && got.doubts == 0,
	    "numbers are sampled");
	for (size_t b = 0; b < B; b++) {
		memset(count, 0, sizeof(count));
		kith_rng_seed(&rng, 9, KITH_RNG_BOOTSTRAP, b);
		for (size_t i = 0; i < n; i++)
			count[kith_rng_below(&rng, n)]++;
		in.weight = count;
		for (size_t a = 0; a < p; a++)
			mean[a] += run(&in, &how)->w[a] / B;
	}
	ok(apart(got.mean, mean, p) <= 1e-12, "their mean");
	in.weight = NULL;
	for (size_t a = 0; a < p; a++)
		above[a] = 1. / (M + 1);
	for (size_t m = 0; m < M; m++) {
		for (size_t i = 0; i < n; i++)
			at[i] = i;
		kith_rng_seed(&rng, 9, KITH_RNG_PERMUTE, m);
		kith_rng_shuffle(&rng, at, n);
		for (size_t i = 0; i < n; i++)
			other[i] = t[at[i]];
		in.t = other;
		for (size_t a = 0; a < p; a++)
			above[a] += (run(&in, &how)->w[a] >= w[a]) / (M + 1.);
	}
	ok(apart(got.p, above, p) <= 1e-12, "and permuted");
}

/* What a fit fails with is what all fail with; what has not ended is counted. */
static void
test_fails(void)
{
	struct kith_relief_how how = {.method = KITH_RELIEF_MULREL, .max_iter = 1, .threads = 1};
	const struct kith_relief_resample what = {4, 3, 1};
	struct kith_relief_rows in = (draw(4), rows());
	struct kith_relief_spread got;
	double w[MOST_P] = {0};

	ok(kith_relief_resample(&in, &how, &what, w, &got, &pool, &err) == 0, "one loop");
	is_size(got.doubts, 7, "of which none has ended");
	for (size_t i = 0; i < n * p; i++)
		x[i] = (x[i] - 1) * 1e200;
	how.method = KITH_RELIEF;
	ok(kith_relief_resample(&in, &how, &what, w, &got, &pool, &err) == -1 &&
		err.status == EX_DATAERR && strstr(err.msg, "\"a\""),
	    "%s", err.msg);
}

int
main(void)
{
	seeds = getenv("KITH_LONG") ? 400 : 30;
	test_surf_sample(false, false);
	test_surf_sample(true, false);
	test_surf_sample(false, true);
	test_surf_sample(true, true);
	test_turf();
	test_resample();
	test_fails();
	kith_pool_free(&pool);
	return done();
}
