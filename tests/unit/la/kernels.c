/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/la/kernels.h: at each level the bits of plain loops. */
#include "la/kernels.h"

#include "tap.h"
#include "uniform.h"

#include <string.h>

enum { ROWS = 5, TWICE = 2 * ROWS, MOST = 35 };

static void
test_products(size_t p)
{
	double w[MOST], z[MOST], X[ROWS * MOST], got[TWICE + 1], due[TWICE + 1];
	size_t wrong = 0;

	draw(p, w);
	draw(p, z);
	draw(ROWS * p, X);
	for (size_t i = 0; i < TWICE; i++) {
		double s[8] = {0};

		for (size_t j = 0; j < p; j++)
			s[j % 8] += (i < ROWS ? w[j] * z[j] : z[j]) * X[i % ROWS * p + j];
		due[i] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
	}
	got[TWICE] = due[TWICE] = 7;
	kith_la_kernels_at_level()->products(p, w, z, X, ROWS, got);
	kith_la_kernels_at_level()->products(p, NULL, z, X, ROWS, got + ROWS);
	for (size_t i = 0; i <= TWICE; i++)
		wrong += got[i] != due[i];
	ok(wrong == 0, "%s: products of rows of %zu", kith_level_name(kith_level), p);
}

static void
test_powers(size_t n)
{
	size_t wrong = 0;

	for (size_t degree = 1; degree <= 7; degree++) {
		double x[MOST + 1], due[MOST + 1];

		draw(MOST + 1, x);
		memcpy(due, x, sizeof(due));
		for (size_t i = 0; i < n; i++) {
			const double y = .3 * x[i] + 2, y2 = y * y;

			due[i] = degree % 2 == 1 ? y : 1;
			due[i] *= degree / 2 % 2 == 1 ? y2 : 1;
			due[i] *= degree / 4 == 1 ? y2 * y2 : 1;
		}
		kith_la_kernels_at_level()->powers(n, .3, 2, degree, x);
		wrong += memcmp(x, due, (n + 1) * sizeof(*x)) != 0;
	}
	ok(wrong == 0, "%s: powers of %zu numbers", kith_level_name(kith_level), n);
}

/* n rows of b numbers, and 0 up to ld. */
static void
draw_rows(size_t n, size_t b, size_t ld, double *x)
{
	draw(n * ld, x);
	for (size_t i = 0; i < n; i++)
		for (size_t j = b; j < ld; j++)
			x[i * ld + j] = 0;
}

static void
test_multiply(size_t b)
{
	enum { FOURS = 8, LD = (MOST + 7) / 8 * 8 };
	const size_t ld = (b + 7) / 8 * 8;
	double X[FOURS * LD], S[MOST * LD], out[FOURS * LD], due[FOURS * LD] = {0};

	draw_rows(FOURS, b, ld, X);
	draw_rows(b, b, ld, S);
	kith_la_kernels_at_level()->multiply(FOURS, b, ld, X, S, out);
	for (size_t r = 0; r < FOURS; r++)
		for (size_t l = 0; l < b; l++)
			for (size_t c = 0; c < ld; c++)
				due[r * ld + c] += X[r * ld + l] * S[l * ld + c];
	ok(memcmp(out, due, FOURS * ld * sizeof(*out)) == 0, "%s: X S of %zu",
	    kith_level_name(kith_level), b);
}

int
main(void)
{
	for (kith_level = 0; kith_level < kith_level_count(); kith_level++) {
		kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
		for (size_t n = 0; n <= MOST; n++) {
			test_products(n);
			test_powers(n);
			if (n > 0)
				test_multiply(n);
		}
	}
	return done();
}
