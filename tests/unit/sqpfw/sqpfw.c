/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/sqpfw.h on random sets, against the definition, the
 * certificate of sqpfw/check.h and a plain version (sqpfw/plain.h).
 * KITH_LONG=1: more sets.
 */
#include "sqpfw/sqpfw.h"

#include "sqpfw/data.h"
#include "tap.h"

#include <stdlib.h>

static bool more;

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
	kith_pool_free(&pool);
	return good;
}

/* What random sets have shown. */
struct seen {
	size_t sets, done, certified, wrong, rising, lower, worse, other, others;
};

static void
try_set(enum kind kind, struct seen *seen)
{
	struct kith_pool pool = {0};
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;
	struct plain plain;
	struct set set;
	double F;

	draw(&set, kind, &pool);
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	seen->sets++;
	seen->done += kith_sqpfw_solve(s, set.theta);
	kith_sqpfw_at(s, &now);
	plain = plain_of(&set, set.theta);
	seen->wrong += off(&set, s) > 1e-12;
	if (is_minimum(&set, now.w, set.theta)) {
		seen->certified++;
		seen->lower += !is_lowest(&plain, now.w);
	}
	if (seen->sets % 4 == 0)
		seen->rising += !is_monotone(&set);
	if (seen->sets % 2 == 0 && plain_solve(&plain, &pool)) {
		F = plain_objective(&plain, plain.w);
		seen->worse += now.objective > F + 1e-9;
		seen->other += kind == CONTINUOUS && distance(now.w, plain.w, set.X.p) > 1e-9;
		/* the plain version does not count that which ends it */
		seen->others += kind == CONTINUOUS && now.iterations != plain.iterations + 1;
	}
	kith_pool_free(&pool);
}

static void
test_random(enum kind kind, const char *name, size_t sets)
{
	struct seen seen = {0};

	kith_rng_seed(&rng, 7, KITH_RNG_SAMPLE, kind);
	while (seen.sets < sets)
		try_set(kind, &seen);
	is_size(seen.wrong, 0, "targets or objective not as defined");
	is_size(seen.done, sets, "done");
	is_size(seen.rising, 0, "objective rises");
	is_size(seen.lower, 0, "certified, but not the lowest near by");
	is_size(seen.other, 0, "other weights than the plain version");
	is_size(seen.others, 0, "or after other iterations");
	ok(true, "%s: %zu of %zu certified, %zu worse than the plain version", name, seen.certified,
	    sets, seen.worse);
	if (kind == CONTINUOUS)
		is_size(seen.certified, sets, "certified");
}

int
main(void)
{
	const char *long_run = getenv("KITH_LONG");

	more = long_run && *long_run;
	test_random(CONTINUOUS, "continuous", more ? 400 : 50);
	test_random(QUARTERS, "quarters", more ? 400 : 50);
	test_random(WHOLE, "whole numbers", more ? 400 : 50);
	test_random(DOUBLED, "doubled rows", more ? 400 : 50);
	return done();
}
