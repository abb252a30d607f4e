/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the sums of lib/wsvm/engine.h: at each level the bits of plain loops. */
#include "wsvm/engine.h"

#include "tap.h"
#include "uniform.h"

enum { MOST = 35, LANES = 8, SUMS = 8 };

/* Whole eights are summed by lanes, and what is lost there; the rest by itself. */
static void
test_sum(size_t N)
{
	const double h = .3, unit = .7;
	double value[MOST], rate[MOST], e[MOST], norm[MOST], f_rate[MOST];
	double lane[SUMS][LANES] = {{0}}, rest[SUMS] = {0};
	size_t item[MOST], wrong = 0;
	struct kith_wsvm_sums got;

	draw(N, value);
	draw(N, rate);
	draw(N, norm);
	draw(N, f_rate);
	for (size_t v = 0; v < N; v++) {
		item[v] = kith_rng_below(&rng, N);
		e[v] = v % 3 ? 1 : -1;
	}
	for (size_t v = 0; v < N; v++) {
		const double a = value[v] + h * rate[v], r = rate[v];
		const double term = (unit * r * e[v]) * (unit * f_rate[item[v]]);
		const double x[SUMS] = {e[v] * a, e[v] * r, norm[v] * fabs(a), norm[v] * fabs(r),
		    term, fabs(term), fabs(a)};
		const bool whole = v < N / LANES * LANES;
		const double s = lane[0][v % LANES], t = s + x[0], y = t - s;

		for (size_t k = 0; k < SUMS; k++)
			*(whole ? &lane[k][v % LANES] : &rest[k]) += x[k];
		if (whole)
			lane[SUMS - 1][v % LANES] += (s - (t - y)) + (x[0] - y);
	}
	got = kith_wsvm_kernels_at_level()->sum(N, h, unit, value, rate, e, norm, f_rate, item);
	for (size_t k = 0; k < SUMS; k++) {
		const double *s = lane[k],
			     of[SUMS] = {got.e[0], got.e[1], got.size, got.rates, got.energy,
				 got.energies, got.alphas, got.lost};

		wrong += of[k] !=
		    ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])) + rest[k];
	}
	ok(wrong == 0, "%s: sums of %zu", kith_level_name(kith_level), N);
}

int
main(void)
{
	for (kith_level = 0; kith_level < kith_level_count(); kith_level++) {
		kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
		for (size_t N = 1; N <= MOST; N++)
			test_sum(N);
	}
	return done();
}
