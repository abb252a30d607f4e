/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/wsvm/columns*.h, against sums and solutions in the plain way. */
#include "wsvm/columns.h"
#include "base/pool.h"
#include "base/rng.h"
#include "kernel/kern.h"
#include "la/chol.h"
#include "la/mat.h"
#include "near/metric.h"
#include "tap.h"
#include "wsvm/columns_score.h"
#include "wsvm/krows.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 70, STEPS = 400 };

static struct kith_pool pool;
static struct kith_rng rng;

/* A kernel, and what is to be in the columns. */
struct plain {
	struct kith_mat X;
	struct kith_metric metric;
	struct kith_kern kern;
	struct kith_krows *rows;
	size_t names[ROWS];
	double a[ROWS], b[ROWS];
};

static double
kernel(const struct plain *t, size_t i, size_t j)
{
	double K;

	kith_kern_rows(&t->kern, kith_row(&t->X, i), kith_row(&t->X, j), 1, &K);
	return K;
}

static void
make(struct plain *t, size_t n)
{
	*t = (struct plain){
	    .X = kith_mat_new(&pool, n, 2), .metric = {KITH_SQUARED, 2, NULL}};
	for (size_t i = 0; i < 2 * n; i++)
		t->X.v[i] = kith_rng_unit(&rng);
	t->kern = (struct kith_kern){
	    .kind = KITH_KERN_GAUSSIAN, .metric = &t->metric, .gamma = 2};
	t->rows = kith_krows_new(&t->kern, &t->X, 0, 1, &pool);
}

/* Scores of every third item, from the last on: the same bits, and no others. */
static bool
some_alike(const struct plain *t, const struct kith_wsvm_columns *columns,
    const double *u, const double *w)
{
	double some[ROWS] = {0}, more[ROWS] = {0}, only[ROWS] = {0};
	size_t item[ROWS], count = 0;
	bool alike = true;

	for (size_t i = t->X.n; i-- > 0;)
		if (i % 3 == 1)
			item[count++] = i;
	kith_wsvm_columns_scores_of(columns, item, count, some, more);
	kith_wsvm_columns_scores_of(columns, item, count, only, NULL);
	for (size_t i = 0; i < t->X.n; i++) {
		alike &= some[i] == (i % 3 == 1 ? u[i] : 0);
		alike &= more[i] == (i % 3 == 1 ? w[i] : 0);
		alike &= only[i] == some[i];
	}
	return alike;
}

/* The columns' item nearest to each, against a look at all. */
static bool
nearest_right(const struct plain *t, const struct kith_wsvm_columns *columns)
{
	for (size_t i = 0; i < t->X.n; i++) {
		double least = INFINITY, got;
		size_t j = ROWS;

		for (size_t k = 0; k < t->X.n; k++)
			if (t->names[k] > 0)
				least = fmin(least,
				    kernel(t, k, k) / 2 - kernel(t, i, k));
		got = kith_wsvm_columns_nearest(columns, i, &j);
		if (isinf(least)
			? !isinf(got)
			: fabs(got + least) > 1e-14 || t->names[j] == 0 ||
			    fabs(kernel(t, i, j) - kernel(t, j, j) / 2 - got) >
				1e-14)
			return false;
	}
	return true;
}

/* The columns' scores of each item, against sums over all columns. */
static double
judge(const struct plain *t, struct kith_wsvm_columns *columns)
{
	double worst = 0, u[ROWS] = {0}, w[ROWS] = {0}, only[ROWS] = {0};

	kith_wsvm_columns_scores(columns, u, w);
	kith_wsvm_columns_scores(columns, only, NULL);
	kith_wsvm_columns_score_own(columns);
	for (size_t i = 0; i < t->X.n; i++) {
		double out[2], own[2], sum[2] = {0};

		for (size_t j = 0; j < t->X.n; j++) {
			if (t->names[j] == 0)
				continue;
			sum[0] += t->a[j] * kernel(t, i, j);
			sum[1] += t->b[j] * kernel(t, i, j);
			worst = fmax(worst,
			    fabs(kernel(t, i, j) -
				kith_wsvm_columns_at(columns, i, j)));
		}
		kith_wsvm_columns_score(columns, i, out);
		worst = fmax(worst, fabs(out[0] - sum[0]));
		worst = fmax(worst, fabs(out[1] - sum[1]));
		if (t->names[i] > 0) {
			kith_wsvm_columns_own(columns, i, own);
			worst = fmax(worst, fabs(own[0] - sum[0]));
			worst = fmax(worst, fabs(own[1] - sum[1]));
		}
		if (u[i] != out[0] || w[i] != out[1] || only[i] != out[0])
			worst = INFINITY; /* all are to be the same bits */
	}
	if (!some_alike(t, columns, u, w) || !nearest_right(t, columns))
		worst = INFINITY;
	return worst;
}

static void
load(struct plain *t, struct kith_wsvm_columns *columns)
{
	kith_wsvm_columns_clear(columns);
	for (size_t j = 0; j < t->X.n; j++) {
		t->a[j] = t->b[j] = 0;
		for (int twice = 0; twice < 2 && t->names[j] > 0; twice++) {
			const double a = kith_rng_unit(&rng) - .5;

			kith_wsvm_columns_add(columns, j, a, 1 - a);
			t->a[j] += a;
			t->b[j] += 1 - a;
		}
	}
}

/* Columns come and go; more and more of them, then fewer. */
static void
test_columns(size_t n)
{
	struct plain t;
	struct kith_wsvm_columns *columns;
	double worst = 0;
	size_t most = 0;

	make(&t, n);
	columns = kith_wsvm_columns_new(t.rows, n, &pool);
	worst = judge(&t, columns);
	for (size_t step = 0; step < STEPS; step++) {
		const size_t j = (size_t)(kith_rng_unit(&rng) * (double)n);
		const double grows = step < STEPS / 2 ? .8 : .2;
		size_t held = 0;

		if (kith_rng_unit(&rng) < grows) {
			kith_wsvm_columns_take(columns, j);
			t.names[j]++;
		} else if (t.names[j] > 0) {
			kith_wsvm_columns_drop(columns, j);
			if (--t.names[j] == 0)
				t.a[j] = t.b[j] = 0;
		}
		if (step % 3 == 0)
			load(&t, columns);
		worst = fmax(worst, judge(&t, columns));
		for (size_t i = 0; i < n; i++)
			held += t.names[i] > 0;
		most = held > most ? held : most;
	}
	ok(worst <= 1e-13, "%zu items, %zu columns: %.1e", n, most, worst);
	for (size_t i = 0; i < n; i++) {
		if (t.names[i] > 0)
			continue;
		kith_row(&t.X, i)[0] += 1;
		kith_krows_replace(t.rows, i);
		kith_wsvm_columns_replace(columns, i);
		break;
	}
	worst = judge(&t, columns);
	ok(worst <= 1e-13, "an item that is replaced: %.1e", worst);
	kith_pool_free(&pool);
}

/* A x for the solutions, and each against that of one side alone. */
static void
test_factor(size_t n)
{
	struct plain t;
	struct kith_chol chol = kith_chol_new(n, &pool);
	const size_t ld = chol.ld;
	double *x = kith_new(&pool, KITH_CHOL_SIDES * ld, sizeof(*x));
	double *b = kith_new(&pool, KITH_CHOL_SIDES * ld, sizeof(*b));
	double worst = 0, off = 0;

	make(&t, n);
	for (size_t i = 0; i < n; i++) {
		double row[ROWS];

		for (size_t j = 0; j < i; j++)
			row[j] = kernel(&t, i, j);
		if (!kith_chol_append(&chol, row, 1.5, 1e-14))
			abort();
	}
	for (size_t sides = 1; sides <= KITH_CHOL_SIDES; sides++) {
		for (size_t k = 0; k < sides * ld; k++)
			x[k] = b[k] = k % ld < n ? kith_rng_unit(&rng)
						 : INFINITY; /* no room for b */
		kith_chol_solve_sides(&chol, sides, x);
		for (size_t k = 0; k < sides; k++) {
			const double *y = x + k * ld;

			for (size_t i = 0; i < n; i++) {
				double rest = b[k * ld + i] - .5 * y[i];

				for (size_t j = 0; j < n; j++)
					rest -= kernel(&t, i, j) * y[j];
				worst = fmax(worst, fabs(rest));
			}
			kith_chol_solve(&chol, b + k * ld);
			for (size_t i = 0; i < n; i++)
				off = fmax(off, fabs(b[k * ld + i] - y[i]));
		}
	}
	ok(worst <= 1e-12, "%zu unknowns, up to three sides: %.1e", n, worst);
	ok(off <= 1e-13, "as each side alone: %.1e", off);
	kith_pool_free(&pool);
}

int
main(void)
{
	static const size_t sizes[] = {1, 2, 8, 9, 24, ROWS};

	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		test_columns(sizes[i]);
		test_factor(sizes[i]);
	}
	return done();
}
