/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of LFE, lib/relief/relief.h, by the eigenvalues of the sum of all pairs:
 * more and fewer rows than features, weights and samples.
 */
#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "base/rng.h"
#include "la/lapack.h"
#include "relief/relief.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = 130 };

static struct kith_pool pool;
static struct kith_err err;
static struct kith_rng rng;
static double x[MOST * MOST], weight[MOST];
static size_t y[MOST], n, p;
static bool on[MOST];

static void
draw(size_t rows, size_t features)
{
	n = rows;
	p = features;
	for (size_t i = 0; i < n; i++) {
		y[i] = i < 2 ? i : kith_rng_below(&rng, 3);
		weight[i] = .2 + kith_rng_unit(&rng);
		for (size_t a = 0; a < p; a++)
			x[i * p + a] = kith_rng_unit(&rng) + .5 * (double)(y[i] * (a % 3));
	}
}

/* The nearest hit or miss of row i; n: none. */
static size_t
nearest(size_t i, bool hit)
{
	double best = INFINITY;
	size_t at = n;

	for (size_t j = 0; j < n; j++) {
		double d = 0;

		for (size_t a = 0; a < p; a++)
			d += (x[i * p + a] - x[j * p + a]) * (x[i * p + a] - x[j * p + a]);
		if (j != i && (y[j] == y[i]) == hit && d < best) {
			best = d;
			at = j;
		}
	}
	return at;
}

/* The sum over all pairs of the rows that are on, into M (p x p). */
static void
sum_pairs(bool weighted, double *M)
{
	memset(M, 0, p * p * sizeof(*M));
	for (size_t k = 0; k < 2 * n; k++) {
		const size_t i = k / 2, j = nearest(i, k % 2);
		const double f = (weighted ? weight[i] : 1) * (k % 2 ? -1 : 1);

		for (size_t a = 0; on[i] && j < n && a < p; a++)
			for (size_t b = 0; b < p; b++)
				M[a * p + b] += f * (x[i * p + a] - x[j * p + a]) *
				    (x[i * p + b] - x[j * p + b]);
	}
}

/* The positive part of M, of norm 1, into W; the smallest share that counts. */
static void
plain(double *M, double *W)
{
	double *U, *lambda, norm = 0;

	KITH_NEW_REALS(&pool, p, p, &U);
	lambda = kith_new(&pool, p, sizeof(*lambda));
	memset(W, 0, p * p * sizeof(*W));
	if (!kith_eig(p, M, lambda, U))
		return;
	for (size_t q = 0; q < p; q++)
		norm = lambda[q] > 1e-12 ? hypot(norm, lambda[q]) : norm;
	for (size_t q = 0; q < p; q++)
		for (size_t l = 0; norm > 0 && lambda[q] > 1e-12 && l < p * p; l++)
			W[l] += lambda[q] / norm * U[q * p + l / p] * U[q * p + l % p];
}

static void
test_rows(size_t rows, size_t features, bool weighted)
{
	struct kith_relief_how how = {.method = KITH_RELIEF_LFE, .threads = 2};
	struct kith_relief_rows in = {.y = y, .c = 3};
	struct kith_relief got;
	double *M, *W, worst = 0;

	draw(rows, features);
	for (size_t i = 0; i < n; i++)
		on[i] = true;
	in.X = (struct kith_mat){n, p, x};
	in.weight = weighted ? weight : NULL;
	KITH_NEW_REALS(&pool, p, p, &M, &W);
	sum_pairs(weighted, M);
	plain(M, W);
	if (kith_relief(&in, &how, &got, &pool, &err))
		worst = INFINITY;
	for (size_t l = 0; worst <= 1 && l < p * p; l++) {
		worst = fmax(worst, fabs(got.w[l] - W[l]));
		if (got.w[l] != got.w[l % p * p + l / p])
			worst = INFINITY;
	}
	ok(worst <= 1e-9, "%zu rows of %zu features%s: %g", n, p, weighted ? ", weighted" : "",
	    worst);
	kith_pool_free(&pool);
}

/* A sample of the rows asks for its own neighbours alone. */
static void
test_sample(size_t rows, size_t features)
{
	enum { M = 5 };
	struct kith_relief_how how = {
	    .method = KITH_RELIEF_LFE, .samples = M, .seed = 3, .threads = 1};
	struct kith_relief_rows in = {.y = y, .c = 3};
	struct kith_relief got = {0};
	struct kith_rng r;
	size_t at[MOST];
	double *S, *W, worst = 0;

	draw(rows, features);
	in.X = (struct kith_mat){n, p, x};
	for (size_t i = 0; i < n; i++) {
		at[i] = i;
		on[i] = false;
	}
	kith_rng_seed(&r, 3, KITH_RNG_SAMPLE, 0);
	kith_rng_shuffle(&r, at, n);
	for (size_t k = 0; k < M; k++)
		on[at[k]] = true;
	KITH_NEW_REALS(&pool, p, p, &S, &W);
	sum_pairs(false, S);
	plain(S, W);
	ok(kith_relief(&in, &how, &got, &pool, &err) == 0, "a sample");
	for (size_t l = 0; l < p * p; l++)
		worst = fmax(worst, fabs(got.w[l] - W[l]));
	ok(worst <= 1e-9, "of %zu rows of %zu features: %g", n, p, worst);
	kith_pool_free(&pool);
}

/* Rows on a line, hits farther than misses: rounding is no eigenvalue. */
static void
test_line(size_t rows, size_t features)
{
	static const double along[] = {.1, .7, 1.3, .9, .3, 1.9};
	static const double at[] = {0, 9.7, .3, 10.1, 19.9, 29.3, 20.3, 30.1};
	static const size_t class[] = {0, 0, 1, 1, 0, 0, 1, 1};
	const struct kith_relief_how how = {.method = KITH_RELIEF_LFE, .threads = 1};
	const struct kith_relief_rows in = {.X = {rows, features, x}, .y = class, .c = 2};
	struct kith_relief got;
	size_t some = 0;

	for (size_t k = 0; k < rows * features; k++)
		x[k] = at[k / features] * along[k % features];
	ok(kith_relief(&in, &how, &got, &pool, &err) == 0, "rows on a line");
	for (size_t l = 0; l < features * features; l++)
		some += got.w[l] < 0 || got.w[l] > 0;
	is_size(some, 0, "have no weights");
}

/* One row alone in its class, twins, and margins that are all negative. */
static void
test_few(void)
{
	static const double two[] = {0, 0, 3, 4};
	static const double bad[] = {0, 0, 5, 5, 0, 1, 5, 4};
	static const size_t lone[] = {0, 1}, mixed[] = {0, 0, 1, 1};
	struct kith_relief_how how = {.method = KITH_RELIEF_LFE, .threads = 1};
	struct kith_relief_rows in = {.y = lone, .c = 2};
	struct kith_relief got;

	in.X = (struct kith_mat){2, 2, (double *)two};
	ok(kith_relief(&in, &how, &got, &pool, &err) == 0 && fabs(got.w[0] - .36) < 1e-15 &&
		fabs(got.w[1] - .48) < 1e-15 && fabs(got.w[3] - .64) < 1e-15,
	    "misses alone");
	in = (struct kith_relief_rows){.X = {4, 2, (double *)bad}, .y = mixed, .c = 2};
	ok(kith_relief(&in, &how, &got, &pool, &err) == 0 && got.w[0] == 0 && got.w[1] == 0 &&
		got.w[3] == 0,
	    "hits farther than misses: no weights");
	test_line(8, 6);
	test_line(8, 3);
	test_line(4, 6);
	/* The same of fewer rows than features. */
	for (size_t k = 0; k < 20; k++)
		x[k] = bad[k / 5 * 2] * (double)(1 + k % 5);
	in.X = (struct kith_mat){4, 5, x};
	ok(kith_relief(&in, &how, &got, &pool, &err) == 0 && got.w[0] == 0 && got.w[6] == 0 &&
		got.w[24] == 0,
	    "nor here");
}

int
main(void)
{
	static const size_t sizes[][2] = {{12, 30}, {40, 41}, {40, 40}, {40, 39}, {3, 4}, {20, 64},
	    {20, 65}, {20, 130}, {100, 65}, {90, 64}, {30, 1}, {30, 2}};

	kith_rng_seed(&rng, 1, KITH_RNG_START, 0);
	for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++)
		for (int weighted = 0; weighted < 2; weighted++)
			test_rows(sizes[k][0], sizes[k][1], weighted);
	test_sample(30, 12);
	test_sample(20, 33);
	test_few();
	kith_pool_free(&pool);
	return done();
}
