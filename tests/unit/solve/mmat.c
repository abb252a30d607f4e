/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/solve/mmat.h, cg.h, ic.h, gth.h and inside.h: one solution. */
#include "solve/mmat.h"

#include "base/pool.h"
#include "base/rng.h"
#include "solve/cg.h"
#include "solve/gth.h"
#include "solve/ic.h"
#include "solve/inside.h"
#include "solve/sparse.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { C = 4 };

static struct kith_rng rng;
static struct kith_pool pool;

/* A graph of n nodes, connected, some of them out, others with loads. */
static struct kith_mmat
draw(size_t n, size_t each)
{
	struct kith_mmat A = {.n = n};
	double *w = kith_new(&pool, n * n, sizeof(*w)), *x, *d, *e;
	size_t *start = kith_new(&pool, n + 1, sizeof(*start)), m = 0;
	uint32_t *column;
	bool *out = kith_new(&pool, n, sizeof(*out));

	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < each; k++) {
			const size_t j = k ? kith_rng_below(&rng, i) : i - 1;

			w[i * n + j] = w[j * n + i] = .1 + kith_rng_unit(&rng);
		}
	column = kith_new(&pool, n * n, sizeof(*column));
	x = kith_new(&pool, n * n, sizeof(*x));
	d = kith_new(&pool, n, sizeof(*d));
	e = kith_new(&pool, n, sizeof(*e));
	for (size_t i = 0; i < n; i++) {
		out[i] = i == 0 || kith_rng_unit(&rng) < .1;
		e[i] = kith_rng_unit(&rng) < .2 ? kith_rng_unit(&rng) : 0;
		d[i] = e[i];
		for (size_t j = 0; j < n; j++)
			if (w[i * n + j] > 0) {
				column[m] = (uint32_t)j;
				x[m++] = w[i * n + j];
				d[i] += w[i * n + j];
			}
		start[i + 1] = m;
	}
	A.start = start;
	A.column = column;
	A.w = x;
	A.load = e;
	A.diagonal = d;
	A.out = out;
	return A;
}

static double
largest(const struct kith_mmat *A, const double *R)
{
	double most[C], worst = 0;

	kith_mmat_size(A, C, R, most);
	for (size_t k = 0; k < C; k++)
		worst = fmax(worst, most[k]);
	return worst;
}

/* X = what is given at nodes that are out, and 0 elsewhere. */
static double *
given(const struct kith_mmat *A)
{
	double *X = kith_new(&pool, A->n * C, sizeof(*X));

	for (size_t i = 0; i < A->n * C; i++)
		X[i] = A->out[i / C] ? 1 + (double)(i % 7) : 0;
	return X;
}

/* The solution of conjugate gradients. */
static double *
gradients(const struct kith_mmat *A, const struct kith_ic *ic, size_t threads, size_t *steps)
{
	const struct kith_cg_how how = {1e-15, 1000, ic, threads};
	double *X = given(A), size;
	double *R = kith_new(&pool, A->n * C, sizeof(*R));
	double *E = kith_new(&pool, A->n * C, sizeof(*E));

	kith_mmat_rest(A, C, X, R, threads);
	*steps = kith_cg(A, C, R, E, &how, &size);
	for (size_t i = 0; i < A->n * C; i++)
		X[i] += E[i];
	kith_mmat_rest(A, C, X, R, threads);
	ok(largest(A, R) < 1e-13, "what is left: %g", largest(A, R));
	return X;
}

static bool
are_near(const struct kith_mmat *A, const double *X, const double *Y)
{
	double most = 0;

	for (size_t i = 0; i < A->n * C; i++)
		most = fmax(most, fabs(X[i] - Y[i]));
	return most < 1e-11;
}

/* All ways agree; P of times() is the solution less what is given. */
static void
agree(unsigned seed, size_t n, size_t each)
{
	const struct kith_mmat A = draw(n, each);
	const size_t bytes = n * C * sizeof(double);
	struct kith_gth_how how = {.entries = 1e7};
	struct kith_gth_error error;
	struct kith_sparse S;
	size_t *node, steps, fewer;
	double *X = gradients(&A, NULL, 1, &steps), *Y;

	Y = gradients(&A, kith_ic_new(&A, &pool), 1, &fewer);
	ok(are_near(&A, X, Y), "seed %u: incomplete factor", seed);
	ok(fewer <= steps + 2, "seed %u: %zu iterations, not %zu", seed, fewer, steps);
	ok(memcmp(X, gradients(&A, NULL, 3, &steps), bytes) == 0, "seed %u: three threads", seed);
	kith_mmat_inside(&A, &S, &pool, &node, &pool);
	how.order = node;
	how.m = S.n;
	Y = given(&A);
	ok(kith_gth(&A, &how, C, C, Y, &error) == 0 && error.relative < 1e-9 && error.absolute == 0,
	    "seed %u: elimination", seed);
	ok(are_near(&A, X, Y), "seed %u: its solution", seed);
	how.entries = 3;
	Y = given(&A);
	ok(S.n < 8 || (kith_gth(&A, &how, C, C, Y, &error) < 0 && memcmp(Y, given(&A), bytes) == 0),
	    "seed %u: no room", seed);
	for (size_t j = 0; j < S.n; j++) {
		double sum = S.diagonal[j];

		for (size_t e = S.start[j]; e < S.start[j + 1]; e++)
			sum += S.x[e];
		for (size_t e = A.start[node[j]]; e < A.start[node[j] + 1]; e++)
			sum -= A.out[A.column[e]] ? A.w[e] : 0;
		if (fabs(sum - A.load[node[j]]) > 1e-12)
			ok(false, "seed %u: row %zu inside", seed, j);
	}
}

/* A walk to the end of a chain whose weights fall by 1e40 each step. */
static void
chain(void)
{
	enum { N = 140 };
	size_t start[N + 1] = {0}, order[N], m = 0;
	uint32_t column[2 * N];
	double w[2 * N], d[N], X[N] = {3};
	bool out[N] = {true};
	struct kith_mmat A = {N, start, column, w, NULL, d, out};
	struct kith_gth_how how = {order, 0, NULL, NULL, 1e6};
	struct kith_gth_error error;

	for (size_t i = 0; i < N; i++) {
		if (i > 0) {
			column[m] = (uint32_t)i - 1;
			w[m++] = i % 2 ? 1e-300 : 1e300;
			order[how.m++] = i;
		}
		if (i + 1 < N) {
			column[m] = (uint32_t)i + 1;
			w[m++] = (i + 1) % 2 ? 1e-300 : 1e300;
		}
		start[i + 1] = m;
		d[i] = 1;
	}
	kith_gth(&A, &how, 1, 1, X, &error);
	for (size_t i = 1; i < N; i++)
		if (X[i] != 3)
			ok(false, "node %zu of a chain: %g", i, X[i]);
	ok(error.relative < 1e-9 && error.absolute < 1e-300, "a chain: errors %g %g",
	    error.relative, error.absolute);
}

enum { N = 40 };

/* Rows appended one by one are those of the factor at once. */
static void
test_append(void)
{
	struct kith_mmat A = draw(N, 3);
	struct kith_ic *whole = kith_ic_new(&A, &pool);
	struct kith_ic *grown = kith_ic_begin(&pool);
	double r[N], u[N], w[N], x[N], worst = 0;
	uint32_t column[N];
	bool right = true;

	for (size_t i = 0; i < N; i++) {
		size_t count = 0;

		r[i] = A.out[i] ? 0 : kith_rng_unit(&rng) - .5;
		for (size_t e = A.start[i]; e < A.start[i + 1]; e++) {
			const uint32_t j = A.column[e];

			if (j >= i || A.out[i] || A.out[j])
				continue;
			column[count] = j;
			x[count++] = -A.w[e];
		}
		right &= kith_ic_append(grown, A.diagonal[i], column, x, count, 0);
	}
	kith_ic_solve(whole, 1, r, u);
	kith_ic_solve(grown, 1, r, w);
	for (size_t i = 0; i < N; i++)
		worst = fmax(worst, A.out[i] ? 0 : fabs(u[i] - w[i]));
	ok(right && worst == 0, "rows appended make the same factor");
	kith_pool_free(&pool);
}

/* Of a full matrix it is the Cholesky factor, and a row that depends is found. */
static void
test_full(void)
{
	struct kith_ic *full = kith_ic_begin(&pool);
	double r[N], u[N], G[N][N], L[N][5], x[N], worst = 0;
	uint32_t column[N];
	bool right = true;

	for (size_t i = 0; i < N; i++) {
		r[i] = kith_rng_unit(&rng) - .5;
		for (size_t k = 0; k < 5; k++)
			L[i][k] = kith_rng_unit(&rng) - .5;
		for (size_t j = 0; j <= i; j++) {
			column[j] = (uint32_t)j;
			G[i][j] = i == j;
			for (size_t k = 0; k < 5; k++)
				G[i][j] += L[i][k] * L[j][k];
			G[j][i] = G[i][j];
		}
		right &= kith_ic_append(full, G[i][i], column, G[i], i, 1e-10);
	}
	kith_ic_solve(full, 1, r, u);
	worst = 0;
	for (size_t i = 0; i < N; i++) {
		double sum = -r[i];

		for (size_t j = 0; j < N; j++)
			sum += G[i][j] * u[j];
		worst = fmax(worst, fabs(sum));
	}
	ok(right && worst <= 1e-14, "of a full matrix, its factor: %.1e", worst);
	memcpy(x, G[7], sizeof(x)); /* a copy of row 7 */
	x[7] = G[7][7];
	ok(!kith_ic_append(full, G[7][7], column, x, N, 1e-10), "a row that depends on others");
	kith_pool_free(&pool);
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");
	const unsigned seeds = more && *more == '1' ? 500 : 40;

	for (unsigned seed = 1; seed <= seeds; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		agree(seed, 2 + kith_rng_below(&rng, 80), 1 + kith_rng_below(&rng, 4));
		kith_pool_free(&pool);
	}
	agree(0, 900, 3);
	kith_pool_free(&pool);
	chain();
	test_append();
	test_full();
	return done();
}
