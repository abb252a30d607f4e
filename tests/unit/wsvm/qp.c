/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/qp.c: what sequential minimal optimisation and the active-set method find of
 *
 *	min 1/2 x' Q x - d' x    lo <= x <= hi    e' x = sum
 *
 * is judged by its KKT conditions, summed from the kernel matrix.
 */
#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"
#include "wsvm/engine.h"
#include "wsvm/krows.h"

enum { ROWS = 24, MOST = 2 * ROWS };

static struct kith_rng rng;
static struct task t;
static struct kith_wsvm *s;
static struct qp qp;
static double x[MOST], lo[MOST], hi[MOST], d[MOST], f[ROWS], unit[MOST];
static size_t list[MOST];

static double
uniform(double from, double to)
{
	return from + (to - from) * kith_rng_unit(&rng);
}

/* One variable or two of each row, or pairs of rows; with a ridge, rows may be copies. */
static void
begin(size_t N, bool pairs, bool bias, double ridge)
{
	task_new(&t, ROWS, 2, N, pairs);
	for (size_t i = 0; i < ROWS; i++) {
		double *row = kith_row(&t.X, i);

		row[0] = uniform(0, 1);
		row[1] = uniform(0, 1);
		if (i % 5 == 4 && ridge > 0)
			memcpy(row, kith_row(&t.X, i - 1), 2 * sizeof(*row));
	}
	for (size_t v = 0; v < N; v++) {
		t.plus[v] = v % ROWS;
		if (pairs)
			t.minus[v] = (v + 1 + v / ROWS) % ROWS;
		t.sign[v] = pairs || v % 3 ? 1 : -1;
		list[v] = v;
		d[v] = uniform(-.5, 1.5);
		lo[v] = v % 4 ? 0 : uniform(-2, 0);
		hi[v] = v % 7 ? lo[v] + uniform(0, 3) : lo[v];
		x[v] = v % 2 ? lo[v] : hi[v];
		unit[v] = 1e-12;
	}
	task_ready(&t, KITH_KERN_GAUSSIAN, 3, ridge);
	t.problem.bias = bias;
	s = kith_wsvm_new(&t.problem, t.from, NULL, &pool); /* all weights are 0: M is empty */
	qp = (struct qp){.s = s,
	    .d = d,
	    .lo = lo,
	    .hi = hi,
	    .list = list,
	    .count = N,
	    .x = x,
	    .f = f,
	    .unit = unit,
	    .tol = 1};
}

/* Scores of x; M is told of the variables that are in it by their place alone. */
static void
set_scores(void)
{
	for (size_t i = 0; i < ROWS; i++) {
		f[i] = 0;
		for (size_t v = 0; v < t.N; v++)
			f[i] += x[v] * t.sign[v] *
			    (t.K[i * ROWS + t.plus[v]] -
				(t.minus ? t.K[i * ROWS + t.minus[v]] : 0));
	}
}

static double
sum_of_x(void)
{
	double sum = 0;

	for (size_t v = 0; v < t.N; v++)
		sum += t.sign[v] * x[v];
	return sum;
}

/* The worst of the KKT conditions; b: any that fits best, where there is a bias. */
static double
find_violation(void)
{
	double lower = -INFINITY, upper = INFINITY, worst = 0;
	double was[ROWS];

	memcpy(was, f, sizeof(was));
	set_scores();
	for (size_t i = 0; i < ROWS; i++)
		worst = fmax(worst, fabs(f[i] - was[i])); /* f is that of x */
	for (size_t v = 0; v < t.N; v++) {
		const double e = t.sign[v], score_v = f[t.plus[v]] - (t.minus ? f[t.minus[v]] : 0);
		const double g = e * score_v - d[v] + t.problem.ridge * x[v];
		const bool up = x[v]<hi[v], down = x[v]> lo[v];

		worst = fmax(worst, fmax(lo[v] - x[v], x[v] - hi[v]));
		if (!t.problem.bias) {
			worst = fmax(worst, fmax(up ? -g : 0, down ? g : 0));
			continue;
		}
		/* g + e b >= 0 where x can grow, <= 0 where it can shrink. */
		if (e > 0 ? up : down)
			lower = fmax(lower, -e * g);
		if (e > 0 ? down : up)
			upper = fmin(upper, -e * g);
	}
	return fmax(worst, (lower - upper) / 2);
}

/* With a bias: SMO, and the active set from where it ends. */
static void
test_both(size_t N, double ridge, const char *name)
{
	double sum, rough, fine;
	size_t steps;

	begin(N, false, true, ridge);
	set_scores();
	sum = sum_of_x();
	steps = kith_qp_smo(&qp, 1e-3, 100000);
	rough = find_violation();
	ok(rough <= 1.001e-3, "%s: SMO to its tolerance (%.2g, %zu steps)", name, rough, steps);
	ok(rough > 1e-9, "and not much farther");
	ok(fabs(sum_of_x() - sum) < 1e-12, "the sum stays");
	kith_qp_begin(&qp);
	is_size(s->margin->size > 0, 1, "M is what is between its bounds");
	kith_qp_active_set(&qp);
	fine = find_violation();
	ok(fine <= 4e-12, "the active set ends at the solution (%.2g)", fine);
	ok(fabs(sum_of_x() - sum) < 1e-12, "the sum stays");
	for (size_t v = 0; v < N; v++)
		if (s->margin->place[v] == KITH_MARGIN_NONE && x[v] != lo[v] && x[v] != hi[v])
			fine = INFINITY;
	ok(fine <= 4e-12, "the others are on a bound");
	kith_pool_free(&pool);
}

static void
test_active_set(size_t N, bool pairs, bool bias, double ridge, const char *name)
{
	double sum, fine;

	begin(N, pairs, bias, ridge);
	set_scores();
	sum = sum_of_x();
	kith_qp_active_set(&qp);
	fine = find_violation();
	ok(fine <= 4e-12 && (!bias || fabs(sum_of_x() - sum) < 1e-12),
	    "%s: the active set from bounds alone (%.2g)", name, fine);
	kith_pool_free(&pool);
}

/* So few steps that SMO cannot end. */
static void
test_few_steps(void)
{
	begin(ROWS, false, true, 1e-3);
	set_scores();
	is_size(kith_qp_smo(&qp, 1e-12, 3), 3, "SMO does no more steps than it may");
	ok(find_violation() > 1e-3, "and ends before the solution");
	kith_pool_free(&pool);
}

/*
 * Rates of tied variables: M is free, other variables have one bound or two, and e' x grows by what
 * the variables at bounds leave.
 */
static void
test_rates(bool bias)
{
	double sum, fine;

	begin(ROWS, false, bias, 1e-3);
	for (size_t v = 0; v < ROWS; v++) {
		lo[v] = v % 3 ? 0 : -INFINITY;
		hi[v] = v % 3 == 1 ? INFINITY : .5;
		x[v] = v % 3 ? 0 : .5;
	}
	for (size_t v = 0; v < 6; v++) {
		kith_margin_enter(s->margin, v);
		lo[v] = -INFINITY;
		hi[v] = INFINITY;
		x[v] = 0;
	}
	qp.list = list + 6;
	qp.count = ROWS - 6;
	qp.residual = bias ? .75 : 0;
	set_scores();
	sum = sum_of_x() + qp.residual;
	kith_qp_active_set(&qp);
	fine = find_violation();
	ok(fine <= 4e-12, "rates, M is free (%.2g)", fine);
	ok(!bias || fabs(sum_of_x() - sum) < 1e-12, "e' x grows by what it lacked");
	kith_pool_free(&pool);
}

/* Four copies of each row, without a ridge: Q is singular, and a variable moves along with M. */
static void
test_singular(bool bias)
{
	double sum;

	begin(ROWS, false, bias, 0);
	for (size_t i = 6; i < ROWS; i++)
		memcpy(kith_row(&t.X, i), kith_row(&t.X, i % 6), 2 * sizeof(double));
	task_ready(&t, KITH_KERN_GAUSSIAN, 3, 0);
	t.problem.bias = bias;
	s = kith_wsvm_new(&t.problem, t.from, NULL, &pool);
	qp.s = s;
	set_scores();
	sum = sum_of_x();
	kith_qp_active_set(&qp);
	ok(find_violation() <= 1e-11, "copies without a ridge (%.2g)", find_violation());
	ok(s->margin->size <= 6, "M is independent");
	ok(!bias || fabs(sum_of_x() - sum) < 1e-12, "the sum stays");
	kith_pool_free(&pool);
}

/* Problems at one theta, from nothing, and from alpha of another theta. */
static void
test_solve_here(void)
{
	double from_zero[ROWS], C[ROWS], zero[ROWS] = {0};

	begin(ROWS, false, true, 1e-3);
	for (size_t v = 0; v < ROWS; v++) {
		C[v] = v % 7 ? uniform(0, 5) : 0;
		t.q[v] = -1;
	}
	s = kith_wsvm_new(&t.problem, C, NULL, &pool);
	memcpy(from_zero, s->end.alpha, sizeof(from_zero));
	for (size_t v = 0; v < ROWS; v++) {
		x[v] = from_zero[v];
		lo[v] = 0;
		hi[v] = C[v];
		d[v] = 1;
	}
	set_scores();
	ok(find_violation() <= 1e-11 && fabs(sum_of_x()) < 1e-12, "a problem at one theta (%.2g)",
	    find_violation());
	for (size_t v = 0; v < ROWS; v++)
		zero[v] = from_zero[v] * .9;
	kith_wsvm_solve_here(s, zero);
	ok(largest_gap(ROWS, s->end.alpha, from_zero) < 1e-9, "the same from near it");
	kith_wsvm_solve_here(s, NULL);
	ok(largest_gap(ROWS, s->end.alpha, from_zero) < 1e-9, "and from nothing");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_both(ROWS, 1e-3, "classes");
	test_both(2 * ROWS, 1e-3, "two variables a row");
	test_active_set(ROWS, false, true, 1e-3, "classes");
	test_active_set(ROWS, false, false, 1e-3, "no bias");
	test_active_set(2 * ROWS, false, true, 1e-3, "two variables a row");
	test_active_set(2 * ROWS, true, false, 1e-3, "pairs");
	test_few_steps();
	test_rates(true);
	test_rates(false);
	test_singular(true);
	test_singular(false);
	test_solve_here();
	return done();
}
