/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/polish.h: minima of random boxes, beside their conditions;
 * variables that depend on others; and steps that are not more than they were.
 */
#include "wsvm/polish.h"

#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"
#include "wsvm/krows.h"
#include "wsvm/margin_kkt.h"
#include "wsvm/smo_form.h"

enum { MOST = 48, SEEDS = 150 };

static struct kith_rng rng;
static struct task t;
static double lo[MOST], diagonal[MOST], unit[MOST], x[MOST], s[MOST];
static size_t live[MOST];
static struct kith_smo_form form;

static size_t
pick(size_t n)
{
	return (size_t)(kith_rng_unit(&rng) * (double)n);
}

/* A box, some of whose bounds are infinite where a ridge keeps x small. */
static void
draw(size_t n, bool ranks, bool bias, bool copies)
{
	const double ridge = pick(2) && !copies ? .1 : 0;

	task_new(&t, n, 2, n, ranks);
	for (size_t i = 0; i < 2 * n; i++)
		t.X.v[i] = 2 * kith_rng_unit(&rng);
	for (size_t i = 1; i < n && copies; i += 2)
		memcpy(kith_row(&t.X, i), kith_row(&t.X, pick(i)),
		    sizeof(double[2]));
	for (size_t v = 0; v < n; v++) {
		t.plus[v] = v;
		if (ranks)
			t.minus[v] = (v + 1 + pick(n - 1)) % n;
		t.sign[v] = !ranks && pick(2) ? -1 : 1;
		t.q[v] = 2 * kith_rng_unit(&rng) - 1.5;
		lo[v] = pick(4) ? 0 : -kith_rng_unit(&rng);
		t.to[v] = pick(6) ? 3 * kith_rng_unit(&rng) : 0;
		if (ridge > 0 && pick(8) == 0)
			lo[v] = -INFINITY;
		if (ridge > 0 && pick(8) == 0)
			t.to[v] = INFINITY;
		unit[v] = 1e-12;
		live[v] = v;
	}
	task_ready(&t, KITH_KERN_GAUSSIAN, 3, ridge);
	form = (struct kith_smo_form){
	    .rows = kith_krows_new(&t.kern, &t.X, (size_t)1 << 20, 1, &pool),
	    .n = n,
	    .N = n,
	    .plus = t.plus,
	    .minus = t.minus,
	    .sign = t.sign,
	    .q = t.q,
	    .lo = lo,
	    .hi = t.to,
	    .diagonal = diagonal,
	    .bias = bias,
	    .ridge = ridge};
	for (size_t v = 0; v < n; v++)
		diagonal[v] = ridge +
		    (ranks ? 2 - 2 * t.K[v * n + t.minus[v]] : 1);
}

/* A point within, and its scores. */
static void
start(void)
{
	memset(s, 0, sizeof(s));
	for (size_t v = 0; v < t.N; v++) {
		const double low = fmax(lo[v], -2), high = fmin(t.to[v], 2);

		x[v] = isinf(lo[v]) ? t.to[v] : lo[v];
		if (pick(3) == 0 || isinf(x[v]))
			x[v] = low + kith_rng_unit(&rng) * (high - low);
		for (size_t i = 0; i < t.X.n; i++)
			s[i] += t.sign[v] * x[v] *
			    (t.K[v * t.X.n + i] -
				(t.minus ? t.K[t.minus[v] * t.X.n + i] : 0));
	}
}

static double
gradient(size_t v)
{
	return kith_smo_gradient(&form, s, x, v);
}

/* By how much the conditions fail, e' x being as it was and b as found. */
static double
off_of(const struct kith_wsvm_polish_job *job, double sum)
{
	double off = 0, b = form.bias ? job->b : 0, scores[MOST] = {0};

	for (size_t v = 0; v < t.N; v++) {
		const double g = gradient(v) + t.sign[v] * b;

		off = fmax(off, fmax(lo[v] - x[v], x[v] - t.to[v]));
		off = fmax(off, x[v] > lo[v] ? g : 0);
		off = fmax(off, x[v] < t.to[v] ? -g : 0);
		sum -= t.sign[v] * x[v];
		for (size_t i = 0; i < t.X.n; i++)
			scores[i] += t.sign[v] * x[v] *
			    (t.K[v * t.X.n + i] -
				(t.minus ? t.K[t.minus[v] * t.X.n + i] : 0));
	}
	for (size_t i = 0; i < t.X.n; i++)
		off = fmax(off, fabs(scores[i] - s[i]));
	return form.bias ? fmax(off, fabs(sum)) : off;
}

/* 1/2 x' Q x + q' x */
static double
objective(void)
{
	double sum = 0;

	for (size_t v = 0; v < t.N; v++)
		sum += x[v] * (gradient(v) + t.q[v]) / 2;
	return sum;
}

static void
test_boxes(bool ranks, bool bias, bool copies, bool batch, size_t due)
{
	double off = 0, grown = 0, tol = 0;
	size_t steps = 0, wrong = 0;

	for (size_t seed = 0; seed < SEEDS; seed++) {
		double sum = 0, was;
		struct kith_wsvm_polish_job job;
		struct kith_wsvm_polish *room;

		draw(2 + seed % 30, ranks, bias, copies);
		start();
		job = (struct kith_wsvm_polish_job){.form = &form,
		    .margin = kith_wsvm_margin_new(&form, &pool),
		    .live = live,
		    .count = t.N,
		    .tol = 1,
		    .unit = unit,
		    .batch = batch,
		    .x = x,
		    .s = s};
		room = kith_wsvm_polish_new(&form, &pool);
		for (size_t v = 0; v < t.N; v++)
			sum += t.sign[v] * x[v];
		was = objective();
		kith_wsvm_polish_begin(room, &job);
		grown = fmax(
		    grown, copies || ranks ? 0 : fabs(objective() - was));
		for (size_t v = 0; v < t.N; v++)
			wrong += (job.margin->place[v] != KITH_WSVM_NOT) !=
			    (x[v] > lo[v] && x[v] < t.to[v]);
		steps += kith_wsvm_polish(room, &job);
		for (size_t v = 0; v < t.N; v++)
			wrong += job.margin->place[v] == KITH_WSVM_NOT &&
			    x[v] != lo[v] && x[v] != t.to[v];
		off = fmax(off, off_of(&job, sum));
		grown = fmax(grown, objective() - was);
		tol = fmax(tol, job.tol);
		kith_pool_free(&pool);
	}
	ok(off <= 2e-11 && grown <= 1e-12, "%s%s%s: off by %.1e",
	    ranks ? "ranks" : "rows", bias ? ", a bias" : "",
	    copies ? ", copies" : "", off);
	is_size(wrong, 0, "what is not in M is on a bound");
	ok(tol <= 1, "without a larger tolerance");
	ok(steps * 10 >= due * 9 && steps * 10 <= due * 11, "%zu steps", steps);
}

/* e' x is to grow by what is left. */
static void
test_residual(void)
{
	double off = 0;

	for (size_t seed = 0; seed < SEEDS; seed++) {
		double sum = 0;
		struct kith_wsvm_polish_job job = {.form = &form,
		    .live = live,
		    .tol = 1,
		    .unit = unit,
		    .residual = 1e-3 * (kith_rng_unit(&rng) - .5),
		    .x = x,
		    .s = s};
		struct kith_wsvm_polish *room;

		draw(12, false, true, false);
		start();
		for (size_t v = 0; v < 3; v++) {
			lo[v] = -1e3;
			t.to[v] = 1e3;
		}
		job.count = t.N;
		job.margin = kith_wsvm_margin_new(&form, &pool);
		room = kith_wsvm_polish_new(&form, &pool);
		for (size_t v = 0; v < t.N; v++)
			sum += t.sign[v] * x[v];
		sum += job.residual;
		kith_wsvm_polish_begin(room, &job);
		kith_wsvm_polish(room, &job);
		off = fmax(off, off_of(&job, sum));
		kith_pool_free(&pool);
	}
	ok(off <= 2e-11, "what is left of e' x: %.1e", off);
}

int
main(void)
{
	kith_rng_seed(&rng, 9, KITH_RNG_SAMPLE, 0);
	test_boxes(false, true, false, false, 2321);
	test_boxes(false, true, false, true, 1856);
	test_boxes(false, true, true, false, 2279);
	test_boxes(false, true, true, true, 1784);
	test_boxes(false, false, false, false, 2351);
	test_boxes(false, false, true, true, 1769);
	test_boxes(true, false, false, true, 1989);
	test_residual();
	return done();
}
