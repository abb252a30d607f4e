/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/kernel/kern.h: products of rows for every metric and rows of
 * length 1, around the lengths of vectors, and none behind them.
 */
#include "base/rng.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "near/metric.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 11, P = 19, LD = N + 2 };

static struct kith_rng rng;
static double x[N * P], w[P * P];

static void
draw(size_t p)
{
	for (size_t i = 0; i < (size_t)N * P; i++)
		x[i] = kith_rng_unit(&rng) - .5;
	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j <= i; j++)
			w[i * p + j] = w[j * p + i] = i == j ? 2 : kith_rng_unit(&rng) / 9;
}

/* x_i' M x_j */
static double
product(const struct kith_metric *metric, size_t i, size_t j)
{
	const size_t p = metric->p;
	double sum = 0;

	for (size_t l = 0; l < p; l++)
		for (size_t m = 0; m < p; m++) {
			double M = l == m;

			if (metric->kind == KITH_SQUARED_MATRIX)
				M = w[l * p + m];
			else if (metric->w)
				M *= w[l];
			sum += x[i * p + l] * M * x[j * p + m];
		}
	return sum;
}

static void
test_products(enum kith_metric_kind kind, bool weights)
{
	double off = 0;
	size_t wrong = 0;

	for (size_t p = 1; p <= P; p++)
		for (size_t n = 0; n <= N; n++) {
			const struct kith_metric metric = {kind, p, weights ? w : NULL};
			double K[N * LD];

			draw(p);
			for (size_t k = 0; k < sizeof(K) / sizeof(*K); k++)
				K[k] = 77;
			kith_kern_products(&metric, x, n, LD, K);
			for (size_t i = 0; i < N; i++)
				for (size_t j = 0; j < LD; j++) {
					const double is = K[i * LD + j];

					if (i >= n || j >= n)
						wrong += is != 77;
					else
						off = fmax(off, fabs(is - product(&metric, i, j)));
				}
		}
	ok(off <= 1e-14, "products of metric %d%s: %.1e", (int)kind, weights ? ", weights" : "",
	    off);
	is_size(wrong, 0, "and none but these");
}

/* One number is the largest, wherever it stands, of any size; others vanish. */
static void
test_lengths(void)
{
	static const double sizes[] = {1, 1e-300, 1e300, 5e-320};
	double off = 0;
	size_t wrong = 0;

	for (size_t p = 1; p <= P; p++)
		for (size_t at = 0; at < p; at++)
			for (size_t s = 0; s < 4; s++) {
				const double size = sizes[s];
				double v[P], weight[P], sum = 0;
				struct kith_mat X = {1, p, v};
				const struct kith_metric metric = {
				    KITH_SQUARED, p, s % 2 ? weight : NULL};
				size_t bad = 7;

				for (size_t j = 0; j < p; j++) {
					v[j] = j == at ? -size : size / 1e4;
					weight[j] = j == at ? 4 : 1;
				}
				wrong += kith_kern_unit_rows(&X, &metric, &bad) != 0 || bad != 7;
				for (size_t j = 0; j < p; j++)
					sum += v[j] * v[j] * (s % 2 ? weight[j] : 1);
				off = fmax(off, fabs(sum - 1));
				wrong += !(v[at] < -.49);
			}
	ok(wrong == 0 && off <= 1e-13, "rows of length 1: %.1e", off);
}

/* Terms of the sum below 2^-480 become 0, those above stay. */
static void
test_nothing(void)
{
	double v[] = {1, 0x1p-241, 0x1.8p-240, 0x1p-240};
	double u[] = {0x1p-241, 1, 0x1p-200, -0x1p-239};
	const double weight[] = {0, 1, 1, 16};
	struct kith_mat X = {1, 4, v};
	struct kith_metric metric = {KITH_SQUARED, 4, NULL};
	size_t bad;

	ok(kith_kern_unit_rows(&X, &metric, &bad) == 0 && v[0] == 1 && v[1] == 0 &&
		v[2] == 0x1.8p-240 && v[3] == 0x1p-240,
	    "what is next to nothing is 0");
	X.v = u;
	metric.w = weight;
	ok(kith_kern_unit_rows(&X, &metric, &bad) == 0 && u[0] == 0 && u[1] == 1 &&
		u[2] == 0x1p-200 && u[3] == -0x1p-239,
	    "over its weight");
}

/* A cosine beside the distance of rows of length 1. */
static void
test_cosine(void)
{
	const struct kith_metric metric = {KITH_SQUARED, 2, NULL};
	const struct kith_kern kern = {.kind = KITH_KERN_COSINE, .metric = &metric};
	const double d[] = {0, 1, 2, 4, 4.5};
	double K[5];

	kith_kern_of_dist(&kern, 5, d, 3, K);
	ok(K[0] == 1 && K[1] == .75 && K[2] == .5 && K[3] == 0 && K[4] == 0,
	    "1 - d / 4, and no less than 0");
}

/* Bandwidths around the least and the largest reciprocal of a square. */
static void
test_bandwidths(void)
{
	static const double sigma[] = {
	    1e-160, 4e-155, 3e-154, 1e-150, 1, 1e150, 1e153, 4e153, 1e154, 1e160};
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	double off = 0;

	for (size_t k = 0; k < sizeof(sigma) / sizeof(*sigma); k++) {
		const struct kith_kern kern = {
		    .kind = KITH_KERN_GAUSSIAN, .metric = &metric, .sigma = sigma[k]};
		double d[11], K[11];

		for (size_t i = 0; i < 11; i++)
			d[i] = (double)i / 4 * sigma[k] * sigma[k];
		kith_kern_of_dist(&kern, 11, d, d[1], K);
		for (size_t i = 1; i < 11; i++)
			off = fmax(off,
			    isnormal(d[i]) && d[i] < 1e300 ? fabs(K[i] - exp(-((double)i - 1) / 8))
							   : 0);
	}
	ok(off <= 1e-13, "of any bandwidth: %.1e", off);
}

int
main(void)
{
	kith_rng_seed(&rng, 4, KITH_RNG_SAMPLE, 0);
	test_products(KITH_SQUARED, false);
	test_products(KITH_SQUARED, true);
	test_products(KITH_SQUARED_MATRIX, true);
	test_lengths();
	test_nothing();
	test_cosine();
	test_bandwidths();
	return done();
}
