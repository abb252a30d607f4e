/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/judge.h: beside its definition written out, on points that
 * are solutions and on points that are not; and by hand.
 */
#include "wsvm/judge.h"

#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"

enum { MOST = 700, SEEDS = 150 };

static struct kith_rng rng;
static double unit = 1; /* of alpha, weights, q and b */

static size_t
pick(size_t n)
{
	return (size_t)(kith_rng_unit(&rng) * (double)n);
}

/* 0, the bound C, or between. */
static double
pick_alpha(double C)
{
	const size_t kind = pick(3);

	return kind == 0 ? 0 : kind == 1 ? C : C * kith_rng_unit(&rng);
}

/* Classes (0), numbers (1), numbers of which two differ (2), ranks (3). */
static void
draw(struct task *t, size_t kind, size_t n)
{
	static const double sizes[] = {0, 1, 1e8, 1e12};
	const double rate = sizes[pick(4)];
	const size_t N = kind == 0 ? n : 2 * n;

	task_new(t, n, 2, N, kind == 3);
	for (size_t i = 0; i < 2 * n; i++)
		t->X.v[i] = kith_rng_unit(&rng);
	for (size_t v = 0; v < N; v++) {
		t->plus[v] = kind == 3 ? pick(n) : v % n;
		t->sign[v] = kind == 0 ? (pick(2) ? 1 : -1)
		    : kind == 3        ? 1
		    : v < n            ? 1
				       : -1;
		if (kind == 3)
			t->minus[v] = pick(n);
		t->q[v] = unit * (2 * kith_rng_unit(&rng) - 1.5);
		t->from[v] = unit * 2 * kith_rng_unit(&rng);
		t->to[v] = t->from[v] + unit * rate * kith_rng_unit(&rng);
	}
	if (kind == 2)
		t->sign[n] = 1;
	task_ready(t, KITH_KERN_GAUSSIAN, 3, pick(2) ? .1 : 0);
}

/* phi_v' phi_w, or where `all` the sum of the sizes of its terms. */
static long double
product(const struct task *t, size_t v, size_t i, bool all)
{
	const long double plus = t->K[t->plus[v] * t->X.n + i];
	const long double minus = t->minus ? t->K[t->minus[v] * t->X.n + i] : 0;

	return all ? plus + minus : t->sign[v] * (plus - minus);
}

static long double
of_items(const struct task *t, size_t v, const double *x, bool all)
{
	long double sum = 0;

	for (size_t w = 0; w < t->N; w++) {
		const long double a = all ? fabs(x[w]) : x[w];

		sum += a * product(t, w, t->plus[v], all);
		if (t->minus)
			sum += (all ? 1 : -1) * a *
			    product(t, w, t->minus[v], all);
	}
	return sum;
}

/* What a pair of mirrored variables has in common is no part of a solution. */
static void
take_common(const struct task *t, size_t kind, const double *alpha, double *own)
{
	memcpy(own, alpha, t->N * sizeof(*own));
	for (size_t v = 0; v < t->X.n && kind == 1; v++) {
		const double both = fmax(0, fmin(own[v], own[v + t->X.n]));

		own[v] -= both;
		own[v + t->X.n] -= both;
	}
}

static void
largest(struct kith_wsvm_verdict *most, long double value, long double limit,
    const char *what)
{
	if (value / limit > most->off)
		*most = (struct kith_wsvm_verdict){
		    (double)(value / limit), what};
}

/* A point by the definition, x being its alpha. */
static void
judge_plainly(const struct task *t, const double *x, long double theta,
    long double b, struct kith_wsvm_verdict *most)
{
	const long double eps = 0x1p-52L;
	double rate[MOST] = {0};
	long double A = 0, sum = 0, rates = 0;

	for (size_t v = 0; v < t->N; v++) {
		rate[v] = t->to[v] - t->from[v];
		A = fmaxl(A, x[v]);
		sum += t->sign[v] * x[v];
		rates += fabs(rate[v]);
	}
	if (t->problem.bias)
		largest(
		    most, fabsl(sum), 9e-9L * A + eps * theta * rates, "sum");
	for (size_t v = 0; v < t->N; v++) {
		const long double C = t->from[v] + theta * rate[v], a = x[v];
		const long double few = 9e-9L * A +
		    eps * theta * fabs(rate[v]) + eps * C;
		const long double g = of_items(t, v, x, false) * t->sign[v] +
		    t->sign[v] * b + t->q[v] + t->problem.ridge * a;
		const long double terms = fabs(t->q[v]) + fabsl(b) +
		    of_items(t, v, x, true) + t->problem.ridge * a;
		const long double limit = 9e-10L * terms +
		    eps * theta *
			(of_items(t, v, rate, true) +
			    t->problem.ridge * fabs(rate[v]));

		largest(most, fmaxl(-a, a - C), few, "bound");
		if (a > few)
			largest(most, g, limit, "kkt");
		if (a < C - few)
			largest(most, -g, limit, "kkt");
	}
}

/* Both points and those between, or the right one alone. */
static struct kith_wsvm_verdict
plainly(const struct task *t, size_t kind, const struct kith_wsvm_point *l,
    const struct kith_wsvm_point *r)
{
	struct kith_wsvm_verdict most = {0, "nothing"};
	double x[2][MOST] = {{0}}, now[MOST] = {0};

	take_common(t, kind, r->alpha, x[1]);
	take_common(t, kind, l ? l->alpha : r->alpha, x[0]);
	for (int k = l ? 0 : 4; k <= 4; k++) {
		const double w = k / 4.;
		const double left = l ? l->theta : r->theta;
		const double b = t->problem.bias
		    ? (l ? l->b : r->b) * (1 - w) + r->b * w
		    : 0;

		for (size_t v = 0; v < t->N; v++)
			now[v] = x[0][v] * (1 - w) + x[1][v] * w;
		judge_plainly(t, now, left * (1 - w) + r->theta * w, b, &most);
	}
	return most;
}

static struct kith_wsvm_verdict
judge(const struct task *t, const struct kith_wsvm_point *l,
    const struct kith_wsvm_point *r)
{
	return kith_wsvm_judge(&t->problem, t->from, t->to, l, r);
}

/* q with which the gradients of a point are as they should be. */
static void
set_q(struct task *t, const struct kith_wsvm_point *at)
{
	for (size_t v = 0; v < t->N; v++) {
		const double a = at->alpha[v], C = task_weight(t, v, at->theta);
		const double g = a <= 0 ? unit * kith_rng_unit(&rng)
		    : a >= C            ? -unit * kith_rng_unit(&rng)
					: 0;
		const double b = t->problem.bias ? at->b : 0;

		t->q[v] = g - t->problem.ridge * a -
		    t->sign[v] * (double)(of_items(t, v, at->alpha, false) + b);
	}
}

/* Two points, of which the right one may be right but for its bounds. */
static void
draw_points(struct task *t, struct kith_wsvm_point at[2], double alpha[2][MOST])
{
	const bool right = pick(2);

	for (int k = 0; k < 2; k++) {
		const double theta = k ? 1 - .5 * kith_rng_unit(&rng)
				       : .25 * (double)pick(2);
		const double by = pick(2) ? 1 : 1 + 1e-7 * kith_rng_unit(&rng);

		at[k] = (struct kith_wsvm_point){
		    theta, unit * (kith_rng_unit(&rng) - .5), alpha[k]};
		for (size_t v = 0; v < t->N; v++)
			alpha[k][v] = by * pick_alpha(task_weight(t, v, theta));
		alpha[k][0] -= pick(3) ? 0 : unit * 1e-6;
	}
	if (right)
		set_q(t, at + 1);
	if (right && pick(2)) {
		at[0].b = at[1].b;
		memcpy(alpha[0], alpha[1], sizeof(*alpha));
	}
}

/* How many verdicts are others than by definition; each condition decides. */
static void
test_kind(size_t kind)
{
	size_t wrong = 0, seen[3] = {0};

	for (size_t seed = 0; seed < SEEDS; seed++) {
		const size_t n = seed == 0 ? 300 : 1 + pick(12);
		double alpha[2][MOST] = {{0}};
		struct kith_wsvm_point at[2];
		struct task t;

		unit = seed % 2 ? 0x1p-40 : 1;
		draw(&t, kind, n);
		draw_points(&t, at, alpha);
		for (int alone = 0; alone < 2; alone++) {
			const struct kith_wsvm_point *l = alone ? NULL : at;
			const struct kith_wsvm_verdict due = plainly(
							   &t, kind, l, at + 1),
						       is = judge(
							   &t, l, at + 1);

			wrong += !(is.off == due.off ||
				     fabs(is.off - due.off) <=
					 1e-5 * (due.off + 1)) ||
			    (due.off > .01 && strcmp(is.what, due.what) != 0);
			seen[0] += strcmp(due.what, "bound") == 0;
			seen[1] += strcmp(due.what, "sum") == 0;
			seen[2] += strcmp(due.what, "kkt") == 0;
		}
		kith_pool_free(&pool);
	}
	ok(wrong == 0, "kind %zu: %zu of %d are not as defined", kind, wrong,
	    2 * SEEDS);
	ok(seen[0] > 5 && seen[2] > 100 &&
		(kind == 3 ? seen[1] == 0 : seen[1] > 10),
	    "bounds %zu, sums %zu, gradients %zu", seen[0], seen[1], seen[2]);
}

/* An interval of b: to half of the limit, or by the signs alone. */
struct interval {
	double lo, hi;
};

/* The b for which each gradient has its sign, but for this share of its terms. */
static struct interval
interval_of(const struct task *t, size_t kind, const struct kith_wsvm_point *at,
    double share, bool *is_free)
{
	struct interval b = {-INFINITY, INFINITY};
	double x[MOST] = {0}, A = 0;

	take_common(t, kind, at->alpha, x);
	for (size_t v = 0; v < t->N; v++)
		A = fmax(A, x[v]);
	*is_free = false;
	for (size_t v = 0; v < t->N; v++) {
		const double rate = t->to[v] - t->from[v], e = t->sign[v];
		const double C = t->from[v] + at->theta * rate;
		const double few = 9e-9 * A +
		    0x1p-52 * (at->theta * fabs(rate) + C);
		const double ridge = t->problem.ridge * x[v];
		const double zero = -(double)of_items(t, v, x, false) -
		    e * (t->q[v] + ridge);
		const double slack = share *
		    (fabs(t->q[v]) + (double)of_items(t, v, x, true) + ridge);
		const bool falls = x[v] > few, grows = x[v] < C - few;

		*is_free |= falls && grows;
		if (e > 0 ? falls : grows)
			b.hi = fmin(b.hi, zero + slack);
		if (e > 0 ? grows : falls)
			b.lo = fmax(b.lo, zero - slack);
	}
	return b;
}

static double
bias_plainly(const struct task *t, size_t kind,
    const struct kith_wsvm_point *at, bool middle)
{
	bool is_free;
	const struct interval wide = interval_of(
				  t, kind, at, 4.5e-10, &is_free),
			      own = interval_of(t, kind, at, 0, &is_free);
	double b = at->b;

	if (middle && !is_free && own.lo <= own.hi) {
		if (isfinite(own.lo) && isfinite(own.hi))
			b = (own.lo + own.hi) / 2;
		else if (isfinite(own.lo) || isfinite(own.hi))
			b = isfinite(own.lo) ? own.lo : own.hi;
	}
	if (wide.lo > wide.hi)
		return (wide.lo + wide.hi) / 2;
	return fmin(fmax(b, wide.lo), wide.hi);
}

/* All on a bound, or some between: b by definition. */
static void
test_bias(size_t kind)
{
	size_t wrong = 0, moved = 0;

	for (size_t seed = 0; seed < SEEDS; seed++) {
		double alpha[MOST] = {0};
		struct kith_wsvm_point at = {
		    .25 * (double)pick(5), kith_rng_unit(&rng), alpha};
		const bool bounds = pick(2), middle = pick(2), right = pick(4);
		const double off = pick(2) ? 0 : 1e-8 * kith_rng_unit(&rng);
		struct task t;
		double is, due, size = 2;

		draw(&t, kind, 1 + pick(8));
		for (size_t v = 0; v < t.N; v++) {
			const double C = task_weight(&t, v, at.theta);

			alpha[v] = bounds ? (pick(2) ? C : 0) : pick_alpha(C);
			if (seed % 10 == 0) /* one side alone bounds b */
				alpha[v] = t.sign[v] > 0 ? 0 : C;
			size += alpha[v];
		}
		if (right)
			set_q(&t, &at);
		at.b += pick(2) ? off : 2 * kith_rng_unit(&rng) - 1;
		is = kith_wsvm_judge_bias(
		    &t.problem, t.from, t.to, &at, middle);
		due = bias_plainly(&t, kind, &at, middle);
		wrong += !(fabs(is - due) <= 1e-14 * size);
		moved += is != at.b;
		kith_pool_free(&pool);
	}
	is_size(wrong, 0, "the nearest bias, as defined");
	ok(moved > SEEDS / 4 && moved < SEEDS, "%zu are others", moved);
}

/* Nothing weighs; no number; a solution and what is next to one. */
static void
test_hand(void)
{
	double alpha[] = {0, 0};
	struct kith_wsvm_point at = {1, 0, alpha};
	struct kith_wsvm_verdict is;
	struct task t;

	task_new(&t, 2, 1, 2, false);
	t.X.v[1] = 1;
	for (size_t v = 0; v < 2; v++) {
		t.plus[v] = v;
		t.sign[v] = v ? 1 : -1;
		t.q[v] = -1;
	}
	task_ready(&t, KITH_KERN_LINEAR, 1, 0);
	is = judge(&t, NULL, &at);
	ok(is.off == 0 && strcmp(is.what, "nothing") == 0, "nothing weighs");
	/* Rows 0 and 1: alpha = min(C, 2), b = -1. */
	t.from[0] = t.from[1] = t.to[0] = t.to[1] = 3;
	alpha[0] = alpha[1] = 2;
	at.b = -1;
	is = judge(&t, NULL, &at);
	ok(is.off == 0, "a solution");
	alpha[1] = 2 + 1e-8;
	is = judge(&t, NULL, &at);
	/* g_1 = alpha_1 - 2, whose terms are 1 + 1 + alpha_1. */
	is_near(is.off, 1e-8 / (4 * 9e-10), 1e-6, "a gradient that is off");
	alpha[1] = NAN;
	is = judge(&t, NULL, &at);
	ok(isinf(is.off), "no number is no solution");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_hand();
	for (size_t kind = 0; kind < 4; kind++)
		test_kind(kind);
	unit = 1;
	for (size_t kind = 0; kind < 3; kind++)
		test_bias(kind);
	return done();
}
