/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/ratio/ratio.h on tables of as many rows as a block has, or one
 * more or less: the ratio and its score by the definition; which rows are
 * centres, and which sigma and lambda are tried where none are given.
 */
#include "ratio/plain.h"

#include "base/sort.h"

#include <string.h>

enum { SPACED = 500 };

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
	kith_rng_seed(&rng, 11, KITH_RNG_SAMPLE, 0);
	test_averages();
	test_scores();
	test_centres();
	test_median();
	test_least();
	kith_pool_free(&pool);
	return done();
}
