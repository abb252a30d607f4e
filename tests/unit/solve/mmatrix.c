/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/solve/cg.h and lib/solve/gth.h: equations of random symmetric M-matrices against a
 * dense Cholesky factor, and by hand.
 */
#include "base/pool.h"
#include "base/rng.h"
#include "la/lapack.h"
#include "solve/cg.h"
#include "solve/gth.h"
#include "solve/sparse.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_rng rng;

/* Weights w_ij (n x n, symmetric) and excess s_i. */
struct weights {
	size_t n;
	double *w, *s;
};

static struct weights
draw(size_t n, double chance)
{
	struct weights g = {
	    n, kith_new(&pool, n * n, sizeof(double)), kith_new(&pool, n, sizeof(double))};

	for (size_t i = 0; i < n; i++) {
		g.s[i] = i == 0 || kith_rng_unit(&rng) < .2 ? kith_rng_unit(&rng) + .01 : 0;
		for (size_t j = 0; j < i; j++)
			if (j + 1 == i || kith_rng_unit(&rng) < chance)
				g.w[i * n + j] = g.w[j * n + i] = .01 + kith_rng_unit(&rng);
	}
	return g;
}

/* A = diag(s + W 1) - W, dense and sparse. */
static double *
dense_of(const struct weights *g, struct kith_sparse *A)
{
	const size_t n = g->n;
	double *D = kith_new(&pool, n * n, sizeof(*D));

	*A = (struct kith_sparse){n, kith_new(&pool, n + 1, sizeof(*A->start)),
	    kith_new(&pool, n * n, sizeof(*A->column)), kith_new(&pool, n * n, sizeof(*A->x)),
	    kith_new(&pool, n, sizeof(*A->diagonal))};
	for (size_t i = 0; i < n; i++) {
		size_t end = A->start[i];

		A->diagonal[i] = g->s[i];
		for (size_t j = 0; j < n; j++) {
			const double w = g->w[i * n + j];

			A->diagonal[i] += w;
			D[i * n + j] = w > 0 ? -w : 0;
			if (w > 0) {
				A->column[end] = (uint32_t)j;
				A->x[end++] = -w;
			}
		}
		D[i * n + i] = A->diagonal[i];
		A->start[i + 1] = end;
	}
	return D;
}

static void
test_solvers(unsigned seed, size_t n, size_t c)
{
	const struct weights g = draw(n, 4. / (double)n);
	struct kith_sparse A;
	double *D = dense_of(&g, &A), *B, *R, *X, *Y, size, off_cg = 0, off_gth = 0, most = 0;
	struct kith_cg cg = {&A, kith_ic_new(&A, &pool), c, 1e-14, 1000, 1};
	size_t *order = kith_new(&pool, n, sizeof(*order)), iterations;
	long double *s = kith_new(&pool, n, sizeof(*s)), *b = kith_new(&pool, n * c, sizeof(*b));
	struct kith_gth_error error;

	KITH_NEW_REALS(&pool, n, c, &B, &R, &X, &Y);
	for (size_t i = 0; i < n; i++) {
		order[i] = i;
		s[i] = g.s[i];
		for (size_t k = 0; k < c; k++) {
			R[i * c + k] = B[k * n + i] = kith_rng_unit(&rng);
			b[i * c + k] = R[i * c + k];
		}
	}
	ok(kith_spd_factor(n, D), "seed %u: %zu equations", seed, n);
	kith_spd_solve(n, c, D, B);
	iterations = kith_cg(&cg, R, X, &size);
	ok(size <= cg.tol && iterations <= n + 1, "seed %u: %zu iterations", seed, iterations);
	kith_rng_shuffle(&rng, order, n);
	kith_gth(&A, order, c, s, b, &error);
	ok(error.absolute == 0 && error.relative > 0 && error.relative < 1e-9,
	    "seed %u: elimination in any order", seed);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < c; k++) {
			const double due = B[k * n + i];

			most = fmax(most, fabs(due));
			off_cg = fmax(off_cg, fabs(X[i * c + k] - due));
			off_gth = fmax(off_gth, fabs((double)b[i * c + k] - due));
		}
	ok(off_cg <= 1e-11 * most && off_gth <= 1e-12 * most,
	    "seed %u: %.1e and %.1e from the dense factor", seed, off_cg / most, off_gth / most);
	for (size_t i = 0; i < n * c; i++) /* column 0 alone is 1 */
		R[i] = (double)(i % c == 0);
	kith_cg(&cg, R, Y, &size);
	most = 0;
	for (size_t i = 0; i < n * c; i++)
		most = fmax(most, i % c == 0 ? 0 : fabs(Y[i]));
	ok(most <= 0 && Y[0] > 0, "seed %u: a column of zeros stays 0", seed);
	cg.most = 1;
	for (size_t i = 0; i < n * c; i++)
		R[i] = 1;
	ok(kith_cg(&cg, R, Y, &size) == 1 && (size > cg.tol || iterations <= 2),
	    "seed %u: one iteration is not enough", seed);
}

/* The rows of R that conjugate gradients leave are A's, whatever the threads. */
static void
test_threads(void)
{
	enum { N = 9000, C = 4 };
	struct kith_sparse A = {N, kith_new(&pool, N + 1, sizeof(*A.start)),
	    kith_new(&pool, N, 2 * sizeof(*A.column)), kith_new(&pool, N, 2 * sizeof(*A.x)),
	    kith_new(&pool, N, sizeof(*A.diagonal))};
	struct kith_cg cg = {&A, NULL, C, 1e-9, 50, 1};
	double *R[2], *X[2], size;

	for (size_t i = 0; i < N; i++) { /* a path, with an excess of .2 */
		size_t end = A.start[i];

		if (i > 0) {
			A.column[end] = (uint32_t)(i - 1);
			A.x[end++] = -1;
		}
		if (i + 1 < N) {
			A.column[end] = (uint32_t)(i + 1);
			A.x[end++] = -1;
		}
		A.start[i + 1] = end;
		A.diagonal[i] = 2.2;
	}
	cg.ic = kith_ic_new(&A, &pool);
	for (size_t t = 0; t < 2; t++) {
		KITH_NEW_REALS(&pool, N, C, &R[t], &X[t]);
		for (size_t i = 0; i < (size_t)N * C; i++)
			R[t][i] = (double)(i * i % 97) / 97;
		cg.threads = 1 + 2 * t;
		kith_cg(&cg, R[t], X[t], &size);
	}
	ok(memcmp(X[0], X[1], A.n * C * sizeof(**X)) == 0 &&
		memcmp(R[0], R[1], A.n * C * sizeof(**R)) == 0,
	    "three threads: the same bytes");
}

/*
 * Conductances 1, 2, 4 in a row from a node at 4 volts, the last with an excess of 4 to 0: in series
 * 1/1 + 1/2 + 1/4 + 1/4 = 2 ohms, so that 2 amperes flow.
 */
static void
test_path(void)
{
	size_t start[] = {0, 1, 3, 4}, order[] = {1, 0, 2};
	uint32_t column[] = {1, 0, 2, 1};
	double x[] = {-2, -2, -4, -4}, diagonal[] = {3, 6, 8};
	const struct kith_sparse A = {3, start, column, x, diagonal};
	long double s[] = {1, 0, 4}, b[] = {4, 8, 0, 0, 0, 0};
	struct kith_gth_error error;

	kith_gth(&A, order, 2, s, b, &error);
	for (size_t i = 0; i < 3; i++)
		ok(fabsl(b[2 * i] -
		       (i == 0          ? 2
			       : i == 1 ? 1
					: .5L)) < 1e-18L &&
			b[2 * i + 1] == 2 * b[2 * i],
		    "node %zu: %Lg", i, b[2 * i]);
	/* 2 later neighbours, 1 and 0: (m + 2) (m + 6) each */
	ok(error.relative == 2 * (4 * 8 + 3 * 7 + 2 * 6) * (double)LDBL_EPSILON &&
		error.absolute == 0,
	    "errors %g and %g", error.relative, error.absolute);
}

/*
 * A chain next to a hub whose weights are 1e600 times larger: what is given reaches the end of the
 * chain by products that are too small for a long double.
 */
static void
test_small(void)
{
	enum { N = 13, HUB = N - 1 };
	struct weights g = {
	    N, kith_new(&pool, (size_t)N * N, sizeof(double)), kith_new(&pool, N, sizeof(double))};
	struct kith_sparse A;
	size_t order[N];
	long double s[N] = {0}, b[N] = {0};
	struct kith_gth_error error;

	for (size_t i = 0; i < N; i++) {
		order[i] = i;
		for (size_t j = 0; j < i; j++)
			if (i == HUB || j + 1 == i)
				g.w[i * N + j] = g.w[j * N + i] = i == HUB ? 1e300 : 1e-300;
	}
	dense_of(&g, &A);
	s[0] = 1e-300L; /* the first node hangs on 3 volts */
	b[0] = 3e-300L;
	kith_gth(&A, order, 1, s, b, &error);
	ok(error.absolute > 0 && error.absolute < 1e-300, "a hub: what is lost is known: %g",
	    error.absolute);
	for (size_t i = 0; i < N; i++)
		ok(fabsl(b[i] - 3) <= 3 * (long double)(error.relative + error.absolute),
		    "node %zu: %Lg", i, b[i]);
}

int
main(void)
{
	const unsigned seeds = getenv("KITH_LONG") ? 300 : 20;

	for (unsigned seed = 1; seed <= seeds; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		test_solvers(seed, 2 + kith_rng_below(&rng, 150), seed % 3 ? 4 : 1);
		kith_pool_free(&pool);
	}
	test_threads();
	test_path();
	test_small();
	kith_pool_free(&pool);
	return done();
}
