/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/relief/relief.h by hand: few rows, targets of which few or nearly all change, what is
 * rounding, rows and features of other shapes, what does not fit, and what fails.
 */
#include "relief/plain.h"

/* Few rows, and classes of one row and of none. */
static void
test_few(void)
{
	static const size_t classes[] = {0, 1, 1};
	double v[] = {0, 1, 3}, number[] = {5, 5, 5};
	struct kith_relief_rows in = {.X = {3, 1, v}, .y = classes, .c = 3};
	struct kith_relief_how how = {.method = KITH_RELIEF, .threads = 1};
	const struct kith_relief *got = run(&in, &how);

	is_near(
	    got->w[0], (1 + (1 - 4) + (9 - 4)) / 3., 1e-15, "a class of one row, and one of none");
	how.method = KITH_RELIEFF;
	how.k = 10;
	got = run(&in, &how);
	is_near(got->w[0], ((1 + 3) / 6. + (1 - 2) / 3. + (3 - 2) / 3.) / 3, 1e-15,
	    "relieff, k larger than the classes");
	in.y = NULL;
	in.t = number;
	how.sigma = 20;
	ok(!run(&in, &how) && err.status == EX_DATAERR, "a constant target");
	number[0] = 4;
	in.X.n = 2;
	got = run(&in, &how);
	is_near(got->w[0], 1, 1e-15, "two rows: E[1 - delta] is 0");
}

/* RReliefF where little changes, and where nearly all does. */
static void
test_change(void)
{
	double v[] = {0, .5, 4, 4.25, 7, 8}, target[] = {0, .01, 0, .01, 1, 1};
	struct kith_relief_rows in = {.X = {6, 1, v}, .t = target};
	const struct kith_relief_how how = {
	    .method = KITH_RELIEFF, .k = 1, .sigma = 1, .threads = 1};

	/* Four rows change by .01, with differences of 4/64, 2/64; two by 0. */
	is_near(run(&in, &how)->w[0],
	    (2 * .01 * 4 / 64 + 2 * .01 * 2 / 64) / .04 -
		(2 * .99 * 4 / 64 + 2 * .99 * 2 / 64 + 2 * 8. / 64) / (4 * .99 + 2),
	    1e-14, "little changes");
	target[0] = target[2] = 0;
	target[1] = target[3] = .95;
	target[5] = .05;
	is_near(run(&in, &how)->w[0],
	    (4. + 4 + 2 + 2 + 8 + 8) / 64 / 6 - (4. + 4 + 2 + 2 + 8 + 8) / 64 / 6, 1e-14,
	    "nearly all changes");
	target[1] = target[3] = 0;
	target[5] = 1;
	is_near(run(&in, &how)->w[0], -(2. * 4 + 2 * 2 + 2 * 8) / 64 / 6, 1e-14, "nothing changes");
}

/*
 * Whole numbers of ranges 9, 7 and 3: ties are ties, whatever the ranges.  RELIEF does not divide by
 * them; as texts they differ by 1, whatever their number.
 */
static void
test_whole(void)
{
	static const double range[] = {9, 7, 3};
	double worst = 0;

	for (size_t seed = 1; seed <= 30; seed++) {
		struct kith_relief_how how = {
		    .method = KITH_RELIEFF, .k = 1 + seed % 9, .squares = seed % 2, .threads = 1};
		struct kith_relief_rows in;
		double w[DRAWN_P] = {0};

		draw(seed);
		for (size_t i = 0; i < n * p; i++) {
			const double most = range[i % p % 3];

			x[i] = i / p == 0 ? 0
			    : i / p == 1  ? most
					  : round(most * kith_rng_unit(&rng));
		}
		in = rows();
		fill_diff(true, true);
		for (size_t i = 0; i < n * n * p; i++)
			diff[i] = round(63 * diff[i]);
		plain_relieff(how.k, how.squares, w);
		for (size_t a = 0; a < p; a++)
			w[a] /= 63;
		worst = fmax(worst, apart(run(&in, &how)->w, w, p));
		how.method = KITH_RELIEF;
		plain_relief(NULL, false, w);
		worst = fmax(worst, apart(run(&in, &how)->w, w, p));
		how.method = KITH_RELIEF_SURF;
		for (size_t a = 0; a < p; a += 2)
			text[a] = true;
		in.text = text;
		fill_diff(true, true);
		plain_surf(false, false, w);
		worst = fmax(worst, apart(run(&in, &how)->w, w, p));
	}
	ok(worst <= 1e-12, "whole numbers are added up exactly: %g", worst);
}

/* Draws so many rows of features of which some tell classes apart. */
static struct kith_relief_rows
draw_sized(size_t count, size_t features)
{
	n = count;
	p = features;
	c = 3;
	for (size_t i = 0; i < n; i++) {
		y[i] = i < 2 ? i : kith_rng_below(&rng, 3);
		for (size_t a = 0; a < p; a++)
			x[i * p + a] = kith_rng_unit(&rng) + .5 * (double)(y[i] * (a % 3));
	}
	weigh(true);
	sample(0, n);
	return (struct kith_relief_rows){{n, p, x}, .y = y, .c = c, .weight = weight};
}

/* LFE of more and fewer rows than features, and SIMBA of more features than are seen at a time. */
static void
test_sizes(void)
{
	static const size_t sizes[][2] = {{12, 30}, {40, 41}, {40, 40}, {40, 39}, {3, 4}, {20, 64},
	    {20, 65}, {20, 130}, {100, 65}, {90, 64}, {30, 1}, {30, 2}};
	static double w[CELLS];
	struct kith_relief_how how = {.method = KITH_RELIEF_LFE, .threads = 2};
	struct kith_relief_rows in;

	for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
		const struct kith_relief *got;
		size_t odd = 0;

		in = draw_sized(sizes[k][0], sizes[k][1]);
		got = run(&in, &how);
		plain_lfe(w);
		for (size_t l = 0; l < p * p; l++)
			odd += got->w[l] != got->w[l % p * p + l / p];
		ok(apart(got->w, w, p * p) <= 1e-9 && odd == 0, "lfe, %zu rows of %zu features: %g",
		    n, p, apart(got->w, w, p * p));
		kith_pool_free(&pool);
	}
	in = draw_sized(12, MOST_P);
	how = (struct kith_relief_how){
	    .method = KITH_RELIEF_SIMBA, .max_iter = 1, .starts = 1, .threads = 1};
	plain_simba(1, w);
	ok(apart(run(&in, &how)->w, w, p) <= 1e-11, "simba of %d features", (int)MOST_P);
}

/* The matrix of LFE of rows of classes 0 0 1 1 0 0 1 1, and how many of its entries are not 0. */
static size_t
count_lfe(size_t count, size_t features, const double *v, const double **w)
{
	static const size_t class[] = {0, 0, 1, 1, 0, 0, 1, 1};
	const struct kith_relief_how how = {.method = KITH_RELIEF_LFE, .threads = 1};
	const struct kith_relief_rows in = {
	    .X = {count, features, (double *)v}, .y = class, .c = 2};
	size_t some = 0;

	*w = run(&in, &how)->w;
	for (size_t l = 0; l < features * features; l++)
		some += (*w)[l] != 0;
	return some;
}

/* Which eigenvalues of LFE are rounding. */
static void
test_lfe(void)
{
	static const double along[] = {.1, .7, 1.3, .9, .3, 1.9};
	static const double at[] = {0, 9.7, .3, 10.1, 19.9, 29.3, 20.3, 30.1};
	static const size_t sizes[][2] = {{8, 6}, {8, 3}, {4, 6}};
	const double far[] = {0, 0, 5, 5, 0, 1, 5, 4};
	const double *w;

	/* Hits are v away along the first feature, misses 1 along the second. */
	for (int bits = 25; bits <= 26; bits++) {
		const double v[] = {0, 0, ldexp(1, bits), 0, 0, 1, ldexp(1, bits), 1};
		const size_t some = count_lfe(4, 2, v, &w);

		ok(some == (bits == 25) && w[3] == (double)some,
		    bits == 25 ? "2^-50 of what is negative"
			       : "2^-52 of it may be rounding: p of that are left out");
	}
	is_size(count_lfe(4, 2, far, &w), 0, "hits farther than misses: no weights");
	for (size_t k = 0; k < 3; k++) {
		const size_t features = sizes[k][1];
		double v[48];

		for (size_t l = 0; l < sizes[k][0] * features; l++)
			v[l] = at[l / features] * along[l % features];
		is_size(count_lfe(sizes[k][0], features, v, &w), 0, "nor of rows on a line");
	}
}

/* What does not fit a double. */
static void
test_wide(void)
{
	struct kith_relief_how how = {
	    .method = KITH_RELIEF_NCA, .starts = 1, .max_iter = 5, .tol = 1e-5, .threads = 1};
	struct kith_relief_rows in = (draw(5), rows());

	for (size_t i = 0; i < n * p; i++)
		x[i] = ldexp(x[i], 600);
	ok(!run(&in, &how) && err.status == EX_DATAERR, "squares that do not");
	is_text(err.msg, "squares of differences do not fit a double: scale the rows (tabscale)",
	    "which is said");
	how.method = KITH_RELIEF;
	ok(!run(&in, &how) && err.status == EX_DATAERR, "a weight");
	is_text(err.msg, "the weight of \"a\" does not fit a double: scale the rows (tabscale)",
	    "which is said");
	how.method = KITH_RELIEF_NCA;
	for (size_t i = 0; i < n * p; i++)
		x[i] = ldexp(x[i], -1200);
	ok(!run(&in, &how), "nor of tiny ones");
}

/* Weights of rows that leave one class, or a constant, and samples of more rows than there are. */
static void
test_failures(void)
{
	struct kith_relief_how how = {.method = KITH_RELIEF_SURF, .threads = 1};
	struct kith_relief_rows in = (draw(5), rows());

	in.weight = weight;
	for (size_t i = 0; i < n; i++)
		weight[i] = y[i] == 1;
	ok(!run(&in, &how) && err.status == EX_DATAERR, "one class");
	is_text(err.msg, "one class only has rows of weight above 0", "which is said");
	in.y = NULL;
	in.t = t;
	for (size_t i = 0; i < n; i++)
		t[i] = y[i] == 1 ? 4 : (double)i;
	ok(!run(&in, &how) && err.status == EX_DATAERR, "one number");
	is_text(err.msg, "the target is constant", "which is said");
	how.samples = 7;
	for (size_t i = 0; i < n; i++)
		weight[i] = i < 6;
	ok(!run(&in, &how), "more samples than rows of weight above 0");
	is_text(err.msg, "--samples 7: only 6 rows", "which is said");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_START, 0);
	test_few();
	test_change();
	test_whole();
	test_sizes();
	test_lfe();
	test_wide();
	test_failures();
	kith_pool_free(&pool);
	return done();
}
