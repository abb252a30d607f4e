/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/ratio/ratio.h: against the definition with every pair left out in turn, for as many
 * rows as a block has, or one more or less; which rows are centres, and which sigma and lambda are
 * tried where none are given.
 */
#include "ratio/ratio.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "base/sort.h"
#include "eliminate.h"
#include "la/mat.h"
#include "normal.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3000, B = 12 };

static struct kith_err err;
static struct kith_pool pool;
static struct kith_rng rng;
static double x[MOST * 2], z[MOST * 2];

/* One problem, written out. */
struct due {
	size_t n, m, p, b;
	const size_t *centre;
	double sigma, lambda;
	long double alpha[B];
};

static long double
phi(const struct due *d, const double *row, size_t l)
{
	long double sum = 0;

	for (size_t j = 0; j < d->p; j++) {
		const long double D = row[j] - z[d->centre[l] * d->p + j];

		sum += D * D;
	}
	return expl(-sum / 2 / d->sigma / d->sigma);
}

/* alpha without the rows i and j, which may be none, and without the centre j. */
static void
fit(struct due *d, size_t i, size_t j)
{
	long double H[B][B] = {{0}};
	const long double n = d->n - (i < d->n), m = d->m - (j < d->m);

	for (size_t a = 0; a < d->b; a++) {
		d->alpha[a] = 0;
		for (size_t c = 0; c < d->b; c++)
			H[a][c] = a == c ? d->lambda : 0;
	}
	for (size_t r = 0; r < d->n; r++)
		for (size_t a = 0; a < d->b && r != i; a++)
			for (size_t c = 0; c < d->b; c++)
				H[a][c] += phi(d, x + r * d->p, a) * phi(d, x + r * d->p, c) / n;
	for (size_t r = 0; r < d->m; r++)
		for (size_t a = 0; a < d->b && r != j; a++)
			d->alpha[a] += phi(d, z + r * d->p, a) / m;
	for (size_t a = 0; a < d->b; a++)
		if (d->centre[a] == j && j < d->m) {
			for (size_t c = 0; c < d->b; c++)
				H[a][c] = H[c][a] = a == c;
			d->alpha[a] = 0;
		}
	eliminate(d->b, B, &H[0][0], 1, d->alpha);
	for (size_t a = 0; a < d->b; a++)
		d->alpha[a] = fmaxl(d->alpha[a], 0);
}

static long double
value(const struct due *d, const double *row)
{
	long double sum = 0;

	for (size_t a = 0; a < d->b; a++)
		sum += d->alpha[a] * phi(d, row, a);
	return sum;
}

/* The leave-one-out score. */
static long double
score(struct due *d)
{
	const size_t k = d->n < d->m ? d->n : d->m;
	long double sum = 0, f, e;

	for (size_t i = 0; i < k; i++) {
		const size_t at = i * d->n / k, to = i * d->m / k;

		fit(d, at, to);
		f = value(d, x + at * d->p);
		e = value(d, z + to * d->p);
		sum += f * f / 2 - e;
	}
	return sum / k;
}

static struct kith_ratio
ratio(size_t n, size_t m, size_t p, const struct kith_ratio_how *how)
{
	const struct kith_mat X = {n, p, x}, Z = {m, p, z};
	struct kith_ratio got;

	if (kith_ratio(&X, &Z, how, &got, &pool, &err)) {
		ok(false, "%s", err.msg);
		exit(done());
	}
	return got;
}

/* Rows of both tables, of p features. */
static void
fill(size_t n, size_t m, size_t p)
{
	for (size_t i = 0; i < n * p; i++)
		x[i] = normal(&rng);
	for (size_t i = 0; i < m * p; i++)
		z[i] = normal(&rng) * .8 + .5;
}

/* How far the ratio at n rows is from its definition, relative to the largest. */
static double
off(const struct due *due, const struct kith_ratio *got)
{
	long double worst = 0, most = 0;

	for (size_t i = 0; i < due->n; i++) {
		const long double f = value(due, x + i * due->p);

		worst = fmaxl(worst, fabsl(f - (long double)got->w[i]));
		most = fmaxl(most, f);
	}
	return (double)(worst / most);
}

/* Choice, score and answer of one small problem. */
static void
test_definition(size_t n, size_t m, size_t p)
{
	static const double sigma[] = {0.4, 1, 3}, lambda[] = {0.001, 0.1, 10};
	const struct kith_ratio_how how = {B, 7, 3, 3, sigma, lambda, 1};
	struct kith_ratio got;
	struct due d = {n, m, p, m < B ? m : B, NULL, 0, 0, {0}};
	long double best = INFINITY;
	double at_sigma = 0, at_lambda = 0;

	fill(n, m, p);
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
	ok(off(&d, &got) <= 1e-12, "the ratio: %.1e", off(&d, &got));
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

/* The same bits for any number of threads, and on any scale; of another seed other centres. */
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

enum { SPACED = 500 };

/* Averages are sums of blocks, a block of some rows at a time. */
static void
test_averages(void)
{
	static const size_t rows[][2] = {
	    {255, 511}, {511, 257}, {256, 254}, {257, 512}, {513, 1023}};
	static const double sigma = .7, lambda = .1;
	double worst = 0;

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		const size_t n = rows[k][0], m = rows[k][1];
		const struct kith_ratio_how how = {4, k, 1, 1, &sigma, &lambda, 1 + k % 2};
		struct due due = {n, m, 1, 4, NULL, sigma, lambda, {0}};
		struct kith_ratio got;

		fill(n, m, 1);
		got = ratio(n, m, 1, &how);
		due.centre = got.centre;
		fit(&due, n, m);
		worst = fmax(worst, off(&due, &got));
	}
	ok(worst <= 1e-12, "the ratio, of whole blocks or not: %.1e", worst);
}

/* Pairs are left out of a block of pairs at a time. */
static void
test_scores(void)
{
	static const size_t rows[] = {63, 64, 65, 127, 129};
	static const double sigma = .7, lambda = .01;
	double worst = 0;

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		const size_t n = rows[k] + k % 2 * 9, m = rows[k];
		const struct kith_ratio_how how = {3, k, 1, 1, &sigma, &lambda, 1 + k % 3};
		struct due due = {n, m, 1, 3, NULL, sigma, lambda, {0}};
		struct kith_ratio got;

		fill(n, m, 1);
		got = ratio(n, m, 1, &how);
		due.centre = got.centre;
		worst = fmax(worst, fabs(got.score - (double)score(&due)));
	}
	ok(worst <= 1e-12, "scores, of whole blocks or not: %.1e", worst);
}

/* Centres are the first rows of all in an order that the seed shuffles. */
static void
test_centres(void)
{
	static const double one = 1;
	size_t same = 0;

	fill(5, 90, 2);
	for (size_t k = 0; k < 20; k++) {
		const size_t m = 60 + k, b = 2 + k % 10;
		const struct kith_ratio_how how = {b, 5 * k, 1, 1, &one, &one, 1};
		const struct kith_ratio got = ratio(5, m, 2, &how);
		struct kith_rng own;
		size_t row[90];

		for (size_t i = 0; i < m; i++)
			row[i] = i;
		kith_rng_seed(&own, 5 * k, KITH_RNG_SAMPLE, 0);
		kith_rng_shuffle(&own, row, m);
		kith_sort_sizes(row, b);
		same += got.b == b && memcmp(row, got.centre, b * sizeof(*row)) == 0;
	}
	is_size(same, 20, "centres are drawn by the seed");
}

/* Append the distances > 0 of the centres and some rows. */
static size_t
add_distances(
    const struct kith_ratio *got, const double *rows, size_t n, size_t p, double *d, size_t held)
{
	const size_t some = n < SPACED ? n : SPACED;

	for (size_t i = 0; i < some; i++)
		for (size_t l = 0; l < got->b; l++) {
			const double *a = rows + i * n / some * p;
			const double *c = z + got->centre[l] * p;
			double sum = 0;

			for (size_t f = 0; f < p; f++)
				sum += (a[f] - c[f]) * (a[f] - c[f]);
			if (sum > 0)
				d[held++] = sqrt(sum);
		}
	return held;
}

static double
median(const struct kith_ratio *got, size_t n, size_t m, size_t p)
{
	static double d[2 * SPACED * B];
	size_t all = add_distances(got, x, n, p, d, 0);

	all = add_distances(got, z, m, p, d, all);
	kith_sort_reals(d, all);
	return all % 2 ? d[all / 2] : (d[all / 2 - 1] + d[all / 2]) / 2;
}

/* sigma / median and lambda are of the lists that ratio.h tells of. */
static bool
is_usual(double sigma, double lambda)
{
	const double s = 4 * (log10(sigma) + 1), l = 2 * (log10(lambda) + 3);

	return fabs(s - round(s)) <= 1e-12 && s > -.5 && s < 8.5 && fabs(l - round(l)) <= 1e-12 &&
	    l > -.5 && l < 8.5;
}

/* Median distances of any number of rows, odd or even. */
static void
test_median(void)
{
	size_t usual = 0, tried = 0;

	for (size_t k = 0; k < 24; k++) {
		const size_t big = k % 8 == 7 ? 500 : 0;
		const size_t n = 5 + k + big, m = 4 + k % 7 + big, p = 1 + k % 2;
		const struct kith_ratio_how how = {1 + k % 4, k, 0, 0, NULL, NULL, 1};
		struct kith_ratio got;

		fill(n, m, p);
		got = ratio(n, m, p, &how);
		tried++;
		usual += is_usual(got.sigma / median(&got, n, m, p), got.lambda);
	}
	is_size(usual, tried, "sigma is of the median distance");
}

/* Of all that are tried the least score is taken. */
static void
test_least(void)
{
	double worst = 0, above = 0;

	for (size_t k = 0; k < 8; k++) {
		const size_t n = 6 + k, m = 5 + k % 3;
		const struct kith_ratio_how how = {2, k, 0, 0, NULL, NULL, 1};
		struct due due = {n, m, 1, 2, NULL, 0, 0, {0}};
		struct kith_ratio got;
		double unit;

		fill(n, m, 1);
		got = ratio(n, m, 1, &how);
		unit = median(&got, n, m, 1);
		due.centre = got.centre;
		due.sigma = got.sigma;
		due.lambda = got.lambda;
		worst = fmax(worst, fabs((double)score(&due) - got.score));
		for (int i = 0; i < 9; i++)
			for (int l = 0; l < 9; l++) {
				due.sigma = unit * pow(10, i / 4. - 1);
				due.lambda = pow(10, l / 2. - 3);
				above = fmax(above, got.score - (double)score(&due));
			}
	}
	ok(worst <= 1e-12, "the score is that of sigma and lambda: %.1e", worst);
	ok(above <= 1e-12, "and the least of all: %.1e", above);
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
	test_bits();
	test_degenerate();
	test_refused();
	test_nothing_left();
	test_averages();
	test_scores();
	test_centres();
	test_median();
	test_least();
	kith_pool_free(&pool);
	return done();
}
