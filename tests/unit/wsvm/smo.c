/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/smo.h and lib/wsvm/krows.h: by hand, and against
 * definitions.
 */
#include "wsvm/smo.h"

#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"
#include "wsvm/krows.h"
#include "wsvm/krows_sum.h"
#include "wsvm/smo_run.h"

enum { ROWS = 40 };

static struct kith_rng rng;
static struct task t;

static void
draw(size_t N, bool ranks)
{
	task_new(&t, ROWS, 2, N, ranks);
	for (size_t i = 0; i < 2 * (size_t)ROWS; i++)
		t.X.v[i] = kith_rng_unit(&rng);
	for (size_t v = 0; v < N; v++) {
		t.plus[v] = v % ROWS;
		if (ranks)
			t.minus[v] = (v + 1 + v / ROWS) % ROWS;
		t.sign[v] = !ranks && v % 3 == 0 ? -1 : 1;
		t.q[v] = -1 - kith_rng_unit(&rng);
		t.to[v] = v % 7 == 0 ? 0 : 10 * kith_rng_unit(&rng);
	}
	task_ready(&t, KITH_KERN_GAUSSIAN, 3, 1e-3);
}

/* Where a step ends: on a finite bound that is next to it, but on no other. */
static void
shifts(double lo, double hi, double by, double due, const char *name)
{
	const double sign = -1;
	double x = 1;
	const struct kith_smo_form form = {.sign = &sign, .lo = &lo, .hi = &hi};
	struct kith_smo_run run = {.form = &form, .x = &x};

	kith_smo_shift(&run, 0, by);
	is_near(x, due, 0, name);
}

static void
test_shifts(void)
{
	shifts(0, INFINITY, -2, 3, "no bound above");
	shifts(-INFINITY, 4, 3, -2, "none below");
	shifts(-INFINITY, INFINITY, .5, .5, "none at all");
	shifts(0, 3, -5, 3, "a bound above");
	shifts(0, 3, 1 - 1e-16, 0, "rounding from one below");
	shifts(0, 3, .75, .25, "between them");
}

/* Sums of rows times a and b, and taken off again row by row. */
static void
test_products(struct kith_krows *rows, const double *a, const double *b)
{
	double u[ROWS], v[ROWS], far = 0;

	kith_krows_product(rows, a, b, u, v);
	for (size_t i = 0; i < ROWS; i++) {
		double x = 0, y = 0;

		for (size_t j = 0; j < ROWS; j++) {
			x += a[j] * t.K[i * ROWS + j];
			y += b[j] * t.K[i * ROWS + j];
		}
		far = fmax(far, fmax(fabs(x - u[i]), fabs(y - v[i])));
	}
	ok(far <= 1e-13, "products: %.1e", far);
	for (size_t i = 0; i < ROWS; i += 2)
		if (i % 4)
			kith_krows_add(rows, i, -a[i], 0, u, NULL);
		else
			kith_krows_add(rows, i, -a[i], -b[i], u, v);
	far = 0;
	for (size_t i = 0; i < ROWS; i++)
		far = fmax(far, fmax(fabs(u[i]), fabs(v[i])));
	ok(far <= 1e-13, "taken off row by row: %.1e", far);
}

static void
test_rows(void)
{
	struct kith_krows *rows;
	double a[ROWS] = {0}, b[ROWS] = {0}, far = 0;

	draw(ROWS, false);
	rows = kith_krows_new(
	    &t.kern, &t.X, (size_t)10 * ROWS * sizeof(double), 2, &pool);
	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < ROWS; j++)
			far = fmax(far,
			    fabs(kith_krows_get(rows, i)[j] -
				t.K[i * ROWS + j]));
	ok(far <= 1e-15, "rows of the kernel: %.1e", far);
	is_size(kith_krows_computed(rows), ROWS, "each computed once");
	kith_krows_get(rows, ROWS - 1);
	is_size(kith_krows_computed(rows), ROWS, "the last is held");
	kith_krows_get(rows, 0);
	is_size(kith_krows_computed(rows), ROWS + 1, "the first is not");
	for (size_t i = 0; i < ROWS; i += 2) {
		a[i] = kith_rng_unit(&rng);
		b[i] = i % 4 ? 0 : -1;
	}
	test_products(rows, a, b);
	t.X.v[10] = 2;
	kith_krows_replace(rows, 5);
	ok(kith_krows_get(rows, 0)[5] == kith_krows_get(rows, 5)[0] &&
		fabs(kith_krows_get(rows, 5)[0] - t.K[5]) > 1e-3 &&
		kith_krows_entry(rows, 5, 0) == kith_krows_get(rows, 5)[0],
	    "a row replaced, and its column");
	kith_pool_free(&pool);
}

/* Rows of few features and of more: the same bits as entry by entry. */
static void
test_features(size_t p, bool weighed)
{
	static const double w[] = {.5, 2, 1, 0, 3, 1};
	struct kith_mat X = kith_mat_new(&pool, ROWS, p);
	const struct kith_metric metric = {KITH_SQUARED, p, weighed ? w : NULL};
	const struct kith_kern kern = {
	    .kind = KITH_KERN_GAUSSIAN, .metric = &metric, .gamma = .7};
	struct kith_krows *rows;
	size_t differ = 0;

	for (size_t i = 0; i < ROWS * p; i++)
		X.v[i] = kith_rng_unit(&rng);
	rows = kith_krows_new(
	    &kern, &X, (size_t)20 * ROWS * sizeof(double), 1, &pool);
	for (size_t round = 0; round < 2; round++) {
		for (size_t i = 0; i < ROWS; i++)
			for (size_t j = 0; j < ROWS; j++) {
				double K;

				kith_kern_rows(&kern, kith_row(&X, i),
				    kith_row(&X, j), 1, &K);
				differ += kith_krows_get(rows, i)[j] != K;
			}
		kith_row(&X, 3)[0] = kith_row(&X, 4)[0];
		kith_krows_replace(rows, 3);
	}
	is_size(differ, 0, "rows of features, and after one is replaced");
	kith_pool_free(&pool);
}

/* Bytes that serve elsewhere are not there for rows. */
static void
test_reserve(void)
{
	const size_t row = ROWS * sizeof(double);
	struct kith_krows *rows;

	draw(ROWS, false);
	rows = kith_krows_new(&t.kern, &t.X, 20 * row, 1, &pool);
	for (size_t i = 0; i < 20; i++)
		kith_krows_get(rows, i);
	kith_krows_reserve(rows, 10 * row);
	kith_krows_get(rows, 10);
	is_size(kith_krows_computed(rows), 20, "the newest ten are held");
	kith_krows_get(rows, 9);
	is_size(kith_krows_computed(rows), 21, "and no other");
	kith_krows_reserve(rows, 100 * row);
	for (size_t i = 14; i < 20; i++)
		kith_krows_get(rows, i);
	kith_krows_get(rows, 10);
	kith_krows_get(rows, 9);
	is_size(kith_krows_computed(rows), 21, "a few are always held");
	kith_krows_get(rows, 13);
	is_size(kith_krows_computed(rows), 22, "but no more");
	kith_pool_free(&pool);
}

/*
 * A variable that has less to go than the rounding of its partner: it stops on
 * its bound, and the others go on.
 */
static void
test_rest(void)
{
	double K[] = {2, 1, 4}, lo[3] = {0}, x[] = {0x1p-52, 8, 1}, s[3] = {0};
	const double sign[] = {-1, -1, 1}, q[] = {20, -30, 16};
	const double hi[] = {10, 10, 10}, diagonal[] = {4, 1, 16};
	const size_t plus[] = {0, 1, 2}, live[] = {0, 1, 2};
	struct kith_mat X = {.n = 3, .p = 1, .v = K};
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	const struct kith_kern kern = {
	    .kind = KITH_KERN_LINEAR, .metric = &metric};
	const struct kith_smo_form form = {
	    .rows = kith_krows_new(&kern, &X, 1000, 1, &pool),
	    .n = 3,
	    .N = 3,
	    .plus = plus,
	    .sign = sign,
	    .q = q,
	    .lo = lo,
	    .hi = hi,
	    .diagonal = diagonal,
	    .bias = true};
	double most = -INFINITY, least = INFINITY;

	for (size_t i = 0; i < 3; i++)
		for (size_t v = 0; v < 3; v++)
			s[i] += sign[v] * x[v] * K[i] * K[v];
	kith_smo(&form, live, 3, 1e-9, 1000, x, s);
	for (size_t v = 0; v < 3; v++) {
		const double g = -sign[v] * (sign[v] * s[v] + q[v]);

		if (sign[v] > 0 ? x[v] < hi[v] : x[v] > 0)
			most = fmax(most, g);
		if (sign[v] > 0 ? x[v] > 0 : x[v] < hi[v])
			least = fmin(least, g);
	}
	ok(x[0] == 0, "on its bound: %g", x[0]);
	ok(most - least <= 1e-8, "and solved: %.1e", most - least);
	kith_pool_free(&pool);
}

/* By how much the conditions fail at every b. */
static double
violation(size_t N, const double *x, const struct point *at)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t v = 0; v < N; v++) {
		const double b = -t.sign[v] * at->g[v], e = t.sign[v];

		if (e > 0 ? x[v] < t.to[v] : x[v] > 0)
			most = fmax(most, b);
		if (e > 0 ? x[v] > 0 : x[v] < t.to[v])
			least = fmin(least, b);
	}
	return most - least;
}

static void
test_smo(size_t N, bool ranks, double tol)
{
	double *x = kith_new(&pool, N, sizeof(*x)), s[ROWS] = {0};
	double *lo = kith_new(&pool, N, sizeof(*lo)), *diagonal;
	size_t *live = kith_new(&pool, N, sizeof(*live)), steps;
	struct kith_smo_form form;
	struct point at;
	double far = 0;

	draw(N, ranks);
	diagonal = kith_new(&pool, N, sizeof(*diagonal));
	form = (struct kith_smo_form){
	    .rows = kith_krows_new(&t.kern, &t.X, (size_t)1 << 20, 1, &pool),
	    .n = ROWS,
	    .N = N,
	    .plus = t.plus,
	    .minus = t.minus,
	    .sign = t.sign,
	    .q = t.q,
	    .lo = lo,
	    .hi = t.to,
	    .diagonal = diagonal,
	    .bias = !ranks,
	    .ridge = 1e-3};
	for (size_t v = 0; v < N; v++) {
		live[v] = v;
		diagonal[v] = 1 + 1e-3;
		if (ranks)
			diagonal[v] += 1 -
			    2 * t.K[t.plus[v] * ROWS + t.minus[v]];
	}
	steps = kith_smo(&form, live, N, tol, 1000000, x, s);
	task_judge(&t, 1, x, 0, &at);
	for (size_t i = 0; i < ROWS; i++)
		far = fmax(far, fabs(s[i] - at.f[i]));
	ok(far <= 1e-11, "scores go along: %.1e", far);
	ok(at.bound <= 0 && at.sum <= 1e-13, "in bounds, e' x = 0");
	if (!ranks)
		at.slope = violation(N, x, &at);
	ok(at.slope <= tol * 1.01 && steps > 10, "%zu steps: %.1e", steps,
	    at.slope);
	kith_pool_free(&pool);
}

int
main(void)
{
	test_shifts();
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_rows();
	for (size_t p = 1; p <= 6; p++) {
		test_features(p, false);
		test_features(p, true);
	}
	test_reserve();
	test_rest();
	for (int i = 0; i < 5; i++) {
		test_smo(ROWS, false, 1e-3);
		test_smo(ROWS, false, 1e-9);
		test_smo((size_t)2 * ROWS, true, 1e-3);
		test_smo((size_t)2 * ROWS, true, 1e-7);
	}
	return done();
}
