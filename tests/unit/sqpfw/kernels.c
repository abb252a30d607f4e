/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/sqpfw/kernels.h: each level against sums as they are defined, and bit by bit against
 * the first level. */
#include "sqpfw/kernels.h"

#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 48, RESULTS = 24 + 8 * MOST };

static struct kith_rng rng;

static void
draw(size_t n, double *x, double from, double to)
{
	for (size_t f = 0; f < n; f++)
		x[f] = from + (to - from) * kith_rng_unit(&rng);
}

/* What the kernels of a level return of n features, and what is due. */
static size_t
results(size_t n, double *got, double *due)
{
	const struct kith_sqpfw_kernels *kernel = kith_sqpfw_kernels_at_level();
	double x[MOST], y[MOST], z[MOST], h[MOST], u[MOST], v[MOST], out[2], all = 0, c = 0,
									     best = 0;
	struct kith_sqpfw_row row = {x, y, z};
	size_t k = 0;
	bool tiny;

	kith_rng_seed(&rng, n, KITH_RNG_SAMPLE, 0);
	draw(MOST, x, -2, 2);
	draw(MOST, y, -2, 2);
	draw(MOST, z, -2, 2);
	draw(MOST, h, .1, 2);
	memset(due, 0, RESULTS * sizeof(*due));
	for (size_t f = 0; f < n; f++) {
		const double a = pow(y[f] - x[f], 2) - pow(z[f] - x[f], 2);

		due[0] += x[f] * y[f];
		due[1] += a * h[f];
		due[2] += a * z[f];
		due[3] += pow(h[f] + .5 * x[f] - fabs(y[f]), 2) / (fabs(y[f]) + .1);
		due[4] = fmax(due[4], h[f] / (fabs(y[f]) + .1));
		due[5] += (z[f] + .25 * x[f]) * y[f];
		all += h[f];
		c += h[f] * a;
	}
	for (size_t f = 0; f < n; f++)
		best += h[f] * pow(pow(y[f] - x[f], 2) - pow(z[f] - x[f], 2) - c / all, 2);
	due[6] = sqrt(best);
	got[0] = kernel->dot(n, x, y);
	kernel->row_dot(n, &row, h, z, out);
	got[1] = out[0];
	got[2] = out[1];
	for (size_t f = 0; f < n; f++)
		u[f] = fabs(y[f]);
	got[3] = kernel->moved(n, h, .5, x, u, .1);
	got[4] = kernel->largest_ratio(n, h, u, .1);
	memcpy(v, z, sizeof(v));
	got[5] = kernel->axpy_dot(n, .25, x, v, y);
	got[6] = kernel->row_norm(n, &row, h, &tiny);
	due[7] = got[7] = tiny;
	k = 8;
	/* Kernels of any length leave what comes behind it alone. */
	for (int what = 0; what < 5; what++) {
		memcpy(u, z, sizeof(u));
		memcpy(v, y, sizeof(v));
		if (what == 0)
			kernel->axpy(n - 3, .7, x, u);
		else if (what == 1)
			kernel->rotate(n - 3, .6, .8, v, u);
		else if (what == 2)
			kernel->row_axpy(n - 3, &row, .7, u);
		else if (what == 3)
			kernel->row_scaled(n - 3, &row, .7, h, u);
		else
			kernel->add_absolute(n - 3, &row, .7, u);
		for (size_t f = 0; f < MOST; f++) {
			const double a = pow(y[f] - x[f], 2) - pow(z[f] - x[f], 2);
			const double is[] = {z[f] + .7 * x[f], .6 * z[f] - .8 * y[f], z[f] + .7 * a,
			    .7 * a / h[f], z[f] + .7 * fabs(a)};

			due[k] = f < n - 3 ? is[what] : z[f];
			got[k++] = u[f];
		}
	}
	return k;
}

/* A panel of 16 points, of which those with a small key are found. */
static void
test_panel(void)
{
	enum { P = 5, N = KITH_SQPFW_PANEL };
	double panel[P * N], v[3 * P];
	size_t missed = 0, found = 0, wrong = 0;

	for (uint64_t k = 0; k < 50; k++) {
		struct kith_sqpfw_measure by = {.v = v, .floor = .02, .inner = .3, .most = .4};
		struct kith_sqpfw_lanes lanes;
		uint64_t in;

		kith_rng_seed(&rng, k, KITH_RNG_SAMPLE, 0);
		draw(P * N, panel, -2, 2);
		draw(3 * P, v, .1, 1);
		for (size_t f = 0; f < P; f++)
			by.sum_h += v[3 * f + 2];
		in = kith_sqpfw_kernels_at_level()->panel(P, panel, &by, &lanes);
		for (size_t l = 0; l < N; l++) {
			double gap = 0, sum = 0, norm2 = 0;

			for (size_t f = 0; f < P; f++) {
				const double a = pow(panel[f * N + l] - v[3 * f], 2) - v[3 * f + 1];

				gap += (v[3 * f + 2] - by.floor) * a;
				sum += v[3 * f + 2] * a;
				norm2 += v[3 * f + 2] * a * a;
			}
			norm2 -= sum * sum / by.sum_h;
			wrong += !(fabs(lanes.gap[l] - gap) < 1e-12 &&
			    fabs(lanes.norm2[l] - norm2) < 1e-11);
			found += in >> l & 1;
			missed += (in >> l & 1) != (gap <= by.most * (sqrt(norm2) + by.inner));
		}
	}
	is_size(wrong, 0, "gaps and norms that are wrong");
	is_size(missed, 0, "points whose key is on the other side of the limit");
	ok(found > 50 && found < 50 * N - 50, "%zu points are found", found);
}

int
main(void)
{
	for (size_t n = 8; n <= MOST; n += 8) {
		double first[RESULTS] = {0}, got[RESULTS], due[RESULTS];

		for (kith_level = 0; kith_level < kith_level_count(); kith_level++) {
			double off = 0;
			const size_t k = results(n, kith_level == 0 ? first : got, due);

			if (kith_level == 0)
				memcpy(got, first, sizeof(got));
			for (size_t l = 0; l < k; l++)
				off = fmax(off, fabs(got[l] - due[l]) / (1 + fabs(due[l])));
			ok(off < 1e-12, "%s, %zu features: off by %.1e",
			    kith_level_name(kith_level), n, off);
			ok(memcmp(first, got, k * sizeof(*got)) == 0,
			    "the bits of the first level");
		}
	}
	for (kith_level = 0; kith_level < kith_level_count(); kith_level++)
		test_panel();
	return done();
}
