/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/points.h: points are the different rows of each class, by
 * first row, whatever there is of copies, classes and features.
 */
#include "sqpfw/points.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "tap.h"

#include <math.h>

enum { MOST = 60, SETS = 60 };

static struct kith_rng rng;

/* Rows of few values, so that many are equal; classes in any order. */
struct set {
	struct kith_mat X;
	size_t y[MOST], c;
	double weight[MOST];
};

static void
draw(struct set *set, size_t k, struct kith_pool *pool)
{
	const size_t n = 1 + kith_rng_below(&rng, MOST), p = 1 + k % 9;

	*set = (struct set){.X = kith_mat_new(pool, n, p), .c = 1 + k % 4};
	for (size_t i = 0; i < n; i++) {
		set->y[i] = kith_rng_below(&rng, set->c);
		set->weight[i] = kith_rng_unit(&rng);
		for (size_t f = 0; f < p; f++)
			kith_row(&set->X, i)[f] = (double)kith_rng_below(&rng, f < 3 ? 3 : 2);
	}
}

static bool
is_equal(const struct set *set, size_t i, size_t j)
{
	for (size_t f = 0; f < set->X.p; f++)
		if (kith_row(&set->X, i)[f] != kith_row(&set->X, j)[f])
			return false;
	return set->y[i] == set->y[j];
}

/* The point of each row, by going through all rows of each class. */
static size_t
find_points(const struct set *set, size_t *point, size_t *first, size_t *start)
{
	size_t n = 0;

	for (size_t c = 0; c < set->c; c++) {
		start[c] = n;
		for (size_t i = 0; i < set->X.n; i++) {
			size_t j = 0;

			if (set->y[i] != c)
				continue;
			while (!is_equal(set, i, j))
				j++;
			if (j == i)
				first[n] = i;
			point[i] = j == i ? n++ : point[j];
		}
	}
	start[set->c] = n;
	return n;
}

/* Whether each point lists its rows, in order, with their number and share. */
static bool
has_members(const struct set *set, const struct kith_sqpfw_points *points)
{
	size_t at = 0;

	for (size_t j = 0; j < points->n; j++) {
		double share = 0;

		if (points->members[j] != at)
			return false;
		for (size_t i = 0; i < set->X.n; i++)
			if (points->point[i] == j) {
				if (points->member[at++] != i)
					return false;
				share += set->weight[i] / (double)set->X.n;
			}
		if (points->copies[j] != at - points->members[j] ||
		    fabs(share - points->share[j]) > 1e-15)
			return false;
	}
	return points->members[points->n] == at && at == set->X.n;
}

/* Whether values are those of the rows, scaled, by position and in panels. */
static bool
has_values(const struct set *set, const struct kith_sqpfw_points *points)
{
	for (size_t j = 0; j < points->n; j++)
		for (size_t f = 0; f < points->ld; f++) {
			const double due = f < set->X.p
			    ? scalbn(kith_row(&set->X, points->first[j])[f], points->exponent)
			    : 0;

			if (kith_sqpfw_point(points, j)[f] != due ||
			    (f < set->X.p && kith_sqpfw_value(points, j, f) != due))
				return false;
		}
	return true;
}

static void
test_random(void)
{
	size_t same = 0, members = 0, values = 0, shares = 0;

	for (size_t k = 0; k < SETS; k++) {
		struct kith_pool pool = {0};
		size_t point[MOST] = {0}, first[MOST] = {0}, start[5] = {0};
		size_t n;
		struct kith_sqpfw_points points, once;
		struct set set;
		bool good;

		draw(&set, k, &pool);
		n = find_points(&set, point, first, start);
		points = kith_sqpfw_points_new(&set.X, set.y, set.c, set.weight, &pool);
		good = points.n == n && points.rows == set.X.n;
		for (size_t i = 0; i < set.X.n; i++)
			good = good && points.point[i] == point[i];
		for (size_t j = 0; j < n; j++)
			good = good && points.first[j] == first[j] &&
			    points.of[j] == set.y[first[j]];
		for (size_t c = 0; c <= set.c; c++)
			good = good && points.start[c] == start[c];
		same += good;
		members += has_members(&set, &points);
		values += has_values(&set, &points);
		once = kith_sqpfw_points_new(&set.X, set.y, set.c, NULL, &pool);
		good = true;
		for (size_t j = 0; j < n; j++)
			good = good && once.share[j] == (double)once.copies[j] / (double)set.X.n;
		shares += good;
		kith_pool_free(&pool);
	}
	is_size(same, SETS, "points, by class and first row");
	is_size(members, SETS, "their rows, how many, and their weights");
	is_size(values, SETS, "their values");
	is_size(shares, SETS, "shares where rows have no weights");
}

/* The exponent of rows that are `unit` times those of a set, and constant in
 * its last feature where that is asked for. */
static int
exponent(double unit, double add, size_t p, bool constant)
{
	struct kith_pool pool = {0};
	struct kith_mat X = kith_mat_new(&pool, 4, p);
	const size_t y[] = {0, 0, 1, 1};
	static const double at[] = {1, -1, 1, -1};
	int got;

	/* a standard deviation of 1 */
	for (size_t i = 0; i < 4; i++)
		for (size_t f = 0; f < p; f++)
			kith_row(&X, i)[f] = constant && f + 1 == p ? add : unit * at[i] + add;
	got = kith_sqpfw_points_new(&X, y, 2, NULL, &pool).exponent;
	kith_pool_free(&pool);
	return got;
}

/* Mean squares of standard deviations, in powers of two. */
static void
test_exponents(void)
{
	ok(exponent(1, 0, 1, false) == 0, "deviations of 1");
	ok(exponent(1, 100, 3, false) == 0, "wherever their mean is");
	ok(exponent(4, 0, 2, false) == -2, "of 4");
	ok(exponent(1. / 8, 0, 2, false) == 3, "of an eighth");
	/* log2 of 1.4 and of 1.42 is on either side of a half */
	ok(exponent(1.4, 0, 1, false) == 0, "of 1.4");
	ok(exponent(1.42, 0, 1, false) == -1, "of 1.42");
	/* 5 sqrt(1/2) = 3.5, and 3.9 sqrt(1/2) = 2.76 */
	ok(exponent(5, 7, 2, true) == -2, "5 and 0");
	ok(exponent(3.9, 7, 2, true) == -1, "3.9 and 0");
	ok(exponent(0, 7, 3, false) == 0, "all are constant");
	ok(exponent(0x1p1000, 0, 3, false) == -1000, "of 2^1000");
	ok(exponent(0x1p-1000, 0, 3, false) == 1000, "of 2^-1000");
	ok(exponent(0x1.8p1023, 0, 2, false) == -1024, "the largest numbers");
	ok(exponent(0x1p-1070, 0, 2, false) == 1070, "the smallest");
}

static void
test_swap(void)
{
	struct kith_pool pool = {0};
	double x[] = {1, .1, 3, 4, .2, 6, 7, .4, 9};
	const size_t y[] = {0, 0, 1};
	const struct kith_mat X = {3, 3, x};
	struct kith_sqpfw_points points = kith_sqpfw_points_new(&X, y, 2, NULL, &pool);
	const double unit = scalbn(1, points.exponent);
	const double rounding = points.rounding[1];
	size_t good = 0;

	kith_sqpfw_points_swap(&points, 1, 1);
	for (size_t i = 0; i < 3; i++)
		good += kith_sqpfw_point(&points, i)[1] == unit * x[3 * i + 1];
	kith_sqpfw_points_swap(&points, 1, 2);
	for (size_t i = 0; i < 3; i++) {
		good += kith_sqpfw_point(&points, i)[0] == unit * x[3 * i];
		good += kith_sqpfw_point(&points, i)[2] == unit * x[3 * i + 1];
		good += kith_sqpfw_point(&points, i)[1] == unit * x[3 * i + 2];
		good += kith_sqpfw_value(&points, i, 1) == unit * x[3 * i + 1];
	}
	is_size(good, 15, "positions are exchanged, features stay");
	ok(rounding > 0 && points.rounding[2] == rounding && points.rounding[1] == 0,
	    "roundings go with them");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 19, KITH_RNG_SAMPLE, 0);
	test_random();
	test_exponents();
	test_swap();
	return done();
}
