/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/relief/relief.h: where MULREL, IRELIEF, SIMBA and NCA start, end and circle, and which
 * of several starts wins.
 */
#include "la/vec.h"
#include "relief/plain.h"

static size_t seeds;

/* After how many loops the weights of loop `loops` came before; 0: not. */
static size_t
period_at(size_t loops, double (*w)[DRAWN_P])
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
	static double w[LOOPS + 1][DRAWN_P];
	size_t odd = 0, circles = 0, still = 0;

	for (size_t seed = 1; seed <= 2 * seeds; seed++) {
		struct kith_relief_how how = {
		    .method = KITH_RELIEF_MULREL, .max_iter = LOOPS - seed % 5, .threads = 1};
		const struct kith_relief_rows in = (draw(seed), rows());
		const struct kith_relief *got = run(&in, &how);
		size_t period = 0, first = 0, none = 0;

		for (size_t l = 1; l <= how.max_iter; l++) {
			double sum = 0;

			plain_relief(l == 1 ? NULL : w[l - 1], false, w[l]);
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
	is_size(odd, 0, "loops of mulrel that end elsewhere");
	ok(circles > 0 && still > 0, "%zu circles, %zu stand still", circles, still);
}

/* IRELIEF ends where an iteration changes nothing. */
static void
test_irelief(void)
{
	double rest = 0;
	size_t ended = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		const struct kith_relief_how how = {.method = KITH_RELIEF_IRELIEF,
		    .sigma = .5 + (double)(seed % 5),
		    .tol = 1e-8,
		    .max_iter = 1000,
		    .threads = 1};
		const struct kith_relief_rows in = (draw(seed), rows());
		const struct kith_relief *got = run(&in, &how);
		double next[DRAWN_P] = {0};

		if (!got->converged ||
		    kith_vec_largest(p, got->w) == 0) /* 0: no feature separates */
			continue;
		memcpy(next, got->w, p * sizeof(*next));
		plain_irelief(how.sigma, next);
		rest = fmax(rest, apart(next, got->w, p));
		ended++;
	}
	ok(ended > seeds / 2 && rest <= 1e-7, "irelief ends where it stays: %zu of %zu, %g", ended,
	    seeds, rest);
}

/* Errors of the nearest other row. */
static size_t
plain_errors(const double *w)
{
	double d[MOST_N] = {0};
	size_t errors = 0;

	for (size_t i = 0; i < n; i++) {
		size_t h, m;

		distances(i, KITH_SQUARED, w, d);
		h = nearest(i, true, d);
		m = nearest(i, false, d);
		errors += h == NOBODY || (m != NOBODY && (d[m] < d[h] || (m < h && d[m] == d[h])));
	}
	return errors;
}

/*
 * The first of the best starts wins, and what is reported is its own: of SIMBA that of the fewest
 * errors, of NCA that of the largest objective.
 */
static void
test_best(enum kith_relief_method method)
{
	size_t odd = 0, later = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		const struct kith_relief_rows in = (draw(seed), rows());
		struct kith_relief_how how = {.method = method,
		    .max_iter = method == KITH_RELIEF_NCA ? 3 : 1,
		    .tol = 1e-5,
		    .threads = 1,
		    .seed = seed};
		double before = -INFINITY;
		size_t best = 0, iterations = 0;

		for (how.starts = 1; how.starts <= 4; how.starts++) {
			const struct kith_relief *got = run(&in, &how);
			const double f = method == KITH_RELIEF_NCA ? got->objective
								   : -got->objective;
			const bool won = f > before;

			odd += f < before || got->best != (won ? how.starts : best);
			odd += !won && got->iterations != iterations;
			odd += method == KITH_RELIEF_SIMBA && f != -(double)plain_errors(got->w);
			later += won && how.starts > 1;
			before = f;
			best = got->best;
			iterations = got->iterations;
		}
	}
	is_size(odd, 0, "starts that do not win as they should");
	ok(later > 0, "later ones do: %zu", later);
}

static struct kith_relief_how
nca_of(size_t seed, size_t max_iter)
{
	return (struct kith_relief_how){.method = KITH_RELIEF_NCA,
	    .starts = 3,
	    .tol = 1e-6,
	    .max_iter = max_iter,
	    .seed = seed,
	    .threads = 1 + seed % 2};
}

/* Without iterations the weights are the start of the largest objective: 1 / scale, or drawn. */
static void
test_starts(void)
{
	double worst = 0;
	size_t later = 0;

	for (size_t seed = 1; seed <= seeds; seed++) {
		const struct kith_relief_how how = nca_of(seed, 0);
		const struct kith_relief_rows in = (draw(seed), rows());
		double best = -INFINITY, due[DRAWN_P] = {0}, g[DRAWN_P] = {0};

		for (size_t start = 0; start < how.starts; start++) {
			double v[DRAWN_P] = {0}, f;

			kith_rng_seed(&rng, seed, KITH_RNG_START, start);
			for (size_t a = 0; a < p; a++)
				v[a] = (start == 0 ? 1 : 2 * kith_rng_unit(&rng)) / scale_of();
			f = plain_nca(v, g);
			later += f > best && start > 0;
			for (size_t a = 0; a < p && f > best; a++)
				due[a] = square(v[a]);
			best = fmax(best, f);
		}
		worst = fmax(worst, apart(run(&in, &how)->w, due, p));
	}
	ok(worst <= 1e-12 && later > 0, "starts of nca: %g", worst);
}

/* NCA ends where the derivatives of the objective are 0, and no point nearby is better. */
static void
test_nca(size_t first, size_t last)
{
	double worst = 0, slope = 0;
	size_t better = 0, lower = 0, limits = 0;

	for (size_t seed = first; seed <= last; seed++) {
		const struct kith_relief_how how = nca_of(seed, 1000);
		struct kith_relief_rows in = (draw(seed), rows());
		const struct kith_relief *got;
		double v[DRAWN_P] = {0}, near[DRAWN_P] = {0}, g[DRAWN_P] = {0}, f;

		weigh(seed % 3 == 0);
		in.weight = seed % 3 ? NULL : weight;
		got = run(&in, &how);
		for (size_t a = 0; a < p; a++) {
			v[a] = sqrt(got->w[a]);
			near[a] = 1 / scale_of();
		}
		f = plain_nca(v, g);
		worst = fmax(worst, fabs(f - got->objective) / (double)n);
		limits += !got->converged;
		for (size_t a = 0; a < p; a++)
			slope = fmax(slope, fabs(g[a]) / (double)n);
		better += plain_nca(near, g) > f + 1e-9;
		for (size_t tries = 0; tries < 5; tries++) {
			for (size_t a = 0; a < p; a++)
				near[a] = v[a] + 1e-3 * (kith_rng_unit(&rng) - .5);
			better += plain_nca(near, g) > f + 2e-6 * (double)n;
			lower += plain_nca(near, g) < f;
		}
	}
	ok(worst <= 1e-12, "the objective of nca: %g", worst);
	ok(slope <= 2e-6, "its slope is 0: %g", slope);
	ok(better == 0 && lower >= last - first, "%zu points are better, %zu lower", better, lower);
	is_size(limits, 0, "starts without an end");
}

int
main(void)
{
	seeds = getenv("KITH_LONG") ? 400 : 24;
	test_circles();
	test_irelief();
	test_best(KITH_RELIEF_SIMBA);
	test_best(KITH_RELIEF_NCA);
	test_starts();
	test_nca(1, seeds);
	test_nca(500, 500); /* the first line search of L-BFGS gives up far from the end */
	kith_pool_free(&pool);
	return done();
}
