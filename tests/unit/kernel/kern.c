/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/kernel/kern.h: against the definitions written out. */
#include "kernel/kern.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/metric.h"
#include "tap.h"
#include "wrong.h"

#include <math.h>

enum { N = 13, P = 11 };

static struct kith_err err;
static struct kith_rng rng;
static double x[N * P], w[P], W[P * P];

static void
draw(void)
{
	for (size_t i = 0; i < (size_t)N * P; i++)
		x[i] = kith_rng_unit(&rng) * 4 - 2;
	for (size_t j = 0; j < P; j++) {
		x[P + j] = x[j]; /* row 1 is a copy of row 0 */
		w[j] = 0.1 + kith_rng_unit(&rng);
	}
	for (size_t i = 0; i < P; i++)
		for (size_t j = 0; j < P; j++)
			W[i * P + j] = i == j ? 2 : 0.1;
}

/* The kernel of rows i and j, written out. */
static double
due(const struct kith_kern *kern, size_t i, size_t j)
{
	const bool matrix = kern->metric->kind == KITH_SQUARED_MATRIX;
	const double *a = x + i * P, *b = x + j * P;
	double d = 0, xz = 0;

	if (kern->kind == KITH_KERN_LAPLACIAN) {
		for (size_t l = 0; l < P; l++)
			d += (kern->metric->w ? w[l] : 1) * fabs(a[l] - b[l]);
		return exp(-kern->gamma * d);
	}
	for (size_t l = 0; l < P; l++)
		for (size_t m = 0; m < P; m++) {
			double u = matrix ? W[l * P + m] : 0;

			if (!matrix && l == m)
				u = kern->metric->w ? w[l] : 1;
			d += u * (a[l] - b[l]) * (a[m] - b[m]);
			xz += u * a[l] * b[m];
		}
	if (kern->kind == KITH_KERN_POLYNOMIAL)
		return pow(kern->gamma * xz + kern->coef0, (double)kern->degree);
	if (kern->kind == KITH_KERN_GAUSSIAN)
		return exp(-d * (kern->gamma > 0 ? kern->gamma : 0.5 / kern->sigma / kern->sigma));
	return kern->kind == KITH_KERN_LINEAR ? xz : 0.5 + xz / 2;
}

/* A kernel against its definition; what is not its own does not matter. */
static void
compare_to(struct kith_kern kern, enum kith_metric_kind of, bool weights)
{
	const enum kith_kern_kind kind = kern.kind;
	const double *v = of == KITH_SQUARED_MATRIX ? W : w;
	const struct kith_metric metric = {of, P, weights ? v : NULL};
	struct kith_mat X = {N, P, x};
	double K[N * (N + 3)], row[N], worst = 0;
	bool same = true;

	draw();
	kern.metric = &metric;
	if (kind == KITH_KERN_COSINE)
		ok(kith_kern_unit_rows(&X, &metric) == N, "length 1");
	kith_kern_gram(&kern, x, N, N + 3, K);
	for (size_t i = 0; i < N; i++) {
		kith_kern_rows(&kern, x + i * P, x, N, row);
		for (size_t j = 0; j < N; j++) {
			const double is = K[i * (N + 3) + j];
			const double must = due(&kern, i, j);
			const double size = fmax(1, fabs(must));

			worst = fmax(worst, fabs(is - must) / size);
			same = same && is == K[j * (N + 3) + i];
			same = same && fabs(row[j] - is) / size < 1e-13;
			same = same &&
			    fabs(kith_kern_pair(&kern, x + i * P, x + j * P) - is) / size < 1e-13;
		}
		same = same && K[i] == K[N + 3 + i];
	}
	ok(worst < 1e-13, "kernel %d, metric %d: %.1e", (int)kind, (int)of, worst);
	ok(same, "symmetric, as by rows, and the same for a copy");
	ok(kind == KITH_KERN_LINEAR || kind == KITH_KERN_POLYNOMIAL || K[1] == 1, "1 for a copy");
}

static void
compare(enum kith_kern_kind kind, enum kith_metric_kind of, bool weights)
{
	compare_to((struct kith_kern){.kind = kind, .sigma = 1.7}, of, weights);
}

/* The kernels that have a gamma. */
static void
test_gamma(void)
{
	static const size_t degree[] = {1, 2, 3, 6, 11};
	struct kith_kern kern = {.sigma = 99, .gamma = 0.3, .coef0 = 1.5};

	for (int weights = 0; weights <= 1; weights++) {
		kern.kind = KITH_KERN_GAUSSIAN;
		compare_to(kern, KITH_SQUARED, weights);
		kern.kind = KITH_KERN_LAPLACIAN;
		compare_to(kern, KITH_ABSOLUTE, weights);
		kern.kind = KITH_KERN_POLYNOMIAL;
		for (size_t a = 0; a < sizeof(degree) / sizeof(*degree); a++) {
			kern.degree = degree[a];
			compare_to(kern, KITH_SQUARED, weights);
		}
	}
	kern.kind = KITH_KERN_GAUSSIAN;
	compare_to(kern, KITH_SQUARED_MATRIX, true);
}

/* Products of rows, by a matrix of weights, too; nothing is written beside them. */
static void
test_products(enum kith_metric_kind of, const double *v)
{
	const struct kith_metric metric = {of, P, v};
	const struct kith_kern kern = {.kind = KITH_KERN_LINEAR, .metric = &metric};
	double K[N * (N + 3)], worst = 0;
	size_t beside = 0;

	draw();
	for (size_t n = 0; n <= N; n++) {
		for (size_t k = 0; k < sizeof(K) / sizeof(*K); k++)
			K[k] = 77;
		kith_kern_products(&metric, x, n, N + 3, K);
		for (size_t i = 0; i < N; i++)
			for (size_t j = 0; j < N + 3; j++) {
				const double is = K[i * (N + 3) + j];

				if (i >= n || j >= n)
					beside += is != 77;
				else
					worst = fmax(worst, fabs(is - due(&kern, i, j)));
			}
	}
	ok(worst <= 1e-12 && beside == 0, "products of metric %d: %.1e, %zu written beside them",
	    (int)of, worst, beside);
}

static double
power(double y, size_t degree)
{
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	const struct kith_kern kern = {
	    .kind = KITH_KERN_POLYNOMIAL, .metric = &metric, .gamma = 1, .degree = degree};
	const double one = 1, column[] = {y, y, y, y, y, y, y, y, y};
	double K[9];

	kith_kern_rows(&kern, &one, column, 9, K);
	for (size_t i = 1; i < 9; i++)
		if (K[i] != K[0])
			return NAN;
	return K[0];
}

/* Powers that are exact, or overflow; the ninth is not in a vector. */
static void
test_powers(void)
{
	ok(power(-3, 1) == -3 && power(-3, 5) == -243, "odd powers");
	ok(power(-3, 2) == 9 && power(2, 1023) == 0x1p1023, "even, large");
	ok(power(1, SIZE_MAX) == 1 && power(-1, SIZE_MAX) == -1, "any degree");
	ok(power(1e200, 2) == INFINITY && power(-1e200, 3) == -INFINITY, "overflow");
	ok(power(1e-200, 2) == 0 && power(0, 7) == 0, "nothing left");
}

static void
test_tiny_gamma(void)
{
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	struct kith_kern kern = {KITH_KERN_GAUSSIAN, &metric, 1, 1e-310, 0, 0};
	const double d[] = {0, 1e308, INFINITY};
	double K[3];

	kith_kern_of_dist(&kern, 3, d, 0, K);
	is_near(K[1], exp(-0.01), 1e-12, "gamma without a reciprocal");
	ok(K[0] == 1 && K[2] == 0, "and its ends");
	kern.gamma = 1e308;
	kith_kern_of_dist(&kern, 3, d, 0, K);
	ok(K[0] == 1 && K[1] == 0 && K[2] == 0, "a huge one");
}

static void
test_shift(void)
{
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	struct kith_kern kern = {.kind = KITH_KERN_GAUSSIAN, .metric = &metric, .sigma = 1e-3};
	const double d[] = {4, 4.00001, 100, 1e308, INFINITY};
	double K[5];

	kith_kern_of_dist(&kern, 5, d, 0, K);
	ok(K[0] == 0, "lost without a shift");
	kith_kern_of_dist(&kern, 5, d, 4, K);
	ok(K[0] == 1 && K[2] == 0 && K[3] == 0 && K[4] == 0, "1 with it");
	is_near(K[1], exp(-5), 1e-9, "and the next in proportion");
	kern.sigma = 1e-200;
	kith_kern_of_dist(&kern, 5, d, 4, K);
	ok(K[0] == 1 && K[1] == 0, "a bandwidth without a square");
	kern.sigma = 1e200;
	kith_kern_of_dist(&kern, 5, d, 0, K);
	ok(K[0] == 1 && K[3] == 1 && K[4] == 0, "and a large one");
	kith_kern_of_dist(&kern, 1, d + 4, INFINITY, K);
	ok(K[0] == 1, "all infinitely far");
	kern.kind = KITH_KERN_COSINE;
	kith_kern_of_dist(&kern, 2, d, 3, K);
	ok(K[0] == 0 && K[1] == 0, "cosines are not below 0");
	kith_kern_of_dist(&kern, 1, (const double[]){1}, 3, K);
	ok(K[0] == .75, "and 1 - d / 4, without a shift");
}

static void
test_unit_rows(void)
{
	double v[] = {3, 4, 7, 3e-310, 4e-310, 0, 3e300, -4e300, 1e308, 0, 0, 9};
	struct kith_mat X = {4, 3, v};
	const struct kith_metric metric = {KITH_SQUARED, 3, (const double[]){1, 1, 0}};

	is_size(kith_kern_unit_rows(&X, &metric), 3, "row 3 is all zeros");
	X.n = 3;
	is_size(kith_kern_unit_rows(&X, &metric), 3, "the others are not");
	is_near(v[0], 0.6, 1e-15, "3 of 3, 4");
	is_near(v[4], 0.8, 1e-9, "tiny rows");
	is_near(v[7], -0.8, 1e-15, "huge rows");
	ok(v[2] == 0 && v[8] == 0, "what does not count is 0");
}

/* Terms of the sum below 2^-480 become 0, those above stay. */
static void
test_nothing(void)
{
	double v[] = {1, 0x1p-241, 0x1.8p-240, 0x1p-240};
	double u[] = {0x1p-241, 1, 0x1p-200, -0x1p-239};
	const double weight[] = {0, 1, 1, 16};
	struct kith_mat X = {1, 4, v};
	struct kith_metric metric = {KITH_SQUARED, 4, NULL};

	ok(kith_kern_unit_rows(&X, &metric) == 1 && v[0] == 1 && v[1] == 0 && v[2] == 0x1.8p-240 &&
		v[3] == 0x1p-240,
	    "what is next to nothing is 0");
	X.v = u;
	metric.w = weight;
	ok(kith_kern_unit_rows(&X, &metric) == 1 && u[0] == 0 && u[1] == 1 && u[2] == 0x1p-200 &&
		u[3] == -0x1p-239,
	    "over its weight");
}

static void
test_check(void)
{
	static const double good[] = {1, 1, 1, 1}, bad[] = {1, 2, 2, 1}, none[4];
	static const struct {
		enum kith_kern_kind kind;
		struct kith_metric metric;
		const char *due;
	} cases[] = {
	    {KITH_KERN_GAUSSIAN, {KITH_SQUARED, 2, NULL}, ""},
	    {KITH_KERN_COSINE, {KITH_SQUARED, 2, NULL}, ""},
	    {KITH_KERN_LINEAR, {KITH_SQUARED, 2, NULL}, ""},
	    {KITH_KERN_POLYNOMIAL, {KITH_SQUARED, 2, NULL}, ""},
	    {KITH_KERN_LAPLACIAN, {KITH_ABSOLUTE, 2, NULL}, ""},
	    {KITH_KERN_GAUSSIAN, {KITH_SQUARED_MATRIX, 2, good}, ""},
	    {KITH_KERN_GAUSSIAN, {KITH_SQUARED_MATRIX, 2, none}, ""},
	    {KITH_KERN_LAPLACIAN, {KITH_SQUARED, 2, good},
		"0: the laplacian kernel takes a vector of weights of |D| (weight_abs)"},
	    {KITH_KERN_LAPLACIAN, {KITH_ABSOLUTE_MATRIX, 2, good},
		"0: the laplacian kernel takes a vector of weights of |D| (weight_abs)"},
	    {KITH_KERN_POLYNOMIAL, {KITH_SQUARED_MATRIX, 2, good},
		"0: a matrix of weights is for the gaussian kernel alone"},
	    {KITH_KERN_LINEAR, {KITH_SQUARED_MATRIX, 2, good},
		"0: a matrix of weights is for the gaussian kernel alone"},
	    {KITH_KERN_GAUSSIAN, {KITH_SQUARED_MATRIX, 2, bad},
		"0: the matrix of weights is not positive semidefinite: it gives no kernel"},
	    {KITH_KERN_GAUSSIAN, {KITH_ABSOLUTE, 2, good},
		"0: weights of |D| (weight_abs) give no kernel: it takes those of D^2 (weight)"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is_text(kith_kern_check(cases[i].kind, &cases[i].metric, NULL, 0, &err)
			? wrong(&err)
			: "",
		    cases[i].due, "kernels and metrics");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (int kind = KITH_KERN_GAUSSIAN; kind <= KITH_KERN_LINEAR; kind++) {
		compare((enum kith_kern_kind)kind, KITH_SQUARED, false);
		compare((enum kith_kern_kind)kind, KITH_SQUARED, true);
	}
	compare(KITH_KERN_GAUSSIAN, KITH_SQUARED_MATRIX, true);
	test_gamma();
	test_powers();
	test_tiny_gamma();
	test_shift();
	test_unit_rows();
	test_nothing();
	test_products(KITH_SQUARED, NULL);
	test_products(KITH_SQUARED, w);
	test_products(KITH_SQUARED_MATRIX, W);
	test_check();
	return done();
}
