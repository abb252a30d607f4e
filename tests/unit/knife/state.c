/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/state.h: what is taken from columns where the kernel is one of
 * differences, and tiles of rows.
 */
#include "knife/state.h"

#include "knife/data.h"
#include "tap.h"

#include <stdlib.h>

static int
by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/*
 * The mean of n numbers, unless that is 1024 times as far from the lower median as
 * half of the numbers are from each other.
 */
static double
plain_middle(size_t n, const double *column, bool *far)
{
	double *x = numbers(n), mean = 0, median, spread;

	memcpy(x, column, n * sizeof(*x));
	qsort(x, n, sizeof(*x), by_size);
	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	median = x[(n - 1) / 2];
	spread = x[(3 * n - 1) / 4] - x[n / 4];
	for (size_t i = 0; i < n && spread == 0; i++)
		spread = fabs(x[i] - median);
	*far = fabs(mean - median) > 1024 * spread;
	return *far ? median : mean;
}

/* Columns of n numbers, of which the first is of another size. */
static void
test_middle(size_t n, double outlier, size_t values, size_t *fars)
{
	struct kith_knife_problem problem = draw(n, 1, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	struct kith_knife_state state;
	double *x = numbers(n), middle, worst = 0, size;
	bool far;

	for (size_t i = 0; i < n; i++)
		x[i] = values ? (double)kith_rng_below(&rng, values) : 3 + kith_rng_unit(&rng);
	x[kith_rng_below(&rng, n)] = outlier;
	memcpy(problem.X->v, x, n * sizeof(*x));
	middle = plain_middle(n, x, &far);
	*fars += far;
	size = fmax(1, fabs(outlier));
	state = kith_knife_begin(&problem, false);
	for (size_t i = 0; i < n; i++)
		worst = fmax(worst, fabs(state.X.v[i] - (x[i] - middle)) / (far ? 1 : size));
	if (!(worst <= 1e-14))
		ok(false, "%zu numbers, %g: off by %g", n, outlier, worst);
	ok(state.X.v != problem.X->v && memcmp(problem.X->v, x, n * sizeof(*x)) == 0,
	    "%zu numbers, %g: less their %s", n, outlier, far ? "median" : "mean");
	kith_knife_end(&state);
}

/* 0 three times, and 1024 times, or a little more, what counts as their spread. */
static void
test_border(void)
{
	double x[] = {0, 1, 2, 3, 0};
	struct kith_mat X = {5, 1, x};
	const struct kith_knife_problem problem = {.X = &X,
	    .Y = x,
	    .c = 1,
	    .kernel = KITH_KNIFE_LAPLACIAN,
	    .gamma = 1,
	    .lambda1 = 1,
	    .threads = 1};

	/* Sorted 0 1 2 3 and x: the median 2, the spread 3 - 1 = 2. */
	for (int more = 0; more < 2; more++) {
		struct kith_knife_state state;

		/* (6 + x) / 5 - 2 = 1024 * 2 */
		x[4] = 5 * 2050 - 6 + more;
		state = kith_knife_begin(&problem, false);
		is_near(state.X.v[1], more ? -1 : 1 - 2050., 1e-12,
		    more ? "the median behind the border" : "the mean at it");
		kith_knife_end(&state);
	}
}

static void
test_columns(void)
{
	size_t fars = 0;

	for (size_t n = 1; n < 24; n++) {
		test_middle(n, 1e3, 0, &fars);
		test_middle(n, 1e9, 0, &fars);
		test_middle(n, 1e9, 2, &fars);
		test_middle(n, 1e4, 4, &fars);
	}
	ok(fars > 20 && fars < 80, "%zu of 92 columns lose their median", fars);
}

static void
test_rest(void)
{
	struct kith_knife_problem problem = draw(
	    10, 2, 1, KITH_KNIFE_POLYNOMIAL, KITH_KNIFE_SQUARED);
	struct kith_knife_state state = kith_knife_begin(&problem, true);
	const double u[] = {1, 2, 1};
	double v[] = {1, 1, 1};
	size_t first;

	ok(state.X.v == problem.X->v && !state.tiled && state.H != state.K,
	    "columns of products stay as they are");
	kith_knife_end(&state);
	problem.held = 9;
	state = kith_knife_begin(&problem, true);
	ok(state.tiled && !state.K, "ten rows are more than nine");
	kith_knife_end(&state);
	state = kith_knife_begin(&problem, false);
	ok(!state.tiled && state.K, "unless they have to be held");
	kith_knife_end(&state);
	problem.kernel = KITH_KNIFE_LINEAR;
	state = kith_knife_begin(&problem, true);
	ok(!state.tiled, "or the kernel is linear");
	kith_knife_end(&state);
	is_near(kith_knife_balance(3, 7, u, v), 1, 1e-15, "1'(v + u) = 7");
	ok(v[0] == 2 && v[1] == 3 && v[2] == 2, "v + u");
	ok(kith_knife_tiles(1) == 1 && kith_knife_tiles(256) == 1 && kith_knife_tiles(257) == 2,
	    "tiles");
	ok(kith_knife_tile(300, 0, &first) == 256 && first == 0 &&
		kith_knife_tile(300, 1, &first) == 300 && first == 256,
	    "their rows");
}

int
main(void)
{
	kith_rng_seed(&rng, 8, KITH_RNG_SAMPLE, 0);
	test_columns();
	test_border();
	test_rest();
	kith_pool_free(&pool);
	return done();
}
