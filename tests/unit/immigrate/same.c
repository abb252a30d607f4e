/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/immigrate.h: what must not change the weights.
 */
#include "immigrate/immigrate.h"

#include "immigrate/data.h"
#include "tap.h"

/* Order of rows and of features does not matter. */
static void
test_order(void)
{
	for (size_t run = 0; run < 8; run++) {
		const size_t n = 70, p = run % 2 ? 6 : 17;
		struct set *set = draw(n, p, 3, false, false);
		struct set *other = draw(n, p, 3, false, false);
		const struct kith_immigrate_how how = usual(2, 4);
		size_t *row = kith_new(&pool, n, sizeof(*row));
		size_t *column = kith_new(&pool, p, sizeof(*column));
		double *W = start(p, true), *Z = start(p, true), worst = 0;
		struct kith_immigrate_fit a, b;

		for (size_t i = 0; i < n; i++)
			row[i] = i;
		for (size_t j = 0; j < p; j++)
			column[j] = j;
		kith_rng_shuffle(&rng, row, n);
		kith_rng_shuffle(&rng, column, p);
		for (size_t i = 0; i < n; i++) {
			other->y[i] = set->y[row[i]];
			other->weight[i] = set->weight[row[i]];
			for (size_t j = 0; j < p; j++)
				kith_row(&other->X, i)[j] = kith_row(&set->X, row[i])[column[j]];
		}
		set->rows.weight = set->weight;
		other->rows.weight = other->weight;
		kith_immigrate(&set->rows, &how, W, &a);
		kith_immigrate(&other->rows, &how, Z, &b);
		for (size_t i = 0; i < p; i++)
			for (size_t j = 0; j < p; j++)
				worst = fmax(
				    worst, fabs(W[column[i] * p + column[j]] - Z[i * p + j]));
		ok(worst <= 1e-9 && fabs(a.F - b.F) <= 1e-9 * fabs(a.F),
		    "rows and features in another order: %.1e", worst);
		kith_pool_free(&pool);
	}
}

/* Any number of threads gives the same bytes. */
static void
test_threads(void)
{
	static const struct {
		size_t n, p;
	} sizes[] = {{700, 4}, {300, 15}, {300, 30}};

	for (size_t s = 0; s < 3; s++) {
		const size_t n = sizes[s].n, p = sizes[s].p;
		struct set *set = draw(n, p, 3, false, true);
		struct kith_immigrate_how how = usual(s == 1 ? .05 : 1, 3);
		double *W[3], *w[3];

		for (size_t k = 0; k < 3; k++) {
			struct kith_immigrate_fit fit;

			how.threads = k == 0 ? 1 : 2 * k + 1;
			W[k] = start(p, true);
			w[k] = even(p);
			kith_immigrate(&set->rows, &how, W[k], &fit);
			kith_im4e(&set->rows, &how, w[k], &fit);
		}
		for (size_t k = 1; k < 3; k++)
			ok(memcmp(W[0], W[k], p * p * sizeof(double)) == 0 &&
				memcmp(w[0], w[k], p * sizeof(double)) == 0,
			    "%zu x %zu with %zu threads", n, p, 2 * k + 1);
		kith_pool_free(&pool);
	}
}

/* Data and sigma in other units give the same weights; nothing overflows. */
static void
test_scale(void)
{
	static const double unit[] = {0x1p-510, 0x1p-300, 0x1p300, 0x1p500};

	for (size_t run = 0; run < 8; run++) {
		const size_t p = run < 4 ? 5 : 14;
		const double u = unit[run % 4];
		struct set *set = draw(50, p, 2, false, false);
		struct kith_immigrate_how how = usual(2, 5);
		double *W = start(p, true), *Z = start(p, true);
		double *w = even(p), *z = even(p);
		struct kith_immigrate_fit fit, plain;

		how.tol = 1e-6;
		kith_immigrate(&set->rows, &how, W, &plain);
		kith_im4e(&set->rows, &how, w, &fit);
		for (size_t k = 0; k < 50 * p; k++)
			set->X.v[k] *= u;
		how.sigma = 2 * u * u;
		if (u < 1)
			how.tol = 0;
		if (how.sigma > 0)
			kith_immigrate(&set->rows, &how, Z, &fit);
		ok(how.sigma == 0 ||
			(apart(p * p, W, Z) <= 1e-9 &&
			    fabs(fit.F - plain.F * u * u) <= 1e-9 * fabs(plain.F * u * u)),
		    "unit %g: %.1e", u, apart(p * p, W, Z));
		how.sigma = 2 * u;
		kith_im4e(&set->rows, &how, z, &fit);
		ok(apart(p, w, z) <= 1e-9, "im4e: %.1e", apart(p, w, z));
		how.sigma = 1; /* far too large, or too small */
		memcpy(Z, W, p * p * sizeof(*W));
		kith_immigrate(&set->rows, &how, Z, &fit);
		ok(apart(p * p, Z, Z) == 0 && !isnan(fit.F), "sigma 1: F = %g", fit.F);
		kith_pool_free(&pool);
	}
}

/* Squares that fit no double: what counts is their ratio to sigma. */
static void
test_unit(void)
{
	static const struct {
		double unit, sigma, plain;
	} cases[] = {{0x1p515, 1, 0x1p-1030}, {0x1p515, 0x1p1020, 0x1p-10},
	    {0x1p-530, 0x1p-1060, 1}, {0x1p-530, 0x1p-1000, 0x1p60}};

	for (size_t run = 0; run < 8; run++) {
		const size_t p = run < 4 ? 5 : 14, at = run % 4;
		struct set *set = draw(40, p, 2, false, false);
		struct kith_immigrate_how how = usual(cases[at].plain, 3);
		double *W = start(p, true), *Z = start(p, true);
		struct kith_immigrate_fit fit;

		kith_immigrate(&set->rows, &how, W, &fit);
		for (size_t k = 0; k < 40 * p; k++)
			set->X.v[k] *= cases[at].unit;
		how.sigma = cases[at].sigma;
		kith_immigrate(&set->rows, &how, Z, &fit);
		ok(apart(p * p, W, Z) == 0 && !isnan(fit.F), "unit %g, sigma %g: F %g",
		    cases[at].unit, how.sigma, fit.F);
		kith_pool_free(&pool);
	}
}

/* Weight 2 is the term twice; all weights doubled change nothing. */
static void
test_weights(void)
{
	const size_t p = 5, n = 40;
	struct set *set = draw(n, p, 2, false, false);
	const struct kith_immigrate_how how = usual(1, 5);
	struct kith_immigrate_fit one, two;
	struct kith_immigrate_trace a, b, c;
	double *W = start(p, true), *Z = start(p, true);
	double *S = start(p, true), *T = start(p, true), *R = start(p, true);

	kith_immigrate(&set->rows, &how, W, &one);
	for (size_t i = 0; i < n; i++)
		set->weight[i] = 2;
	set->rows.weight = set->weight;
	kith_immigrate(&set->rows, &how, Z, &two);
	ok(apart(p * p, W, Z) <= 1e-12, "all weights 2: the same W");
	is_near(two.F, 2 * one.F, 1e-12, "twice the F");
	for (size_t i = 0; i < n; i++)
		set->weight[i] = i == 7;
	look_at(&set->rows, &how, W, &a, S, NULL);
	for (size_t i = 0; i < n; i++)
		set->weight[i] = 1;
	look_at(&set->rows, &how, W, &b, T, NULL);
	set->weight[7] = 2;
	look_at(&set->rows, &how, W, &c, R, NULL);
	for (size_t k = 0; k < p * p; k++)
		S[k] += T[k];
	ok(apart(p * p, R, S) <= 1e-9 * largest(p * p, R), "weight 2: its term twice");
	is_near(c.C, a.C + b.C, 1e-12, "in C too");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_order();
	test_threads();
	test_scale();
	test_unit();
	test_weights();
	kith_pool_free(&pool);
	return done();
}
