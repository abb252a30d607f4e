/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/form.h: factors of matrices, and the closed form, which is
 * the negative part of Sigma: Sigma + |V| V has no negative part, and nothing in
 * common with V.
 */
#include "immigrate/form.h"

#include "base/pool.h"
#include "base/rng.h"
#include "immigrate/rows.h"
#include "tap.h"

#include <math.h>

enum { MOST = 14 };

static struct kith_pool pool;
static struct kith_rng rng;
static size_t p, n;
static struct kith_immigrate_data data;
static double S[MOST * MOST], Z[MOST * (MOST + 8)], sign[MOST];

static double
number(void)
{
	return 2 * kith_rng_unit(&rng) - 1;
}

/* Sigma = Z' diag(sign) Z, and more on its diagonal. */
static void
make(double more)
{
	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < p; j++) {
			S[i * p + j] = i == j ? more : 0;
			for (size_t k = 0; k < n; k++)
				S[i * p + j] += sign[k] * Z[k * data.ld + i] * Z[k * data.ld + j];
		}
}

/* The product of A and B. */
static void
times(const double *A, const double *B, double *C)
{
	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < p; j++) {
			C[i * p + j] = 0;
			for (size_t k = 0; k < p; k++)
				C[i * p + j] += A[i * p + k] * B[k * p + j];
		}
}

/* Rows Z with 0 behind p in each, and Sigma. */
static void
draw(unsigned seed)
{
	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	p = 3 + kith_rng_below(&rng, MOST - 2);
	n = 1 + kith_rng_below(&rng, p - 1);
	data = (struct kith_immigrate_data){.p = p, .ld = (p + 7) / 8 * 8};
	for (size_t i = 0; i < n; i++) {
		sign[i] = kith_rng_unit(&rng) < .5 ? -1 : 1;
		for (size_t j = 0; j < data.ld; j++)
			Z[i * data.ld + j] = j < p ? number() : 0;
	}
	sign[0] = -1;
	make(0);
}

/* The largest entry of A - B, or of A where B is NULL. */
static double
apart(const double *A, const double *B)
{
	double most = 0;

	for (size_t i = 0; i < p * p; i++)
		most = fmax(most, fabs(A[i] - (B ? B[i] : 0)));
	return most;
}

/* x' A x of the x that makes it smallest of some. */
static double
lowest(const double *A)
{
	double least = INFINITY;

	for (size_t t = 0; t < 50; t++) {
		double x[MOST], sum = 0, size = 0;

		for (size_t i = 0; i < p; i++) {
			x[i] = number();
			size += x[i] * x[i];
		}
		for (size_t i = 0; i < p; i++)
			for (size_t j = 0; j < p; j++)
				sum += A[i * p + j] * x[i] * x[j];
		least = fmin(least, sum / size);
	}
	return least;
}

/* What V is to Sigma where it is its negative part, of norm 1. */
static void
is_negative_part(const struct kith_immigrate_form *form, double *V, const char *what)
{
	double rest[MOST * MOST] = {0}, product[MOST * MOST] = {0}, norm = 0;

	kith_immigrate_form_full(form, V);
	for (size_t i = 0; i < p * p; i++) {
		norm += V[i] * V[i];
		rest[i] = S[i] + form->norm * V[i];
	}
	times(rest, V, product);
	is_near(norm, 1, 1e-12, what);
	ok(apart(product, NULL) < 1e-12, "the rest has nothing of it");
	ok(lowest(V) > -1e-13 && lowest(rest) > -1e-12, "neither has a negative part");
	ok(form->r % 8 == 0, "rows are a multiple of 8");
}

static void
test_closed(unsigned seed)
{
	struct kith_immigrate_form form, gram;
	double V[MOST * MOST] = {0}, U[MOST * MOST] = {0}, size = 0;

	draw(seed);
	for (size_t k = 0; k < n * data.ld; k++)
		size += Z[k] * Z[k];
	form = kith_immigrate_form_new(&data, &pool);
	gram = kith_immigrate_form_new(&data, &pool);
	ok(kith_immigrate_form_closed(&form, S, size), "seed %u", seed);
	is_negative_part(&form, V, "the closed form");
	ok(kith_immigrate_form_gram(&gram, n, Z, sign, size), "by the rows");
	is_negative_part(&gram, U, "the same");
	ok(apart(U, V) < 1e-11 && fabs(form.norm - gram.norm) < 1e-11 * form.norm, "both ways");
	kith_immigrate_form_of(&form, S);
	kith_immigrate_form_full(&form, U);
	ok(apart(U, S) < 1e-12, "the factor of Sigma");
}

/* Where nothing is negative: the eigenvector of the smallest eigenvalue. */
static void
test_edge(unsigned seed)
{
	struct kith_immigrate_form form;
	double V[MOST * MOST] = {0}, product[MOST * MOST] = {0}, mu = 0, off = 0, norm = 0;

	draw(seed);
	for (size_t k = 0; k < n; k++)
		sign[k] = 1;
	make(.5);
	form = kith_immigrate_form_new(&data, &pool);
	ok(!kith_immigrate_form_gram(&form, n, Z, sign, 1) && form.r == 0,
	    "rows without a negative part");
	ok(!kith_immigrate_form_closed(&form, S, 1), "nor has the matrix one");
	kith_immigrate_form_edge(&form);
	kith_immigrate_form_full(&form, V);
	for (size_t i = 0; i < p * p; i++) {
		mu += S[i] * V[i];
		norm += V[i] * V[i];
	}
	times(S, V, product);
	for (size_t i = 0; i < p * p; i++)
		off = fmax(off, fabs(product[i] - mu * V[i]));
	is_near(norm, 1, 1e-12, "a projection");
	/* n < p: the smallest eigenvalue is the .5 on the diagonal. */
	is_near(mu, .5, 1e-12, "on that of the smallest eigenvalue");
	ok(off < 1e-12, "of which it is an eigenvector");
	for (size_t k = 0; k < n * data.ld; k++)
		Z[k] = 0;
	ok(!kith_immigrate_form_gram(&form, n, Z, sign, 1) &&
		!kith_immigrate_form_gram(&form, 0, Z, sign, 1),
	    "rows of 0, and none");
}

int
main(void)
{
	for (unsigned seed = 1; seed <= 30; seed++) {
		test_closed(seed);
		test_edge(seed);
	}
	kith_pool_free(&pool);
	return done();
}
