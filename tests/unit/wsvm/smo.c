/*
 * Tests of lib/wsvm/smo.h and lib/wsvm/krows.h: by hand, and against
 * definitions.
 */
#include "wsvm/smo.h"

#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"
#include "wsvm/krows.h"

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

static void
test_rows(void)
{
	struct kith_krows *rows;
	double a[ROWS] = {0}, b[ROWS] = {0}, u[ROWS], v[ROWS], far = 0;

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
	kith_krows_product(rows, a, b, u, v);
	far = 0;
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
	t.X.v[10] = 2;
	kith_krows_replace(rows, 5);
	ok(kith_krows_get(rows, 0)[5] == kith_krows_get(rows, 5)[0] &&
		fabs(kith_krows_get(rows, 5)[0] - t.K[5]) > 1e-3 &&
		kith_krows_entry(rows, 5, 0) == kith_krows_get(rows, 5)[0],
	    "a row replaced, and its column");
	kith_pool_free(&pool);
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
	if (!ranks) { /* some b between leaves no violation beyond tol */
		double least = INFINITY, most = -INFINITY;

		for (size_t v = 0; v < N; v++) {
			const double b = -t.sign[v] * at.g[v], e = t.sign[v];

			if (e > 0 ? x[v] < t.to[v] : x[v] > 0)
				most = fmax(most, b);
			if (e > 0 ? x[v] > 0 : x[v] < t.to[v])
				least = fmin(least, b);
		}
		at.slope = most - least;
	}
	ok(at.slope <= tol * 1.01 && steps > 10, "%zu steps: %.1e", steps,
	    at.slope);
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_rows();
	for (int i = 0; i < 5; i++) {
		test_smo(ROWS, false, 1e-3);
		test_smo(ROWS, false, 1e-9);
		test_smo((size_t)2 * ROWS, true, 1e-3);
		test_smo((size_t)2 * ROWS, true, 1e-7);
	}
	return done();
}
