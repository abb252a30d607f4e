/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/float.h by hand: which data floats serve, the scale, how A
 * and B are balanced, and rows too far away.
 */
#include "near/float.h"

#include "base/pool.h"
#include "near/pack.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>

/* Whether floats serve rows of p features, the largest term being 2^size. */
static bool
serves(enum kith_metric_kind kind, size_t n, size_t p, int size)
{
	double x[] = {0, 0}, w[] = {1, 1};
	const struct kith_knn_pack pack = {
	    .metric = {kind, p, kind == KITH_SQUARED ? NULL : w},
	    .X = {n, p, x},
	    .size = size};

	return kith_knn_float_serves(&pack);
}

static void
test_sizes(void)
{
	ok(serves(KITH_SQUARED, 2, 1, -620) &&
		!serves(KITH_SQUARED, 2, 1, -621),
	    "the smallest terms");
	ok(serves(KITH_SQUARED, 2, 1, 930) && !serves(KITH_SQUARED, 2, 1, 931),
	    "the largest");
	ok(serves(KITH_SQUARED, 2, 1 << 18, 0) &&
		!serves(KITH_SQUARED, 2, (1 << 18) + 1, 0),
	    "the most features");
	ok(!serves(KITH_ABSOLUTE, 2, (1 << 18) + 1, 0), "of sums of sizes");
	ok(!serves(KITH_SQUARED_MATRIX, 2, (1 << 14) + 1, 0), "of a matrix");
	ok(!serves(KITH_SQUARED_MATRIX, 2, 1, 0), "rows that are all the same");
	if (SIZE_MAX > UINT32_MAX)
		ok(serves(KITH_SQUARED, UINT32_MAX, 1, 0) &&
			!serves(KITH_SQUARED, (size_t)UINT32_MAX + 1, 1, 0),
		    "the most rows");
}

/* The same of two rows 0 and x of one feature of weight w, at most 2^size. */
static bool
serves_pair(enum kith_metric_kind kind, double x, double w, int size)
{
	double rows[] = {0, x};
	const struct kith_knn_pack pack = {
	    .metric = {kind, 1, &w}, .X = {2, 1, rows}, .size = size};

	return kith_knn_float_serves(&pack);
}

static void
test_ranges(void)
{
	const enum kith_metric_kind matrix = KITH_SQUARED_MATRIX;
	const double least = 0x1p-300, most = 0x1p300;

	ok(!serves_pair(matrix, least, 1, 0) &&
		serves_pair(matrix, -nextafter(least, 1), 1, 0),
	    "a matrix: the least difference");
	ok(!serves_pair(matrix, -most, 1, 0) &&
		serves_pair(matrix, nextafter(most, 1), 1, 0),
	    "the largest");
	ok(!serves_pair(matrix, 1, least, 0) &&
		serves_pair(matrix, 1, nextafter(least, 1), 0),
	    "the least weight");
	ok(!serves_pair(matrix, 1, -most, 0) &&
		serves_pair(matrix, 1, -nextafter(most, 1), 0),
	    "the largest weight");
	/* The scale is 2^(76 - size) for one feature. */
	ok(serves_pair(KITH_ABSOLUTE, 1, 0x1p924, 0) &&
		!serves_pair(KITH_ABSOLUTE, 1, 0x1p925, 0),
	    "sums of sizes: the largest factor");
	ok(serves_pair(KITH_ABSOLUTE, 1, 0x1p-976, 100) &&
		!serves_pair(KITH_ABSOLUTE, 1, 0x1p-977, 100),
	    "the least factor");
	ok(serves_pair(KITH_ABSOLUTE, nextafter(-0x1p1000, 0), 1, 0) &&
		!serves_pair(KITH_ABSOLUTE, -0x1p1000, 1, 0),
	    "the largest difference");
}

/*
 * The scale for the rows -x, 0 and x and a p x p matrix; the largest |A|^2 of
 * them into *norm.
 */
static struct kith_knn_scale
scale_of(
    size_t p, const double *x, double *W, double *norm, struct kith_pool *pool)
{
	struct kith_knn_pack *pack = kith_new(pool, 1, sizeof(*pack));
	double *A = kith_new(pool, p, sizeof(*A));
	struct kith_knn_scale s;

	pack->metric = (struct kith_metric){KITH_SQUARED_MATRIX, p, W};
	pack->X = kith_mat_new(pool, 3, p);
	for (size_t j = 0; j < p; j++) {
		kith_row(&pack->X, 0)[j] = -x[j];
		kith_row(&pack->X, 2)[j] = x[j];
	}
	s = kith_knn_scale_new(pack, pool);
	kith_knn_scale_row(&s, kith_row(&pack->X, 2), A);
	*norm = 0;
	for (size_t j = 0; j < p; j++)
		*norm += A[j] * A[j];
	return s;
}

/* B = A W is as long as A where the weights are 1, and shorter below. */
static void
test_shorter(struct kith_pool *pool)
{
	static const int f[] = {0, 1, 4, 8, 16, 17, 40};
	static const double due[] = {0, 0, 2, 4, 8, 8, 8};
	const double x[] = {0, 1};

	for (size_t i = 0; i < sizeof(f) / sizeof(*f); i++) {
		double W[] = {1, 0, 0, ldexp(1, -f[i])}, norm;
		const struct kith_knn_scale s = scale_of(2, x, W, &norm, pool);

		ok(s.a == ldexp(1, -(int)due[i]) && s.b == 1 / s.a,
		    "B shorter by 2^-%d: a = %g, b = %g", f[i], s.a, s.b);
		is_near(s.scale, 0x1p56, 0, "the scale");
		is_near(norm, 0x1p56, 0, "|A|^2");
	}
}

/* Rows that the matrix makes 0; and which rows of 128 are looked at. */
static void
test_sample(struct kith_pool *pool)
{
	double x[] = {0, 1}, W[] = {1, 0, 0, 0}, norm;
	struct kith_knn_pack pack = {.metric = {KITH_SQUARED_MATRIX, 2, W}};
	struct kith_knn_scale s = scale_of(2, x, W, &norm, pool);

	ok(s.a == 1 && s.b == 1, "B is 0");
	W[3] = 0x1p-8;
	pack.X = kith_mat_new(pool, 128, 2);
	for (size_t i = 1; i < 128; i++)
		kith_row(&pack.X, i)[i % 3 == 0] = i / 3 % 2 ? 1 : -1;
	s = kith_knn_scale_new(&pack, pool);
	ok(s.centre[0] == 0 && s.centre[1] == 0, "rows about 0");
	ok(s.a == 0x1p-4 && s.b == 0x1p4, "every third of them: a = %g", s.a);
}

/* Rows of a query whose A, or B, is just too long where a is not 1. */
static void
test_far_balanced(struct kith_pool *pool)
{
	const double x[] = {0, 1};
	double W[] = {1, 0, 0, 0x1p-9}, norm;
	const struct kith_knn_scale s = scale_of(2, x, W, &norm, pool);
	const double a = 0x1p59 / *s.factor, b = 0x1p51 / *s.factor;
	const double less = 1 - 0x1p-40;
	const double rows[] = {0, a, 0, a * less, b, 0, b * less, 0};
	const double *const z[] = {rows, rows + 2, rows + 4, rows + 6};
	struct kith_knn_float f = kith_knn_float_room(&s, 4, pool);

	kith_knn_float_fill(&s, z, 4, &f);
	ok(s.a == 0x1p-4 && isinf(f.low[0]) && !isinf(f.low[1]), "long A");
	ok(isinf(f.low[2]) && !isinf(f.low[3]), "long B");
	ok(f.A[3] == 0x1p55F && f.B[3] == 0x1p54F && f.A[6] == 0x1p47F &&
		f.B[6] == 0x1p55F,
	    "A and B");
}

/* All weights w: B = A W is p times as long as A. */
static void
test_longer(struct kith_pool *pool)
{
	for (size_t e = 1; e <= 7; e += 2) {
		const size_t p = (size_t)1 << e;
		double *W, *x, norm;
		struct kith_knn_scale s;

		KITH_NEW_REALS(pool, p, p, &W, &x);
		for (size_t i = 0; i < p * p; i++) {
			W[i] = 12;
			x[i] = 1;
		}
		s = scale_of(p, x, W, &norm, pool);
		/* W is scaled by 2^-3, and so its B by 1.5 p: the root of it */
		is_near(log2(s.a), floor(((double)e + log2(1.5)) / 2 + .5), 0,
		    "B longer: a");
		ok(s.b == 1 / s.a, "and b");
		is_near(s.scale * 8 * (double)p, norm, 0, "the scale");
		ok(norm < 0x1p60 && norm > 0x1p54, "|A|^2 is in range");
		is_near(s.rounding,
		    (16 * (double)p + 200) * 0x1p-53 * 1.5 * (double)p, 1e-25,
		    "rounding");
	}
}

/* The same 2^80 for sums of squares and of sizes. */
static void
test_vectors(struct kith_pool *pool)
{
	double x[] = {-1, -1, -1, 0, 0, 0, 1, 1, 1}, w[] = {1, 4, .25}, A[3];
	struct kith_knn_pack pack = {
	    .metric = {KITH_SQUARED, 3, w}, .X = {3, 3, x}, .size = 3};
	struct kith_knn_scale s = kith_knn_scale_new(&pack, pool);

	/* 80 - 3 - 3 - 2 - 1 = 71 = 2 e + 1 */
	is_near(s.scale, 0x1p70, 0, "squares: the scale");
	kith_knn_scale_row(&s, x + 6, A);
	ok(A[0] == 0x1p35 && A[1] == 0x1p36 && A[2] == 0x1p34,
	    "with the roots of weights");
	pack.metric.kind = KITH_ABSOLUTE;
	s = kith_knn_scale_new(&pack, pool);
	is_near(s.scale, 0x1p71, 0, "sizes: the scale");
	kith_knn_scale_row(&s, x, A);
	ok(A[0] == -0x1p71 && A[1] == -0x1p73 && A[2] == -0x1p69,
	    "with the weights");
	ok(s.a == 1 && s.b == 1 && !s.W, "and without a matrix");
}

/* The centre: of 63 rows that are spread over the reference, the middle one. */
static void
test_centre(struct kith_pool *pool)
{
	static const size_t n[] = {1, 2, 3, 62, 63, 64, 126, 130};
	static const double due[] = {0, 1, 1, 31, 31, 31, 62, 62};

	for (size_t h = 0; h < sizeof(n) / sizeof(*n); h++) {
		struct kith_knn_pack pack = {.metric = {KITH_SQUARED, 1, NULL}};

		pack.X = kith_mat_new(pool, n[h], 1);
		for (size_t i = 0; i < n[h]; i++)
			pack.X.v[i] = (double)i;
		is_near(*kith_knn_scale_new(&pack, pool).centre, due[h], 0,
		    "the centre");
	}
}

/* Rows of a query about the border of what floats hold. */
static void
test_far(enum kith_metric_kind kind, double border, struct kith_pool *pool)
{
	double x[] = {-1, 0, 1}, w = 1;
	const struct kith_knn_pack pack = {
	    .metric = {kind, 1, &w}, .X = {3, 1, x}, .size = 0};
	const struct kith_knn_scale s = kith_knn_scale_new(&pack, pool);
	double inside = border / *s.factor * (1 - 0x1p-40);
	double outside = border / *s.factor, none = 0;
	const double *const z[] = {&outside, &inside, &none};
	struct kith_knn_float f = kith_knn_float_room(&s, 3, pool);

	kith_knn_float_fill(&s, z, 3, &f);
	ok(isinf(f.low[0]) && f.low[0] > 0 && f.A[0] == 0 && f.wide[0] == 0,
	    "kind %d: a row too far away", (int)kind);
	ok(f.low[1] < 0x1p111 && f.A[1] == (float)(border * s.a),
	    "one that is not");
	ok(f.low[2] < 0 && f.low[2] > -ldexp(1, -59) && f.wide[2] > 0x1.9p-60 &&
		f.A[2] == 0,
	    "and the centre");
	if (s.W)
		ok(f.B[0] == 0 && f.B[1] == f.A[1] && f.B[2] == 0, "B");
}

int
main(void)
{
	struct kith_pool pool = {0};

	test_sizes();
	test_ranges();
	test_shorter(&pool);
	test_longer(&pool);
	test_sample(&pool);
	test_far_balanced(&pool);
	test_vectors(&pool);
	test_centre(&pool);
	test_far(KITH_SQUARED, 0x1p55, &pool);
	test_far(KITH_SQUARED_MATRIX, 0x1p55, &pool);
	test_far(KITH_ABSOLUTE, 0x1p110, &pool);
	kith_pool_free(&pool);
	return done();
}
