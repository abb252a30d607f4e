/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of kith_sqpfw_hull() of lib/sqpfw/lsq.h, which the certificate is found by: sums of convex hulls
 * against the conditions of a least distance.
 */
#include "sqpfw/lsq.h"

#include "base/rng.h"
#include "tap.h"

#include <math.h>

enum { MOST_P = 24 };

static struct kith_rng rng;

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

/*
 * The conditions of the least |h|, r = b + phi e + sum t A: shares are on the simplex, h'e = 0, and
 * in each group h'A_i is least where t_i > 0.  Returns the largest violation.
 */
static double
violation(const struct kith_sqpfw_hull *in, const double *t, const double *r)
{
	double h[MOST_P], along[64], worst = 0, sum = 0, left[MOST_P];

	for (size_t j = 0; j < in->p; j++) {
		h[j] = in->sided[j] && r[j] > 0 ? 0 : r[j];
		sum += h[j] * in->e[j];
		left[j] = r[j] - in->b[j];
	}
	worst = fabs(sum);
	for (size_t i = 0; i < in->n; i++) {
		along[i] = 0;
		for (size_t j = 0; j < in->p; j++) {
			along[i] += h[j] * in->A[i][j];
			left[j] -= t[i] * in->A[i][j];
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
		double A[N][MOST_P], b[MOST_P], e[MOST_P], t[N], r[MOST_P], got, largest = 0;
		size_t group[N], n = 1 + whole(N - 1);
		bool sided[MOST_P];
		const double *a[N];
		struct kith_sqpfw_hull in = {p, n, a, group, b, e, sided, false};

		for (size_t j = 0; j < p; j++) {
			b[j] = number(-1, 1) * (k % 3 ? 1 : .1);
			e[j] = number(.3, 1);
			sided[j] = j > 0 && whole(3) == 0;
		}
		for (size_t i = 0; i < n; i++) {
			a[i] = A[i];
			group[i] = i == 0 ? 0 : group[i - 1] + (whole(3) == 0);
			for (size_t j = 0; j < p; j++)
				A[i][j] = k % 4 == 3 && i % 2 == 1 ? A[i - 1][j]
				    : k % 4 == 2                   ? (double)whole(3) - 1
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
	test_hull();
	return done();
}
