/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/lsq.h: the factor after random updates against dense least squares by LAPACK,
 * and sums of convex hulls against the conditions of a least distance.
 */
#include "sqpfw/lsq.h"

#include "base/pool.h"
#include "base/rng.h"
#include "tap.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { ROWS = 24, COLUMNS = 20, LD = 24, SETS = 60, UPDATES = 80 };

static struct kith_rng rng;
static struct kith_pool pool;

static double
number(double from, double to)
{
	return from + (to - from) * kith_rng_unit(&rng);
}

static size_t
whole(size_t n)
{
	return (size_t)kith_rng_below(&rng, n);
}

/* A matrix, column by column, a vector, and their factor. */
struct pair {
	double C[COLUMNS][LD], v[LD];
	size_t n, m, wrong; /* wrong: columns wrongly refused or appended */
	struct kith_sqpfw_qr qr;
};

/* One update of the matrix or the vector, and of the factor. */
static void
update(struct pair *it)
{
	const size_t what = whole(6);
	double a[LD] = {0};

	if (what == 0 && it->m < COLUMNS && it->m + 1 < it->n) {
		for (size_t f = 0; f < it->n; f++)
			a[f] = number(-1, 1);
		it->wrong += !kith_sqpfw_qr_append_column(&it->qr, a, 1e-8);
		memcpy(it->C[it->m++], a, sizeof(a));
	} else if (what == 1 && it->m > 1) {
		const size_t k = whole(it->m);

		kith_sqpfw_qr_delete_column(&it->qr, k);
		memmove(it->C[k], it->C[k + 1], (--it->m - k) * sizeof(*it->C));
	} else if (what == 2 && it->m > 1) {
		const size_t l = 1 + whole(it->m - 1), k = whole(l);

		kith_sqpfw_qr_subtract_column(&it->qr, k, l);
		for (size_t f = 0; f < it->n; f++)
			it->C[l][f] -= it->C[k][f];
	} else if (what == 3 && it->n < ROWS) {
		for (size_t k = 0; k < it->m; k++)
			it->C[k][it->n] = a[k] = number(-1, 1);
		it->v[it->n] = number(-1, 1);
		kith_sqpfw_qr_append_row(&it->qr, a, it->v[it->n]);
		it->n++;
	} else if (what == 4 && it->n > it->m + 2) {
		const size_t row = whole(it->n);

		kith_sqpfw_qr_delete_row(&it->qr, row);
		it->n--;
		for (size_t k = 0; k < it->m; k++) {
			it->C[k][row] = it->C[k][it->n];
			it->C[k][it->n] = 0;
		}
		it->v[row] = it->v[it->n];
		it->v[it->n] = 0;
	} else if (what == 5 && it->m > 0) {
		const size_t k = whole(it->m);

		a[0] = number(-1, 1);
		kith_sqpfw_qr_add_multiple(&it->qr, a[0], k);
		for (size_t f = 0; f < it->n; f++)
			it->v[f] += a[0] * it->C[k][f];
	}
}

/* How far what the factor gives is from LAPACK's: y and d of v = C y + d, of the v that was updated
 * and of a new one; the shortest x with C'x = b, the distance of a vector from the columns. */
static double
differ(struct pair *it, bool updated)
{
	const lapack_int n = (lapack_int)it->n, m = (lapack_int)it->m;
	double A[COLUMNS * LD], y[LD], z[LD], b[LD], x[LD], off = 0, norm = 0;

	for (size_t f = 0; f < it->n && !updated; f++)
		it->v[f] = number(-1, 1);
	if (!updated)
		kith_sqpfw_qr_split(&it->qr, it->v);
	memcpy(y, it->v, sizeof(y));
	memcpy(A, it->C, sizeof(A));
	if (LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', n, m, 1, A, LD, y, LD))
		return NAN;
	kith_sqpfw_qr_solve(&it->qr, z);
	for (size_t k = 0; k < it->m; k++)
		off = fmax(off, fabs(z[k] - y[k]) / (1 + fabs(y[k])));
	for (size_t f = 0; f < it->n; f++) {
		double due = it->v[f];

		for (size_t k = 0; k < it->m; k++)
			due -= it->C[k][f] * y[k];
		off = fmax(off, fabs(it->qr.d[f] - due));
		norm += due * due;
	}
	off = fmax(off, fabs(kith_sqpfw_qr_residual(&it->qr, it->v) - sqrt(norm)));
	for (size_t k = 0; k < it->m; k++)
		b[k] = z[k] = number(-1, 1);
	memset(z + it->m, 0, (LD - it->m) * sizeof(*z));
	memcpy(A, it->C, sizeof(A));
	if (LAPACKE_dgels(LAPACK_COL_MAJOR, 'T', n, m, 1, A, LD, z, LD))
		return NAN;
	kith_sqpfw_qr_least_norm(&it->qr, b, x);
	for (size_t f = 0; f < it->n; f++)
		off = fmax(off, fabs(x[f] - z[f]) / (1 + fabs(z[f])));
	return off;
}

static void
test_factor(void)
{
	double worst = 0, unit = 0;
	size_t wrong = 0;

	for (size_t k = 0; k < SETS; k++) {
		struct pair it = {.n = 8 + whole(8)};
		double e[LD] = {0};

		kith_sqpfw_qr_new(&it.qr, LD, &pool);
		it.qr.n = it.n;
		kith_sqpfw_qr_split(&it.qr, it.v);
		for (size_t l = 0; l < UPDATES; l++) {
			update(&it);
			if (it.m > 0 && l % 8 == 7)
				worst = fmax(worst, differ(&it, l % 16 == 7));
		}
		if (it.m > 0) {
			const size_t row = whole(it.n);
			double left;

			e[row] = 1;
			left = kith_sqpfw_qr_residual(&it.qr, e);
			unit = fmax(
			    unit, fabs(kith_sqpfw_qr_unit_residual2(&it.qr, row) - left * left));
			memcpy(e, it.C[0], sizeof(e));
			it.wrong += kith_sqpfw_qr_append_column(&it.qr, e, 1e-8) || it.qr.m != it.m;
		}
		wrong += it.wrong;
		kith_pool_free(&pool);
	}
	ok(worst < 1e-9, "least squares after updates: off by %.1e", worst);
	is_size(wrong, 0, "independent columns refused, dependent ones appended");
	ok(unit < 1e-12, "distances of units: off by %.1e", unit);
}

/*
 * The conditions of the least |h|, r = b + phi e + sum t A: shares are on the simplex, h'e = 0, and
 * in each group h'A_i is least where t_i > 0.  Returns the largest violation.
 */
static double
violation(const struct kith_sqpfw_hull *in, const double *t, const double *r)
{
	double h[LD], along[64], worst = 0, sum = 0, left[LD];

	for (size_t j = 0; j < in->p; j++) {
		h[j] = in->sided[j] && r[j] > 0 ? 0 : r[j];
		sum += h[j] * in->e[j];
		left[j] = r[j] - in->b[j];
	}
	worst = fabs(sum);
	for (size_t i = 0; i < in->n; i++) {
		along[i] = 0;
		for (size_t j = 0; j < in->p; j++) {
			along[i] += h[j] * in->A[i * in->p + j];
			left[j] -= t[i] * in->A[i * in->p + j];
		}
		worst = fmax(worst, -t[i]);
	}
	for (size_t from = 0, end; from < in->n; from = end) {
		double least = INFINITY, shares = -1;

		for (end = from; end < in->n && in->group[end] == in->group[from]; end++) {
			least = fmin(least, along[end]);
			shares += t[end];
		}
		worst = fmax(worst, fabs(shares));
		for (size_t i = from; i < end; i++)
			worst = fmax(worst, t[i] * (along[i] - least));
	}
	/* r - b - sum t A is a multiple of e. */
	for (size_t j = 1; j < in->p; j++)
		worst = fmax(worst, fabs(left[j] / in->e[j] - left[0] / in->e[0]));
	return worst;
}

static void
test_hull(void)
{
	double worst = 0, most = 0;
	size_t zero = 0;

	for (size_t k = 0; k < 400; k++) {
		enum { N = 40 };
		const size_t p = 2 + whole(10);
		double A[N * LD], b[LD], e[LD], t[N], r[LD], got, largest = 0;
		size_t group[N], n = 1 + whole(N - 1);
		bool sided[LD];
		struct kith_sqpfw_hull in = {p, n, A, group, b, e, sided};

		for (size_t j = 0; j < p; j++) {
			b[j] = number(-1, 1) * (k % 3 ? 1 : .1);
			e[j] = number(.3, 1);
			sided[j] = j > 0 && whole(3) == 0;
		}
		for (size_t i = 0; i < n; i++) {
			group[i] = i == 0 ? 0 : group[i - 1] + (whole(3) == 0);
			for (size_t j = 0; j < p; j++)
				A[i * p + j] = k % 4 == 3 && i % 2 == 1 ? A[(i - 1) * p + j]
				    : k % 4 == 2                        ? (double)whole(3) - 1
									: number(-1, 1);
		}
		got = kith_sqpfw_hull(&in, 0, t, r);
		for (size_t j = 0; j < p; j++)
			largest = fmax(largest, sided[j] && r[j] > 0 ? 0 : fabs(r[j]));
		most = fmax(most, fabs(got - largest));
		worst = fmax(worst, violation(&in, t, r));
		zero += got < 1e-12;
	}
	ok(worst < 1e-9, "the least: conditions violated by %.1e", worst);
	ok(most < 1e-14, "what is returned is max |h|");
	ok(zero > 20 && zero < 380, "0 is reached in %zu of 400 problems", zero);
}

int
main(void)
{
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_factor();
	test_hull();
	kith_pool_free(&pool);
	return done();
}
