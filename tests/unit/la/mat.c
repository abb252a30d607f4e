/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/la/mat.h, by hand: rows and columns taken, ranges, means, transposes. */
#include "la/mat.h"

#include "base/pool.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N = 4, P = 3 };

/* Column 1 is constant; the least and the most are first, inside and last. */
static struct kith_mat
made(struct kith_pool *pool)
{
	static const double v[N * P] = {5, 2, -7, 1, 2, 3, 9, 2, 9, 4, 2, -8};
	const struct kith_mat X = kith_mat_new(pool, N, P);

	memcpy(X.v, v, sizeof(v));
	return X;
}

static void
test_ranges(struct kith_pool *pool)
{
	const struct kith_mat X = made(pool);
	double least[P], most[P], a, b, to[N];

	for (size_t j = 0; j < P; j++) {
		least[j] = -100;
		most[j] = 100;
	}
	kith_mat_ranges(&X, least, most);
	ok(least[0] == 1 && least[1] == 2 && least[2] == -8, "least");
	ok(most[0] == 9 && most[1] == 2 && most[2] == 9, "most");
	for (size_t j = 0; j < P; j++) {
		kith_mat_range(&X, j, &a, &b);
		ok(a == least[j] && b == most[j], "range of column %zu", j);
		ok(kith_mat_is_constant(&X, j) == (j == 1), "constant or not");
	}
	kith_mat_sorted(&X, 0, to);
	ok(to[0] == 1 && to[1] == 4 && to[2] == 5 && to[3] == 9, "sorted");
	for (size_t i = 0; i < N; i++) {
		X.v[i * P + 1] = 3;
		ok(!kith_mat_is_constant(&X, 1), "not constant by row %zu", i);
		X.v[i * P + 1] = 2;
	}
	X.v[0] = X.v[6] = NAN;
	kith_mat_range(&X, 0, &a, &b);
	ok(a == 1 && b == 4, "range without what is no number");
}

static void
test_mean(struct kith_pool *pool)
{
	const struct kith_mat X = made(pool);
	double mean = -1;

	ok(kith_mat_mean(&X, 0, &mean) == 0 && mean == 4.75, "mean");
	X.v[6] = NAN;
	ok(kith_mat_mean(&X, 0, &mean) == 0 && fabs(mean - 10. / 3) < 1e-15,
	    "mean of those that are numbers");
	X.v[2] = X.v[5] = X.v[8] = X.v[11] = NAN;
	mean = 7;
	ok(kith_mat_mean(&X, 2, &mean) == -1 && mean == 7, "mean of none");
	for (size_t i = 0; i < N && LDBL_MAX > DBL_MAX; i++)
		X.v[i * P + 1] = i % 2 ? DBL_MAX : 0.5 * DBL_MAX;
	ok(LDBL_MAX == DBL_MAX || (kith_mat_mean(&X, 1, &mean) == 0 && mean == 0.75 * DBL_MAX),
	    "a sum that is too large for a double");
}

static void
test_exponent(void)
{
	is_near(kith_range_exponent(0, 1), 0, 0, "range 1");
	is_near(kith_range_exponent(-1, 7), 3, 0, "range 8");
	is_near(kith_range_exponent(2, 2.25), -2, 0, "range 1/4");
	is_near(kith_range_exponent(-0x1p1023, 0x1p1023), 1024, 0,
	    "a range that is too large for a double");
	is_near(kith_range_exponent(-0x1p1023, 0x1.8p1023), 1024, 0, "and another");
}

static const size_t MOST = 19, LD = 23, TO_LD = 21;

/* Whether a matrix is turned, and nothing beside it is written. */
static bool
is_turned(size_t rows, size_t columns)
{
	double from[19 * 23], to[19 * 21];
	bool same = true;

	for (size_t k = 0; k < MOST * LD; k++)
		from[k] = (double)k + 1;
	for (size_t k = 0; k < MOST * TO_LD; k++)
		to[k] = -1;
	kith_transpose(rows, columns, from, LD, to, TO_LD);
	for (size_t j = 0; j < MOST; j++)
		for (size_t i = 0; i < TO_LD; i++) {
			const bool in = j < columns && i < rows;
			const double due = in ? from[i * LD + j] : -1;

			same = same && to[j * TO_LD + i] == due;
		}
	return same;
}

static void
test_transpose(void)
{
	for (size_t rows = 0; rows <= MOST; rows++) {
		bool same = true;

		for (size_t columns = 0; columns <= MOST; columns++)
			same = same && is_turned(rows, columns);
		ok(same, "%zu rows", rows);
	}
}

int
main(void)
{
	struct kith_pool pool = {0};

	test_ranges(&pool);
	test_mean(&pool);
	test_exponent();
	test_transpose();
	kith_pool_free(&pool);
	return done();
}
