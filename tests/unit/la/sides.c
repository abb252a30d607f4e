/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/la/chol.h and lib/la/spd.h: several sides at once, what stands
 * beside a factor, and the borders of what can be factored.
 */
#include "la/chol.h"
#include "la/spd.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/clean.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 35, LD = 40, SIDES = KITH_CHOL_SIDES };

static double A[N * N];

/* Entries of a matrix whose diagonal outweighs its rows. */
static void
make(void)
{
	struct kith_rng rng;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j < i; j++)
			A[i * N + j] = A[j * N + i] = kith_rng_unit(&rng) - .5;
		A[i * N + i] = 10 + kith_rng_unit(&rng);
	}
}

static struct kith_chol
factor(size_t n, size_t most, struct kith_pool *pool)
{
	struct kith_chol chol = kith_chol_new(most, pool);

	for (size_t i = 0; i < n; i++)
		if (!kith_chol_append(&chol, A + i * N, A[i * N + i], 1e-13))
			return kith_chol_new(0, pool);
	return chol;
}

/* The largest |A x - b| of n rows. */
static double
left(size_t n, const double *x, const double *b)
{
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		double s = -b[i];

		for (size_t j = 0; j < n; j++)
			s += A[i * N + j] * x[j];
		most = fmax(most, fabs(s));
	}
	return most;
}

/* All sides are solved; what is behind them stays, what x has behind n is 0. */
static void
test_sides(size_t n, struct kith_pool *pool)
{
	const struct kith_chol chol = factor(n, n, pool);
	const size_t ld = chol.ld;

	for (size_t sides = 1; sides <= SIDES; sides++) {
		_Alignas(64) double x[(SIDES + 1) * LD];
		double b[(SIDES + 1) * LD] = {0}, worst = 0;
		bool zero = true, stays = true;

		for (size_t i = 0; i < (SIDES + 1) * ld; i++)
			x[i] = b[i] = (double)(i * 7 % 11) - 5.5;
		kith_chol_solve_sides(&chol, sides, x);
		for (size_t k = 0; k < sides; k++) {
			worst = fmax(worst, left(n, x + k * ld, b + k * ld));
			for (size_t j = n; j < ld; j++)
				zero = zero && x[k * ld + j] == 0;
		}
		for (size_t i = sides * ld; i < (SIDES + 1) * ld; i++)
			stays = stays && x[i] == b[i];
		ok(chol.n == n && worst < 1e-13 && zero && stays, "n %zu, %zu sides: %.1e", n,
		    sides, worst);
	}
}

/* Columns of the inverse; x may have held anything. */
static void
test_unit(size_t n, struct kith_pool *pool)
{
	const struct kith_chol chol = factor(n, n, pool);
	double worst = 0;
	bool zero = true;

	for (size_t i = 0; i < n; i++) {
		_Alignas(64) double x[LD];
		double e[N] = {0};

		for (size_t j = 0; j < LD; j++)
			x[j] = 77;
		e[i] = 1;
		kith_chol_unit(&chol, i, x);
		worst = fmax(worst, left(n, x, e));
		for (size_t j = n; j < chol.ld; j++)
			zero = zero && x[j] == 0;
	}
	ok(worst < 1e-13 && zero, "n %zu, the inverse: %.1e", n, worst);
}

/* A factor that is cleared, widened or cut has nothing beside its triangle. */
static void
test_beside(size_t n, struct kith_pool *pool)
{
	struct kith_chol chol = factor(n, N, pool), wider;
	double b[N], x[N];

	for (size_t i = 0; i < N; i++)
		x[i] = b[i] = 1 + (double)(i % 3);
	wider = kith_chol_wider(&chol, n, pool);
	kith_chol_solve(&wider, x);
	ok(wider.n == n && wider.most == n && clean(&wider) && left(n, x, b) < 1e-13,
	    "n %zu: in as much room as it needs", n);
	for (size_t i = n; i-- > n / 2;)
		kith_chol_delete(&chol, i);
	memcpy(x, b, sizeof(b));
	kith_chol_solve(&chol, x);
	ok(chol.n == n / 2 && clean(&chol) && left(n / 2, x, b) < 1e-13, "its second half cut off");
	kith_chol_clear(&chol);
	ok(chol.n == 0 && clean(&chol), "cleared");
	for (size_t i = 0; i < n; i++)
		kith_chol_append(&chol, A + i * N, A[i * N + i], 1e-13);
	memcpy(x, b, sizeof(b));
	kith_chol_solve(&chol, x);
	ok(chol.n == n && clean(&chol) && left(n, x, b) < 1e-13, "and filled again");
}

/* A pivot is taken where its square exceeds a part of the diagonal. */
static void
test_least(struct kith_pool *pool)
{
	struct kith_chol chol = kith_chol_new(2, pool);
	const double two = 2;

	ok(!kith_chol_append(&chol, NULL, 0, 0) && !kith_chol_append(&chol, NULL, -1, 0) &&
		!kith_chol_append(&chol, NULL, NAN, 0),
	    "no row of length 0");
	ok(!kith_chol_append(&chol, NULL, 4, 1) && chol.n == 0,
	    "nor one that is as long as the least");
	ok(kith_chol_append(&chol, NULL, 4, .5), "a longer one");
	/* 4 - (2 / 2)^2 = 3 */
	ok(!kith_chol_append(&chol, &two, 4, .75) && chol.n == 1 && clean(&chol),
	    "a pivot that is as small as the least");
	ok(kith_chol_append(&chol, &two, 4, .7499) && chol.n == 2 && chol.R[1] == 1 &&
		fabs(chol.pivot[1] - sqrt(3)) < 1e-15 &&
		fabs(chol.inverse[1] * sqrt(3) - 1) < 1e-15,
	    "a larger one");
}

/* The same of a matrix that is factored at once: 3 2^-52 of the diagonal. */
static void
test_spd(void)
{
	const double e = 0x1p-52;
	double small[9] = {1, 1, 0, 7, 1 + 2 * e, 0, 7, 7, 1},
	       more[9] = {1, 1, 0, 7, 1 + 4 * e, 0, 7, 7, 1}, one[1] = {9}, far[1] = {INFINITY},
	       zero[1] = {0};
	double B[6] = {2, 1, 0, 3, -4, 8};
	double C[4] = {4, 2, 7, 5};

	ok(!kith_spd_factor(3, small), "too small a pivot");
	ok(kith_spd_factor(3, more), "a larger one");
	ok(kith_spd_factor(1, one) && one[0] == 3, "one number");
	ok(!kith_spd_factor(1, far) && !kith_spd_factor(1, zero), "but not infinity, or 0");
	ok(kith_spd_factor(2, C) && C[0] == 2 && C[1] == 1 && C[2] == 7 && C[3] == 2,
	    "the lower triangle stays");
	kith_spd_solve(2, 0, C, B);
	kith_spd_solve(0, 3, C, B);
	ok(B[0] == 2 && B[5] == 8, "nothing to solve");
	kith_spd_solve(2, 3, C, B);
	ok(B[0] == .5 && B[1] == 0 && fabs(B[2] + .375) < 1e-15 && fabs(B[3] - .75) < 1e-15 &&
		fabs(B[4] + 2.25) < 1e-15 && fabs(B[5] - 2.5) < 1e-15,
	    "three sides at once");
}

int
main(void)
{
	struct kith_pool pool = {0};

	make();
	for (size_t n = 1; n <= N; n++) {
		test_sides(n, &pool);
		test_unit(n, &pool);
		test_beside(n, &pool);
	}
	test_beside(0, &pool);
	test_least(&pool);
	test_spd();
	kith_pool_free(&pool);
	return done();
}
