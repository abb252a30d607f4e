/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of probabilities of lib/machine/machine.h: the slope of F written out, F on a grid around the
 * solution, and couplings against the conditions of their minimum.
 */
#include "machine/machine.h"

#include "base/pool.h"
#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 400, C = 6 };

static struct kith_rng rng;
static double f[MOST];
static bool plus[MOST];

/* F and its slope, by the definition, in long double. */
static long double
entropy(size_t n, long double A, long double B, long double *dA, long double *dB)
{
	long double sum = 0, up = 0;

	*dA = *dB = 0;
	for (size_t i = 0; i < n; i++)
		up += plus[i];
	for (size_t i = 0; i < n; i++) {
		const long double z = A * f[i] + B, down = n - up;
		const long double t = plus[i] ? (up + 1) / (up + 2) : 1 / (down + 2);
		const long double p = 1 / (1 + expl(z));

		sum += t * logl(1 + expl(z)) + (1 - t) * (logl(1 + expl(-z)));
		*dA += f[i] * (t - p);
		*dB += t - p;
	}
	return sum;
}

/* The fit is where the slope is rounding, and no point around it is lower. */
static void
judge(size_t n, double size, const char *what)
{
	double A, B;
	long double dA, dB, F, dump;
	bool lowest = true;

	kith_platt_fit(f, plus, n, &A, &B);
	F = entropy(n, A, B, &dA, &dB);
	ok(fabsl(dA) <= 1e-11 * size * (double)n && fabsl(dB) <= 1e-11 * (double)n,
	    "%s: A %g, B %g, slope %.1Lg %.1Lg", what, A, B, dA, dB);
	for (int i = 0; i < 8; i++) {
		const long double a = .01L * cosl(i) / size;
		const long double b = .01L * sinl(i);

		lowest = lowest && entropy(n, A + a, B + b, &dump, &dump) > F;
	}
	ok(lowest, "%s: the lowest", what);
}

/* All f equal, or a row alone: p is the mean of t. */
static void
test_equal(void)
{
	double A, B;

	for (size_t n = 1; n <= 4; n += 3) {
		for (size_t i = 0; i < 4; i++) {
			f[i] = .1;
			plus[i] = n == 1 || i > 0;
		}
		kith_platt_fit(f, plus, n, &A, &B);
		ok(n == 1 || A == 0, "A of equal f");
		is_near(1 / (1 + exp(B + A * .1)), n == 1 ? 2. / 3 : (3 * .8 + 1. / 3) / 4, 1e-12,
		    "and p");
	}
}

static void
test_random(void)
{
	const size_t seeds = getenv("KITH_LONG") ? 300 : 40;

	for (size_t s = 0; s < seeds; s++) {
		const size_t n = 2 + kith_rng_below(&rng, MOST - 2);
		const double share = .02 + .96 * kith_rng_unit(&rng);
		const double gap = 4 * kith_rng_unit(&rng) - 1;
		const double shift = s % 3 ? 0 : 30;
		double size = 0;

		for (size_t i = 0; i < n; i++) {
			plus[i] = i == 0 || kith_rng_unit(&rng) < share;
			plus[1] = false;
			f[i] = (plus[i] ? gap : -gap) + 3 * kith_rng_unit(&rng) + shift;
			if (s % 4 == 0)
				f[i] = floor(2 * f[i]);
			size = fmax(size, fabs(f[i]));
		}
		judge(n, size, s % 4 ? "random rows" : "rows on a grid");
	}
	/* One row of each: t = 2/3 and 1/3.  Then told apart, by far. */
	f[0] = -1;
	f[1] = 1;
	plus[0] = false;
	plus[1] = true;
	judge(2, 1, "a row of each");
	for (size_t i = 0; i < 100; i++) {
		plus[i] = i % 3 == 0;
		f[i] = plus[i] ? 50 + .01 * (double)i : -50;
	}
	judge(100, 50, "apart");
	f[7] = 60;
	judge(100, 60, "apart but for one");
}

/* Another unit of f is another unit of A. */
static void
test_units(void)
{
	static const double unit[] = {1e-200, 1e-9, 1e9, 1e200};
	double A, B, other_A, other_B;
	double was[MOST];

	for (size_t i = 0; i < 50; i++) {
		plus[i] = i % 2;
		was[i] = f[i] = kith_rng_unit(&rng) + .5 * plus[i];
	}
	kith_platt_fit(f, plus, 50, &A, &B);
	for (size_t u = 0; u < 4; u++) {
		for (size_t i = 0; i < 50; i++)
			f[i] = was[i] * unit[u];
		kith_platt_fit(f, plus, 50, &other_A, &other_B);
		is_near(other_A * unit[u], A, 1e-9, "A in another unit");
		is_near(other_B, B, 1e-9, "and B");
	}
}

/* P(+1 | f), of a machine of two classes. */
static double
sigmoid(double A, double B, double F)
{
	const struct kith_machine m = {
	    .task = KITH_MACHINE_CLASSIFY, .class.n = 2, .A = &A, .B = &B};
	double p[2];

	kith_machine_probabilities(&m, &F, p);
	return p[1];
}

/* Couples the probabilities r[g * c + h] of c > 2 classes, by outputs of pairs that say r. */
static void
couple_pairs(size_t c, const double *r, double *p)
{
	double A[C * C], B[C * C] = {0}, F[C * C];
	const struct kith_machine m = {
	    .task = KITH_MACHINE_CLASSIFY, .multi = KITH_MACHINE_ONE, .class.n = c, .A = A, .B = B};
	size_t o = 0;

	for (size_t g = 0; g < c; g++)
		for (size_t h = g + 1; h < c; h++) {
			A[o] = -1;
			F[o++] = log(r[h * c + g] / r[g * c + h]);
		}
	kith_machine_probabilities(&m, F, p);
}

static void
test_sigmoid(void)
{
	is_near(sigmoid(-1, 0, 0), .5, 0, "the middle");
	is_near(sigmoid(-1, 2, 5), 1 / (1 + exp(-3)), 1e-16, "p");
	ok(sigmoid(-1, 0, 1e308) == 1 && sigmoid(-1, 0, -1e308) == 0 &&
		sigmoid(-1, 0, INFINITY) == 1 && sigmoid(-2, 0, -INFINITY) == 0,
	    "far away");
	is_near(sigmoid(0, 1, INFINITY), 1 / (1 + exp(1)), 1e-16, "A 0");
	ok(sigmoid(-1, 0, -700) > 0, "small, but there");
}

/* Coupled: at the minimum Q p is the same for all classes. */
static void
couple(size_t c, double spread)
{
	double r[C * C] = {0}, p[C], Q[C][C] = {{0}}, sum = 0;
	double least = INFINITY, most = -INFINITY;
	bool above = true;

	if (c < 3 || c > C)
		abort();
	for (size_t g = 0; g < c; g++)
		for (size_t h = g + 1; h < c; h++) {
			r[g * c + h] = .5 + spread * (kith_rng_unit(&rng) - .5);
			r[h * c + g] = 1 - r[g * c + h];
		}
	for (size_t g = 0; g < c; g++)
		for (size_t h = 0; h < c; h++)
			if (g != h) {
				Q[g][g] += r[h * c + g] * r[h * c + g];
				Q[g][h] = -r[h * c + g] * r[g * c + h];
			}
	couple_pairs(c, r, p);
	for (size_t g = 0; g < c; g++) {
		double Qp = 0;

		for (size_t h = 0; h < c; h++)
			Qp += Q[g][h] * p[h];
		least = fmin(least, Qp);
		most = fmax(most, Qp);
		sum += p[g];
		above = above && p[g] >= 0;
	}
	ok(above && most - least <= 1e-14 && fabs(sum - 1) <= 1e-15,
	    "%zu classes: the conditions, %.1e", c, most - least);
}

static void
test_couple(void)
{
	static const double due[] = {.5, .3, .15, .05};
	double r[16] = {0}, p[4], one[] = {0, 1, 0, 0, 0, 0, 1, 1, 0};

	for (size_t g = 0; g < 4; g++)
		for (size_t h = 0; h < 4; h++)
			if (g != h)
				r[g * 4 + h] = due[g] / (due[g] + due[h]);
	couple_pairs(4, r, p);
	for (size_t g = 0; g < 4; g++)
		is_near(p[g], due[g], 1e-14, "r that agree are p's");
	for (size_t c = 3; c <= C; c++)
		for (size_t i = 0; i < 10; i++)
			couple(c, i < 5 ? .9 : .999);
	couple_pairs(3, one, p); /* 1 beats 2, 2 none, 3 both */
	ok(p[2] > .999 && p[0] + p[1] < 1e-3, "sure ones: %g %g %g", p[0], p[1], p[2]);
}

static void
test_classes(void)
{
	const double A[] = {-1, -2, -1}, B[] = {0, .5, 0}, F[] = {3, -1, .5};
	struct kith_machine m = {.task = KITH_MACHINE_CLASSIFY, .A = A, .B = B};
	const double s = 1 / (1 + exp(-3)), t = 1 / (1 + exp(2.5)), u = 1 / (1 + exp(-.5));
	double p[3], q[3];

	m.class.n = 2;
	kith_machine_probabilities(&m, F, p);
	ok(p[1] == s && fabs(p[0] + p[1] - 1) < 1e-15, "two: f > 0 the second");
	m.first_is_plus = true;
	kith_machine_probabilities(&m, F, p);
	ok(p[0] == s, "or the first");
	m.class.n = 3; /* one against the rest */
	kith_machine_probabilities(&m, F, p);
	is_near(p[1], t / (s + t + u), 1e-15, "each by the sum");
	m.multi = KITH_MACHINE_ONE;
	kith_machine_probabilities(&m, F, p);
	couple_pairs(3, (double[]){0, s, t, 1 - s, 0, u, 1 - t, 1 - u, 0}, q);
	ok(fabs(p[0] - q[0]) < 1e-15 && fabs(p[2] - q[2]) < 1e-15,
	    "pairs, coupled: the first is +1");
	m.first_is_plus = false;
	kith_machine_probabilities(&m, F, p);
	couple_pairs(3, (double[]){0, 1 - s, 1 - t, s, 0, 1 - u, t, u, 0}, q);
	ok(fabs(p[0] - q[0]) < 1e-15 && fabs(p[2] - q[2]) < 1e-15, "or the second");
	m.class.n = 1;
	m.A = NULL;
	kith_machine_probabilities(&m, F, p);
	ok(p[0] == 1, "one class");
}

int
main(void)
{
	kith_rng_seed(&rng, 11, KITH_RNG_SAMPLE, 0);
	test_equal();
	test_random();
	test_units();
	test_sigmoid();
	test_couple();
	test_classes();
	return done();
}
