/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the weights of rows (sqpfw/problem.h): F against plain sums, minima
 * against steps in random directions, and weights that are all the same.
 */
#include "sqpfw/data.h"
#include "tap.h"

#include <math.h>

static double weight[ROWS];

/* Weights of mean 1, some of them 0. */
static void
draw_weights(size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		weight[i] = i % 5 == 0 ? 0 : number(0, 3);
		sum += weight[i];
	}
	for (size_t i = 0; i < n; i++)
		weight[i] *= (double)n / sum;
}

/* theta/n sum v_i (d_i - e_i) + 1/2 |w - prior|^2 */
static double
objective(const struct set *set, const double *w)
{
	const struct plain plain = plain_of(set, set->theta);
	const size_t n = set->X.n, p = set->X.p;
	double sum = 0, square = 0;

	for (size_t i = 0; i < n; i++)
		sum += weight[i] * (plain_kth(&plain, w, i, false) - plain_kth(&plain, w, i, true));
	for (size_t f = 0; f < p; f++)
		square += (w[f] - set->prior[f]) * (w[f] - set->prior[f]);
	return set->theta / (double)n * sum + square / 2;
}

/* The most that F falls by a step of this size from one weight to another. */
static double
fall(const struct set *set, const double *w, double size)
{
	const double F = objective(set, w);
	double v[FEATURES], most = 0;

	for (size_t a = 0; a < set->X.p; a++)
		for (size_t b = 0; b < set->X.p; b++) {
			const double step = fmin(size, w[b]);

			memcpy(v, w, set->X.p * sizeof(*v));
			v[a] += step;
			v[b] -= step;
			most = fmax(most, F - objective(set, v));
		}
	return most;
}

static void
test_sets(size_t seeds)
{
	size_t yes = 0, refused = 0;
	double worst = 0, falls = 0;

	for (size_t k = 0; k < seeds; k++) {
		struct kith_pool pool = {0};
		struct kith_sqpfw_now now;
		struct kith_sqpfw *s;
		struct set set;
		bool good;

		draw(&set, k % 2 ? CONTINUOUS : DOUBLED, &pool);
		draw_weights(set.X.n);
		set.how.weight = weight;
		s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		kith_sqpfw_solve(s, set.theta);
		kith_sqpfw_at(s, &now);
		worst = fmax(worst, fabs(now.objective - objective(&set, now.w)));
		good = is_minimum(&set, now.w, set.theta);
		yes += good;
		if (good)
			falls = fmax(falls, fall(&set, now.w, 1e-6));
		set.how.weight = NULL;
		refused += !is_minimum(&set, now.w, set.theta);
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	ok(worst < 1e-12, "F as defined: %.1e", worst);
	ok(yes >= seeds * 8 / 10, "%zu of %zu certified", yes, seeds);
	ok(falls < 1e-15, "no step from there lowers F: %.1e", falls);
	ok(refused >= seeds * 9 / 10, "%zu are none without weights", refused);
}

/* Weights that are all 1 change no bit. */
static void
test_ones(void)
{
	size_t same = 0;

	for (size_t k = 0; k < 20; k++) {
		struct kith_pool pool = {0};
		struct kith_sqpfw_now one, all;
		struct kith_sqpfw *s, *t;
		struct set set;

		draw(&set, k % KINDS, &pool);
		s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		kith_sqpfw_solve(s, set.theta);
		kith_sqpfw_at(s, &one);
		for (size_t i = 0; i < set.X.n; i++)
			weight[i] = 1;
		set.how.weight = weight;
		t = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		kith_sqpfw_solve(t, set.theta);
		kith_sqpfw_at(t, &all);
		same += memcmp(one.w, all.w, set.X.p * sizeof(double)) == 0 &&
		    one.objective == all.objective;
		kith_sqpfw_free(s);
		kith_sqpfw_free(t);
		kith_pool_free(&pool);
	}
	is_size(same, 20, "all 1: the same bits");
}

int
main(void)
{
	kith_rng_seed(&rng, 6, KITH_RNG_SAMPLE, 0);
	test_sets(getenv("KITH_LONG") ? 2000 : 100);
	test_ones();
	return done();
}
