/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/graph/bottom.h and lib/graph/missed.h: matrices H D H, H a
 * reflection, whose eigenvalues and vectors are known, and diagonal ones.
 */
#include "graph/bottom.h"

#include "base/pool.h"
#include "base/rng.h"
#include "base/sort.h"
#include "graph/missed.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { MOST = 420 };

static struct kith_pool pool;
static struct kith_rng rng;

/* The diagonal matrix of n values, of which the first is 0. */
static struct kith_singular
diagonal(size_t n, const double *value)
{
	struct kith_singular m = {.A = {.n = n}, .bound = 0};

	m.A.start = kith_new(&pool, n + 1, sizeof(*m.A.start));
	m.A.column = kith_new(&pool, 1, sizeof(*m.A.column));
	m.A.x = kith_new(&pool, 1, sizeof(*m.A.x));
	m.A.diagonal = kith_new(&pool, n, sizeof(*m.A.diagonal));
	m.null = kith_new(&pool, n, sizeof(*m.null));
	m.null[0] = 1;
	memcpy(m.A.diagonal, value, n * sizeof(*value));
	for (size_t i = 0; i < n; i++)
		m.bound = fmax(m.bound, value[i]);
	return m;
}

/* H_ij, H = 1 - 2 v v'. */
static double
reflect(const double *v, size_t i, size_t j)
{
	return (i == j) - 2 * v[i] * v[j];
}

/* H D H, with H e_0 for a null vector; v (n) becomes the vector of H. */
static struct kith_singular
reflected(size_t n, const double *value, double *v)
{
	struct kith_singular m = diagonal(n, value);
	double length = 0, *dv = kith_new(&pool, n, sizeof(*dv)), vdv = 0;
	size_t at = 0;

	m.A.column = kith_new(&pool, n * n, sizeof(*m.A.column));
	m.A.x = kith_new(&pool, n * n, sizeof(*m.A.x));
	for (size_t i = 0; i < n; i++) {
		v[i] = kith_rng_unit(&rng) - .5;
		length += v[i] * v[i];
	}
	for (size_t i = 0; i < n; i++) {
		v[i] /= sqrt(length);
		dv[i] = value[i] * v[i];
		vdv += v[i] * dv[i];
		m.null[i] = 0;
	}
	/* D - 2 v (D v)' - 2 (D v) v' + 4 (v'D v) v v' */
	for (size_t i = 0; i < n; i++) {
		m.null[i] = reflect(v, i, 0);
		for (size_t j = 0; j < n; j++) {
			const double x = -2 * v[i] * dv[j] - 2 * dv[i] * v[j] +
			    4 * vdv * v[i] * v[j];

			if (i == j) {
				m.A.diagonal[i] = value[i] + x;
				continue;
			}
			m.A.column[at] = (uint32_t)j;
			m.A.x[at++] = x;
		}
		m.A.start[i + 1] = at;
	}
	return m;
}

/* How far V, of k rows, is from orthonormal, null among them. */
static double
crooked(const struct kith_singular *m, size_t k, const double *V)
{
	const size_t n = m->A.n;
	double worst = 0;

	for (size_t a = 0; a < k; a++)
		for (size_t b = 0; b <= a + 1; b++) {
			const double *v = b > a ? m->null : V + b * n;
			double sum = 0;

			for (size_t i = 0; i < n; i++)
				sum += V[a * n + i] * v[i];
			worst = fmax(worst, fabs(sum - (a == b)));
		}
	return worst;
}

/* The largest |A v - lambda v|. */
static double
residual(const struct kith_singular *m, size_t k, const struct kith_bottom *b)
{
	const size_t n = m->A.n;
	double *y = kith_new(&pool, n, sizeof(*y)), worst = 0;

	for (size_t a = 0; a < k; a++) {
		double sum = 0;

		kith_sparse_times(&m->A, 1, b->V + a * n, y, 1);
		for (size_t i = 0; i < n; i++)
			sum += pow(y[i] - b->value[a] * b->V[a * n + i], 2);
		worst = fmax(worst, sqrt(sum));
	}
	return worst;
}

/* The k least of values that are in order. */
static struct kith_bottom
look(const struct kith_singular *m, size_t k, const double *value, const char *name)
{
	struct kith_bottom b;
	double worst = 0;

	kith_bottom(m, k, 1, &b, &pool);
	for (size_t i = 0; i < k && b.k == k; i++)
		worst = fmax(worst, fabs(b.value[i] - value[i + 1]));
	ok(b.k == k && worst <= 1e-13 * m->bound, "%s: values: %g", name, worst);
	ok(crooked(m, k, b.V) <= 1e-13 && residual(m, k, &b) <= 1e-12 * m->bound, "%s: vectors",
	    name);
	if (b.order)
		kith_sparse_free(b.order);
	return b;
}

/* 0, then `often` times 1, then further ones that grow. */
static void
fill(size_t n, size_t often, double step, double *value)
{
	value[0] = 0;
	for (size_t i = 1; i < n; i++)
		value[i] = i <= often ? 1 : 1 + step * (double)(i - often);
}

static void
test_dense(void)
{
	static const size_t n[] = {2, 3, 40, 200}, k[] = {1, 2, 5, 3};
	double value[MOST], v[MOST];

	for (size_t c = 0; c < 4; c++) {
		struct kith_singular m;
		struct kith_bottom b;

		fill(n[c], 2, .25, value);
		m = reflected(n[c], value, v);
		b = look(&m, k[c], value, "a small matrix");
		ok(b.dense && !b.factored && b.products == 0, "as a dense one");
	}
}

/* When many eigenvalues are due, and when not. */
static void
test_limits(void)
{
	static const struct {
		size_t n, k;
		bool dense;
	} way[] = {
	    {201, 3, false}, {205, 68, false}, {205, 69, true}, {210, 70, false}, {210, 71, true}};
	double value[MOST], v[MOST];

	for (size_t c = 0; c < 5; c++) {
		struct kith_singular m;
		struct kith_bottom b;

		fill(way[c].n, 1, .1, value);
		m = reflected(way[c].n, value, v);
		b = look(&m, way[c].k, value, "many values");
		ok(b.dense == way[c].dense, "%zu of %zu", way[c].k, way[c].n);
	}
}

/* Values that are there twice and more, with and without a factor. */
static void
test_often(void)
{
	double value[MOST], v[MOST];

	for (size_t often = 2; often < 6; often++) {
		struct kith_singular m;
		struct kith_bottom b;

		fill(260, often, 1, value);
		m = reflected(260, value, v);
		b = look(&m, often + 2, value, "a value that is there often");
		ok(!b.dense && b.products > 0, "%zu products", b.products);
		m = diagonal(260, value);
		b = look(&m, often + 2, value, "a diagonal matrix");
		ok(!b.dense && b.factored && b.shift == 1e-13 * m.bound, "by a factor");
	}
}

/* A circle of n nodes joined to those 1, 3, 9, ... away: 2 degrees each. */
static struct kith_singular
circle(size_t n, size_t degrees, double *value)
{
	double *zero = kith_new(&pool, n, sizeof(*zero));
	struct kith_singular m = diagonal(n, zero);
	size_t at = 0;

	m.bound = 4 * (double)degrees;
	m.A.column = kith_new(&pool, 2 * degrees * n, sizeof(*m.A.column));
	m.A.x = kith_new(&pool, 2 * degrees * n, sizeof(*m.A.x));
	for (size_t i = 0; i < n; i++) {
		m.null[i] = 1 / sqrt((double)n);
		m.A.diagonal[i] = 2 * (double)degrees;
		for (size_t j = 0; j < n; j++)
			for (size_t s = 0, step = 1; s < degrees; s++, step = step * 3 % n)
				if ((i + step) % n == j || (j + step) % n == i) {
					m.A.column[at] = (uint32_t)j;
					m.A.x[at++] = -1;
				}
		m.A.start[i + 1] = at;
		value[i] = 0;
		for (size_t s = 0, step = 1; s < degrees; s++, step = step * 3 % n)
			value[i] += 2 - 2 * cos(2 * acos(-1) * (double)(i * step) / (double)n);
	}
	kith_sort_reals(value, n);
	return m;
}

/* Rows of 16 entries have a factor ordered at once, those of more may not need it. */
static void
test_patience(void)
{
	double value[MOST];
	struct kith_singular m = circle(401, 8, value);
	struct kith_bottom b = look(&m, 2, value, "16 entries a row");

	ok(m.A.start[401] == (size_t)16 * 401 && b.order, "are a mesh");
	m = circle(401, 9, value);
	b = look(&m, 2, value, "18 entries a row");
	ok(m.A.start[401] == (size_t)18 * 401 && !b.order && !b.factored && b.products > 10 &&
		b.products < 300,
	    "are none: %zu products", b.products);
}

static double
missed(const struct kith_singular *m, size_t d, const double *value, double slack)
{
	struct kith_sparse_factor *order = kith_sparse_order(&m->A);
	const double got = kith_missed(m, d, value, slack, order);

	kith_sparse_free(order);
	return got;
}

static void
test_missed(void)
{
	double all[] = {0, .125, .25, .25 + 1e-15, .5, 1, 2};
	struct kith_singular m = diagonal(7, all);

	ok(missed(&m, 1, (double[]){.125}, 0) == 0 &&
		missed(&m, 3, (double[]){.125, .25, .25}, 0) == 0 &&
		missed(&m, 4, (double[]){.125, .25, .25, .5}, 1e-14) == 0 &&
		missed(&m, 6, all + 1, 1e-14) == 0,
	    "all are there");
	ok(missed(&m, 2, (double[]){.125, .25}, 0) == 0, "one as near as rounding is none");
	ok(missed(&m, 1, (double[]){.25}, 0) == 1 && missed(&m, 2, (double[]){.25, .25}, 0) == 1 &&
		missed(&m, 1, (double[]){.5}, 0) == 3 &&
		missed(&m, 3, (double[]){.125, .5, 1}, 0) == 2 &&
		missed(&m, 2, (double[]){.25, .5}, 1e-14) == 2,
	    "those that are not");
	ok(missed(&m, 2, (double[]){.125, .125}, 0) == -1, "one too many");
	ok(missed(&m, 1, (double[]){.125}, .01) == 0 && missed(&m, 1, (double[]){.25}, .01) == 1,
	    "with some slack");
	ok(isnan(missed(&m, 1, (double[]){.25}, .13)) && missed(&m, 1, (double[]){.25}, .124) == 1,
	    "unless that reaches 0");
	ok(isnan(missed(&m, 2, (double[]){.5, 1}, .3)), "with values near each other, too");
}

/* Where the counts are made: a margin of slack, and a little more, away. */
static void
test_margins(void)
{
	double low[] = {0, 3e-13, 1, 2}, near[] = {0, .015, .03, 1};
	double five[] = {0, .1, .12, .145, .15, 1};
	struct kith_singular m = diagonal(4, low);

	ok(missed(&m, 1, low + 1, 0) == 0, "as many as are due, however near to 0");
	m = diagonal(4, near);
	ok(missed(&m, 1, near + 1, .01) == 0, "the next is beyond a margin");
	ok(isnan(missed(&m, 1, near + 1, .016)), "it is not");
	m = diagonal(6, five);
	ok(missed(&m, 2, (double[]){.1, .145}, .01) == 1 &&
		missed(&m, 2, (double[]){.1, .145}, .0115) == 0,
	    "values within four of them are as one");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_dense();
	test_limits();
	test_often();
	test_patience();
	test_missed();
	test_margins();
	kith_pool_free(&pool);
	return done();
}
