/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/metric.h: values by hand, the order of the sums against plain
 * loops for every instruction set that the machine has, features that do not
 * count, and what overflows.
 */
#include "near/metric.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/level.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { P = 40, PP = 1600 };

/* The sums of near/metric.h, written down plainly. */
static double
plain(size_t p, const double *w, const double *x, const double *z, enum kith_metric_kind kind)
{
	double s[8] = {0}, D[P];

	for (size_t j = 0; j < p; j++) {
		D[j] = x[j] - z[j];
		if (kind == KITH_ABSOLUTE || kind == KITH_ABSOLUTE_MATRIX)
			D[j] = fabs(D[j]);
	}
	for (size_t j = 0; j < p && kind == KITH_SQUARED; j++)
		s[j % 8] += (w ? w[j] * D[j] : D[j]) * D[j];
	for (size_t j = 0; j < p && kind == KITH_ABSOLUTE; j++)
		s[j % 8] += w ? w[j] * D[j] : D[j];
	for (size_t i = 0; i < p && kind >= KITH_SQUARED_MATRIX; i++)
		for (size_t l = 0; l < 8; l++) {
			double r = 0;

			for (size_t j = l; j < p; j += 8)
				r += w[i * p + j] * D[j];
			s[l] += D[i] * r;
		}
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

static void
fill(struct kith_rng *r, double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = kith_rng_unit(r) - 0.5;
}

static double
distance(const double *w, size_t p, const double *x, const double *z, enum kith_metric_kind kind)
{
	const struct kith_metric metric = {kind, p, w};

	return kith_dist(&metric, x, z);
}

/* The instruction set in use, all p up to P. */
static void
test_sums(enum kith_metric_kind kind)
{
	static double w[PP];
	double x[P], z[P];
	struct kith_rng r;
	bool same = true, symmetric = true;

	kith_rng_seed(&r, 1, KITH_RNG_SAMPLE, (uint64_t)kind);
	fill(&r, w, PP);
	for (size_t p = 1; p <= P; p++) {
		fill(&r, x, p);
		fill(&r, z, p);
		same = same && distance(w, p, x, z, kind) == plain(p, w, x, z, kind);
		symmetric = symmetric && distance(w, p, x, z, kind) == distance(w, p, z, x, kind);
		if (kind < KITH_SQUARED_MATRIX)
			same = same && distance(NULL, p, x, z, kind) == plain(p, NULL, x, z, kind);
	}
	ok(same, "%s, kind %d: the same bits as plain loops", kith_level_name(kith_level),
	    (int)kind);
	ok(symmetric, "%s, kind %d: d(x, z) = d(z, x)", kith_level_name(kith_level), (int)kind);
}

static void
test_kernels(void)
{
	const size_t level = kith_level;

	for (kith_level = 0; kith_level < kith_level_count(); kith_level++)
		for (int kind = 0; kind < 4; kind++)
			test_sums((enum kith_metric_kind)kind);
	kith_level = level;
}

/* Features that do not count take no lane, whatever they hold. */
static void
test_kept(void)
{
	const double w[] = {0, 3, 0, 1}, x[] = {DBL_MAX, 1, 7, 2};
	const double z[] = {-DBL_MAX, 2, 9, 5};
	const double W[] = {2, 0, 1, 0, 0, 0, 1, 0, 1};
	const double a[] = {1, DBL_MAX, 2}, b[] = {0, -DBL_MAX, 4};
	const double none[] = {0, 0, 0, 0};
	const struct kith_metric vector = {KITH_SQUARED, 4, w};
	const struct kith_metric matrix = {KITH_SQUARED_MATRIX, 3, W};
	const struct kith_metric nothing = {KITH_ABSOLUTE, 4, none};
	struct kith_pool pool = {0};
	struct kith_metric packed;
	size_t kept[4];

	is_size(kith_dist_kept(&vector, kept), 2, "features of weights");
	ok(kept[0] == 1 && kept[1] == 3, "are those of weight other than 0");
	is_near(kith_dist(&vector, x, z), 12, 0, "distance over them");
	is_size(kith_dist_kept(&matrix, kept), 2, "features of a matrix");
	ok(kept[0] == 0 && kept[1] == 2, "are those with entries");
	packed = kith_dist_pack(&matrix, kept, 2, &pool);
	ok(packed.p == 2 && packed.w[0] == 2 && packed.w[1] == 1 && packed.w[2] == 1 &&
		packed.w[3] == 1,
	    "a matrix packed");
	is_near(kith_dist(&matrix, a, b), 2 - 4 + 4, 0, "distance over them");
	is_near(kith_dist(&nothing, x, z), 0, 0, "all weights 0");
	kith_pool_free(&pool);
}

static void
test_range(void)
{
	const double tiny[] = {1e-200}, huge[] = {1e200}, zero[] = {0};
	const double up[] = {1e300}, down[] = {1e-300};
	const double mixed[] = {1, -1, -1, 1};
	const double far_a[] = {1e200, 1e-200}, far_b[] = {-1e200, 1e200};
	struct kith_metric metric = {KITH_SQUARED, 1, up};

	is_near(kith_dist(&metric, tiny, zero) / 1e-100, 1, 1e-12,
	    "a large weight of a small difference does not vanish");
	metric.w = down;
	is_near(kith_dist(&metric, huge, zero) / 1e100, 1, 1e-12,
	    "a small weight of a large difference does not overflow");
	ok(kith_dist(&(struct kith_metric){KITH_SQUARED, 1, NULL}, huge, zero) == INFINITY,
	    "too large is inf");
	metric = (struct kith_metric){KITH_SQUARED_MATRIX, 2, mixed};
	ok(kith_dist(&metric, far_a, far_b) == INFINITY, "and so is what is no number");
}

/* W = v v' times a few scales: distances across v are 0, never below. */
static void
test_sign(void)
{
	const double x[] = {0, 0, 0}, indefinite[] = {1, 2, 0, 2, 1, 0, 0, 0, 1};
	const double across[] = {1, -1, 0};
	struct kith_metric metric = {KITH_SQUARED_MATRIX, 3, indefinite};
	size_t below = 0, zero = 0;

	for (int i = 1; i < 2000; i++) {
		const double v[] = {1. / 3 / i, 1. / 7 / i, 1. / 11 / i};
		const double z[] = {3. * i, 7. * i, -22. * i};
		double w[9], d;

		for (size_t j = 0; j < 9; j++)
			w[j] = v[j / 3] * v[j % 3];
		metric.w = w;
		d = kith_dist(&metric, x, z);
		below += d < 0;
		zero += d == 0;
	}
	is_size(below, 0, "no distance below 0 by rounding");
	ok(zero > 100, "%zu of them are 0", zero);
	metric.w = indefinite;
	is_near(kith_dist(&metric, x, across), -2, 0, "what is below 0 stays");
}

/* Rows taken together, in fours where that is done, and one by one. */
static void
test_rows(const double *w)
{
	enum { N = 11, MOST = 300 };
	static const size_t size[] = {1, 3, 7, 8, 9, 16, 21, 64, 255, 256, 257, MOST};
	static double X[N * MOST], z[MOST];
	struct kith_rng r;
	size_t bad = 0;

	kith_rng_seed(&r, 2, KITH_RNG_SAMPLE, 0);
	for (size_t s = 0; s < sizeof(size) / sizeof(*size); s++) {
		const size_t p = size[s];
		const struct kith_metric metric = {KITH_SQUARED, p, w};

		fill(&r, X, N * p);
		fill(&r, z, p);
		for (size_t n = 0; n <= N; n++) {
			double d[N + 1], one;

			for (size_t i = 0; i <= N; i++)
				d[i] = -1;
			kith_dist_rows(&metric, z, X, n, d);
			for (size_t i = 0; i < n; i++) {
				kith_dist_rows(&metric, z, X + i * p, 1, &one);
				bad += d[i] != one;
			}
			bad += d[n] != -1;
		}
	}
	ok(bad == 0, "many rows as one by one, %s weights", w ? "with" : "no");
}

int
main(void)
{
	static double w[300];
	struct kith_rng r;

	kith_rng_seed(&r, 3, KITH_RNG_SAMPLE, 0);
	fill(&r, w, 300);
	for (size_t j = 0; j < 300; j++)
		w[j] += 1;
	test_rows(NULL);
	test_rows(w);
	test_sign();
	test_kernels();
	test_kept();
	test_range();
	return done();
}
