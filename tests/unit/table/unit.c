/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/unit.h: units of columns, and of weights. */
#include "table/unit.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "la/mat.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <string.h>

static char a[] = "a", b[] = "b", c[] = "c", *column[] = {a, b, c};
static const struct kith_names name = {.name = column, .n = 3};
static const struct kith_origin from = {.file = "t", .feature = &name};
static struct kith_pool pool;

static void
test_scaling(void)
{
	static const double is[] = {-1, 0, 1};
	double v[] = {1, 5, 1e308, 2, 5, 0, 3, 5, -1e308}, w[9];
	struct kith_mat X = {3, 3, w};
	struct kith_unit u;
	struct kith_err err;

	memcpy(w, v, sizeof(v));
	ok(kith_unit_fit(KITH_UNIT_ZSCORE, &X, &from, &u, &pool, &err) == 0, "z-scores");
	ok(u.center[0] == 2 && u.scale[0] == 1, "mean and deviation");
	ok(u.scale[1] == 0, "a constant column");
	ok(kith_unit_apply(&u, &X, &from, &err) == 0, "apply them");
	for (size_t i = 0; i < 3; i++) {
		ok(fabs(w[3 * i] - is[i]) <= 0, "row %zu", i);
		is_near(w[3 * i + 1], 0, 0, "its constant");
		is_near(w[3 * i + 2], -is[i], 1e-15, "its large number");
	}
	memcpy(w, v, sizeof(v));
	w[2] = 10;
	w[8] = 5;
	ok(kith_unit_fit(KITH_UNIT_MINMAX, &X, &from, &u, &pool, &err) == 0, "ranges");
	ok(kith_unit_apply(&u, &X, &from, &err) == 0, "apply them");
	ok(w[0] == 0 && w[3] == .5 && w[6] == 1, "from 0 to 1");
	is_near(w[8], .5, 0, "and between");
	w[2] = DBL_MAX;
	w[8] = -DBL_MAX;
	ok(kith_unit_fit(KITH_UNIT_MINMAX, &X, &from, &u, &pool, &err) == -1,
	    "a range beyond a double");
	ok(strstr(err.msg, "\"c\""), "names the column");
}

static void
test_weights(void)
{
	double center[3] = {0}, scale[] = {2, 0, 4};
	struct kith_unit u = {3, center, scale, KITH_UNIT_ZSCORE};
	double w[] = {4, 1, 16}, W[9];
	const double was[9] = {1, 1, 1, 4, 1, 2, 5, 7, 1};
	struct kith_err err;

	kith_unit_convert(&u, KITH_SQUARED, KITH_UNIT_TO_INPUT, &name, w, NULL, &err);
	ok(w[0] == 1 && w[1] == 0 && w[2] == 1, "of squares");
	kith_unit_convert(&u, KITH_SQUARED, KITH_UNIT_FROM_INPUT, &name, w, NULL, &err);
	ok(w[0] == 4 && w[1] == 0 && w[2] == 16, "and back");
	kith_unit_convert(&u, KITH_ABSOLUTE, KITH_UNIT_TO_INPUT, &name, w, NULL, &err);
	ok(w[0] == 2 && w[2] == 4, "of absolute differences");
	memcpy(W, was, sizeof(W));
	ok(kith_unit_convert(&u, KITH_ABSOLUTE_MATRIX, KITH_UNIT_TO_INPUT, &name, W, NULL, &err) ==
		0,
	    "a matrix");
	ok(W[2] == was[2] / 8 && W[6] == was[6] / 8, "of pairs");
	ok(W[1] == 0 && W[4] == 0, "none of a constant column");
	w[0] = 1e-320;
	scale[0] = 1e10;
	ok(kith_unit_convert(&u, KITH_SQUARED, KITH_UNIT_TO_INPUT, &name, w, NULL, &err) == -1,
	    "a weight that would be lost");
	scale[0] = 1e-200;
	w[0] = 1;
	ok(kith_unit_convert(&u, KITH_SQUARED, KITH_UNIT_TO_INPUT, &name, w, NULL, &err) == -1,
	    "a weight that is too large");
	ok(strstr(err.msg, "\"a\""), "names the column");
}

/* Moments of columns, missing cells left out. */
static void
test_moments(void)
{
	enum { N = 1500, P = 5 };
	static double x[N * P];
	static const size_t of[] = {4, 1};
	struct kith_moments none;

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < P; j++)
			x[i * P + j] = j == 2 ? NAN
			    : i % 7 == j      ? NAN
					      : 1e6 + (double)(i * i % 1009);
	for (size_t k = 0; k < 2; k++) {
		const struct kith_moments m = kith_moments_of(
		    &(struct kith_mat){N, P, x}, of[k], NULL);
		double least = INFINITY, most = -INFINITY;
		long double mean = 0, sum2 = 0;
		size_t n = 0;

		for (size_t i = 0; i < N; i++)
			if (!isnan(x[i * P + of[k]])) {
				const double v = x[i * P + of[k]];

				n++;
				mean += v;
				least = fmin(least, v);
				most = fmax(most, v);
			}
		mean /= (long double)n;
		for (size_t i = 0; i < N; i++)
			if (!isnan(x[i * P + of[k]]))
				sum2 += (x[i * P + of[k]] - mean) * (x[i * P + of[k]] - mean);
		ok(m.n == n && m.min <= least && m.max >= most, "number and range");
		is_near((double)m.mean, (double)mean, 1e-15, "mean");
		is_near((double)m.sum2, (double)sum2, 1e-13, "squares");
	}
	none = kith_moments_of(&(struct kith_mat){N, P, x}, 2, NULL);
	ok(none.n == 0 && none.mean == 0 && none.sum2 == 0, "of no number");
}

/* The units of all rows but one, against those of a copy without the row. */
static void
test_others(int method)
{
	enum { N = 40, P = 8 };
	double v[N * P], center[P], scale[P];
	struct kith_mat X = {N, P, v};
	struct kith_unit u = {.center = center, .scale = scale}, copy;
	const struct kith_unit_others *others;
	char *eight[P] = {a, b, c, a, b, c, a, b};
	const struct kith_names names = {.name = eight, .n = P};
	const struct kith_origin origin = {.file = "t", .feature = &names};
	struct kith_unit_others all;
	struct kith_err err;
	double worst = 0;

	for (size_t i = 0; i < N; i++) {
		const double t = (double)i;
		const double is[P] = {sin(t), 4, i == 5 ? 6 : 4, i == 7 ? -1e17 : cos(t),
		    i < 2 ? 1e9 : sin(t), 1e140 * sin(t), 1e-140 * sin(t), 1e9 + 1e-3 * sin(t)};

		memcpy(kith_row(&X, i), is, sizeof(is));
	}
	all = kith_unit_others_new(method, &X, &pool);
	others = &all;
	for (size_t i = 0; i < N; i++) {
		struct kith_mat Y = {N - 1, P, kith_new(&pool, N - 1, P * sizeof(double))};

		memcpy(Y.v, v, i * P * sizeof(double));
		memcpy(Y.v + i * P, v + (i + 1) * P, (N - 1 - i) * P * sizeof(double));
		if (kith_unit_of_others(others, i, &u) ||
		    kith_unit_fit(method, &Y, &origin, &copy, &pool, &err))
			worst = INFINITY;
		for (size_t j = 0; j < P; j++) {
			const double s = copy.scale[j], d = u.center[j] - copy.center[j];

			worst = fmax(worst, fabs(u.scale[j] - s) / (s > 0 ? s : DBL_MIN));
			worst = fmax(
			    worst, fabs(d) / (s > 0 ? fmax(s, fabs(copy.center[j])) : DBL_MIN));
		}
	}
	ok(method == KITH_UNIT_ZSCORE ? worst < 4e-16 : worst == 0, "without a row: %g", worst);
	X.n = 2;
	kith_row(&X, 1)[0] = DBL_MAX;
	all = kith_unit_others_new(method, &X, &pool);
	ok(kith_unit_of_others(others, 0, &u) == 0 && scale[0] == 0 && center[0] == DBL_MAX,
	    "one other row");
	X.n = 3;
	kith_row(&X, 2)[0] = -DBL_MAX;
	all = kith_unit_others_new(method, &X, &pool);
	ok(kith_unit_of_others(others, 0, &u) == -1, "a range beyond a double");
	ok(kith_unit_of_others(others, 1, &u) == 0 || method == KITH_UNIT_ZSCORE, "and without it");
}

int
main(void)
{
	test_moments();
	test_others(KITH_UNIT_ZSCORE);
	test_others(KITH_UNIT_MINMAX);
	test_scaling();
	test_weights();
	kith_pool_free(&pool);
	return done();
}
