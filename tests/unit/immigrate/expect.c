/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/expect.h: corners by hand, and against the definition written out in long
 * double, for every metric.
 */
#include "immigrate/expect.h"
#include "la/vec.h"

#include "base/rng.h"
#include "immigrate/expected.h"
#include "la/mat.h"
#include "near/metric.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
test_shares(void)
{
	const double zero[] = {0, 1, 0}, below[] = {1, -2, -1};
	const double none[] = {INFINITY, INFINITY}, one[] = {INFINITY, 3};
	const double tiny[] = {0x1p-1074, 0x1p-1073};
	double s[3];

	kith_expect_shares(zero, 3, s);
	ok(s[0] == 0.5 && s[1] == 0 && s[2] == 0.5, "0 takes all");
	kith_expect_shares(below, 3, s);
	ok(s[0] == 0 && s[1] == 1 && s[2] == 0, "so does the least below 0");
	kith_expect_shares(none, 2, s);
	ok(s[0] == 0.5 && s[1] == 0.5, "all infinite: alike");
	kith_expect_shares(one, 2, s);
	ok(s[0] == 0 && s[1] == 1, "no share for a class without rows");
	kith_expect_shares(tiny, 2, s);
	is_near(s[0], 2.0 / 3, 1e-15, "1 / V may overflow");
	is_size(kith_vec_argmin(3, (const double[]){2, 1, 1}), 1, "the first of the smallest");
}

/* Any sigma, and any scale of the data in range, will do. */
static void
test_extremes(void)
{
	static const double scale[] = {1, 1e145, 1e-150};
	const size_t y[] = {0, 0, 1, 1, 3};
	const struct kith_metric square = {KITH_SQUARED, 1, NULL};
	double V[4], z[1];
	const struct kith_mat Z = {1, 1, z};

	for (size_t s = 0; s < sizeof(scale) / sizeof(*scale); s++)
		for (int i = -1; i <= 1; i++) {
			double x[] = {0, 9, 4, 3, 1e5};
			const double sigma = i == 0 ? 1 : i < 0 ? 1e-300 : 1e300;
			const struct kith_mat X = {5, 1, x};
			const struct kith_expect e = {&X, y, 4, &square, sigma};

			for (size_t j = 0; j < 5; j++)
				x[j] *= scale[s];
			z[0] = 2 * scale[s];
			kith_expect_distances(&e, &Z, NULL, 1, V);
			ok(isfinite(V[0]) && isfinite(V[1]) && V[2] == INFINITY,
			    "values are numbers, those of no rows infinite");
			is_size(kith_vec_argmin(4, V), 1, "the nearer class");
			ok(V[0] > V[1] && V[3] > V[0], "in order");
		}
}

static long double
distance(const struct problem *q, const double *a, const double *b)
{
	long double d = 0;

	for (size_t i = 0; i < P; i++)
		for (size_t j = 0; j < P; j++) {
			const long double s = (long double)a[i] - b[i];
			const long double t = (long double)a[j] - b[j];

			if (q->metric.kind == KITH_SQUARED_MATRIX)
				d += q->w[i * P + j] * s * t;
			else if (q->metric.kind == KITH_ABSOLUTE_MATRIX)
				d += q->w[i * P + j] * fabsl(s * t);
			else if (i == j && q->metric.kind == KITH_SQUARED)
				d += q->w[i] * s * s;
			else if (i == j)
				d += q->w[i] * fabsl(s);
		}
	return d;
}

/* V of class h by its definition, or the mean of t where h is C. */
static double
by_definition(const struct problem *q, const double *z, size_t h, size_t out)
{
	long double sum = 0, total = 0, least = INFINITY;

	for (size_t i = 0; i < N; i++)
		if ((h == C || q->y[i] == h) && i != out)
			least = fminl(least, distance(q, z, q->x + i * P));
	for (size_t i = 0; i < N; i++)
		if ((h == C || q->y[i] == h) && i != out) {
			const long double d = distance(q, z, q->x + i * P);
			const long double a = expl((least - d) / q->sigma);

			sum += a * (h == C ? q->t[i] : d);
			total += a;
		}
	return total > 0 ? (double)(sum / total) : INFINITY;
}

static bool
near(double a, double b)
{
	return a == b || fabs(a - b) <= 1e-12 * (1 + fabs(a));
}

static void
test_definition(size_t seed)
{
	struct problem q;
	double V[N * C], t[N], again[N * C];
	size_t self[N];
	bool same = true, equal = true;
	struct kith_expect e, all;

	make(&q, seed);
	e = (struct kith_expect){&q.X, q.y, C, &q.metric, q.sigma};
	all = (struct kith_expect){&q.X, NULL, 1, &q.metric, q.sigma};
	kith_expect_distances(&e, &q.Z, NULL, 2, V);
	kith_expect_means(&all, q.t, &q.Z, NULL, 2, t);
	for (size_t i = 0; i < M; i++) {
		for (size_t h = 0; h < C; h++)
			same &= near(V[i * C + h], by_definition(&q, q.z + i * P, h, N));
		same &= near(t[i], by_definition(&q, q.z + i * P, C, N));
	}
	for (size_t i = 0; i < N; i++)
		self[i] = i;
	kith_expect_distances(&e, &q.X, self, 1, V);
	kith_expect_distances(&e, &q.X, self, 3, again);
	kith_expect_means(&all, q.t, &q.X, self, 2, t);
	for (size_t i = 0; i < N; i++) {
		for (size_t h = 0; h < C; h++)
			same &= near(V[i * C + h], by_definition(&q, q.x + i * P, h, i));
		same &= near(t[i], by_definition(&q, q.x + i * P, C, i));
	}
	ok(same, "seed %zu: as defined", seed);
	for (size_t i = 0; i < N * C; i++)
		equal &= V[i] == again[i];
	ok(equal, "the same for any threads");
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");
	const size_t seeds = more && *more ? 2000 : 60;

	test_shares();
	test_extremes();
	for (size_t seed = 0; seed < seeds; seed++)
		test_definition(seed);
	return done();
}
