/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/alike.h, absolute.h, pack.h, by_class.h and of the square of
 * lib/near/near.h: by hand, and against plain loops.
 */
#include "near/absolute.h"
#include "near/alike.h"
#include "near/by_class.h"
#include "near/dist.h"
#include "near/metric.h"
#include "near/near.h"
#include "near/pack.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Integers up to 2^51 have exact differences, those of 2^53 have not. */
static void
test_rounding(void)
{
	double v[] = {0, 0, 0, 0, 0, 1, .1, 1, 1, 0x1p-900, 3, .3, 0x1p51,
	    0x1p52, 0x1p-901, -7, .7, 2, 2, 0};
	const struct kith_mat X = {4, 5, v};
	const bool exact[] = {true, false, true, false, true};
	struct kith_pool pool = {0};
	const double *rounding = kith_alike_rounding(&X, &pool);

	for (size_t j = 0; j < 5; j++)
		ok(rounding[j] == (exact[j] ? 0 : 4 * DBL_EPSILON),
		    "feature %zu: differences are %sexact", j,
		    exact[j] ? "" : "not ");
	kith_pool_free(&pool);
}

static void
test_alike(void)
{
	const double x[] = {0, 5, 1}, a[] = {1, 7, 3}, b[] = {-1, 3, 3};
	const double rounding[3] = {0, 0, 0};

	ok(kith_alike(3, x, a, b, rounding), "a mirror image");
	ok(!kith_alike(3, a, x, b, rounding), "not from elsewhere");
	ok(!kith_alike(3, x, a, (double[]){-1, 3, 4}, rounding),
	    "not the last feature");
	ok(kith_alike_feature(1, 2, 0, 0), "1 and 1");
	ok(kith_alike_feature(0, 1, -(1 + 0x1p-41), 0), "1 and a bit");
	ok(!kith_alike_feature(0, 1, -(1 + 0x1p-39), 0), "1 and more");
	ok(!kith_alike_feature(0, 1 + 0x1p-39, 1, 0), "the other way round");
	ok(kith_alike_feature(.3, .1, .5, 4 * DBL_EPSILON), "rounded");
	ok(!kith_alike_feature(1e6, 1e6 + 1, 1e6 - (1 + 0x1p-24), 0x1p-45),
	    "more than rounding");
	ok(kith_alike_feature(1e6, 1e6 + 1, 1e6 - (1 + 0x1p-25), 0x1p-45),
	    "and just that, of numbers that are large");
	ok(kith_alike_feature(0, 1e6 + 1, 1e6 + 1 + 0x1p-25, 0x1p-45),
	    "one of which is 0");
}

/* Sums of whole numbers, for rows around fours and strips. */
static void
test_strips(void)
{
	enum { N = 70, M = 9, P = 5 };
	static const size_t size[] = {1, 31, 32, 33, 64, N};
	float A[M * P], B[N * P], C[M * N], strips[96 * P];
	size_t bad = 0;

	for (size_t i = 0; i < (size_t)M * P; i++)
		A[i] = (float)(i * 7 % 19);
	for (size_t i = 0; i < (size_t)N * P; i++)
		B[i] = (float)(i * 11 % 23);
	ok(kith_strips_size(1, P) == 160 && kith_strips_size(32, P) == 160 &&
		kith_strips_size(33, P) == 320 && kith_strips_size(0, P) == 0,
	    "sizes of strips");
	memset(strips, 0, sizeof(strips));
	for (size_t i = 0; i < N; i++)
		kith_strips_put(strips, i, P, B + i * P);
	ok(strips[31] == B[(size_t)31 * P] && strips[32] == B[1] &&
		strips[(size_t)32 * P + 65] == B[(size_t)33 * P + 2],
	    "where a feature is");
	for (size_t s = 0; s < 6; s++)
		for (size_t m = 0; m <= M; m++) {
			const size_t n = size[s];

			memset(C, 0xff, sizeof(C));
			kith_absolute_cross(m, n, P, A, strips, C);
			for (size_t i = 0; i < m * n; i++) {
				float due = 0;

				for (size_t a = 0; a < P; a++)
					due += fabsf(A[i / n * P + a] -
					    B[i % n * P + a]);
				bad += C[i] != due;
			}
			bad += m < M && !isnan(C[m * n]);
		}
	is_size(bad, 0, "sums that are wrong");
}

/* The largest number whose root is not above this one. */
static void
test_square(void)
{
	struct kith_rng r;
	size_t bad = 0;

	kith_rng_seed(&r, 1, KITH_RNG_SAMPLE, 0);
	for (int i = 0; i < 2000; i++) {
		const double root = ldexp(
		    kith_rng_unit(&r), (int)kith_rng_below(&r, 1000) - 500);
		const double d = kith_near_square(root);

		bad += sqrt(d) > root || sqrt(nextafter(d, INFINITY)) <= root;
	}
	is_size(bad, 0, "squares that are not the largest");
	ok(kith_near_square(0) == 0 && kith_near_square(3) == 9, "0 and 3");
	ok(kith_near_square(INFINITY) == INFINITY, "no limit");
	ok(kith_near_square(1e200) == DBL_MAX, "the largest number");
	ok(sqrt(kith_near_square(1e-170)) <= 1e-170, "one that vanishes");
}

/* The exponent of the largest term of a distance of two rows. */
static int
largest_term(const struct kith_knn_pack *pack)
{
	const struct kith_metric *m = &pack->metric;
	const bool matrix = kith_metric_is_matrix(m->kind);
	double most = 0;

	for (size_t a = 0; a < pack->X.n; a++)
		for (size_t b = 0; b < a; b++)
			for (size_t i = 0; i < m->p; i++)
				for (size_t j = 0; j < m->p; j++) {
					const double D = kith_row(
							     &pack->X, a)[i] -
					    kith_row(&pack->X, b)[i];
					const double E = kith_row(
							     &pack->X, a)[j] -
					    kith_row(&pack->X, b)[j];
					const double w = !m->w ? 1
					    : matrix ? m->w[i * m->p + j]
						     : m->w[i];

					if (!matrix && i != j)
						continue;
					most = fmax(most,
					    fabs(m->kind == KITH_ABSOLUTE
						    ? w * D
						    : w * D * E));
				}
	return ilogb(most);
}

/* The size and unit of data of this scale, and of those without a feature. */
static void
test_size(enum kith_metric_kind kind, double scale)
{
	const bool matrix = kith_metric_is_matrix(kind);
	double v[] = {1, 5, 2, 4, 5, 9, 3, 5, -2, 6, 5, 7};
	double w[] = {.5, 0, 3, 0, 0, 0, 3, 0, 2};
	const double vector[] = {.5, 0, 3};
	const struct kith_metric metric = {kind, 3, matrix ? w : vector};
	const struct kith_mat X = {4, 3, v};
	struct kith_pool pool = {0};
	struct kith_knn_pack pack;
	double room[3];
	int size;

	for (size_t i = 0; i < 12; i++)
		v[i] *= scale;
	pack = kith_knn_pack(&X, &metric, &pool);
	size = largest_term(&pack);
	ok(pack.metric.p == 2 && pack.kept[0] == 0 && pack.kept[1] == 2 &&
		pack.X.p == 2 && pack.X.v[2] == v[3] * pack.unit &&
		pack.X.v[7] == v[11] * pack.unit,
	    "kind %d, times %g: features that count", (int)kind, scale);
	ok(pack.size <= size && size < pack.size + 3 && abs(size) <= 603,
	    "a size of 2^%d, in 2^%d", pack.size, size);
	ok((pack.unit == 1) == (fabs(log2(scale)) < 200) &&
		frexp(pack.unit, &(int){0}) == .5,
	    "in units of 2^%d", ilogb(pack.unit));
	ok(kith_knn_pack_is_sure(&pack) == (fabs(log2(scale)) < 200),
	    "which is sure or not");
	ok(kith_knn_pack_row(&pack, v + 3, room) == room &&
		room[0] == pack.X.v[2] && room[1] == pack.X.v[3],
	    "another row");
	kith_pool_free(&pool);
}

/* Where the unit is sure, and just not. */
static void
test_sure(void)
{
	static const struct {
		double x, z, w;
		bool sure, one; /* the unit is 1 */
	} at[] = {{1, 2, 1, true, true}, {1, 1, 1, true, true},
	    {0, 0, 1, true, true}, {1, 0x1p299, 1, true, true},
	    {1, 0x1p300, 1, false, true}, {1, 0x1p301, 1, false, false},
	    {0, 0x1p-300, 1, true, true}, {0, 0x1p-301, 1, true, false},
	    {0x1p-247, 0x1p-247, 1, true, true},
	    {0x1p-248, 0x1p-248, 1, false, true}, {1, 1, 0x1p599, false, true},
	    {1, 1, 0x1p598, true, true}, {0, 0, 0x1p600, true, true},
	    {1, 2, 0x1p-600, true, true}, {1, 2, 0x1p-601, false, false},
	    {1, 1, 0x1p-494, true, true}, {1, 1, 0x1p-495, false, true}};
	double far[] = {1, 0x1p300, 2, 0x1p300, 3, 0x1p300};
	const struct kith_mat wide = {3, 2, far};
	const struct kith_metric plain = {KITH_SQUARED, 2, NULL};
	struct kith_pool pool = {0};
	const struct kith_knn_pack large = kith_knn_pack(&wide, &plain, &pool);

	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		double v[] = {at[i].x, at[i].z};
		const struct kith_mat X = {2, 1, v};
		const struct kith_metric metric = {KITH_SQUARED, 1, &at[i].w};
		const struct kith_knn_pack pack = kith_knn_pack(
		    &X, &metric, &pool);

		ok((pack.unit == 1) == at[i].one,
		    "%g and %g, weight %g: the unit is %sone", v[0], v[1],
		    at[i].w, at[i].one ? "" : "not ");
		ok(kith_knn_pack_is_sure(&pack) == (at[i].sure && at[i].one),
		    "%s", at[i].sure ? "surely" : "but others may change it");
	}
	/* A feature that is constant may be large. */
	ok(!kith_knn_pack_is_sure(&large), "all features and rows count");
	kith_pool_free(&pool);
}

/* Units of two numbers of one feature, at the ends of what a double holds. */
static void
test_unit(void)
{
	static const struct {
		double x, z, w;
		enum kith_metric_kind kind;
		int unit;
	} at[] = {{0, 0x1p300, 1, KITH_SQUARED, 0},
	    {0, 0x1p301, 1, KITH_SQUARED, -301},
	    {0, 0x1p-300, 1, KITH_SQUARED, 0},
	    {0, 0x1p-301, 1, KITH_SQUARED, 301},
	    {0, 0x1p-301, 2, KITH_SQUARED, 300},
	    {0, 0x1p-1060, 1, KITH_SQUARED, 1023},
	    {0, 0x1p-1023, 1, KITH_SQUARED, 1023},
	    {0, 0x1p-1022, 1, KITH_SQUARED, 1022},
	    {0, 0x1p1000, 0x1p900, KITH_SQUARED, -1074},
	    {0, 0x1p700, 0x1p746, KITH_SQUARED, -1073},
	    {0, 0x1p700, 0x1p748, KITH_SQUARED, -1074},
	    {0, 0x1p600, 1, KITH_ABSOLUTE, 0},
	    {0, 0x1p601, 1, KITH_ABSOLUTE, -601},
	    {0, 0x1p-601, 1, KITH_ABSOLUTE, 601},
	    {0x1p200, 0x1p200 + 0x1p148, 0x1p-1074, KITH_ABSOLUTE, 800},
	    {-0x1p200, -0x1p200 - 0x1p148, 0x1p-1074, KITH_ABSOLUTE, 800},
	    {0x1p100, 0x1p100 + 0x1p50, 0x1p-950, KITH_ABSOLUTE, 900},
	    {0x1p100, 0x1p100 + 0x1p50, 0x1p-949, KITH_ABSOLUTE, 899}};
	struct kith_pool pool = {0};

	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		double v[] = {at[i].x, at[i].z};
		const struct kith_mat X = {2, 1, v};
		const struct kith_metric metric = {at[i].kind, 1, &at[i].w};
		const struct kith_knn_pack pack = kith_knn_pack(
		    &X, &metric, &pool);

		ok(pack.unit == ldexp(1, at[i].unit) &&
			pack.X.v[1] == v[1] * pack.unit,
		    "%g and %g, weight %g: a unit of 2^%d", v[0], v[1], at[i].w,
		    ilogb(pack.unit));
	}
	kith_pool_free(&pool);
}

int
main(void)
{
	static const double scale[] = {1, 0x1p150, 0x1p-150, 0x1p400, 0x1p-400};

	test_rounding();
	test_alike();
	test_strips();
	test_square();
	for (int kind = 0; kind < 4; kind++)
		for (size_t s = 0; s < 5; s++)
			if (kind != KITH_ABSOLUTE)
				test_size(
				    (enum kith_metric_kind)kind, scale[s]);
	test_size(KITH_ABSOLUTE, 1);
	test_size(KITH_ABSOLUTE, 0x1p700);
	test_size(KITH_ABSOLUTE, 0x1p-700);
	test_sure();
	test_unit();
	return done();
}
