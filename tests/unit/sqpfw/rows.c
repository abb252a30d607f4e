/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/rows.h against sums as they are defined, of lengths around
 * those that are done at once; what lies behind a vector stays as it is.
 */
#include "sqpfw/rows.h"

#include "base/rng.h"
#include "tap.h"

#include <string.h>

enum { MOST = 40, BEHIND = 8, TRIES = 60 };

static struct kith_rng rng;

static double i_[MOST], j_[MOST], r_[MOST]; /* points */
static double w[MOST], d[MOST], h[MOST];
static const struct kith_sqpfw_row row = {i_, j_, r_};

static double
number(double from, double to)
{
	return from + (to - from) * kith_rng_unit(&rng);
}

/* The entry of the row, from the squares themselves. */
static double
entry(size_t f)
{
	return (j_[f] - i_[f]) * (j_[f] - i_[f]) - (r_[f] - i_[f]) * (r_[f] - i_[f]);
}

/* A row of n entries, of which the last seven may be padding. */
static void
draw(size_t n, size_t padding)
{
	for (size_t f = 0; f < MOST; f++) {
		const bool in = f + padding < n;

		i_[f] = in ? number(-2, 2) : 0;
		j_[f] = in ? number(-2, 2) : 0;
		r_[f] = in ? number(-2, 2) : 0;
		w[f] = number(-1, 1);
		d[f] = number(-1, 1);
		h[f] = in ? number(.1, 1) : 0;
	}
}

/* How far apart two numbers are, beside what they are made of. */
static double
apart(double got, double due, double size)
{
	return fabs(got - due) / fmax(size, 1);
}

/* c = sum h a / sum h, and sum h (a - c)^2. */
static double
variance(size_t n, double *mean)
{
	double all = 0, sum = 0, square = 0;

	for (size_t f = 0; f < n; f++) {
		all += h[f];
		sum += h[f] * entry(f);
	}
	*mean = sum / all;
	for (size_t f = 0; f < n; f++)
		square += h[f] * (entry(f) - *mean) * (entry(f) - *mean);
	return square;
}

static void
test_sums(void)
{
	double dots = 0, ranges = 0, norms = 0, worst = 0;

	for (size_t k = 0; k < TRIES; k++) {
		const size_t n = 8 * (1 + k % 4);
		double got[2], aw = 0, ad = 0, reach = 0, x = 0, mean, norm;

		draw(n, k % 3);
		for (size_t f = 0; f < n; f++) {
			aw += entry(f) * w[f];
			ad += entry(f) * d[f];
			reach += fabs(entry(f)) * h[f];
			x += w[f] * d[f];
		}
		kith_sqpfw_rows_dot(n, &row, w, d, got);
		dots = fmax(dots, apart(got[0], aw, 1));
		dots = fmax(dots, apart(got[1], ad, 1));
		kith_sqpfw_rows_range(n, &row, w, h, got);
		ranges = fmax(ranges, apart(got[0], aw, 1));
		ranges = fmax(ranges, apart(got[1], reach, 1));
		norm = sqrt(variance(n, &mean));
		norms = fmax(norms, apart(kith_sqpfw_rows_norm(n, &row, h), norm, norm));
		worst = fmax(worst, apart(kith_sqpfw_dot(n, w, d), x, 1));
	}
	ok(dots <= 1e-13, "products with two vectors: %.1e", dots);
	ok(ranges <= 1e-13, "a row over a box: %.1e", ranges);
	ok(norms <= 1e-12, "norms: %.1e", norms);
	ok(worst <= 1e-14, "products of two vectors: %.1e", worst);
}

/* Whether out is due in n entries, but for rounding, and -7 behind them. */
static bool
is_due(const double *out, const double *due, size_t n)
{
	for (size_t f = 0; f < n; f++)
		if (!(apart(out[f], due[f], fabs(due[f])) <= 1e-14))
			return false;
	for (size_t f = n; f < n + BEHIND; f++)
		if (out[f] != -7)
			return false;
	return true;
}

static void
behind(double *out, size_t n)
{
	for (size_t f = 0; f < BEHIND; f++)
		out[n + f] = -7;
}

static void
test_vectors(void)
{
	size_t filled = 0, added = 0, varied = 0, one = 0, two = 0;

	for (size_t k = 0; k < TRIES; k++) {
		const size_t n = 8 * (1 + k % 4);
		double out[MOST + BEHIND], due[MOST], mean, a = number(-2, 2);

		draw(n, k % 3);
		variance(n, &mean);
		behind(out, n);
		for (size_t f = 0; f < n; f++)
			due[f] = entry(f);
		kith_sqpfw_rows_fill(n, &row, out);
		filled += is_due(out, due, n);
		for (size_t f = 0; f < n; f++)
			due[f] += a * entry(f);
		kith_sqpfw_rows_axpy(n, &row, a, out);
		added += is_due(out, due, n);
		for (size_t f = 0; f < n; f++)
			due[f] += a * (entry(f) - mean) * (entry(f) - mean);
		kith_sqpfw_rows_add_variance(n, &row, h, a, out);
		varied += is_due(out, due, n);
		for (size_t f = 0; f < n; f++)
			due[f] = out[f] + a * w[f];
		kith_sqpfw_axpy(n, a, w, out);
		one += is_due(out, due, n);
		memcpy(due, out, sizeof(due));
		kith_sqpfw_axpy(n, -a, d, due);
		two += kith_sqpfw_axpy_dot(n, -a, d, out, w) == kith_sqpfw_dot(n, due, w) &&
		    is_due(out, due, n);
	}
	is_size(filled, TRIES, "rows");
	is_size(added, TRIES, "a multiple of a row is added");
	is_size(varied, TRIES, "squares around the mean are added");
	is_size(one, TRIES, "a multiple of a vector is added");
	is_size(two, TRIES, "and then a product, to the bit");
}

/* Lengths that are no multiples of eight, too. */
static void
test_rotate(void)
{
	size_t good = 0;

	for (size_t n = 0; n <= (size_t)4 * BEHIND; n++) {
		const double c = cos((double)n), s = sin((double)n);
		double x[MOST + BEHIND], y[MOST + BEHIND], a[MOST], b[MOST];

		draw(MOST, 0);
		memcpy(x, w, n * sizeof(*x));
		memcpy(y, d, n * sizeof(*y));
		behind(x, n);
		behind(y, n);
		for (size_t f = 0; f < n; f++) {
			a[f] = c * w[f] + s * d[f];
			b[f] = c * d[f] - s * w[f];
		}
		kith_sqpfw_rotate(n, c, s, x, y);
		good += is_due(x, a, n) && is_due(y, b, n);
	}
	is_size(good, 4 * BEHIND + 1, "rotations of any length");
}

/* A row next to nothing beside its squares has the negative of its norm. */
static void
test_small(void)
{
	double mean;

	for (int k = 0; k < 2; k++) {
		/* |a_f| is some 2e-4 or 2e-5 times what it is made of */
		const double off = k ? 1e-5 : 1e-4;
		double got;

		for (size_t f = 0; f < 8; f++) {
			i_[f] = 0;
			r_[f] = 3;
			j_[f] = 3 + 3 * off * (f % 2 ? 1.5 : .5);
			h[f] = 2;
		}
		got = kith_sqpfw_rows_norm(8, &row, h);
		ok(k ? got < 0 : got > 0, "a row of %g: %g", 2 * off, got);
		is_near(fabs(got) / sqrt(variance(8, &mean)), 1, 1e-6, "of the norm due");
	}
	memcpy(j_, r_, sizeof(j_));
	is_near(kith_sqpfw_rows_norm(8, &row, h), 0, 0, "no row, no norm");
}

static void
test_lengths(void)
{
	double worst = 0, off = 0;

	for (size_t k = 0; k < TRIES; k++) {
		const size_t n = 8 * (1 + k % 4);
		const double tau = number(0, 2), floor = number(.01, .1);
		double due = 0, most = 0;

		draw(n, 0);
		for (size_t f = 0; f < n; f++) {
			const double m = w[f] + tau * d[f] - h[f];

			due += m * m / (h[f] + floor);
			most = fmax(most, i_[f] * i_[f] / (h[f] + floor));
			i_[f] *= i_[f];
		}
		worst = fmax(
		    worst, apart(kith_sqpfw_scaled_distance2(n, w, tau, d, h, floor), due, due));
		off = fmax(off,
		    apart(
			kith_sqpfw_length_ratio(n, i_, h, floor), 1 / sqrt(most), 1 / sqrt(most)));
	}
	ok(worst <= 1e-14, "distances by scales: %.1e", worst);
	ok(off <= 2e-12, "the least ratio of two lengths: %.1e", off);
}

static void
test_padding(void)
{
	static const size_t due[] = {0, 8, 8, 8, 8, 8, 8, 8, 8, 16};
	const double x[] = {1, -3, 2};
	size_t good = 0;

	for (size_t n = 0; n < 10; n++)
		good += kith_sqpfw_padded(n) == due[n];
	is_size(good, 10, "lengths are padded to eights");
	is_near(kith_sqpfw_largest(x, 3), 3, 0, "the largest modulus");
	is_near(kith_sqpfw_largest(x, 1), 1, 0, "of one number");
	is_near(kith_sqpfw_largest(x, 0), 0, 0, "of none");
}

int
main(void)
{
	kith_rng_seed(&rng, 11, KITH_RNG_SAMPLE, 0);
	test_sums();
	test_vectors();
	test_rotate();
	test_small();
	test_lengths();
	test_padding();
	return done();
}
