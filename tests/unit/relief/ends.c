/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/relief/relief.h by hand: which eigenvalues of LFE are rounding.
 */
#include "relief/data.h"

/* Rows whose hits are v away along a, and misses 1 along b. */
static const double *
split(double v)
{
	const struct kith_relief_how how = {.method = KITH_RELIEF_LFE, .threads = 1};
	struct kith_relief_rows in;

	n = 4;
	p = c = 2;
	memcpy(x, (double[]){0, 0, v, 0, 0, 1, v, 1}, 8 * sizeof(*x));
	memcpy(y, (size_t[]){0, 0, 1, 1}, 4 * sizeof(*y));
	in = rows();
	return run(&in, &how)->w;
}

static void
test_rounding(void)
{
	const double *w = split(0x1p25);

	ok(w[3] == 1 && w[0] == 0 && w[1] == 0, "2^-50 of what is negative");
	w = split(0x1p26);
	ok(w[0] == 0 && w[1] == 0 && w[3] == 0,
	    "2^-52 of it may be rounding: p of that are left out");
}

int
main(void)
{
	test_rounding();
	kith_pool_free(&pool);
	return done();
}
