/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/qr.h: after any change A = Q R and r = Q z + d are those
 * of a matrix and a vector that are kept beside them, Q'Q = 1 and Q'd = 0.
 */
#include "sqpfw/qr.h"

#include "base/pool.h"
#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 45, LD = 48, STEPS = 60, SETS = 60 };

static struct kith_rng rng;
static double A[N][N]; /* column by column */
static double r[N];
static size_t n, m;
static double worst; /* how far off anything was */

static double
number(void)
{
	return 2 * kith_rng_unit(&rng) - 1;
}

static size_t
below(size_t end)
{
	return (size_t)kith_rng_below(&rng, end);
}

static void
off(double by)
{
	worst = fmax(worst, isnan(by) ? INFINITY : fabs(by));
}

/* Compare the factor with A and r, and see that what is padded is 0. */
static void
compare(const struct kith_sqpfw_qr *qr)
{
	off(qr->n == n && qr->m == m ? 0 : INFINITY);
	for (size_t f = 0; f < n; f++) {
		double sum = qr->d[f];

		for (size_t k = 0; k < m; k++)
			sum += qr->Q[k][f] * qr->z[k];
		off(sum - r[f]);
		for (size_t l = 0; l < m; l++) {
			sum = 0;
			for (size_t k = 0; k <= l; k++)
				sum += qr->Q[k][f] * qr->R[k * qr->room + l];
			off(sum - A[l][f]);
		}
	}
	for (size_t k = 0; k < m; k++) {
		double along = 0;

		for (size_t f = 0; f < n; f++)
			along += qr->Q[k][f] * qr->d[f];
		off(along);
		for (size_t l = 0; l <= k; l++) {
			double sum = 0;

			for (size_t f = 0; f < n; f++)
				sum += qr->Q[k][f] * qr->Q[l][f];
			off(sum - (k == l));
			off(l < k ? qr->R[k * qr->room + l] : 0);
		}
		for (size_t f = n; f < (n + 7) / 8 * 8; f++)
			off(qr->Q[k][f] != 0 || qr->d[f] != 0);
	}
}

/* |a - Q Q'a|^2 */
static double
left_of(const struct kith_sqpfw_qr *qr, const double *a)
{
	double x[N], square = 0;

	memcpy(x, a, n * sizeof(*x));
	for (size_t k = 0; k < m; k++) {
		double h = 0;

		for (size_t f = 0; f < n; f++)
			h += qr->Q[k][f] * x[f];
		for (size_t f = 0; f < n; f++)
			x[f] -= h * qr->Q[k][f];
	}
	for (size_t f = 0; f < n; f++)
		square += x[f] * x[f];
	return square;
}

/* What is asked of the factor, and changes nothing. */
static void
ask(struct kith_sqpfw_qr *qr)
{
	double a[LD] = {0}, e[LD] = {0}, x[LD], b[N], y[N];

	for (size_t f = 0; f < n; f++)
		a[f] = number();
	off(kith_sqpfw_qr_distance(qr, a) - sqrt(left_of(qr, a)));
	e[n / 2] = 1;
	off(kith_sqpfw_qr_unit_distance2(qr, n / 2) - left_of(qr, e));
	/* R y = z */
	memcpy(y, a, m * sizeof(*y));
	kith_sqpfw_qr_solve(qr, y);
	for (size_t i = 0; i < m; i++) {
		double sum = -a[i];

		for (size_t k = i; k < m; k++)
			sum += qr->R[i * qr->room + k] * y[k];
		off(sum);
	}
	/* A'x = b, and nothing of x is off A */
	memcpy(b, a, m * sizeof(*b));
	kith_sqpfw_qr_least_norm(qr, b, x);
	off(sqrt(left_of(qr, x)));
	for (size_t k = 0; k < m; k++) {
		double sum = -a[k];

		for (size_t f = 0; f < n; f++)
			sum += A[k][f] * x[f];
		off(sum);
	}
	for (size_t f = n; f < (n + 7) / 8 * 8; f++)
		off(x[f]);
}

static void
append_column(struct kith_sqpfw_qr *qr)
{
	double a[LD] = {0};
	const double turn = below(2) ? 1 : -1;

	/* well off the others, so that R is no cause of large numbers */
	for (size_t f = 0; f < n; f++)
		a[f] = A[m][f] = number() + (f == m ? turn * 3 : 0);
	off(kith_sqpfw_qr_append_column(qr, a) ? 0 : INFINITY);
	m++;
}

static void
delete_column(struct kith_sqpfw_qr *qr)
{
	const size_t k = below(m);

	kith_sqpfw_qr_delete_column(qr, k);
	m--;
	memmove(A[k], A[k + 1], (m - k) * sizeof(*A));
}

static void
delete_row(struct kith_sqpfw_qr *qr)
{
	const size_t row = below(n);

	kith_sqpfw_qr_delete_row(qr, row);
	n--;
	for (size_t k = 0; k < m; k++)
		A[k][row] = A[k][n];
	r[row] = r[n];
}

static void
append_row(struct kith_sqpfw_qr *qr)
{
	double a[N];

	for (size_t k = 0; k < m; k++)
		a[k] = A[k][n] = k == 1 ? 0 : number();
	r[n] = number();
	kith_sqpfw_qr_append_row(qr, a, r[n]);
	n++;
}

/* Subtract a column from a later one, and add one to r. */
static void
combine(struct kith_sqpfw_qr *qr)
{
	const size_t l = m - 1, k = below(l), c = below(m);
	const double factor = number();

	kith_sqpfw_qr_subtract_column(qr, k, l);
	kith_sqpfw_qr_add_multiple(qr, c, factor);
	for (size_t f = 0; f < n; f++)
		A[l][f] -= A[k][f];
	for (size_t f = 0; f < n; f++)
		r[f] += factor * A[c][f];
}

static void
split(struct kith_sqpfw_qr *qr)
{
	for (size_t f = 0; f < n; f++)
		r[f] = number();
	kith_sqpfw_qr_split(qr, r);
}

/* No columns, and so many rows. */
static void
clear(struct kith_sqpfw_qr *qr, size_t rows)
{
	n = rows;
	m = 0;
	kith_sqpfw_qr_clear(qr, n);
	split(qr);
}

/* Changes at random, of a factor with at least `few` rows less than N. */
static void
test_random(size_t few, const char *name)
{
	worst = 0;
	for (size_t set = 0; set < SETS; set++) {
		struct kith_pool pool = {0};
		struct kith_sqpfw_qr qr = kith_sqpfw_qr_new(N, &pool);

		clear(&qr, 1 + below(N - few));
		for (size_t step = 0; step < STEPS; step++) {
			switch (below(9)) {
			case 0:
				if (m > 0)
					delete_column(&qr);
				break;
			case 1:
				if (n > m + 1)
					delete_row(&qr);
				break;
			case 2:
				if (n < N)
					append_row(&qr);
				break;
			case 3:
				if (m > 1)
					combine(&qr);
				break;
			case 4:
				split(&qr);
				break;
			case 5:
				if (below(6) == 0)
					clear(&qr, 1 + below(N - few));
				break;
			default:
				if (m < n)
					append_column(&qr);
			}
			compare(&qr);
			if (step % 4 == 0)
				ask(&qr);
		}
		kith_pool_free(&pool);
	}
	ok(worst <= 1e-10, "%s: off by %.1e", name, worst);
}

/* As many columns as rows, of which one goes and another comes. */
static void
test_square(void)
{
	struct kith_pool pool = {0};
	struct kith_sqpfw_qr qr = kith_sqpfw_qr_new(20, &pool);

	worst = 0;
	n = 20;
	m = 0;
	split(&qr);
	while (m < n)
		append_column(&qr);
	compare(&qr);
	ask(&qr);
	for (int k = 0; k < 40; k++) {
		delete_column(&qr);
		compare(&qr);
		if (k % 4 == 3) {
			delete_row(&qr);
			compare(&qr);
			append_row(&qr);
			compare(&qr);
			delete_row(&qr);
			ask(&qr);
			append_row(&qr);
		}
		append_column(&qr);
		compare(&qr);
		ask(&qr);
	}
	ok(worst <= 1e-10, "as many columns as rows: off by %.1e", worst);
	kith_pool_free(&pool);
}

/* A column of which nothing is new is refused, and nothing is changed. */
static void
test_dependent(void)
{
	struct kith_pool pool = {0};
	struct kith_sqpfw_qr qr = kith_sqpfw_qr_new(3, &pool);
	const double zero[8] = {0}, x[8] = {2, 0, 0}, y[8] = {1, 0, 0};

	worst = 0;
	n = 3;
	m = 1;
	memcpy(A[0], x, 3 * sizeof(*x));
	r[0] = r[1] = r[2] = 1;
	kith_sqpfw_qr_split(&qr, r);
	ok(!kith_sqpfw_qr_append_column(&qr, zero), "no column of zeros");
	ok(kith_sqpfw_qr_append_column(&qr, x), "a first column");
	ok(!kith_sqpfw_qr_append_column(&qr, y), "none along it");
	compare(&qr);
	is_near(worst, 0, 0, "nothing is changed");
	kith_sqpfw_qr_clear(&qr, 2);
	ok(qr.n == 2 && qr.m == 0, "cleared");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 17, KITH_RNG_SAMPLE, 0);
	test_random(0, "any rows");
	test_random(N - 10, "few rows");
	test_square();
	test_dependent();
	return done();
}
