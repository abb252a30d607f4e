/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/ratio/kernels.h: at each level the bits of plain loops. */
#include "ratio/kernels.h"

#include "base/rng.h"
#include "tap.h"

#include <string.h>

enum { ROWS = 8, MOST = 24 };

static struct kith_rng rng;
static double phi[ROWS * MOST], S[MOST * MOST];

/* Rows of b numbers, and 0 up to ld. */
static void
draw(size_t rows, size_t b, size_t ld, double *x)
{
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < ld; j++)
			x[i * ld + j] = j < b ? kith_rng_unit(&rng) : 0;
}

static void
test_multiply(size_t b, size_t ld)
{
	double out[ROWS * MOST], due[ROWS * MOST] = {0};

	kith_ratio_kernels_at_level()->multiply(ROWS, b, ld, phi, S, out);
	for (size_t r = 0; r < ROWS; r++)
		for (size_t l = 0; l < b; l++)
			for (size_t c = 0; c < ld; c++)
				due[r * ld + c] += phi[r * ld + l] * S[l * ld + c];
	ok(memcmp(out, due, ROWS * ld * sizeof(*out)) == 0, "%s: phi S of %zu",
	    kith_level_name(kith_level), b);
}

int
main(void)
{
	for (kith_level = 0; kith_level < kith_level_count(); kith_level++) {
		kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
		for (size_t b = 1; b <= MOST; b++) {
			const size_t ld = (b + 7) / 8 * 8;

			draw(ROWS, b, ld, phi);
			draw(b, b, ld, S);
			test_multiply(b, ld);
		}
	}
	return done();
}
