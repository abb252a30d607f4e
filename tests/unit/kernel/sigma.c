/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/kernel/sigma.h: against all distances, sorted. */
#include "kernel/sigma.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/knn.h"
#include "tap.h"
#include "wrong.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { P = 2, SAMPLE = 2000 };

static struct kith_pool pool;
static struct kith_err err;
static struct kith_rng rng;

static int
order(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The distance of row i to the k-th nearest of the others, or the last. */
static double
radius(const struct kith_mat *X, enum kith_metric_kind kind, size_t i, size_t k)
{
	double *d = kith_new(&pool, X->n, sizeof(*d)), got;
	size_t m = 0;

	for (size_t j = 0; j < X->n; j++) {
		if (j == i)
			continue;
		for (size_t f = 0; f < P; f++) {
			const double D = X->v[i * P + f] - X->v[j * P + f];

			d[m] += kind == KITH_SQUARED ? D * D : fabs(D);
		}
		m++;
	}
	qsort(d, m, sizeof(*d), order);
	got = sqrt(d[(k < m ? k : m) - 1]);
	return got;
}

/* The bandwidth by its definition. */
static double
due(const struct kith_mat *X, enum kith_metric_kind kind, enum kith_sigma_rule rule, size_t k)
{
	const size_t m = X->n < SAMPLE ? X->n : SAMPLE;
	double *r = kith_new(&pool, m, sizeof(*r)), sum = 0;

	for (size_t i = 0; i < m; i++) {
		r[i] = radius(X, kind, i * X->n / m, k);
		sum += r[i];
	}
	if (rule == KITH_SIGMA_AUTO)
		return sum / (double)m / 3;
	qsort(r, m, sizeof(*r), order);
	return (m % 2 ? r[m / 2] : (r[m / 2 - 1] + r[m / 2]) / 2) / 3;
}

/*
 * n rows, of which `levels` differ in each column (0: all), times a size; by a search, and where so
 * many neighbours are known, all of them or fewer than are due.
 */
static void
test_rows(size_t n, enum kith_metric_kind kind, double levels, double size)
{
	struct kith_mat X = kith_mat_new(&pool, n, P);
	const struct kith_metric metric = {.kind = kind, .p = P};
	const size_t k[] = {1, 5, n + 7}, most[] = {0, 1, n - 1};
	const double unit = kind == KITH_SQUARED ? size : sqrt(size);
	const struct kith_knn *knn;
	struct kith_neighbour *nn = kith_new(&pool, n * n, sizeof(*nn));

	for (size_t i = 0; i < n * P; i++) {
		X.v[i] = levels > 0 ? floor(levels * kith_rng_unit(&rng))
				    : pow(kith_rng_unit(&rng), 3);
		X.v[i] *= size;
	}
	knn = kith_knn_new(&X, &metric, n, &pool);
	for (size_t known = 0; known < 3; known++) {
		if (known)
			kith_knn_search(knn, NULL, NULL, most[known], 1, nn);
		for (enum kith_sigma_rule rule = KITH_SIGMA_AUTO; rule <= KITH_SIGMA_MEDIAN;
		     rule++) {
			const struct kith_sigma sigma = {.rule = rule};
			const struct kith_sigma_data in = {.knn = knn,
			    .X = &X,
			    .threads = 1,
			    .nn = known ? nn : NULL,
			    .most = most[known]};
			double got[3] = {0};
			bool flat = false, is_flat = false;

			ok(kith_sigma_fit(&sigma, &in, k, 3, got, &flat, &err) == 0,
			    "%zu rows, %s, %zu neighbours known", n,
			    rule == KITH_SIGMA_AUTO ? "auto" : "median", most[known]);
			for (size_t a = 0; a < 3; a++) {
				const double s = due(&X, kind, rule, k[a]);

				is_flat = is_flat || s == 0;
				is_near(s > 0 ? got[a] / unit : got[a], s > 0 ? s / unit : 1, 1e-12,
				    "as defined, or 1");
			}
			ok(flat == is_flat, "which is said");
		}
	}
}

/* Rules that ask no distances, a row alone, and distances below 0. */
static void
test_corners(void)
{
	double v[8] = {1, 1, 0, 0, 6, 0, 6, 0}, got[2] = {7, 7};
	const double w[4] = {1, -3, -3, 1};
	struct kith_mat X = {4, P, v};
	struct kith_metric metric = {.kind = KITH_SQUARED, .p = P};
	struct kith_sigma sigma = {KITH_SIGMA_FIXED, .25};
	struct kith_sigma_data in = {.X = &X, .threads = 1};
	const size_t k[2] = {1, 2};
	bool flat = false;

	in.knn = kith_knn_new(&X, &metric, 4, &pool);
	ok(!kith_sigma_fit(&sigma, &in, k, 2, got, &flat, &err) && !flat && got[0] == .25 &&
		got[1] == .25,
	    "a number");
	sigma.rule = KITH_SIGMA_LOCAL;
	ok(!kith_sigma_fit(&sigma, &in, k, 2, got, &flat, &err) && !flat && got[0] == 0 &&
		got[1] == 0,
	    "local ones are found row by row");
	metric = (struct kith_metric){KITH_SQUARED_MATRIX, P, w};
	in.knn = kith_knn_new(&X, &metric, 4, &pool);
	for (enum kith_sigma_rule rule = KITH_SIGMA_AUTO; rule <= KITH_SIGMA_MEDIAN; rule++) {
		sigma.rule = rule;
		ok(kith_sigma_fit(&sigma, &in, k, 2, got, &flat, &err) == -1, "below 0");
		is_text(wrong(&err),
		    "0: the weights make distances below 0: no bandwidth (--sigma)", "is said");
	}
	X.n = 1;
	metric = (struct kith_metric){.kind = KITH_SQUARED, .p = P};
	in.knn = kith_knn_new(&X, &metric, 1, &pool);
	ok(!kith_sigma_fit(&sigma, &in, k, 1, got, &flat, &err) && flat && *got == 1, "one row: 1");
}

/* More rows than are asked: every second one, about. */
static void
test_sample(void)
{
	const size_t n = SAMPLE + SAMPLE / 2, k = 2;
	struct kith_mat X = kith_mat_new(&pool, n, P);
	const struct kith_metric metric = {.kind = KITH_SQUARED, .p = P};
	const struct kith_sigma sigma = {.rule = KITH_SIGMA_MEDIAN};
	struct kith_sigma_data in = {.X = &X, .threads = 2};
	double got = 0, mean;
	bool flat = false;

	/* On a line, so that radii are seen at once: rows far apart, ever more. */
	for (size_t i = 0; i < n; i++)
		X.v[i * P] = (double)(i * i);
	in.knn = kith_knn_new(&X, &metric, n, &pool);
	is_size(kith_sigma_asks(&sigma, n), SAMPLE, "of many rows");
	is_size(kith_sigma_asks(&sigma, SAMPLE - 1), SAMPLE - 1, "of fewer");
	ok(!kith_sigma_fit(&sigma, &in, &k, 1, &got, &flat, &err), "a sample");
	is_near(got, due(&X, KITH_SQUARED, KITH_SIGMA_MEDIAN, k), 1e-12, "equally spaced");
	mean = 0;
	ok(!kith_sigma_fit(
	       &(struct kith_sigma){.rule = KITH_SIGMA_AUTO}, &in, &k, 1, &mean, &flat, &err) &&
		mean > got,
	    "its mean");
	is_near(mean, due(&X, KITH_SQUARED, KITH_SIGMA_AUTO, k), 1e-12, "the same");
}

static void
test_third(void)
{
	const size_t k = 1;
	const struct kith_sigma mean = {.rule = KITH_SIGMA_AUTO},
				median = {.rule = KITH_SIGMA_MEDIAN};
	const struct kith_neighbour nn[] = {{.d = 81}, {.d = 0}, {.d = 9}, {.d = 36}};
	const struct kith_neighbour of_row[] = {{.d = 0}, {.d = 9}, {.d = 144}};
	bool flat = false;
	double got;

	ok(!kith_sigma_of(&mean, nn, 3, 1, &k, 1, &got, &flat, &err) && got == 4. / 3,
	    "a third of the mean");
	ok(!kith_sigma_of(&median, nn, 3, 1, &k, 1, &got, &flat, &err) && got == 1,
	    "of the median of three");
	ok(!kith_sigma_of(&median, nn, 4, 1, &k, 1, &got, &flat, &err) && got == 1.5 && !flat,
	    "of four");
	ok(kith_sigma_local(of_row, 3) == 4 && kith_sigma_local(of_row, 2) == 1, "of a row's k-th");
	ok(kith_sigma_local(of_row, 1) == 1, "1 where it would be 0");
}

static void
test_parse(void)
{
	static const struct {
		const char *text;
		enum kith_sigma_rule rule;
	} good[] = {{"auto", KITH_SIGMA_AUTO}, {"local", KITH_SIGMA_LOCAL},
	    {"median", KITH_SIGMA_MEDIAN}, {"1e-300", KITH_SIGMA_FIXED}};
	static const char *const bad[] = {"0", "-1", "", "1x", "nan", "inf", "Auto", "autos"};
	struct kith_sigma sigma;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		ok(!kith_sigma_parse(good[i].text, &sigma) && sigma.rule == good[i].rule, "%s",
		    good[i].text);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(kith_sigma_parse(bad[i], &sigma) && sigma.value == 1e-300, "not '%s'", bad[i]);
}

int
main(void)
{
	kith_rng_seed(&rng, 17, KITH_RNG_SAMPLE, 0);
	for (size_t n = 2; n < 40; n += 1 + n / 4)
		for (int kind = KITH_SQUARED; kind <= KITH_ABSOLUTE; kind++)
			for (int levels = 0; levels <= 2; levels++)
				test_rows(n, (enum kith_metric_kind)kind, levels,
				    n % 3 == 0       ? 1e-145
					: n % 3 == 1 ? 1e145
						     : 1);
	test_sample();
	test_corners();
	test_third();
	test_parse();
	kith_pool_free(&pool);
	return done();
}
