/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/ratio/ratio.h: against the definition with every pair left out
 * in turn, and a ratio that is known.
 */
#include "ratio/ratio.h"

#include "ratio/plain.h"

#include <string.h>

/* Choice, score and answer of one small problem. */
static void
test_definition(size_t n, size_t m, size_t p)
{
	static const double sigma[] = {3, 0.4, 1}, lambda[] = {10, 0.001, 0.1};
	const struct kith_ratio_how how = {B, 7, 3, 3, sigma, lambda, 1};
	struct kith_ratio got;
	struct due d = {n, m, p, m < B ? m : B, NULL, 0, 0, {0}};
	long double best = INFINITY, worst = 0, most = 0;
	double at_sigma = 0, at_lambda = 0;

	for (size_t i = 0; i < n * p; i++)
		x[i] = normal(&rng);
	for (size_t i = 0; i < m * p; i++)
		z[i] = normal(&rng) * 0.8 + 0.5;
	got = ratio(n, m, p, &how);
	is_size(got.b, d.b, "centres");
	d.centre = got.centre;
	for (size_t a = 0; a < 9; a++) {
		long double s;

		d.sigma = sigma[a / 3];
		d.lambda = lambda[a % 3];
		s = score(&d);
		if (s < best) {
			best = s;
			at_sigma = d.sigma;
			at_lambda = d.lambda;
		}
	}
	ok(got.sigma == at_sigma && got.lambda == at_lambda,
	    "n %zu, m %zu, p %zu: sigma %g, lambda %g are due, got %g, %g", n, m, p, at_sigma,
	    at_lambda, got.sigma, got.lambda);
	is_near(got.score, (double)best, 1e-12, "the score of leaving one out");
	d.sigma = at_sigma;
	d.lambda = at_lambda;
	fit(&d, n, m);
	for (size_t i = 0; i < n; i++) {
		const long double f = value(&d, x + i * p);

		worst = fmaxl(worst, fabsl(f - (long double)got.w[i]));
		most = fmaxl(most, f);
	}
	ok(worst <= 1e-12L * most, "the ratio: %.1Le of %.1Le", worst, most);
}

static bool
equal(const double *a, const double *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static void
fill_shift(size_t n, size_t m)
{
	for (size_t i = 0; i < n; i++)
		x[i] = normal(&rng);
	for (size_t i = 0; i < m; i++)
		z[i] = 0.5 + 0.7 * normal(&rng);
}

/* The squared error of the ratio, of that of the constant 1. */
static double
error_of(const struct kith_ratio *got, size_t n)
{
	double error = 0, plain = 0;

	for (size_t i = 0; i < n; i++) {
		const double u = (x[i] - 0.5) / 0.7;
		const double due = exp((x[i] * x[i] - u * u) / 2) / 0.7;

		error += (got->w[i] - due) * (got->w[i] - due);
		plain += (1 - due) * (1 - due);
	}
	return error / plain;
}

/* Two normal distributions, whose ratio is known; the mean of some draws. */
static void
test_shift(void)
{
	const size_t n = 1000, m = 800, draws = 5;
	const struct kith_ratio_how how = {100, 1, 0, 0, NULL, NULL, 2};
	struct kith_ratio got;
	double error = 0, mean = 0;

	kith_rng_seed(&rng, 2, KITH_RNG_SAMPLE, 0);
	for (size_t t = 0; t < draws; t++) {
		fill_shift(n, m);
		got = ratio(n, m, 1, &how);
		ok(got.b == 100 && !got.flat, "100 centres");
		error += error_of(&got, n) / (double)draws;
		for (size_t i = 0; i < n; i++)
			mean += got.w[i] / (double)(n * draws);
	}
	ok(error < 0.06, "a ratio that is known: %.3f of the error of 1", error);
	ok(fabs(mean - 1) < 0.06, "its mean is near 1: %.3f", mean);

	for (size_t i = 0; i < m; i++)
		z[i] = normal(&rng);
	got = ratio(n, m, 1, &how);
	error = 0;
	for (size_t i = 0; i < n; i++)
		error = fmax(error, fabs(x[i]) < 2 ? fabs(got.w[i] - 1) : 0);
	ok(error < 0.25, "without a shift all are near 1: %.3f", error);
}

/* The same bits for any number of threads, and on any scale. */
static void
test_bits(void)
{
	const size_t n = 700, m = 3000;
	struct kith_ratio_how how = {50, 3, 0, 0, NULL, NULL, 1};
	struct kith_ratio one, got;
	static const int power[] = {500, -500};

	fill_shift(n, m);
	one = ratio(n, m, 1, &how);
	for (how.threads = 2; how.threads <= 4; how.threads++) {
		got = ratio(n, m, 1, &how);
		ok(equal(one.w, got.w, n) && one.score == got.score, "%zu threads", how.threads);
	}
	for (size_t s = 0; s < 2; s++) {
		for (size_t i = 0; i < n; i++)
			x[i] = ldexp(x[i], power[s] - (s ? power[0] : 0));
		for (size_t i = 0; i < m; i++)
			z[i] = ldexp(z[i], power[s] - (s ? power[0] : 0));
		got = ratio(n, m, 1, &how);
		ok(equal(one.w, got.w, n) && got.sigma == ldexp(one.sigma, power[s]), "times 2^%d",
		    power[s]);
	}
	how.seed = 4;
	got = ratio(n, m, 1, &how);
	ok(memcmp(one.centre, got.centre, 50 * sizeof(*one.centre)) != 0,
	    "another seed, other centres");
	for (size_t l = 1; l < got.b; l++)
		if (got.centre[l - 1] >= got.centre[l])
			ok(false, "centres in increasing order");
}

static void
test_degenerate(void)
{
	const struct kith_ratio_how how = {9, 1, 0, 0, NULL, NULL, 1};
	const double one = 1;
	struct kith_ratio_how single = {9, 1, 1, 1, &one, &one, 1};
	struct kith_ratio got;

	for (size_t i = 0; i < 40; i++)
		x[i] = z[i] = 5;
	got = ratio(20, 30, 1, &how);
	ok(got.flat && got.lambda == 0.001, "all rows the same");
	is_near(got.sigma, 0.1, 1e-15, "sigma from a median of 1");
	is_near(got.w[19], 9 / 9.001, 1e-12, "the ratio is b / (b + lambda)");
	got = ratio(1, 1, 1, &single);
	ok(isnan(got.score), "one row of each: no score");
	is_near(got.w[0], 0.5, 1e-15, "but a ratio");
	got = ratio(2, 2, 1, &single);
	ok(isfinite(got.score), "two rows have a score");
	for (size_t i = 0; i < 20; i++)
		x[i] = 1e9 + (double)i;
	got = ratio(20, 30, 1, &single);
	ok(got.w[0] == 0 && got.w[19] == 0, "rows far away: 0");
	for (size_t i = 0; i < 60; i++) {
		x[i] = (double)(i % 3);
		z[i] = (double)(i % 2);
	}
	got = ratio(30, 30, 2, &how);
	ok(got.w[0] == got.w[3] && got.w[1] == got.w[4], "copies have the same ratio");
}

static const char
    *const singular = "lambda is too small: H + lambda I is singular to working precision";

static void
refused(size_t n, size_t m, const struct kith_ratio_how *how, const char *message)
{
	const struct kith_mat X = {n, 1, x}, Z = {m, 1, z};
	struct kith_ratio got;

	ok(kith_ratio(&X, &Z, how, &got, &pool, &err) < 0, "refused");
	is_size((size_t)err.status, EX_DATAERR, "65");
	is_text(err.msg, message, "says why");
}

/* One centre, which is a row of both tables, far from the other two: nothing is
 * left where its pair is left out. */
static void
test_nothing_left(void)
{
	const double tiny = 1e-300, one = 1;
	struct kith_ratio_how how = {1, 1, 1, 1, &one, &tiny, 1};

	/* The pair of the other test row takes the only training row near the centre. */
	x[0] = z[1] = 1000;
	x[1] = z[0] = 0;
	refused(2, 2, &how, singular);
}

static void
test_refused(void)
{
	const double tiny = 1e-300, one = 1, some[] = {1e-300, 1};
	const char *const alone = "one row: no leave-one-out score to choose "
				  "by (one --sigma and one --lambda?)";
	struct kith_ratio_how how = {9, 1, 0, 0, NULL, NULL, 1};

	fill_shift(20, 20);
	refused(1, 20, &how, alone);
	refused(20, 1, &how, alone);
	for (size_t i = 0; i < 20; i++)
		x[i] = z[i] = 1;
	how = (struct kith_ratio_how){9, 1, 1, 1, &one, &tiny, 1};
	refused(20, 20, &how, singular);
	refused(1, 20, &how, singular);
	how.lambdas = 2;
	how.lambda = some;
	refused(1, 20, &how, alone);
	ok(ratio(20, 20, 1, &how).lambda == 1, "another candidate will do");
	how = (struct kith_ratio_how){9, 1, 0, 0, NULL, NULL, 1};
	for (size_t i = 0; i < 20; i++)
		x[i] = i % 2 ? 1e300 : -1e300;
	refused(20, 20, &how, "distances of rows are too large for a double (tabscale?)");
}

int
main(void)
{
	const size_t more = getenv("KITH_LONG") ? 100 : 12;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_definition(2, 2, 1);
	test_definition(2, 30, 2);
	test_definition(30, 2, 1);
	for (size_t i = 0; i < more; i++)
		test_definition(
		    2 + kith_rng_below(&rng, 20), 2 + kith_rng_below(&rng, 20), 1 + i % 2);
	test_shift();
	test_bits();
	test_degenerate();
	test_refused();
	test_nothing_left();
	kith_pool_free(&pool);
	return done();
}
