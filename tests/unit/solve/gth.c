/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/solve/gth.h by hand and against conjugate gradients: sources, loads,
 * values that are given, columns that are not used, and what errors are told.
 */
#include "solve/gth.h"

#include "solve/band.h"
#include "solve/cg.h"
#include "tap.h"

#include <float.h>

/* Sources of node i: i + 1, and twice that. */
static void
source(const void *to, size_t i, long double *b)
{
	const double by = *(const double *)to;

	b[0] += by * (double)(i + 1);
	b[1] += 2 * by * (double)(i + 1);
}

/* 0 - 1 - 2 - 3 with weights 1, 2, 4; 0 is out, 3 has the load 4. */
static struct kith_mmat
path(void)
{
	static const size_t start[] = {0, 1, 3, 5, 6};
	static const uint32_t column[] = {1, 0, 2, 1, 3, 2};
	static const double w[] = {1, 1, 2, 2, 4, 4}, load[] = {0, 0, 0, 4};
	static const double diagonal[] = {1, 3, 6, 8};
	static const bool out[] = {true, false, false, false};

	return (struct kith_mmat){4, start, column, w, load, diagonal, out};
}

static void
test_path(void)
{
	static const size_t order[] = {2, 1, 3};
	const struct kith_mmat A = path();
	struct kith_gth_how how = {order, 3, NULL, NULL, 3};
	struct kith_gth_error error;
	/* Conductances 1, 2, 4, 4 from x_0 = 4 to 0 in series: 2 in all. */
	double X[12] = {4, -8, 77}, due[] = {2, 1, .5};
	const double by = 3;

	for (size_t k = 3; k < 12; k++)
		X[k] = 77;
	ok(kith_gth(&A, &how, 2, 3, X, &error) == 0, "three entries");
	for (size_t i = 1; i < 4; i++)
		ok(fabs(X[3 * i] - due[i - 1]) < 1e-15 &&
			fabs(X[3 * i + 1] + 2 * due[i - 1]) < 1e-15 && X[3 * i + 2] == 77,
		    "node %zu", i);
	ok(X[0] == 4 && X[1] == -8 && X[2] == 77, "what is given stays");
	/* 2 later neighbours, 1 and 0: 4 * 8 + 3 * 7 + 2 * 6 */
	ok(error.relative == 2 * 65 * (double)LDBL_EPSILON && error.absolute == 0,
	    "errors %g and %g", error.relative, error.absolute);
	how.entries = 2;
	X[3] = 55;
	ok(kith_gth(&A, &how, 2, 3, X, &error) == -1 && X[3] == 55, "two are too few");
	how.entries = 3;
	how.source = source;
	how.to = &by;
	kith_gth(&A, &how, 2, 3, X, &error);
	for (size_t i = 1; i < 4; i++)
		for (size_t k = 0; k < 2; k++) {
			const double *x = X + 3 * i + k;
			double left = A.diagonal[i] * x[0] - by * (double)((k + 1) * (i + 1));

			left -= A.w[A.start[i]] * x[-3];
			left -= i < 3 ? A.w[A.start[i] + 1] * x[3] : 0;
			ok(fabs(left) < 1e-13, "sources of node %zu", i);
		}
}

/* Any order, with and without loads. */
static void
test_orders(size_t n, bool loaded)
{
	enum { C = 4 };
	struct kith_mmat A = band(n, 9);
	size_t *order = kith_new(&pool, n, sizeof(*order)), m = 0;
	const struct kith_cg_how how = {1e-16, 1000, NULL, 1};
	double *X = numbers(n * C), *R = numbers(n * C), *E = numbers(n * C);
	double size, worst = 0, *Y = numbers(n * C), *d = numbers(n);
	struct kith_gth_error error;

	for (size_t i = 0; i < n; i++) {
		if (!A.out[i])
			order[m++] = i;
		d[i] = A.diagonal[i] - (loaded ? 0 : A.load[i]);
		for (size_t k = 0; k < C && A.out[i]; k++)
			X[i * C + k] = Y[i * C + k] = kith_rng_unit(&rng);
	}
	A.diagonal = d;
	A.load = loaded ? A.load : NULL;
	kith_rng_shuffle(&rng, order, m);
	kith_mmat_rest(&A, C, X, R, 1);
	kith_cg(&A, C, R, E, &how, &size);
	kith_gth(&A, &(struct kith_gth_how){order, m, NULL, NULL, 1e9}, C, C, Y, &error);
	for (size_t k = 0; k < n * C; k++)
		worst = fmax(worst, fabs(X[k] + E[k] - Y[k]));
	ok(worst < 1e-13 && error.absolute == 0 && error.relative < 1e-10,
	    "%zu nodes in an order of chance, %s loads: %.1e", n, loaded ? "with" : "without",
	    worst);
}

/*
 * A chain next to a hub whose weights are 1e600 times larger: what is given reaches
 * the end of the chain by products that are no long double.
 */
static void
test_small(void)
{
	enum { N = 14, HUB = N - 1 };
	size_t start[N + 1] = {0}, order[N], m = 0, steps = 0;
	uint32_t column[4 * N];
	double w[4 * N], d[N] = {0}, X[N] = {3}, terms = 0;
	bool out[N] = {true};
	struct kith_mmat A = {N, start, column, w, NULL, d, out};
	struct kith_gth_how how = {order, N - 1, NULL, NULL, 1e6};
	struct kith_gth_error error;

	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j < N; j++) {
			const bool hub = i == HUB || j == HUB;
			const size_t apart = i < j ? j - i : i - j;

			if (i == j || (hub ? i * j == 0 : apart != 1))
				continue;
			column[m] = (uint32_t)j;
			w[m++] = hub ? 1e300 : 1e-300;
			d[i] += w[m - 1];
		}
		start[i + 1] = m;
		if (i > 0)
			order[steps++] = i;
	}
	kith_gth(&A, &how, 1, 1, X, &error);
	/* Each of the chain but its last has two later ones, that has one, the hub none. */
	terms = 11 * 4 * 8 + 3 * 7 + 2 * 6;
	ok(error.relative == 2 * terms * (double)LDBL_EPSILON, "a hub: %g", error.relative);
	ok(error.absolute >= DBL_MIN && error.absolute < 1e-300, "what is lost is told: %g",
	    error.absolute);
	for (size_t i = 1; i < N; i++)
		ok(fabs(X[i] - 3) <= 3 * (error.relative + error.absolute), "node %zu: %.17g", i,
		    X[i]);
}

int
main(void)
{
	kith_rng_seed(&rng, 2, KITH_RNG_SAMPLE, 0);
	test_path();
	test_orders(40, true);
	test_orders(41, false);
	test_orders(150, true);
	test_small();
	kith_pool_free(&pool);
	return done();
}
