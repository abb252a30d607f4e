/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/sqpfw.h on random sets, with and without weights of rows, against the
 * definition, steps in random directions and the certificate of sqpfw/check.h.
 */
#include "sqpfw/sqpfw.h"

#include "sqpfw/data.h"
#include "tap.h"

/* Whether F is lower at w + step v, by more than rounding. */
static bool
is_lower(const struct plain *plain, const double *w, const double *v, double step, double F)
{
	double z[FEATURES];

	for (size_t f = 0; f < plain->p; f++) {
		z[f] = w[f] + step * v[f];
		if (z[f] < 0)
			return false;
	}
	return plain_objective(plain, z) < F - 1e-15;
}

/* Whether F falls in no direction that is feasible, of some at random. */
static bool
is_lowest(const struct plain *plain, const double *w)
{
	const double F = plain_objective(plain, w);
	size_t large = 0;

	for (size_t f = 1; f < plain->p; f++)
		if (w[f] > w[large])
			large = f;
	for (int k = 0; k < 60; k++) {
		double v[FEATURES] = {0}, sum = 0;

		for (size_t f = 0; f < plain->p; f++) {
			v[f] = number(-1, 1);
			if (!(w[f] > 0))
				v[f] = whole(0, 1) ? fabs(v[f]) : 0;
			sum += v[f];
		}
		v[large] -= sum;
		if (is_lower(plain, w, v, 1e-5, F) && is_lower(plain, w, v, 1e-7, F))
			return false;
	}
	return true;
}

/* One iteration at a time: F may not rise; where it ends. */
static bool
is_monotone(const struct set *set)
{
	struct kith_pool pool = {0};
	struct kith_sqpfw_how how = set->how;
	struct plain plain = plain_of(set, set->theta);
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;
	double last = plain_objective(&plain, set->prior);
	bool good = true, ended = false;

	how.max_iter = 1;
	s = kith_sqpfw_new(&set->X, set->y, set->c, &how, &pool);
	for (size_t k = 0; k < 3000 && !ended; k++) {
		double F;

		ended = kith_sqpfw_solve(s, set->theta);
		kith_sqpfw_at(s, &now);
		F = plain_objective(&plain, now.w);
		good = good && F <= last + 1e-13;
		last = F;
	}
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
	return good;
}

/* Weights of rows of mean 1, some of them 0. */
static void
draw_weights(struct set *set, double *weight)
{
	const size_t n = set->X.n;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += weight[i] = i % 5 == 0 ? 0 : number(0, 3);
	for (size_t i = 0; i < n; i++)
		weight[i] *= (double)n / sum;
	set->how.weight = weight;
}

/* What random sets have shown. */
struct seen {
	size_t sets, done, certified, wrong, rising, lower, refused;
};

static void
try_set(enum kind kind, bool weighted, struct seen *seen)
{
	struct kith_pool pool = {0};
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;
	struct plain plain;
	struct set set;
	double weight[ROWS];

	draw(&set, kind, &pool);
	if (weighted)
		draw_weights(&set, weight);
	s = solve(&set, set.theta, &now, &pool);
	seen->sets++;
	seen->done += solved;
	plain = plain_of(&set, set.theta);
	seen->wrong += off(&set, s) > 1e-12;
	if (is_minimum(&set, now.w, set.theta)) {
		seen->certified++;
		seen->lower += !is_lowest(&plain, now.w);
	}
	if (seen->sets % 4 == 0)
		seen->rising += !is_monotone(&set);
	set.how.weight = NULL;
	seen->refused += !is_minimum(&set, now.w, set.theta);
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

static void
test_random(enum kind kind, bool weighted, const char *name)
{
	const char *more = getenv("KITH_LONG");
	const size_t sets = more && *more ? 400 : 50;
	struct seen seen = {0};

	kith_rng_seed(&rng, 7, KITH_RNG_SAMPLE, kind);
	while (seen.sets < sets)
		try_set(kind, weighted, &seen);
	is_size(seen.wrong, 0, "targets or objective not as defined");
	is_size(seen.done, sets, "done");
	is_size(seen.rising, 0, "objective rises");
	is_size(seen.lower, 0, "certified, but not the lowest near by");
	ok(seen.certified >= (kind == CONTINUOUS ? sets : sets * 7 / 10),
	    "%s: %zu of %zu certified", name, seen.certified, sets);
	ok(!weighted || seen.refused >= sets * 9 / 10, "%zu are none without weights",
	    seen.refused);
}

/* More steps than until the ties are factored anew, twice. */
static void
test_long(void)
{
	enum { N = 240, P = 20 };
	struct kith_pool pool = {0};
	const struct kith_mat X = kith_mat_new(&pool, N, P);
	const struct kith_sqpfw_how how = {.hits = 3, .misses = 3, .threads = 1};
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;
	size_t y[N];

	kith_rng_seed(&rng, 9, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < X.n * X.p; i++)
		X.v[i] = number(-1, 1) + (i % P < 3 ? .5 * (double)(i / P % 2) : 0);
	for (size_t i = 0; i < N; i++)
		y[i] = i % 2;
	s = kith_sqpfw_new(&X, y, 2, &how, &pool);
	ok(kith_sqpfw_solve(s, 10), "many steps of one solve");
	kith_sqpfw_at(s, &now);
	ok(now.iterations > 10000 && now.ties > 0, "%zu", now.iterations);
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

int
main(void)
{
	test_random(CONTINUOUS, false, "continuous");
	test_random(QUARTERS, false, "quarters");
	test_random(WHOLE, false, "whole numbers");
	test_random(DOUBLED, false, "doubled rows");
	test_random(CONTINUOUS, true, "continuous, rows with weights");
	test_random(DOUBLED, true, "doubled rows with weights");
	test_long();
	return done();
}
