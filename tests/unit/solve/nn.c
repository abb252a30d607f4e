/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/solve/nn.h: the conditions of an optimum, over many problems, which may be scaled. */
#include "solve/nn.h"

#include "base/pool.h"
#include "base/rng.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 48 };

static double A[N * N], b[N], t[N], g[N];
static struct kith_rng rng;
static struct kith_qp_nn *qp;

/* A_ij and A_ji. */
static void
set(size_t n, size_t i, size_t j, double a)
{
	const size_t ld = kith_qp_nn_stride(n);

	A[i * ld + j] = A[j * ld + i] = a;
}

/* A kernel of n points in p dimensions, b that of a further one. */
static void
make_kernel(size_t n, size_t p, double width, double grid)
{
	double x[(N + 1) * 8] = {0};

	for (size_t i = 0; i < (n + 1) * p; i++) {
		x[i] = kith_rng_unit(&rng);
		if (grid > 0)
			x[i] = floor(x[i] * grid) / grid;
	}
	for (size_t i = 0; i <= n; i++)
		for (size_t j = 0; j < n; j++) {
			double d = 0, *z = x + j * p;

			for (size_t l = 0; l < p; l++)
				d += (x[i * p + l] - z[l]) * (x[i * p + l] - z[l]);
			d = exp(-d / (2 * width * width));
			if (i == n)
				b[j] = d;
			else
				set(n, i, j, d);
		}
}

/* Rows of A from p <= 8 dimensions, b of a further row; numbers from -below on. */
static void
make_products(size_t n, size_t p, double below)
{
	double x[(N + 1) * 8] = {0};

	for (size_t i = 0; i < (n + 1) * p; i++)
		x[i] = kith_rng_unit(&rng) - below;
	for (size_t i = 0; i < n; i++) {
		b[i] = 0;
		for (size_t l = 0; l < p; l++)
			b[i] += x[i * p + l] * x[n * p + l];
		for (size_t j = 0; j < n; j++) {
			double s = 0;

			for (size_t l = 0; l < p; l++)
				s += x[i * p + l] * x[j * p + l];
			set(n, i, j, s);
		}
	}
}

/* Solve for n weights; false where an answer breaks the conditions. */
static bool
solves(size_t n, double tol)
{
	const size_t ld = kith_qp_nn_stride(n);
	const double got = kith_qp_nn(qp, n, A, b, t, g);
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, b[i]);
	if (!(got <= tol))
		return false;
	if (most < DBL_MIN / tol) /* too small for digits */
		return true;
	for (size_t i = 0; i < n; i++) {
		long double due = -(long double)b[i];

		for (size_t j = 0; j < n; j++)
			due += (long double)A[i * ld + j] * t[j];
		if (!(t[i] >= 0) || due < -tol * most)
			return false;
		if (t[i] > 0 && fabsl(due) > tol * most)
			return false;
		if (fabsl(due - g[i]) > tol * most)
			return false;
	}
	return true;
}

static void
test_hand(void)
{
	set(2, 0, 0, 2);
	set(2, 0, 1, 1);
	set(2, 1, 1, 2);
	b[0] = b[1] = 3;
	ok(solves(2, 1e-15), "1 and 1");
	is_near(t[0], 1, 1e-15, "the first");
	is_near(t[1], 1, 1e-15, "the second");
	b[1] = 1;
	ok(solves(2, 1e-15) && t[1] == 0, "the first alone");
	is_near(t[0], 1.5, 1e-15, "1.5");
	is_near(g[1], 0.5, 1e-15, "the other one's dual variable");
	b[0] = -1;
	b[1] = 0;
	ok(kith_qp_nn(qp, 2, A, b, t, g) == 0 && t[0] == 0 && t[1] == 0 && g[0] == 1,
	    "no b > 0: nothing");
	ok(kith_qp_nn(qp, 0, A, b, t, g) == 0, "no weights at all");
	set(1, 0, 0, 0);
	b[0] = 1;
	kith_qp_nn(qp, 1, A, b, t, g);
	ok(t[0] == 0, "no diagonal: 0");
}

static void
test_kernels(size_t seeds)
{
	static const double width[] = {0.01, 0.1, 0.3, 1, 10, 1000};
	static const double grid[] = {0, 3, 1e9};
	size_t bad = 0, all = 0;

	for (size_t seed = 0; seed < seeds; seed++)
		for (size_t w = 0; w < 6; w++)
			for (size_t c = 0; c < 3; c++) {
				const size_t n = 1 + kith_rng_below(&rng, N);
				const size_t p = 1 + kith_rng_below(&rng, 5);

				make_kernel(n, p, width[w], grid[c]);
				all++;
				bad += !solves(n, 1e-12);
			}
	ok(bad == 0, "%zu of %zu gaussian problems not solved", bad, all);
}

/*
 * Solutions that are not unique; and with a price on the sum of the weights, where weights enter
 * whose rows depend on those of the support, and others leave for them.
 */
static void
test_linear(size_t seeds)
{
	size_t bad = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		const size_t n = 1 + kith_rng_below(&rng, N);

		make_products(n, 1 + kith_rng_below(&rng, 8), seed % 2 ? 0.5 : 0.1);
		bad += !solves(n, 1e-11);
		for (size_t i = 0; i < n; i++)
			b[i] -= .03;
		bad += !solves(n, 1e-11);
	}
	ok(bad == 0, "%zu of %zu linear problems not solved", bad, 2 * seeds);
}

/* Of copies the first has it all. */
static void
test_copies(size_t seeds)
{
	size_t bad = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		const size_t n = 3 + kith_rng_below(&rng, N - 3);
		const size_t ld = kith_qp_nn_stride(n);
		const size_t i = kith_rng_below(&rng, n - 1);
		const size_t j = i + 1 + kith_rng_below(&rng, n - i - 1);

		make_kernel(n, 3, 0.5, 0);
		for (size_t l = 0; l < n; l++)
			set(n, j, l, A[i * ld + l]);
		set(n, i, j, A[i * ld + i]);
		set(n, j, j, A[i * ld + i]);
		b[j] = b[i];
		bad += !solves(n, 1e-12) || t[j] > 0;
	}
	ok(bad == 0, "%zu of %zu problems with copies", bad, seeds);
}

/* Of copies among falling b, which are next to each other or not. */
static void
test_falling(size_t seeds)
{
	size_t bad = 0, first = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		const size_t n = 4 + kith_rng_below(&rng, 20);
		const size_t ld = kith_qp_nn_stride(n);
		double x[N] = {0};

		/* From a query at 0 outwards; each third point is that before it. */
		for (size_t i = 0; i < n; i++)
			x[i] = i % 3 == 2 ? x[i - 1]
			    : i > 0       ? x[i - 1] + kith_rng_unit(&rng)
					  : kith_rng_unit(&rng);
		/* Another one as far on the other side is no copy. */
		for (size_t i = 0; i < n; i++) {
			b[i] = exp(-x[i] * x[i]);
			for (size_t j = 0; j < n; j++) {
				const double d = x[i] -
				    (seed % 2 && (i % 3 == 1) != (j % 3 == 1) ? -x[j] : x[j]);

				A[i * ld + j] = exp(-d * d);
			}
		}
		bad += !solves(n, 1e-12);
		for (size_t i = 2; i < n && seed % 2 == 0; i += 3)
			first += t[i] > 0;
	}
	ok(bad == 0 && first == 0, "falling b: %zu not solved, %zu copies", bad, first);
}

/* What is returned is the largest violation, whatever A is. */
static void
test_violation(size_t seeds)
{
	size_t bad = 0, violated = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		const size_t n = 2 + kith_rng_below(&rng, 7);
		const size_t ld = kith_qp_nn_stride(n);
		double most = 0, scale = 0, got;

		for (size_t i = 0; i < n; i++) {
			b[i] = kith_rng_unit(&rng) - .3;
			scale = fmax(scale, b[i]);
			for (size_t j = 0; j <= i; j++)
				set(n, i, j, 2 * kith_rng_unit(&rng) - (i == j ? 0 : 1));
		}
		got = kith_qp_nn(qp, n, A, b, t, g);
		for (size_t i = 0; i < n; i++) {
			double due = -b[i];

			for (size_t j = 0; j < n; j++)
				due += A[i * ld + j] * t[j];
			most = fmax(most, t[i] > 0 ? fabs(due) : -due);
		}
		if (scale == 0)
			continue;
		violated += most > 1e-3 * scale;
		bad += !(fabs(got - most / scale) <= 1e-9 * fmax(1, got));
	}
	ok(bad == 0 && violated > 0, "%zu of %zu told wrongly, %zu not solved", bad, seeds,
	    violated);
}

/* The answer to a scaled problem is the answer scaled, to the bit. */
static bool
is_scaled(size_t n, int of_A, int of_b)
{
	const size_t ld = kith_qp_nn_stride(n);
	double due[N], apart = 0;

	kith_qp_nn(qp, n, A, b, t, g);
	memcpy(due, t, sizeof(due));
	for (size_t i = 0; i < n; i++) {
		b[i] = ldexp(b[i], of_b);
		for (size_t j = 0; j < n; j++)
			A[i * ld + j] = ldexp(A[i * ld + j], of_A);
	}
	kith_qp_nn(qp, n, A, b, t, g);
	for (size_t i = 0; i < n; i++)
		apart += fabs(ldexp(due[i], of_b - of_A) - t[i]);
	return apart == 0;
}

/* Narrow kernels have many weights above 0, those of wide ones hardly differ. */
static void
test_scaled_kernels(void)
{
	static const double width[] = {.1, .5, 3, 30, 1000};

	for (size_t k = 0; k < 5; k++)
		for (size_t n = 8; n <= N; n += 8) {
			make_kernel(n, 3, width[k], 0);
			ok(is_scaled(n, n % 16 ? -500 : 60, n % 16 ? -700 : -3),
			    "%zu weights, width %g", n, width[k]);
		}
}

/* Sums that nearly cancel take more than one correction. */
static void
test_scaled_products(void)
{
	size_t bad = 0;

	for (size_t k = 0; k < 2000; k++) {
		const size_t n = 1 + kith_rng_below(&rng, N);

		make_products(n, 1 + k % 8, k % 3 ? .5 : .1);
		bad += !is_scaled(n, k % 2 ? 60 : -60, (int)(k % 5) * 30 - 60);
	}
	ok(bad == 0, "%zu linear problems are not scaled", bad);
}

int
main(void)
{
	struct kith_pool pool = {0};
	const char *more = getenv("KITH_LONG");
	const size_t seeds = more && *more ? 5000 : 200;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	qp = kith_qp_nn_new(N, &pool);
	test_hand();
	test_kernels(seeds / 10);
	test_linear(seeds);
	test_copies(seeds);
	test_falling(seeds / 4);
	test_violation(seeds);
	kith_rng_seed(&rng, 2, KITH_RNG_SAMPLE, 0);
	test_scaled_kernels();
	test_scaled_products();
	kith_pool_free(&pool);
	return done();
}
