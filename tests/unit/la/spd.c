/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/spd.h. */
#include "la/spd.h"

#include "tap.h"

#include <math.h>
#include <string.h>

/* A matrix, and the same with rows and columns times powers of two. */
static void
test_scale(void)
{
	static const int e[] = {0, 300, -200};
	const double A[9] = {4, 1, .5, 1, 3, .25, .5, .25, 2};
	double R[9], S[9], b[3] = {1, 2, 3}, x[3], most = 0;

	memcpy(R, A, sizeof(A));
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 3; j++)
			S[i * 3 + j] = ldexp(A[i * 3 + j], e[i] + e[j]);
	ok(kith_spd_factor(3, R) && kith_spd_factor(3, S), "both factor");
	for (size_t i = 0; i < 3; i++)
		for (size_t j = i; j < 3; j++)
			ok(S[i * 3 + j] == ldexp(R[i * 3 + j], e[j]),
			    "entry %zu %zu: the same digits", i, j);
	memcpy(x, b, sizeof(b));
	kith_spd_solve(3, 1, R, x);
	for (size_t i = 0; i < 3; i++) {
		double left = -b[i];

		for (size_t j = 0; j < 3; j++)
			left += A[i * 3 + j] * x[j];
		most = fmax(most, fabs(left));
	}
	ok(most < 1e-15, "solved to %g", most);
}

static void
test_refuse(void)
{
	double one[4] = {1, 1, 1, 1}, far[4] = {1e200, 1e100, 1e100, 1}, hole[4] = {1, 0, 0, NAN},
	       minus[4] = {1, 2, 2, 1};

	ok(!kith_spd_factor(2, one), "singular");
	ok(!kith_spd_factor(2, far), "singular, of any scale");
	ok(!kith_spd_factor(2, hole), "no number");
	ok(!kith_spd_factor(2, minus), "indefinite");
	ok(kith_spd_factor(0, NULL), "nothing");
}

int
main(void)
{
	test_scale();
	test_refuse();
	return done();
}
