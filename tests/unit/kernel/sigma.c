/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/kernel/sigma.h: against all distances, sorted. */
#include "kernel/sigma.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/heap.h"
#include "near/knn.h"
#include "tap.h"

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
due(const struct kith_mat *X, enum kith_metric_kind kind, int rule, size_t k)
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

/* n rows; by a search, and where so many neighbours are known, all of them or
 * fewer than are due. */
static void
test_rows(size_t n, enum kith_metric_kind kind)
{
	struct kith_mat X = kith_mat_new(&pool, n, P);
	const struct kith_metric metric = {.kind = kind, .p = P};
	const size_t k[] = {1, 5, n + 7}, most[] = {0, 1, n - 1};
	const struct kith_knn *knn;
	struct kith_neighbour *nn = kith_new(&pool, n * n, sizeof(*nn));

	for (size_t i = 0; i < n * P; i++)
		X.v[i] = pow(kith_rng_unit(&rng), 3);
	knn = kith_knn_new(&X, &metric, n, &pool);
	for (size_t known = 0; known < 3; known++) {
		if (known)
			kith_knn_join(knn, most[known], 1, nn);
		for (int rule = KITH_SIGMA_AUTO; rule <= KITH_SIGMA_MEDIAN; rule++) {
			const struct kith_sigma sigma = {.rule = rule};
			const struct kith_sigma_data in = {.knn = knn,
			    .X = &X,
			    .metric = &metric,
			    .threads = 1,
			    .nn = known ? nn : NULL,
			    .most = most[known]};
			double got[3] = {0};
			bool flat = false;

			ok(kith_sigma_fit(&sigma, &in, k, 3, got, &flat, &err) == 0 && !flat,
			    "%zu rows, %s, %zu neighbours known", n,
			    rule == KITH_SIGMA_AUTO ? "auto" : "median", most[known]);
			for (size_t a = 0; a < 3; a++)
				is_near(got[a], due(&X, kind, rule, k[a]), 1e-12, "as defined");
		}
	}
}

/* More rows than are asked: every second one, about. */
static void
test_sample(void)
{
	const size_t n = SAMPLE + SAMPLE / 2, k = 2;
	struct kith_mat X = kith_mat_new(&pool, n, P);
	const struct kith_metric metric = {.kind = KITH_SQUARED, .p = P};
	const struct kith_sigma sigma = {.rule = KITH_SIGMA_MEDIAN};
	struct kith_sigma_data in = {.X = &X, .metric = &metric, .threads = 2};
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

/* Numbers, rows that are all one, a single row, distances below 0. */
static void
test_corners(void)
{
	double v[8] = {1, 1, 1, 1, 1, 1, 0, 0}, got[2];
	const double w[4] = {1, -3, -3, 1};
	struct kith_mat X = {3, P, v};
	struct kith_metric metric = {.kind = KITH_SQUARED, .p = P};
	struct kith_sigma sigma = {.rule = KITH_SIGMA_AUTO};
	struct kith_sigma_data in = {.X = &X, .metric = &metric, .threads = 1};
	const size_t k[2] = {1, 2};
	bool flat = false;

	in.knn = kith_knn_new(&X, &metric, 3, &pool);
	ok(!kith_sigma_fit(&sigma, &in, k, 2, got, &flat, &err) && flat && got[0] == 1 &&
		got[1] == 1,
	    "rows that are all the same: 1");
	X.n = 1;
	flat = false;
	in.knn = kith_knn_new(&X, &metric, 1, &pool);
	ok(!kith_sigma_fit(&sigma, &in, k, 1, got, &flat, &err) && flat && *got == 1, "one row: 1");
	flat = false;
	sigma = (struct kith_sigma){KITH_SIGMA_FIXED, .25};
	ok(!kith_sigma_fit(&sigma, &in, k, 2, got, &flat, &err) && !flat && got[0] == .25 &&
		got[1] == .25,
	    "a number");
	sigma.rule = KITH_SIGMA_LOCAL;
	ok(!kith_sigma_fit(&sigma, &in, k, 2, got, &flat, &err) && !flat && got[0] == 0 &&
		got[1] == 0,
	    "local ones are found row by row");
	sigma.rule = KITH_SIGMA_MEDIAN;
	X.n = 4;
	metric = (struct kith_metric){KITH_SQUARED_MATRIX, P, w};
	in.knn = kith_knn_new(&X, &metric, 4, &pool);
	ok(kith_sigma_fit(&sigma, &in, k, 2, got, &flat, &err) == -1, "distances below 0: %s",
	    err.msg);
}

static void
test_third(void)
{
	double r[] = {9, 0, 3, 6};
	const struct kith_sigma mean = {.rule = KITH_SIGMA_AUTO},
				median = {.rule = KITH_SIGMA_MEDIAN};
	const struct kith_neighbour nn[] = {{.d = 0}, {.d = 9}, {.d = 144}};

	ok(kith_sigma_third(&mean, r, 0) == 0, "of none");
	ok(kith_sigma_third(&mean, r, 3) == 4. / 3, "a third of the mean");
	ok(kith_sigma_third(&median, r, 3) == 1, "of the median of three");
	ok(kith_sigma_third(&median, r, 4) == 1.5, "of four");
	ok(r[0] == 0 && r[1] == 3 && r[2] == 6 && r[3] == 9, "now in order");
	ok(kith_sigma_local(nn, 3) == 4 && kith_sigma_local(nn, 2) == 1, "of a row's k-th");
	ok(kith_sigma_local(nn, 1) == 1, "1 where it would be 0");
}

/* Rows of all sizes in range. */
static void
test_sizes(double size, enum kith_metric_kind kind)
{
	double v[] = {0, 0, 1, 0, 3, 0, 6, 0, 10, 0, 15, 0}, got[2];
	struct kith_mat X = {6, P, v};
	const struct kith_metric metric = {.kind = kind, .p = P};
	struct kith_sigma sigma = {.rule = KITH_SIGMA_MEDIAN};
	struct kith_sigma_data in = {.X = &X, .metric = &metric, .threads = 1};
	const size_t k[] = {1, 2};
	double scale;
	bool flat = false;

	for (size_t i = 0; i < 12; i++)
		v[i] *= size;
	in.knn = kith_knn_new(&X, &metric, 6, &pool);
	scale = kind == KITH_SQUARED ? size : sqrt(size);
	ok(!kith_sigma_fit(&sigma, &in, k, 2, got, &flat, &err) && !flat, "the median");
	/* First neighbours at 1, 1, 2, 3, 4, 5; second at 3, 2, 3, 4, 5, 9. */
	is_near(got[0] / scale, (kind == KITH_SQUARED ? 2.5 : (sqrt(2) + sqrt(3)) / 2) / 3, 1e-12,
	    "a third of it");
	is_near(got[1] / scale, (kind == KITH_SQUARED ? 3.5 : (sqrt(3) + 2) / 2) / 3, 1e-12,
	    "for two neighbours");
	sigma = (struct kith_sigma){KITH_SIGMA_FIXED, .25 * scale};
	ok(!kith_sigma_fit(&sigma, &in, k, 2, got, &flat, &err) && !flat, "a number");
	is_near(got[1] / scale, .25, 1e-12, "is as given");
	for (size_t i = 0; i < 12; i++)
		v[i] = size;
	in.knn = kith_knn_new(&X, &metric, 6, &pool);
	sigma.rule = KITH_SIGMA_AUTO;
	ok(!kith_sigma_fit(&sigma, &in, k, 2, got, &flat, &err) && flat && got[1] == 1,
	    "equal rows: 1");
}

/* Pairs of equal rows: one neighbour is at 0, two are not. */
static void
test_pairs(void)
{
	double v[] = {0, 0, 0, 0, 6, 0, 6, 0}, got[3];
	struct kith_mat X = {4, P, v};
	const struct kith_metric metric = {.kind = KITH_SQUARED, .p = P};
	const double w[] = {1, -3, -3, 1};
	const struct kith_metric below = {KITH_SQUARED_MATRIX, P, w};
	struct kith_sigma_data in = {.X = &X, .metric = &metric, .threads = 1};
	const size_t k[] = {3, 1, 9};

	in.knn = kith_knn_new(&X, &metric, 4, &pool);
	for (int rule = KITH_SIGMA_AUTO; rule <= KITH_SIGMA_MEDIAN; rule++) {
		const struct kith_sigma sigma = {.rule = rule};
		bool flat = false;

		ok(!kith_sigma_fit(&sigma, &in, k, 1, got, &flat, &err) && !flat && got[0] == 2,
		    "three neighbours: 2");
		ok(!kith_sigma_fit(&sigma, &in, k, 3, got, &flat, &err) && flat && got[0] == 2 &&
			got[1] == 1 && got[2] == 2,
		    "one: 1, and this is said; more than there are: all");
	}
	v[0] = v[1] = 1;
	in.metric = &below;
	in.knn = kith_knn_new(&X, &below, 4, &pool);
	for (size_t i = 0; i < 2; i++) {
		const struct kith_sigma sigma = {.rule = i ? KITH_SIGMA_MEDIAN : KITH_SIGMA_AUTO};
		bool flat = false;

		err = (struct kith_err){0};
		ok(kith_sigma_fit(&sigma, &in, k, 1, got, &flat, &err) == -1 || err.status == 0,
		    "a distance below 0");
		err = (struct kith_err){0};
		ok(kith_sigma_fit(&sigma, &in, k + 1, 1, got, &flat, &err) == -1 &&
			err.status == EX_DATAERR,
		    "wrong data");
		is_text(err.msg,
		    "the weights make distances below 0: no bandwidth "
		    "(--sigma)",
		    "says why");
	}
}

/* The sum of distances, or of two of them, may exceed every double. */
static void
test_huge(void)
{
	double r[] = {1.5e308, 1.2e308, 1.7e308, 1.6e308};
	const struct kith_sigma mean = {.rule = KITH_SIGMA_AUTO},
				median = {.rule = KITH_SIGMA_MEDIAN};

	is_near(kith_sigma_third(&mean, r, 4) / 5e307, 1, 1e-15, "the mean");
	ok(r[0] == 1.5e308 && r[3] == 1.6e308, "in their order");
	is_near(kith_sigma_third(&median, r, 4) / (1.55e308 / 3), 1, 1e-15,
	    "the median of the two between");
	is_near(kith_sigma_third(&median, r, 1) / 4e307, 1, 1e-15, "of one");
}

static void
test_parse(void)
{
	struct kith_sigma sigma = {.rule = KITH_SIGMA_FIXED};

	ok(!kith_sigma_parse("auto", &sigma) && sigma.rule == KITH_SIGMA_AUTO, "auto");
	ok(!kith_sigma_parse("local", &sigma) && sigma.rule == KITH_SIGMA_LOCAL, "local");
	ok(!kith_sigma_parse("median", &sigma) && sigma.rule == KITH_SIGMA_MEDIAN, "median");
	ok(!kith_sigma_parse("1e-300", &sigma) && sigma.rule == KITH_SIGMA_FIXED &&
		sigma.value == 1e-300,
	    "a number");
	ok(kith_sigma_parse("0", &sigma) && kith_sigma_parse("-1", &sigma) &&
		kith_sigma_parse("", &sigma) && kith_sigma_parse("1x", &sigma),
	    "not one above 0");
	ok(kith_sigma_parse("nan", &sigma) && kith_sigma_parse("inf", &sigma) &&
		kith_sigma_parse("Auto", &sigma) && kith_sigma_parse("autos", &sigma) &&
		sigma.value == 1e-300,
	    "nor these; sigma stays");
}

int
main(void)
{
	kith_rng_seed(&rng, 17, KITH_RNG_SAMPLE, 0);
	for (size_t n = 2; n < 40; n += 1 + n / 4) {
		test_rows(n, KITH_SQUARED);
		test_rows(n, KITH_ABSOLUTE);
	}
	test_sample();
	test_corners();
	test_third();
	test_pairs();
	test_huge();
	for (int kind = 0; kind < 2; kind++) {
		const enum kith_metric_kind of = kind ? KITH_ABSOLUTE : KITH_SQUARED;

		test_sizes(1, of);
		test_sizes(1e-145, of);
		test_sizes(1e145, of);
	}
	test_parse();
	kith_pool_free(&pool);
	return done();
}
