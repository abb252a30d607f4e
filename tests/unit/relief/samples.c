/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/relief/relief.h: samples of SURF and MULTISURF, of classes and of numbers.
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

int
main(void)
{
	seeds = getenv("KITH_LONG") ? 400 : 30;
	test_surf_sample(false, false);
	test_surf_sample(true, false);
	test_surf_sample(false, true);
	test_surf_sample(true, true);
	kith_pool_free(&pool);
	return done();
}
