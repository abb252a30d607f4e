/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/smooth.h: theta by its definition, the values of its checks
 * by hand, steps of plain conjugate gradients, and how many there are.
 */
#include "nnk/smooth.h"

#include "nnk/data.h"
#include "nnk/smooth_pairs.h"
#include "nnk/smooth_step.h"

#include <stdlib.h>
#include <string.h>

static int
by_size(const void *a, const void *b)
{
	const double *s = a, *t = b;

	return (*s > *t) - (*s < *t);
}

/* The bounds of theta for k edges: 1 / sqrt(k z^2 - b z), z of the k-th or next. */
static double
plain_theta(size_t n, size_t k)
{
	double low[N] = {0}, high[N] = {0};

	for (size_t i = 0; i < n; i++) {
		double z[N] = {0}, b = 0;
		size_t m = 0;

		for (size_t j = 0; j < n; j++) {
			z[m] = 0;
			for (size_t f = 0; f < P; f++)
				z[m] += pow(x[i * P + f] - x[j * P + f], 2);
			m += j != i;
		}
		qsort(z, m, sizeof(*z), by_size);
		for (size_t j = 0; j < k; j++)
			b += z[j];
		low[i] = 1 / sqrt((double)k * z[k] * z[k] - b * z[k]);
		high[i] = 1 / sqrt((double)k * z[k - 1] * z[k - 1] - b * z[k - 1]);
	}
	qsort(low, n, sizeof(*low), by_size);
	qsort(high, n, sizeof(*high), by_size);
	if (k == 1)
		return 2 * low[(n - 1) / 2];
	return sqrt(low[(n - 1) / 2] * high[(n - 1) / 2]);
}

static void
test_theta(void)
{
	double worst = 0;

	for (size_t seed = 0; seed < 30; seed++) {
		const size_t n = 20 + seed, k = 1 + seed % 6;
		struct kith_smooth_pairs pairs;

		draw(0);
		pairs = pairs_of(x, n, P, k);
		worst = fmax(worst, fabs(pairs.theta / plain_theta(n, k) - 1));
	}
	ok(worst <= 1e-12, "theta between its bounds: %g", worst);
}

/* Rows that have too few others, or all as far. */
static void
test_corners(void)
{
	double v[] = {0, 1, 0, -1}, line[] = {0, 2, 4, 100};
	double corner[] = {0, 0, 1, 0, 0, 1, 1, 1};
	struct kith_smooth_pairs pairs = pairs_of(v, 1, 1, 3);

	ok(pairs.theta == 1 && pairs.graph.start[1] == 0, "one row: 1");
	pairs = pairs_of(line, 2, 1, 3);
	is_near(pairs.theta, .25, 1e-15, "two: the inverse of their distance");
	/* 0 has 4 and 16: 1 / sqrt(16^2 - 4 16); the middle's are the same. */
	pairs = pairs_of(line, 3, 1, 3);
	is_near(
	    pairs.theta, 2 / sqrt(16 * 16 - 4 * 16), 1e-15, "three: one edge less than candidates");
	/* Each corner has 1, 1 and 2: for two edges the upper is infinite. */
	pairs = pairs_of(corner, 4, 2, 2);
	is_near(pairs.theta, 2 / sqrt(2 * 4 - 2 * 2), 1e-15, "two that are as far");
	v[1] = v[3] = 0;
	pairs = pairs_of(v, 4, 1, 2);
	ok(pairs.theta == 1, "copies: 1");
	ok(pairs.graph.start[4] == 6, "all of them pairs");
	pairs = pairs_of(line, 4, 1, 1);
	is_size(pairs.graph.start[4], 6, "three candidates for an edge");
}

/* Candidates that are given, to one row alone: its distance counts. */
static void
test_given(void)
{
	double line[] = {0, 2, 9};
	const struct kith_mat X = {3, 1, line};
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, 3, 1};
	size_t start[] = {0, 1, 1, 1}, to[] = {1};
	const struct kith_graph given = {0, 3, start, to, NULL, NULL, NULL};
	struct kith_smooth_pairs pairs;

	ok(!kith_smooth_pairs(&rows, 1, &given, &pairs, &pool, &err), "candidates of one row");
	is_near(pairs.theta, .25, 1e-15, "the inverse of their distance");
	is_size(pairs.graph.start[3], 1, "a pair");
}

/* The value of check c at weights w. */
static double
value(const struct kith_smooth_pairs *pairs, const double *w, size_t c)
{
	struct kith_check check[KITH_CHECK_SMOOTH];

	kith_smooth_check(pairs, w, check);
	return check[c].value;
}

static void
test_check(void)
{
	double v[] = {0, 1, 3};
	struct kith_smooth_pairs two = pairs_of(v, 2, 1, 1);
	struct kith_smooth_pairs three = pairs_of(v, 3, 1, 1);
	const double one[] = {1}, none[] = {0};
	const double path[] = {1, 0, .5}, some[] = {1, 0, 0};

	/* theta and z are 1: lambda = w + 1 - 1 / w. */
	is_near(value(&two, one, 1), .5, 1e-15, "stationarity: 1 over 1 + 1");
	ok(value(&two, one, 0) == 0 && value(&two, one, 2) == 0, "no more");
	ok(value(&two, (double[]){.25}, 1) == (4 - 1.25) / 5, "a weight that is small");
	ok(value(&two, none, 0) == 2 && isinf(value(&two, none, 1)), "rows without a weight");
	/* Pairs 0 1, 0 2, 1 2; u = 1, 2 / 3, 2. */
	three.theta = .25;
	is_near(value(&three, path, 1),
	    fmax((1 + .25 - 5. / 6) / (.25 + 5. / 6), fabs(.5 + 1 - 4. / 3) / (1 + 4. / 3)), 1e-15,
	    "the larger one of two edges");
	is_near(value(&three, path, 2), 0, 0, "9/4 is more than 3/2");
	three.theta = .125;
	is_near(value(&three, path, 2), (1.5 - 1.125) / (1.5 + 1.125), 1e-15,
	    "9/8 is not: there should be an edge");
	ok(value(&three, some, 0) == 1, "one without a weight");
}

/* Plain conjugate gradients for the tridiagonal H of a path. */
static double
plain_step(size_t n, const double *d, const double *b, double tol, double *y)
{
	double r[N], p[N], q[N], rho = 0, goal;
	size_t l = 0;

	for (size_t i = 0; i < n; i++) {
		y[i] = 0;
		r[i] = b[i];
		p[i] = b[i] / d[i];
		rho += r[i] * p[i];
	}
	goal = rho * tol * tol;
	for (; l < 100 && rho > goal; l++) {
		double pq = 0, next = 0;

		for (size_t i = 0; i < n; i++) {
			q[i] = d[i] * p[i] + (i > 0 ? p[i - 1] / 2 : 0) +
			    (i + 1 < n ? p[i + 1] / 2 : 0);
			pq += p[i] * q[i];
		}
		for (size_t i = 0; i < n; i++) {
			y[i] += rho / pq * p[i];
			r[i] -= rho / pq * q[i];
			next += r[i] * r[i] / d[i];
		}
		for (size_t i = 0; i < n; i++)
			p[i] = r[i] / d[i] + next / rho * p[i];
		rho = next;
	}
	return (double)l;
}

static void
test_step(void)
{
	double worst = 0, steps = 0;

	for (size_t seed = 0; seed < 30; seed++) {
		const size_t n = 5 + 2 * seed;
		struct kith_smooth_step it = kith_smooth_step_new(n, n - 1, &pool);
		double y[N];

		for (size_t i = 0; i < n; i++) {
			size_t *end = &it.H.start[i + 1];

			*end = it.H.start[i];
			if (i > 0)
				it.H.column[(*end)++] = (uint32_t)i - 1;
			if (i + 1 < n)
				it.H.column[(*end)++] = (uint32_t)i + 1;
			it.H.diagonal[i] = 1.5 + kith_rng_unit(&rng);
			it.b[i] = kith_rng_unit(&rng) - .5;
		}
		kith_smooth_step(&it, pow(10, -1 - (double)(seed % 4)), 1);
		steps += plain_step(n, it.H.diagonal, it.b, pow(10, -1 - (double)(seed % 4)), y);
		for (size_t i = 0; i < n; i++)
			worst = fmax(worst, fabs(it.x[i] - y[i]));
	}
	ok(worst <= 1e-13, "as plain conjugate gradients: %g", worst);
	ok(steps > 60, "%g iterations", steps);
}

/* Newton's steps are few, and none is made where nothing is left to do. */
static void
test_count(void)
{
	size_t most = 0;
	double v[] = {0, 1};
	struct kith_smooth_pairs two = pairs_of(v, 2, 1, 1);

	for (size_t seed = 0; seed < 20; seed++) {
		struct kith_smooth_pairs pairs;
		size_t steps;

		draw(0);
		pairs = pairs_of(x, N, P, 2 + seed % 5);
		steps = kith_smooth(&pairs, 1);
		most = steps > most ? steps : most;
	}
	ok(most >= 3 && most <= 14, "%zu steps at most", most);
	/* By itself each of two rows has what it has with the other. */
	is_size(kith_smooth(&two, 1), 0, "two rows begin at the end");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_theta();
	test_corners();
	test_given();
	test_check();
	test_step();
	test_count();
	kith_pool_free(&pool);
	return done();
}
