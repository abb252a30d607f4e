/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/relief/relief.h: the starts of NCA, from which a search that asks
 * for nothing goes nowhere, against the objective as it is defined.
 */
#include "relief/data.h"

enum { STARTS = 5 };

/* sum_i sum_H p_ij under weights w (p). */
static double
objective(const double *w)
{
	double all = 0;

	for (size_t i = 0; i < n; i++) {
		double hits = 0, sum = 0;

		for (size_t j = 0; j < n; j++) {
			double d = 0;

			for (size_t a = 0; a < p; a++)
				d += w[a] * square(x[i * p + a] - x[j * p + a]);
			hits += j != i && y[j] == y[i] ? exp(-d) : 0;
			sum += j != i ? exp(-d) : 0;
		}
		all += hits / sum;
	}
	return all;
}

/* The best of all starts, times the scale: the first is all 1, others are drawn from [0, 2). */
static void
test_starts(uint64_t seed)
{
	const struct kith_relief_how how = {.method = KITH_RELIEF_NCA,
	    .max_iter = 100,
	    .starts = STARTS,
	    .tol = 1e6,
	    .seed = seed,
	    .threads = 1};
	double w[STARTS][MOST_P], most = 0;
	struct kith_relief_rows in;
	const struct kith_relief *got;
	size_t best = 0;

	draw(seed);
	in = rows();
	got = run(&in, &how);
	for (size_t s = 0; s < STARTS; s++) {
		kith_rng_seed(&rng, seed, KITH_RNG_START, s);
		for (size_t a = 0; a < p; a++)
			w[s][a] = (s ? square(2 * kith_rng_unit(&rng)) : 1) /
			    square(scale_of(NULL));
		if (objective(w[s]) > most) {
			most = objective(w[s]);
			best = s;
		}
	}
	ok(got && got->converged && got->best == best + 1, "seed %zu: start %zu is the best",
	    (size_t)seed, best + 1);
	is_near(got->objective, most, 1e-10, "its objective");
	ok(apart(got->w, w[best], p) < 1e-12, "its weights");
}

int
main(void)
{
	for (uint64_t seed = 1; seed <= 12; seed++)
		test_starts(seed);
	kith_pool_free(&pool);
	return done();
}
