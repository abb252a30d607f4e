/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/nnk/pursuit.h, by hand. */
#include "nnk/pursuit.h"

#include "base/pool.h"
#include "tap.h"

#include <math.h>

static struct kith_pool pool;

/* Three atoms; the first two point away from each other. */
static const double A[3][3] = {{1, -.9, 0}, {-.9, 1, 0}, {0, 0, 4}};

static const double *
column(void *of, size_t s, size_t j)
{
	(void)of, (void)s;
	return A[j];
}

static struct kith_pursuit
pursue(const double *b, size_t most, bool orthogonal, const double *order)
{
	struct kith_pursuit it = kith_pursuit_new(3, most, orthogonal, &pool);

	it.n = 3;
	it.most = most;
	it.b = b;
	it.diagonal = A[0];
	it.step = 4;
	it.order = order;
	it.column = column;
	kith_pursuit(&it);
	return it;
}

static void
test_plain(void)
{
	static const double b[] = {1, .5, .2};
	struct kith_pursuit it = pursue(b, 3, false, NULL);

	ok(it.taken == 3 && it.atom[0] == 0 && it.atom[1] == 1 && it.atom[2] == 2,
	    "the largest left, relative to the atom's length, each once");
	is_near(it.t[0], 1, 0, "1");
	is_near(it.t[1], 1.4, 1e-15, ".5 + .9");
	is_near(it.t[2], .05, 1e-16, ".2 / 4");
	is_near(it.r[0], 1.26, 1e-15, "what is left of the first grows again");
	ok(it.r[1] == 0 && fabs(it.r[2]) < 1e-16 && it.residual == 0, "of the others nothing");
	it = pursue(b, 2, false, NULL);
	ok(it.taken == 2 && it.r[2] == .2, "two at most");
	it = pursue((double[]){1, 2, 3.9}, 1, false, NULL);
	ok(it.atom[0] == 1 && it.t[0] == 2, "3.9 / 2 is less than 2");
	it = pursue((double[]){1, 2, 4.1}, 1, false, NULL);
	ok(it.atom[0] == 2 && it.t[0] == 4.1 / 4, "4.1 / 2 is not");
	it = pursue((double[]){-1, 0, -3}, 3, false, NULL);
	ok(it.taken == 0 && it.r[2] == -3, "none that is positive");
	it = pursue((double[]){1, -2, .9e-13}, 3, false, NULL);
	ok(it.taken == 1 && it.atom[0] == 0, "nor by rounding alone");
	it = pursue((double[]){1, -2, 1.1e-13}, 3, false, NULL);
	ok(it.taken == 2 && it.atom[1] == 2, "1.1e-13 is more");
}

static void
test_ties(void)
{
	static const double b[] = {2, 2, 4};
	struct kith_pursuit it = pursue(b, 1, false, NULL);

	ok(it.atom[0] == 0, "the first of equal ones");
	it = pursue(b, 1, false, (double[]){3, 2, 2});
	ok(it.atom[0] == 1, "or that which comes before in order, then first");
	it = pursue(b, 1, false, (double[]){3, 3, 1});
	ok(it.atom[0] == 2, "the last");
	it = pursue(b, 1, false, (double[]){1, 2, 3});
	ok(it.atom[0] == 0, "the first");
}

static void
test_orthogonal(void)
{
	static const double b[] = {1, .5, .2};
	struct kith_pursuit it = pursue(b, 3, true, NULL);
	/* 1 -.9; -.9 1: (1 + .45) / .19 and (.5 + .9) / .19. */
	ok(it.taken == 3 && it.residual <= 1e-12, "three atoms");
	is_near(it.t[0], 1.45 / .19, 1e-14, "all weights anew");
	is_near(it.t[1], 1.4 / .19, 1e-14, "each time");
	is_near(it.t[2], .05, 1e-15, "the last");
	ok(fabs(it.r[0]) + fabs(it.r[1]) + fabs(it.r[2]) <= 1e-14, "nothing is left");
	it = pursue(b, 1, true, NULL);
	ok(it.taken == 1 && it.t[0] == 1 && it.r[1] == 1.4, "one");
	it = pursue((double[]){-1, -1, -1}, 2, true, NULL);
	ok(it.taken == 0 && it.residual == 0, "none");
}

/* Atoms of no length, and of one that products are nothing to. */
static void
test_lengths(void)
{
	static double length[] = {1, 0, 4};
	struct kith_pursuit it = kith_pursuit_new(3, 3, false, &pool);

	it.n = it.most = 3;
	it.b = (const double[]){1, 5, .2};
	it.diagonal = length;
	it.step = 1;
	it.column = column;
	kith_pursuit(&it);
	ok(it.taken == 2 && it.atom[0] == 0 && it.atom[1] == 2, "an atom of no length is none");
	length[1] = -1;
	kith_pursuit(&it);
	ok(it.taken == 2 && it.atom[1] == 2, "nor is one of less");
	it.b = (const double[]){1e-200, -1, -1};
	length[0] = 1e300;
	kith_pursuit(&it);
	ok(it.taken == 0, "1e-200 / 1e150 is 0");
	length[0] = 1e200;
	kith_pursuit(&it);
	ok(it.taken == 1 && it.atom[0] == 0 && it.t[0] == 0, "/ 1e100 is not");
	length[0] = 1;
	it.b = (const double[]){1, 0, 0};
	it.taken = 7;
	kith_pursuit(&it);
	ok(it.taken == 1, "products of 0 are not taken");
}

int
main(void)
{
	test_plain();
	test_ties();
	test_orthogonal();
	test_lengths();
	kith_pool_free(&pool);
	return done();
}
