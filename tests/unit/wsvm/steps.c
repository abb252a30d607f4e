/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/smo.h: each step beside the rules of choice written out, for
 * all variables and for some, on rows of which some are copies.
 */
#include "wsvm/smo.h"

#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"
#include "wsvm/krows.h"

enum { MOST = 64, STEPS = 25, SEEDS = 120 };

static struct kith_rng rng;
static struct task t;
static double lo[MOST], diagonal[MOST];
static struct kith_smo_form form;

static size_t
pick(size_t n)
{
	return (size_t)(kith_rng_unit(&rng) * (double)n);
}

/* n items; ranks have no bias, and twice as many variables. */
static void
draw(size_t n, bool ranks, bool copies)
{
	const size_t N = ranks ? 2 * n : n;
	const double ridge = pick(2) ? 0 : .25;

	task_new(&t, n, 2, N, ranks);
	for (size_t i = 0; i < 2 * n; i++)
		t.X.v[i] = kith_rng_unit(&rng);
	for (size_t i = 1; i < n && copies; i += 2)
		memcpy(kith_row(&t.X, i), kith_row(&t.X, pick(i)),
		    sizeof(double[2]));
	for (size_t v = 0; v < N; v++) {
		t.plus[v] = v % n;
		if (ranks)
			t.minus[v] = (v + 1 + v / n) % n;
		t.sign[v] = ranks || pick(2) ? 1 : -1;
		t.q[v] = pick(2) ? -1 : kith_rng_unit(&rng) - .75;
		t.to[v] = pick(5) ? 4 * kith_rng_unit(&rng) : 0;
		lo[v] = pick(5) ? 0 : -kith_rng_unit(&rng);
	}
	task_ready(&t, KITH_KERN_GAUSSIAN, 3, ridge);
	for (size_t v = 0; v < N; v++) {
		diagonal[v] = 1 + ridge;
		if (ranks)
			diagonal[v] += 1 - 2 * t.K[t.plus[v] * n + t.minus[v]];
	}
	form = (struct kith_smo_form){
	    .rows = kith_krows_new(&t.kern, &t.X, (size_t)1 << 20, 1, &pool),
	    .n = n,
	    .N = N,
	    .plus = t.plus,
	    .minus = t.minus,
	    .sign = t.sign,
	    .q = t.q,
	    .lo = lo,
	    .hi = t.to,
	    .diagonal = diagonal,
	    .bias = !ranks,
	    .ridge = ridge};
}

/* Bit for bit. */
static bool
differ_bits(const void *x, const void *y, size_t n)
{
	return memcmp(x, y, n * sizeof(double)) != 0;
}

/* What is due of a step: the variables that move, to where; the violation. */
struct due {
	size_t i, j;
	double t, gap;
};

static bool
moves(size_t v, const double *x, double way)
{
	return t.sign[v] * way > 0 ? x[v] < t.to[v] : x[v] > lo[v];
}

static double
gain_of(size_t v, const double *x, const double *s)
{
	return -t.sign[v] * kith_smo_gradient(&form, s, x, v);
}

/* By how much e_v x_v can grow, or by t if that is less. */
static double
room(size_t v, const double *x, double by)
{
	const double to = x[v] + t.sign[v] * by;

	return t.sign[v] * (fmin(fmax(to, lo[v]), t.to[v]) - x[v]);
}

/* The first of the largest gain, and the first with which most is won. */
static struct due
pair_due(const size_t *live, size_t count, const double *x, const double *s)
{
	struct due due = {SIZE_MAX, SIZE_MAX, 0, -INFINITY};
	double top = -INFINITY, best = 0, a = 0;
	const double *K;

	for (size_t c = 0; c < count; c++) {
		const double own = gain_of(live[c], x, s);

		if (moves(live[c], x, 1) && own > top) {
			top = own;
			due.i = live[c];
		}
	}
	if (due.i == SIZE_MAX)
		return due;
	K = kith_krows_get(form.rows, t.plus[due.i]);
	for (size_t c = 0; c < count; c++) {
		const size_t v = live[c];
		const double d = top - gain_of(v, x, s);
		double own = diagonal[due.i] + diagonal[v] - 2 * K[t.plus[v]];

		own = own > 1e-12 * diagonal[due.i] ? own : 1e-12;
		if (!moves(v, x, -1))
			continue;
		due.gap = fmax(due.gap, d);
		if (d > 0 && d * d / own > best) {
			best = d * d / own;
			due.j = v;
			due.t = d;
			a = own;
		}
	}
	if (due.j == SIZE_MAX)
		return due;
	due.t = room(due.i, x, due.t / a);
	due.t = -room(due.j, x, -due.t);
	return due;
}

/* Without a bias: the first one with which most is won. */
static struct due
one_due(const size_t *live, size_t count, const double *x, const double *s)
{
	struct due due = {SIZE_MAX, SIZE_MAX, 0, -INFINITY};
	double best = 0;

	for (size_t c = 0; c < count; c++) {
		const size_t v = live[c];
		const double own = gain_of(v, x, s), Q = diagonal[v];
		const double d = room(v, x, own / Q);

		if (!moves(v, x, own))
			continue;
		due.gap = fmax(due.gap, fabs(own));
		if (d * (own - d * Q / 2) > best) {
			best = d * (own - d * Q / 2);
			due.i = v;
			due.t = d;
		}
	}
	return due;
}

/* How far x and its scores are from where the step due leads. */
static double
apart(
    const struct due *due, const double *was, const double *x, const double *s)
{
	double most = 0;

	for (size_t v = 0; v < t.N; v++) {
		double to = was[v];

		to += v == due->i ? t.sign[v] * due->t : 0;
		to -= v == due->j ? t.sign[v] * due->t : 0;
		most = fmax(most, fabs(x[v] - to));
	}
	for (size_t i = 0; i < t.X.n; i++) {
		double sum = 0;

		for (size_t v = 0; v < t.N; v++)
			sum += x[v] * t.sign[v] *
			    (t.K[i * t.X.n + t.plus[v]] -
				(t.minus ? t.K[i * t.X.n + t.minus[v]] : 0));
		most = fmax(most, fabs(s[i] - sum));
	}
	return most;
}

/* Some steps, one by one. */
static void
follow(const size_t *live, size_t count, double *worst, size_t *wrong)
{
	double x[MOST] = {0}, s[MOST] = {0}, was[MOST];

	for (size_t step = 0; step < STEPS; step++) {
		const struct due due = form.bias ? pair_due(live, count, x, s)
						 : one_due(live, count, x, s);
		size_t did;

		if (!(due.gap > 1e-6))
			break;
		memcpy(was, x, sizeof(was));
		*wrong += kith_smo(&form, live, count, due.gap, 1, x, s) != 0;
		*wrong += differ_bits(was, x, t.N);
		did = kith_smo(&form, live, count,
		    form.bias ? due.gap * (1 - 1e-9) : 1e-6, 1, x, s);
		*wrong += did != (form.bias || due.i != SIZE_MAX);
		*worst = fmax(*worst, apart(&due, was, x, s));
	}
}

/* Variables in their order, in another, or some of them. */
static void
test_steps(bool ranks, bool copies)
{
	double worst = 0;
	size_t wrong = 0;

	for (size_t seed = 0; seed < SEEDS; seed++) {
		size_t live[MOST] = {0}, count = 0;
		const size_t kind = pick(3);

		draw(2 + seed % (ranks ? 12 : 30), ranks, copies);
		for (size_t v = 0; v < t.N; v++)
			if (kind < 2 || pick(3))
				live[count++] = v;
		for (size_t c = 1; c < count && kind > 0; c++) {
			const size_t d = pick(c + 1), v = live[c];

			live[c] = live[d];
			live[d] = v;
		}
		if (kind == 0 && pick(2) && !ranks)
			count = 1 + pick(count); /* the first ones alone */
		follow(live, count, &worst, &wrong);
		kith_pool_free(&pool);
	}
	ok(worst <= 1e-11, "%s%s: steps are %.1e off",
	    ranks ? "without a bias" : "pairs", copies ? ", copies" : "",
	    worst);
	is_size(wrong, 0, "a step where a violation exceeds tol, or none");
}

int
main(void)
{
	kith_rng_seed(&rng, 5, KITH_RNG_SAMPLE, 0);
	for (int copies = 0; copies < 2; copies++) {
		test_steps(false, copies);
		test_steps(true, copies);
	}
	return done();
}
