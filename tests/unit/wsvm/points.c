/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/points.h and point_solve.h: how a point begins beside plain
 * sums, what is put on a bound, and what a solution costs.
 */
#include "wsvm/points.h"

#include "tap.h"
#include "wsvm/draw.h"
#include "wsvm/krows.h"
#include "wsvm/point_solve.h"

enum { TYPES = 3, SEEDS = 60 };

static struct task t;
static struct kith_wsvm_points *at;

static void
begin(size_t type, unsigned seed)
{
	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, type);
	draw_task(&t, type);
	at = kith_wsvm_points_new(&t.problem, t.from, t.to, &pool);
}

/* How far the scores are from those of x, over their terms. */
static double
scores_off(const struct kith_wsvm_point *p)
{
	double off = 0, terms = 1e-300;

	for (size_t v = 0; v < t.N; v++)
		terms += (t.from[v] + t.to[v]) * t.most;
	for (size_t i = 0; i < t.X.n; i++) {
		const double *K = t.K + i * t.X.n;
		double sum = 0;

		for (size_t v = 0; v < t.N; v++)
			sum += p->x[v] * t.sign[v] *
			    (K[t.plus[v]] - (t.minus ? K[t.minus[v]] : 0));
		off = fmax(off, fabs(p->s[i] - sum));
	}
	return off / terms;
}

/* The largest weight, at any theta. */
static double
most_weight(void)
{
	double most = 1e-300;

	for (size_t v = 0; v < t.N; v++)
		most = fmax(most, fmax(t.from[v], t.to[v]));
	return most;
}

/* Put on bounds, then made e' x = 0 by those between, then by any. */
static void
repair(const struct kith_wsvm_point *p, double *x)
{
	double sum = 0, most = 0;

	for (size_t v = 0; v < t.N; v++) {
		const double C = p->C[v];

		most = fmax(most, C);
		if (x[v] != C && !(x[v] >= 1e-13 * C && x[v] <= C - 1e-13 * C))
			x[v] = x[v] < C / 2 ? 0 : C;
		sum += t.sign[v] * x[v];
	}
	for (int any = 0; any < 2 && t.problem.bias; any++)
		for (size_t v = 0; v < t.N; v++) {
			const double was = x[v], C = p->C[v];

			if (fabs(sum) <= 1e-13 * most)
				return;
			if (!any && !(was > 0 && was < C))
				continue;
			x[v] = fmin(fmax(was - t.sign[v] * sum, 0), C);
			sum += t.sign[v] * (x[v] - was);
		}
}

/* How far a point is from x, over the largest weight, and its scores. */
static double
apart(const struct kith_wsvm_point *p, double theta, const double *x)
{
	double off = p->theta != theta, sum = 0;

	for (size_t v = 0; v < t.N; v++) {
		off = fmax(off, fabs(p->x[v] - x[v]) / most_weight());
		off = fmax(off, p->x[v] < 0 || p->x[v] > p->C[v]);
		off = fmax(off,
		    fabs(p->C[v] - task_weight(&t, v, theta)) /
			(1e-300 + t.from[v] + t.to[v]));
		sum += t.sign[v] * p->x[v];
	}
	if (t.problem.bias)
		off = fmax(off, fabs(sum) / most_weight() / 1e3);
	return fmax(off, scores_off(p) / 10);
}

/* The t in 1.. at which the dual of a + t (b - a) is largest, up to `most`. */
static double
best(const struct kith_wsvm_point *a, const struct kith_wsvm_point *b,
    double most)
{
	double slope = 0, curve = 0;

	for (size_t v = 0; v < t.N; v++) {
		const double d = b->x[v] - a->x[v];
		double Qd = t.problem.ridge * d;

		for (size_t i = 0; i < t.X.n; i++)
			Qd += t.sign[v] *
			    ((i == t.plus[v]) - (t.minus && i == t.minus[v])) *
			    (b->s[i] - a->s[i]);
		slope -= d * b->g[v];
		curve += d * Qd;
	}
	if (slope <= 0)
		return 1;
	return slope < (most - 1) * curve ? 1 + slope / curve : most;
}

static void
test_begins(size_t type)
{
	double scaled = 0, between = 0, beyond = 0, first = 0;
	size_t inside = 0;

	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		struct kith_wsvm_point *a, *b, *p;
		double x[400], s;

		begin(type, seed);
		a = kith_wsvm_points_first(at, .25, NULL);
		memset(x, 0, sizeof(x));
		first = fmax(first, apart(a, .25, x));
		kith_wsvm_point_solve(at, a, .1);
		b = kith_wsvm_points_scaled(at, .5, a);
		for (size_t v = 0; v < t.N; v++)
			x[v] = a->C[v] > 0 ? a->x[v] / a->C[v] * b->C[v] : 0;
		repair(b, x);
		scaled = fmax(scaled, apart(b, .5, x));
		kith_wsvm_point_solve(at, b, .1);
		for (int k = 0; k < 2; k++) {
			const double theta = k ? 1 : .375;

			p = kith_wsvm_points_between(at, theta, a, b);
			s = k ? best(a, b, 3) : .5;
			inside += k && s < 3;
			for (size_t v = 0; v < t.N; v++)
				x[v] = a->x[v] + s * (b->x[v] - a->x[v]);
			repair(p, x);
			if (k)
				beyond = fmax(beyond, apart(p, theta, x));
			else
				between = fmax(between, apart(p, theta, x));
			kith_wsvm_points_drop(at, p);
		}
		p = kith_wsvm_points_first(at, 1, b);
		memcpy(x, b->x, t.N * sizeof(*x));
		repair(p, x);
		first = fmax(first, apart(p, 1, x));
		kith_pool_free(&pool);
	}
	ok(first <= 1e-12, "from nothing, or another solution: %.1e", first);
	ok(scaled <= 1e-12, "by shares: %.1e", scaled);
	ok(between <= 1e-12, "between two: %.1e", between);
	ok(beyond <= 1e-9 && inside > 3 && inside < SEEDS,
	    "beyond two, as far as is worth it (%zu): %.1e", inside, beyond);
}

/* What is within rounding of a bound, or beyond, is put on it. */
static void
test_put(void)
{
	static const struct {
		double x, to;
		bool moves, scores;
	} put[] = {{0, 0, false, false}, {2, 2, false, false},
	    {1, 1, false, false}, {2e-13, 2e-13, false, false},
	    {1.9e-13, 0, true, true}, {-1, 0, true, true}, {3, 2, true, true},
	    {2 - 0x1p-43, 2, true, true}, {2 - 0x1p-50, 2, true, false},
	    {2 - 0x1p-42, 2 - 0x1p-42, false, false}};
	double C[40], x[40], s[40];
	size_t wrong = 0;

	begin(0, 1);
	for (size_t v = 0; v < t.N; v++)
		C[v] = 2;
	at->form.hi = C;
	for (size_t k = 0; k < sizeof(put) / sizeof(*put); k++) {
		memset(s, 0, sizeof(s));
		x[0] = put[k].x;
		wrong += kith_wsvm_points_put(&at->form, 0, x, s) !=
			put[k].moves ||
		    x[0] != put[k].to;
		wrong += !(fabs(s[t.plus[0]] -
			       (put[k].scores ? put[k].to - put[k].x : 0) *
				   t.sign[0] * t.K[0]) <= 1e-15);
	}
	is_size(wrong, 0, "put on a bound");
	kith_pool_free(&pool);
}

/* Only variables whose alpha changes need a kernel row. */
static void
test_move(void)
{
	const size_t list[] = {4, 1, 7};
	const double x[] = {.5, 0, .25};
	struct kith_wsvm_point *p;

	task_new(&t, 9, 1, 9, false);
	for (size_t v = 0; v < 9; v++) {
		t.X.v[v] = (double)v / 4;
		t.plus[v] = v;
		t.sign[v] = v % 2 ? 1 : -1;
		t.q[v] = -1;
		t.to[v] = v != 3;
	}
	task_ready(&t, KITH_KERN_GAUSSIAN, 1, 0);
	at = kith_wsvm_points_new(&t.problem, t.from, t.to, &pool);
	is_size(at->n_live, 8, "those that ever weigh");
	p = kith_wsvm_points_first(at, 1, NULL);
	kith_wsvm_points_move(at, p, list, 3, x);
	is_size(kith_krows_computed(at->rows), 2, "two rows for two changes");
	ok(p->x[4] == .5 && p->x[1] == 0 && p->x[7] == .25 &&
		scores_off(p) <= 1e-15,
	    "alpha and scores");
	kith_wsvm_points_drop(at, p);
	ok(kith_wsvm_points_scaled(at, .5, p) == p, "room is used again");
	kith_pool_free(&pool);
}

/* Random problems at theta 1: the gap, and steps within what they take now. */
static void
test_solve(size_t type, double gap, size_t least, size_t most)
{
	size_t steps = 0, wrong = 0, solved = 0;
	double off = 0;

	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		struct kith_wsvm_point *p;
		struct point is;
		size_t before;

		begin(type, seed);
		p = kith_wsvm_points_first(at, 1, NULL);
		kith_wsvm_point_solve(at, p, gap);
		task_judge(&t, 1, p->x, p->b, &is);
		wrong += p->own > gap * p->dual;
		off = fmax(off, fabs(is.dual - p->dual) / is.scale);
		off = fmax(off, fabs(is.gap - p->own) / is.scale);
		for (size_t v = 0; v < t.N; v++)
			off = fmax(off, fabs(is.g[v] - p->g[v]) / is.scale);
		before = at->steps;
		kith_wsvm_point_solve(at, p, gap);
		solved += at->solved == 2 && at->steps == before;
		steps += before;
		kith_pool_free(&pool);
	}
	ok(wrong * 20 <= SEEDS && off <= 3e-9,
	    "gap %g: D, G and gradients are %.1e off", gap, off);
	ok(solved + wrong >= SEEDS, "a solution takes no steps");
	ok(steps >= least && steps <= most, "%zu steps", steps);
}

int
main(void)
{
	for (size_t type = 0; type < TYPES; type++)
		test_begins(type);
	test_put();
	test_move();
	for (size_t type = 0; type < TYPES; type++) {
		static const size_t due[TYPES][2] = {
		    {11100, 16300}, {11200, 14000}, {36300, 73500}};

		test_solve(
		    type, 1e-2, due[type][0] * 2 / 3, due[type][0] * 3 / 2);
		test_solve(
		    type, 1e-8, due[type][1] * 2 / 3, due[type][1] * 3 / 2);
	}
	return done();
}
