/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/gap.h: beside its definition written out, for numbers of
 * variables around the eight that are taken together; and by hand.
 */
#include "wsvm/gap.h"

#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"
#include "wsvm/smo_form.h"

enum { MOST = 26, SEEDS = 600 };

static struct kith_rng rng;

/* A form, alpha within its bounds, and any scores; all is room to spare. */
struct some {
	struct kith_smo_form form;
	size_t plus[MOST];
	double sign[MOST], q[MOST], C[MOST], x[MOST], s[MOST], g[MOST + 8];
	struct kith_wsvm_kink kink[MOST];
};

static size_t
pick(size_t n)
{
	return (size_t)(kith_rng_unit(&rng) * (double)n);
}

static void
draw(struct some *t, size_t N)
{
	const size_t kind = pick(4);

	*t = (struct some){.form = {.n = N,
			       .N = N,
			       .plus = t->plus,
			       .sign = t->sign,
			       .q = t->q,
			       .hi = t->C,
			       .bias = pick(4) > 0,
			       .ridge = pick(2) ? .5 : 0}};
	for (size_t v = 0; v < N; v++) {
		t->plus[v] = N - 1 - v;
		t->sign[v] = pick(2) ? 1 : -1;
		t->q[v] = 2 * kith_rng_unit(&rng) - 1.5;
		t->C[v] = pick(4) ? 3 * kith_rng_unit(&rng) : 0;
		t->x[v] = kind == 0 ? 0
		    : kind == 1     ? t->C[v]
		    : pick(2)       ? t->C[v] * kith_rng_unit(&rng)
		    : pick(2)       ? t->C[v]
				    : 0;
		t->s[v] = 2 * kith_rng_unit(&rng) - 1;
	}
	for (size_t v = N; v < MOST + 8; v++)
		t->g[v] = 77;
	for (size_t v = 0; v < MOST; v++)
		t->kink[v] = (struct kith_wsvm_kink){-99, 99};
}

/* G of gradients. */
static double
gap_of(size_t N, const double *x, const double *C, const double *g)
{
	double sum = 0;

	for (size_t v = 0; v < N; v++)
		sum += x[v] * fmax(0, g[v]) + (C[v] - x[v]) * fmax(0, -g[v]);
	return sum;
}

/* G where b is added to gradients g without it. */
static double
gap_at(const struct some *t, const double *g, double b)
{
	double with[MOST] = {0};

	for (size_t v = 0; v < t->form.N; v++)
		with[v] = g[v] + t->sign[v] * b;
	return gap_of(t->form.N, t->x, t->C, with);
}

/* b by definition. */
static double
bias_of(const struct some *t, const double *g)
{
	double lo = -INFINITY, hi = INFINITY, best;

	for (size_t v = 0; v < t->form.N; v++) {
		const double b = -t->sign[v] * g[v], x = t->x[v];
		const bool up = t->sign[v] > 0;

		if (up ? x < t->C[v] : x > 0)
			lo = fmax(lo, b);
		if (up ? x > 0 : x < t->C[v])
			hi = fmin(hi, b);
	}
	if (!t->form.bias || (isinf(lo) && isinf(hi)))
		return 0;
	if (isinf(lo) || isinf(hi))
		return isinf(lo) ? hi : lo;
	if (lo <= hi)
		return (lo + hi) / 2;
	best = hi; /* the first of the least G */
	for (size_t v = 0; v < t->form.N; v++) {
		const double b = -t->sign[v] * g[v];
		const double by = gap_at(t, g, b) - gap_at(t, g, best);

		if (t->C[v] > 0 && b >= hi && b <= lo &&
		    (by < -1e-12 || (by < 1e-12 && b < best)))
			best = b;
	}
	return best;
}

static void
test_random(void)
{
	size_t wrong = 0, crossed = 0;

	for (size_t seed = 0; seed < SEEDS; seed++) {
		const size_t N = 1 + seed % MOST;
		struct some t;
		double g[MOST] = {0}, dual = 0, b, own;
		struct kith_wsvm_gap at;

		draw(&t, N);
		for (size_t v = 0; v < N; v++) {
			g[v] = t.sign[v] * t.s[t.plus[v]] + t.q[v] +
			    t.form.ridge * t.x[v];
			dual -= t.x[v] * (g[v] + t.q[v]) / 2;
		}
		b = bias_of(&t, g);
		own = gap_at(&t, g, b);
		crossed += own > 1e-12;
		at = (struct kith_wsvm_gap){
		    &t.form, t.x, t.s, t.g, t.kink, 9, 9, 9};
		kith_wsvm_gap_judge(&at);
		wrong += !(fabs(at.dual - dual) <= 1e-13) ||
		    !(fabs(at.own - own) <= 1e-12) ||
		    !(fabs(at.b - b) <= 1e-13);
		for (size_t v = 0; v < N; v++)
			wrong += !(
			    fabs(t.g[v] - g[v] - t.sign[v] * b) <= 1e-13);
		for (size_t v = N; v < MOST + 8; v++)
			wrong += t.g[v] != 77;
		own = gap_of(N, t.x, t.C, t.s);
		wrong += !(
		    fabs(kith_wsvm_gap_of(N, t.x, t.C, t.s) - own) <= 1e-13);
	}
	is_size(wrong, 0, "b, D, G and gradients, as defined");
	ok(crossed > SEEDS / 4 && crossed < SEEDS,
	    "no b is right for all in %zu of %d", crossed, SEEDS);
}

/* One variable without a bias, at C = 2 with |q| = 5: its terms are 10. */
static double
own_of(double score, double *dual)
{
	struct some t;
	struct kith_wsvm_gap at;

	draw(&t, 1);
	t.form.bias = false;
	t.form.ridge = 0;
	t.sign[0] = 1;
	t.C[0] = t.x[0] = 2;
	t.q[0] = -5;
	t.s[0] = score;
	at = (struct kith_wsvm_gap){&t.form, t.x, t.s, t.g, t.kink, 9, 9, 9};
	kith_wsvm_gap_judge(&at);
	*dual = at.dual;
	return at.b == 0 ? at.own : NAN;
}

static void
test_hand(void)
{
	double dual;

	is_near(own_of(6, &dual), 2, 0, "alpha g where g is 1");
	is_near(dual, 4, 0, "D = q' alpha - alpha' Q alpha / 2");
	ok(own_of(4, &dual) == 0, "below 0 at C: right");
	ok(own_of(5 + 0x1p-41, &dual) == 0, "9e-13 of 10 is rounding");
	ok(own_of(5 + 0x1p-40, &dual) == 0x1p-39, "1.8e-12 is not");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_hand();
	test_random();
	return done();
}
