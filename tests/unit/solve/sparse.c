/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/solve/sparse.h and lib/solve/cg.h against dense matrices. */
#include "solve/sparse.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/lapack.h"
#include "solve/cg.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 3 };

static struct kith_rng rng;

/*
 * A symmetric matrix with about `share` of its entries, dense into D (n x n)
 * too: its diagonal is above the sum of the row's sizes by `above`.
 */
static struct kith_sparse
draw(size_t n, double share, double above, double *D, struct kith_pool *pool)
{
	struct kith_sparse A = {.n = n};

	A.start = kith_new(pool, n + 1, sizeof(*A.start));
	A.column = kith_new(pool, n * n + 1, sizeof(*A.column));
	A.x = kith_new(pool, n * n + 1, sizeof(*A.x));
	A.diagonal = kith_new(pool, n + 1, sizeof(*A.diagonal));
	memset(D, 0, n * n * sizeof(*D));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (kith_rng_unit(&rng) < share)
				D[i * n + j] = D[j * n + i] = 2 * kith_rng_unit(&rng) - 1;
	for (size_t i = 0; i < n; i++) {
		A.diagonal[i] = above;
		for (size_t j = 0; j < n; j++) {
			if (D[i * n + j] == 0)
				continue;
			A.column[A.start[i + 1]] = (uint32_t)j;
			A.x[A.start[i + 1]++] = D[i * n + j];
			A.diagonal[i] += fabs(D[i * n + j]);
		}
		if (i + 1 < n)
			A.start[i + 2] = A.start[i + 1];
		D[i * n + i] = A.diagonal[i];
	}
	return A;
}

/* The largest |A X - B| for n x c matrices by rows. */
static double
residual(size_t n, size_t c, const double *D, const double *X, const double *B)
{
	double most = 0;

	for (size_t k = 0; k < c; k++)
		for (size_t i = 0; i < n; i++) {
			double r = -B[i * c + k];

			for (size_t j = 0; j < n; j++)
				r += D[i * n + j] * X[j * c + k];
			most = fmax(most, fabs(r));
		}
	return most;
}

static void
equations(unsigned seed)
{
	struct kith_pool pool = {0};
	const size_t n = 1 + kith_rng_below(&rng, 60);
	double *D = kith_new(&pool, n * n, sizeof(*D));
	double *B = kith_new(&pool, n * SIDES, sizeof(*B));
	double *X = kith_new(&pool, n * SIDES, sizeof(*X));
	struct kith_sparse A = draw(n, kith_rng_unit(&rng), .1, D, &pool);
	struct kith_sparse_factor *f = kith_sparse_order(&A);

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < n * SIDES; i++)
			B[i] = kith_rng_unit(&rng) - .5;
		ok(kith_sparse_cholesky(f, &A, round) == 0, "seed %u: factor", seed);
		kith_sparse_solve(f, SIDES, B, X);
		ok(residual(n, SIDES, D, X, B) < 1e-13, "seed %u: three sides", seed);
		for (size_t i = 0; i < n; i++)
			D[i * n + i] = A.diagonal[i] + round + 1;
	}
	ok(kith_sparse_fill(f) >= (double)n && kith_sparse_fill(f) <= (double)n * (double)n,
	    "seed %u: fill", seed);
	A.diagonal[n - 1] = -1;
	ok(kith_sparse_cholesky(f, &A, 0) < 0, "seed %u: not definite", seed);
	kith_sparse_free(f);
	kith_pool_free(&pool);
}

/* Conjugate gradients, to the end or cut short: R is what X leaves, and its size is known. */
static void
gradients(unsigned seed)
{
	struct kith_pool pool = {0};
	const size_t n = 1 + kith_rng_below(&rng, 60);
	double *D = kith_new(&pool, n * n, sizeof(*D)), size = NAN, due = 0;
	double *R = kith_new(&pool, n * SIDES, sizeof(*R));
	double *B = kith_new(&pool, n * SIDES, sizeof(*B));
	double *X = kith_new(&pool, n * SIDES, sizeof(*X));
	const struct kith_sparse A = draw(n, kith_rng_unit(&rng), .1, D, &pool);
	const struct kith_cg job = {
	    &A, kith_ic_new(&A, &pool), SIDES, 1e-9, seed % 2 ? 1000 : kith_rng_below(&rng, 4), 1};
	size_t steps;

	for (size_t i = 0; i < n * SIDES; i++)
		R[i] = B[i] = kith_rng_unit(&rng) - .5;
	steps = kith_cg(&job, R, X, &size);
	for (size_t i = 0; i < n * SIDES; i++) {
		due = fmax(due, fabs(R[i]) / A.diagonal[i / SIDES]);
		B[i] -= R[i];
	}
	ok(residual(n, SIDES, D, X, B) < 1e-13, "seed %u: R is the residual", seed);
	ok(fabs(size - due) <= 1e-15 * due && (size <= job.tol || steps == job.most),
	    "seed %u: the largest of it is %g, not %g, after %zu iterations", seed, due, size,
	    steps);
	kith_pool_free(&pool);
}

/* Shift a matrix, and compare the count with its eigenvalues. */
static void
inertia(unsigned seed)
{
	struct kith_pool pool = {0};
	const size_t n = 1 + kith_rng_below(&rng, 40);
	double *D = kith_new(&pool, n * n, sizeof(*D));
	double *value = kith_new(&pool, n, sizeof(*value));
	double *V = kith_new(&pool, n * n, sizeof(*V));
	struct kith_sparse A = draw(n, kith_rng_unit(&rng), 0, D, &pool);
	struct kith_sparse_factor *f = kith_sparse_order(&A);
	const double shift = A.diagonal[n / 2] + 1e-3;
	size_t due = 0, got = 0;
	double error;

	for (size_t i = 0; i < n; i++)
		D[i * n + i] = A.diagonal[i] - shift;
	error = kith_sparse_inertia(f, &A, -shift, &got);
	ok(error < 1e-6, "seed %u: pivots", seed);
	ok(kith_eig(n, D, value, V), "seed %u: eigenvalues", seed);
	for (size_t i = 0; i < n; i++)
		due += value[i] < 0;
	is_size(got, due, "inertia");
	kith_sparse_free(f);
	kith_pool_free(&pool);
}

static void
no_pivot(void)
{
	size_t start[] = {0, 1, 2}, negative;
	uint32_t column[] = {1, 0};
	double x[] = {1, 1}, diagonal[] = {0, 0};
	const struct kith_sparse A = {2, start, column, x, diagonal};
	struct kith_sparse_factor *f = kith_sparse_order(&A);

	ok(isinf(kith_sparse_inertia(f, &A, 0, &negative)), "a pivot of 0 tells nothing");
	kith_sparse_free(f);
}

/*
 * L = (1 0; .5 1) and D = (1, .75) of (1 .5; .5 1): both rows of |L| |D| |L'|
 * have the sum 1.5, and a row of L has one entry at most.
 */
static void
bound(void)
{
	size_t start[] = {0, 1, 2}, negative;
	uint32_t column[] = {1, 0};
	double x[] = {.5, .5}, diagonal[] = {1, 1}, error = NAN;
	const struct kith_sparse A = {2, start, column, x, diagonal};
	struct kith_sparse_factor *f = kith_sparse_order(&A);

	error = kith_sparse_inertia(f, &A, 0, &negative);
	ok(isfinite(error) && negative == 0, "no negative pivot");
	ok(error == 3 * DBL_EPSILON * 1.5, "rounding: %g", error);
	kith_sparse_free(f);
}

/* An arrow whose head is row 0, or a full matrix: entries and operations are known. */
static void
order(size_t n, bool full)
{
	struct kith_pool pool = {0};
	double *D = kith_new(&pool, n * n, sizeof(*D)), flops = 0;
	struct kith_sparse A = draw(n, full ? 2 : 0, 1, D, &pool);
	struct kith_sparse_factor *f;
	size_t *row = kith_new(&pool, n, sizeof(*row)), entries = 0;
	bool *met = kith_new(&pool, n, sizeof(*met));

	for (size_t i = 0; i < n && !full; i++) {
		A.start[i + 1] = A.start[i];
		for (size_t j = i > 0 ? 0 : 1; j < (i > 0 ? 1 : n); j++)
			A.column[A.start[i + 1]++] = (uint32_t)j;
	}
	for (size_t j = 0; j < n; j++) {
		const size_t count = full ? n - j : j + 1 < n ? 2 : 1;

		entries += count;
		flops += (double)(count * count);
	}
	f = kith_sparse_order(&A);
	kith_sparse_ordered(f, row);
	for (size_t i = 0; i < n; i++)
		met[row[i]] = true;
	for (size_t i = 0; i < n; i++)
		if (!met[i])
			ok(false, "row %zu is not in the order", i);
	ok(full || row[n - 1] == 0 || row[n - 2] == 0, "the head of an arrow is last, or but one");
	ok(kith_sparse_fill(f) == (double)entries && kith_sparse_flops(f) == flops,
	    "%g entries, %g operations", kith_sparse_fill(f), kith_sparse_flops(f));
	kith_sparse_free(f);
	kith_pool_free(&pool);
}

/*
 * Full, and so large that columns are taken together: of one block, all of it is
 * held.  The signs of its pivots are told all the same.
 */
static void
together(size_t n)
{
	struct kith_pool pool = {0};
	double *D = kith_new(&pool, n * n, sizeof(*D)), flops = 0, error = NAN;
	double *B = kith_new(&pool, n * SIDES, sizeof(*B));
	double *X = kith_new(&pool, n * SIDES, sizeof(*X));
	struct kith_sparse A = draw(n, 2, .1, D, &pool);
	struct kith_sparse_factor *f = kith_sparse_order(&A);
	size_t negative = 7;

	for (size_t j = 1; j <= n; j++)
		flops += (double)(j * j);
	ok(kith_sparse_fill(f) == (double)(n * n) && kith_sparse_flops(f) == flops,
	    "%zu rows: %g entries, %g operations", n, kith_sparse_fill(f), kith_sparse_flops(f));
	for (size_t i = 0; i < n * SIDES; i++)
		B[i] = kith_rng_unit(&rng) - .5;
	ok(kith_sparse_cholesky(f, &A, 0) == 0, "%zu rows: factor", n);
	kith_sparse_solve(f, SIDES, B, X);
	ok(residual(n, SIDES, D, X, B) < 1e-13, "%zu rows: three sides", n);
	for (size_t i = 0; i < n; i++)
		A.diagonal[i] *= i < 3 ? -1 : 1;
	ok(kith_sparse_cholesky(f, &A, 0) < 0, "%zu rows: not definite", n);
	error = kith_sparse_inertia(f, &A, 0, &negative);
	ok(error < 1e-6 && negative == 3, "%zu rows: %zu pivots are negative", n, negative);
	kith_sparse_free(f);
	kith_pool_free(&pool);
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");
	const unsigned seeds = more && *more == '1' ? 1000 : 60;

	for (unsigned seed = 1; seed <= seeds; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		equations(seed);
		gradients(seed);
		inertia(seed);
	}
	order(12, false);
	order(9, true);
	together(150);
	no_pivot();
	bound();
	return done();
}
