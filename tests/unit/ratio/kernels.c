/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/ratio/kernels.h: at each level the bits of plain loops. */
#include "ratio/kernels.h"

#include "base/rng.h"
#include "tap.h"

#include <math.h>
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
test_add_products(size_t b, size_t ld)
{
	double H[MOST * MOST], due[MOST * MOST];
	size_t wrong = 0;

	memcpy(H, S, sizeof(H));
	memcpy(due, S, sizeof(H));
	kith_ratio_kernels_at_level()->add_products(b, ld, phi, H);
	for (size_t a = 0; a < b; a++)
		for (size_t c = a; c < b; c++) {
			for (size_t r = 0; r < 4; r++)
				due[a * ld + c] += phi[r * ld + a] * phi[r * ld + c];
			wrong += H[a * ld + c] != due[a * ld + c];
		}
	ok(wrong == 0, "%s: four phi'phi of %zu", kith_level_name(kith_level), b);
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

/* x'z in eight lanes. */
static double
dot(size_t n, const double *x, const double *z)
{
	double s[8] = {0};

	for (size_t j = 0; j < n; j++)
		s[j % 8] += x[j] * z[j];
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

static void
test_score(size_t b, size_t ld)
{
	struct kith_ratio_pair p = {
	    40, 50, phi, phi + ld, phi + 2 * ld, phi + 3 * ld, phi + 4 * ld};
	const double rest = 39 - dot(b, p.u, p.U);
	const double s = (50 * dot(b, p.u, p.g) - dot(b, p.u, p.V)) / 49 / rest;
	double alpha[MOST], f, due;
	size_t below = 0;

	for (size_t l = 0; l < b; l++) {
		const double a = (50 * p.g[l] - p.V[l]) / 49 + s * p.U[l];

		below += a <= 0;
		alpha[l] = a > 0 ? a : 0;
	}
	f = dot(b, p.u, alpha);
	due = f * f / 2 - dot(b, p.v, alpha);
	ok(kith_ratio_kernels_at_level()->score(ld, &p) == due, "%s: a score of %zu, %zu at 0",
	    kith_level_name(kith_level), b, below);
	p.n = 1;
	ok(isnan(kith_ratio_kernels_at_level()->score(ld, &p)), "none where rounding left none");
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
			for (size_t j = 0; j < b; j += 2)
				phi[4 * ld + j] = -phi[4 * ld + j];
			test_add_products(b, ld);
			test_multiply(b, ld);
			test_score(b, ld);
		}
	}
	return done();
}
