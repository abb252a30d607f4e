/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/means.h: when a run ends, atoms that no row uses, and rows
 * that are brought near.
 */
#include "nnk/data.h"
#include "nnk/means.h"
#include "nnk/means_start.h"
#include "nnk/random_rows.h"

#include <stdlib.h>

/* Runs end where they say, and not before. */
static void
test_ends(void)
{
	size_t bad = 0, settled = 0, steps = 0;

	for (size_t seed = 0; seed < 40; seed++) {
		const bool cosine = seed % 2;
		struct kith_mat X = random_rows(40, 3, -.2);
		const struct kith_means_how how = {cosine ? KITH_KERN_COSINE : KITH_KERN_LINEAR, 4,
		    2, seed, 1 + seed % 9, pow(10, -1 - (double)(seed % 3)), 1};
		double whole = 0;
		struct kith_means out;

		if (cosine)
			unit_rows(&X);
		for (size_t e = 0; e < 120 && !cosine; e++)
			whole += X.v[e] * X.v[e];
		whole = cosine ? 40 : whole;
		if (kith_means(&X, &how, &out, &pool, &err))
			ok(false, "failed: %s", err.msg);
		for (size_t i = 0; i <= out.iterations; i++) {
			const double *J = out.J;
			const bool end = J[i] <= how.tol * how.tol * whole ||
			    (i > 0 && J[i - 1] - J[i] <= how.tol * J[i - 1]);

			bad += end != (i == out.iterations && out.converged);
		}
		bad += !out.converged && out.iterations != how.max_iter;
		settled += out.converged;
		steps += out.iterations;
	}
	is_size(bad, 0, "runs that end elsewhere");
	ok(settled > 10 && settled < 40 && steps > 60, "%zu settled, %zu steps", settled, steps);
}

/* An atom that no row uses becomes the row that is explained worst. */
static void
test_reseed(void)
{
	double v[] = {0, 0, 3, 0, 0, 3, 1, 0, 0, 0, 0, 0};
	const struct kith_mat X = {6, 2, v};
	struct kith_means_how how = {KITH_KERN_LINEAR, 1, 1, 0, 1, 0, 1};
	struct kith_means out;
	size_t row[1] = {1};

	for (; row[0] != 0; how.seed++)
		kith_means_start(&X, 1, how.seed, 1, row);
	how.seed--;
	ok(!kith_means(&X, &how, &out, &pool, &err) && out.J[0] == 19 && out.iterations == 1,
	    "an atom of 0 explains nothing");
	ok(out.rows.A.v[0] == 3 && out.rows.A.v[1] == 0 && out.J[1] == 9 && out.unused == 0 &&
		!out.converged,
	    "it becomes the first of the rows that are worst");
	ok(!kith_means(&(struct kith_mat){1, 2, v + 2},
	       &(struct kith_means_how){KITH_KERN_LINEAR, 1, 1, 0, 5, 0, 1}, &out, &pool, &err) &&
		out.converged && out.iterations == 0 && out.J[0] == 0,
	    "where nothing is left there is nothing to do, whatever tol");
	how.max_iter = 0;
	ok(!kith_means(&X, &how, &out, &pool, &err) && out.unused == 1 && out.iterations == 0,
	    "before, it was unused");
}

/* Rows are taken as they are while their largest is within 2^+-400. */
static void
test_near(void)
{
	static const int exponent[] = {400, 401, -400, -401};
	const struct kith_means_how how = {KITH_KERN_LINEAR, 2, 1, 0, 5, 0, 1};
	double v[] = {1, -1.5, .5, .25, 0, 1}, w[6];
	const struct kith_mat X = {3, 2, w};
	struct kith_means out;

	for (size_t e = 0; e < 4; e++) {
		for (size_t i = 0; i < 6; i++)
			w[i] = ldexp(v[i], exponent[e]);
		ok(!kith_means(&X, &how, &out, &pool, &err) &&
			out.exponent == (abs(exponent[e]) > 400 ? exponent[e] : 0) &&
			out.rows.X->v[1] == ldexp(w[1], -out.exponent),
		    "numbers of 2^%d", exponent[e]);
	}
	for (size_t i = 0; i < 6; i++)
		w[i] = ldexp(v[i], 600);
	w[4] = ldexp(1, 600 - 1022);
	ok(!kith_means(&X, &how, &out, &pool, &err), "2^1022 apart");
	w[4] = ldexp(1, 600 - 1023);
	ok(kith_means(&X, &how, &out, &pool, &err) == -1 && err.status == EX_DATAERR,
	    "2^1023 apart");
	is_text(err.msg,
	    "numbers near 4.62e-128 and 6.22e+180 are too far apart "
	    "(tabscale?)",
	    "message");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_ends();
	test_reseed();
	test_near();
	kith_pool_free(&pool);
	return done();
}
