/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/relief/relief.h: circles of MULREL, and Simba of many features.
 */
#include "relief/plain.h"

static size_t seeds;

/* After how many loops the weights of loop `loops` came before; 0: not. */
static size_t
period_at(size_t loops, double (*w)[MOST_P])
{
	for (size_t q = 1; q < loops; q++)
		if (memcmp(w[loops], w[loops - q], p * sizeof(double)) == 0)
			return q;
	return 0;
}

/* MULREL to the end of its loops, whatever it skips. */
static void
test_circles(void)
{
	enum { LOOPS = 24 };
	static double w[LOOPS + 1][MOST_P];
	size_t odd = 0, circles = 0, still = 0;

	for (size_t seed = 1; seed <= 2 * seeds; seed++) {
		struct kith_relief_how how = {
		    .method = KITH_RELIEF_MULREL, .max_iter = LOOPS - seed % 5, .threads = 1};
		const struct kith_relief_rows in = (draw(seed), rows());
		const struct kith_relief *got = run(&in, &how);
		size_t period = 0, first = 0, none = 0;

		for (size_t l = 1; l <= how.max_iter; l++) {
			double sum = 0;

			memcpy(w[l], w[l - 1], sizeof(w[l]));
			plain_relief(l == 1 ? NULL : w[l - 1], NULL, w[l]);
			for (size_t a = 0; a < p; a++)
				sum += w[l][a] = fmax(w[l][a], 0);
			for (size_t a = 0; a < p && sum > 0; a++)
				w[l][a] /= sum;
			if (sum == 0 && none == 0)
				none = l;
			if (none)
				memset(w[l], 0, sizeof(w[l]));
			if (period == 0 && none == 0) {
				period = period_at(l, w);
				first = l;
			}
		}
		odd += apart(got->w, w[how.max_iter], p) > 1e-9;
		odd += got->converged != (none || period == 1);
		odd += got->iterations != (none ? none : period == 1 ? first : how.max_iter);
		if (period > 1 && first < 8) {
			odd += got->circle != period;
			circles++;
		}
		odd += period == 1 && got->circle != 1;
		odd += period == 0 && got->circle != 0;
		still += period == 1;
	}
	is_size(odd, 0, "loops that end elsewhere");
	ok(circles > 0 && still > 0, "%zu circles, %zu stand still", circles, still);
}

/* More features than are seen at a time. */
static void
test_wide(void)
{
	enum { N = 12, P = 600 };
	static double v[N * P], w[P], w2[P], g[P], d[N];
	static const size_t two[N] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
	const struct kith_relief_how how = {
	    .method = KITH_RELIEF_SIMBA, .max_iter = 1, .starts = 1, .threads = 1};
	struct kith_relief_rows in = {.X = {N, P, v}, .y = two, .c = 2};
	double worst = 0, most = 0, scale = 0;
	const double *got;

	for (size_t k = 0; k < (size_t)N * P; k++)
		v[k] = kith_rng_unit(&rng);
	for (size_t a = 0; a < P; a++) {
		double mean = 0;

		for (size_t i = 0; i < N; i++)
			mean += v[i * P + a] / N;
		for (size_t i = 0; i < N; i++)
			scale += square(v[i * P + a] - mean) / (N - 1) / P;
	}
	scale = sqrt(scale);
	for (size_t a = 0; a < P; a++)
		w[a] = scale;
	for (size_t i = 0; i < N; i++) {
		size_t at[2] = {N, N};

		memset(g, 0, sizeof(g));
		memset(d, 0, sizeof(d));
		for (size_t k = 0; k < (size_t)N * P; k++)
			d[k / P] += square(w[k % P] * (v[k] - v[i * P + k % P]));
		for (size_t j = 0; j < N; j++) {
			size_t *to = &at[two[j] != two[i]];

			if (j != i && (*to == N || d[j] < d[*to]))
				*to = j;
		}
		for (size_t a = 0; a < P; a++)
			for (size_t miss = 0; miss < 2; miss++)
				g[a] += (miss ? .5 : -.5) *
				    square(v[i * P + a] - v[at[miss] * P + a]) / sqrt(d[at[miss]]);
		for (size_t a = 0; a < P; a++)
			w[a] += g[a] * w[a];
	}
	for (size_t a = 0; a < P; a++)
		most = fmax(most, w2[a] = w[a] * w[a]);
	got = run(&in, &how)->w;
	for (size_t a = 0; a < P; a++)
		worst = fmax(worst, fabs(got[a] - w2[a] / most));
	ok(worst <= 1e-12, "simba of %d features: %g", P, worst);
}

int
main(void)
{
	seeds = getenv("KITH_LONG") ? 400 : 15;
	test_circles();
	test_wide();
	kith_pool_free(&pool);
	return done();
}
