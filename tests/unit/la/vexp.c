/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of kith_vexp() of lib/la/kernels.h: against the long double of the C library. */
#include "la/kernels.h"

#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4096 };

static double x[N], y[N];

/* The largest error of y, in units of the last place of what is due. */
static double
worst(void)
{
	double most = 0;

	for (size_t i = 0; i < N; i++) {
		const long double due = expl(x[i]);
		const double near = (double)due;
		const double place = fmax(
		    nextafter(near, INFINITY) - near, near - nextafter(near, 0));

		most = fmax(most, (double)(fabsl(y[i] - due) / place));
	}
	return most;
}

/* N numbers between least and most. */
static void
draw(size_t seed, double least, double most)
{
	struct kith_rng r;

	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < N; i++)
		x[i] = least + (most - least) * kith_rng_unit(&r);
	kith_vexp(N, x, y);
}

static void
test_precision(size_t seeds)
{
	static const double range[][2] = {{-1, 0}, {-0.35, 0.35}, {-30, 0}, {-708, 0}, {0, 709.7},
	    {-745, -700}, {-1e-8, 1e-8}, {-1000, -900}};

	for (size_t i = 0; i < sizeof(range) / sizeof(*range); i++) {
		double most = 0;

		for (size_t seed = 0; seed < seeds; seed++) {
			draw(seed, range[i][0], range[i][1]);
			most = fmax(most, worst());
		}
		ok(most <= 1, "%g .. %g: %.3f ulp", range[i][0], range[i][1], most);
	}
}

static void
test_corners(void)
{
	static const double in[] = {0, -0.0, -745.13, -745.14, -1e308, 709.78, 709.79, 1e308,
	    INFINITY, -INFINITY, 5e-324, -746, 1};
	double out[sizeof(in) / sizeof(*in)], nan = NAN;

	kith_vexp(sizeof(in) / sizeof(*in), in, out);
	ok(out[0] == 1 && out[1] == 1, "of 0 and -0: 1");
	ok(out[2] == 5e-324 && out[3] == 0, "half of the smallest double");
	ok(out[4] == 0 && out[9] == 0 && out[11] == 0, "below that 0");
	ok(out[5] < INFINITY && out[6] == INFINITY, "above the largest inf");
	ok(out[7] == INFINITY && out[8] == INFINITY, "far above, too");
	ok(out[10] == 1 && out[12] == 0x1.5bf0a8b145769p1, "1 and e");
	kith_vexp(1, &nan, &nan);
	ok(isnan(nan), "NaN stays");
}

/* The same bits wherever a number stands, and in place. */
static void
test_places(void)
{
	double part[40];
	bool same = true;

	draw(7, -50, 0);
	for (size_t n = 0; n <= 40; n++) {
		memset(part, 0, sizeof(part));
		memcpy(part, x + 1, n * sizeof(*x));
		kith_vexp(n, part, part);
		same = same && memcmp(part, y + 1, n * sizeof(*y)) == 0;
		for (size_t i = n; i < 40; i++)
			same = same && part[i] == 0;
	}
	ok(same, "no place, length or aliasing matters");
}

/* The sum is that of the bits on every instruction set. */
static void
test_bits(void)
{
	const size_t best = kith_level;
	uint64_t sum, bits;

	for (kith_level = 0; kith_level < kith_level_count(); kith_level++) {
		sum = 0;
		draw(1, -745, 700);
		for (size_t i = 0; i < N; i++) {
			memcpy(&bits, y + i, sizeof(bits));
			sum = sum * 0x9e3779b97f4a7c15 + bits;
		}
		ok(sum == 16937763452191455410U, "the bits: %s", kith_level_name(kith_level));
	}
	kith_level = best;
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");

	test_precision(more && *more ? 200 : 5);
	test_corners();
	test_places();
	test_bits();
	return done();
}
