/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/nnk/signed.h: by hand, and against elimination. */
#include "nnk/data.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 12 };

static struct kith_nnk
embed(double *v, size_t n, size_t p, double *q, size_t k, const double *w)
{
	const struct kith_mat X = {n, p, v}, Z = {1, p, q};
	const struct kith_metric metric = {KITH_SQUARED, p, w};
	const struct kith_local_rows rows = {&X, &metric, &Z, 0, 1, 1};
	const struct kith_nnk_how how = {.method = KITH_NNK_LLE_SIGNED, .k = k, .errors = true};

	return run(&rows, &how);
}

static void
test_hand(void)
{
	double behind[] = {1, 1, 2, 1}, q[] = {0, 0}, line[] = {1, 2};
	double same[] = {3, 3, 3, 3, 3, 3}, at[] = {0, 0, 5, 5};
	struct kith_nnk out = embed(behind, 2, 2, q, 2, NULL);

	is_near(out.graph.w[0], 2, 1e-15, "twice the nearer");
	is_near(out.graph.w[1], -1, 1e-15, "less the one behind it");
	is_near(out.graph.J[0], 0.5, 1e-15, "half a square of 1 is left");
	ok(out.residual <= 1e-15, "solved");
	/* G = 1 2; 2 4, ridge .005: v = (2.005, -.995) / det. */
	out = embed(line, 2, 1, q, 2, NULL);
	is_near(out.graph.w[0], 2.005 / 1.01, 1e-13, "more rows than features");
	is_near(out.graph.w[1], -.995 / 1.01, 1e-13, "have a ridge");
	out = embed(same, 3, 2, q, 3, NULL);
	is_near(out.graph.w[2], 1. / 3, 1e-14, "copies share");
	out = embed(at, 2, 2, q, 2, NULL);
	is_near(out.graph.w[0], 50.05 / 50.1, 1e-14, "the row itself");
	out = embed(behind, 1, 2, q, 2, NULL);
	is_near(out.graph.w[0], 1, 0, "one candidate");
}

/* (G + ridge) v = 1 by elimination with pivots; w = v / sum v. */
static void
eliminate(long double A[MOST][MOST + 1], size_t n, long double *w)
{
	long double sum = 0;

	for (size_t c = 0; c < n; c++) {
		size_t best = c;

		for (size_t i = c; i < n; i++)
			if (fabsl(A[i][c]) > fabsl(A[best][c]))
				best = i;
		for (size_t j = 0; j <= n; j++) {
			const long double other = A[c][j];

			A[c][j] = A[best][j];
			A[best][j] = other;
		}
		for (size_t i = 0; i < n; i++) {
			const long double f = A[i][c] / A[c][c];

			for (size_t j = c; j <= n && i != c; j++)
				A[i][j] -= f * A[c][j];
		}
	}
	for (size_t i = 0; i < n; i++)
		sum += w[i] = A[i][n] / A[i][i];
	for (size_t i = 0; i < n; i++)
		w[i] /= sum;
}

/* The largest difference from that, with the error's, for one draw. */
static double
compare(size_t seed, double unit)
{
	const size_t k = 1 + kith_rng_below(&rng, 8);
	const size_t p = 1 + kith_rng_below(&rng, 8);
	const bool weighted = seed % 2;
	long double A[MOST][MOST + 1] = {{0}}, w[MOST], trace = 0, J = 0;
	double v[MOST * MOST], q[MOST], f[MOST], worst = 0, size = 1;
	struct kith_nnk out;

	for (size_t a = 0; a < p; a++) {
		q[a] = unit * kith_rng_unit(&rng);
		f[a] = .5 + kith_rng_unit(&rng);
	}
	for (size_t i = 0; i < k * p; i++)
		v[i] = unit * kith_rng_unit(&rng);
	out = embed(v, k, p, q, k, weighted ? f : NULL);
	for (size_t i = 0; i < k; i++)
		for (size_t j = 0; j < k; j++)
			for (size_t a = 0; a < p; a++)
				A[i][j] += (weighted ? f[a] : 1) *
				    (((long double)v[out.graph.to[i] * p + a] - q[a]) / unit) *
				    (((long double)v[out.graph.to[j] * p + a] - q[a]) / unit);
	for (size_t i = 0; i < k; i++)
		trace += A[i][i];
	for (size_t i = 0; i < k; i++) {
		A[i][i] += k > p ? 1e-3 * trace : 0;
		A[i][k] = 1;
	}
	eliminate(A, k, w);
	for (size_t a = 0; a < p; a++) {
		long double left = q[a];

		for (size_t i = 0; i < k; i++)
			left -= w[i] * v[out.graph.to[i] * p + a];
		J += (weighted ? f[a] : 1) * left / unit * (left / unit) / 2;
	}
	for (size_t i = 0; i < k; i++)
		size = fmax(size, (double)fabsl(w[i]));
	for (size_t i = 0; i < k; i++)
		worst = fmax(worst, fabs((double)(w[i] - out.graph.w[i])));
	if (unit == 1)
		worst = fmax(worst, fabs((double)(J - out.graph.J[0])));
	return fmax(worst / (size * size), out.residual);
}

static void
test_random(size_t seeds)
{
	double worst = 0, tiny = 0, huge = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		worst = fmax(worst, compare(seed, 1));
		tiny = fmax(tiny, compare(seed, 1e-150));
		huge = fmax(huge, compare(seed, 1e150));
	}
	ok(worst <= 1e-10, "as by elimination: %g", worst);
	ok(tiny <= 1e-10 && huge <= 1e-10, "in any unit: %g %g", tiny, huge);
}

/* Rows that nearly depend on each other, and a unit at each end. */
static void
test_hard(void)
{
	double v[] = {1, 1, 1, 1 + 1e-9, 1, 1}, q[] = {0, 0};
	double far[] = {1e300, 1e300, -1e300, 1e300}, near[] = {1e-300, 0};
	struct kith_nnk out = embed(v, 3, 2, q, 2, NULL);

	ok(out.residual <= 1e-12 && fabs(out.graph.w[0] + out.graph.w[1] - 1) <= 1e-12,
	    "near copies");
	out = embed(far, 2, 2, q, 2, NULL);
	ok(out.graph.w[0] == .5 && out.graph.w[1] == .5 && isnan(out.graph.J[0]),
	    "1e300, whose square is no double");
	out = embed(near, 1, 2, q, 2, NULL);
	ok(out.graph.w[0] == 1 && out.graph.J[0] == 0, "1e-300");
}

/* Rows side by side: what is nearest to q is far from them in their plane. */
static void
test_large(void)
{
	double worst = 0, off = 0, q[] = {0, 0, 0};

	for (size_t i = 1; i < 40; i++) {
		const double apart = 1e-4 * sqrt((double)i);
		double v[] = {1, 1, 1, 1 + apart, 1, 1, 1, 1, 1 + 1.7 * apart};
		const struct kith_nnk out = embed(v, 3, 3, q, 3, NULL);

		worst = fmax(worst, out.residual);
		off = fmax(off, fabs(out.graph.w[1] * (v[3] - 1) + 1));
	}
	ok(off <= 1e-5, "weights of thousands: %g", off);
	ok(worst <= 1e-11, "are as near to what they should be: %g", worst);
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_hand();
	test_random(more && *more ? 5000 : 300);
	test_hard();
	test_large();
	kith_pool_free(&pool);
	return done();
}
