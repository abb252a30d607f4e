/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/kernels - the inner loops of sqpfw, compiled for each instruction set (la/level.h).
 *
 * Sums over features run in eight lanes that are added in one order; points of a panel have a lane
 * each.  So the width of the registers does not change their bits.
 */
#include "sqpfw/kernels.h"

#include "la/vector.h"

#include <math.h>

/* |a| of a row a = e - e' that may be nothing but rounding, relative to |(e, e')|. */
#define TINY 1e-4
/* What rounding may take from a squared norm, relatively: norms are bounds and must not be less. */
#define NORM_ROUNDING 1e-13

static void
axpy(size_t n, double a, const double *x, double *z)
{
	size_t f = 0;

	for (; f + KITH_W <= n; f += KITH_W)
		kith_vd_store(z + f, kith_vd_load(z + f) + a * kith_vd_load(x + f));
	for (; f < n; f++)
		z[f] += a * x[f];
}

static void
rotate(size_t n, double c, double s, double *x, double *z)
{
	size_t f = 0;

	for (; f + KITH_W <= n; f += KITH_W) {
		const kith_vd a = kith_vd_load(x + f), b = kith_vd_load(z + f);

		kith_vd_store(x + f, c * a + s * b);
		kith_vd_store(z + f, c * b - s * a);
	}
	for (; f < n; f++) {
		const double a = x[f], b = z[f];

		x[f] = c * a + s * b;
		z[f] = c * b - s * a;
	}
}

/* KITH_W entries of a, from feature f on; *e: (e_f)^2 + (e'_f)^2 of a = e - e'. */
KITH_ALWAYS kith_vd
entries(const struct kith_sqpfw_row *row, size_t f, kith_vd *e)
{
	const kith_vd i = kith_vd_load(row->i + f), j = kith_vd_load(row->j + f);
	const kith_vd r = kith_vd_load(row->r + f), ji = j - i, ri = r - i;

	if (e) {
		*e = ji * ji + ri * ri;
		*e *= *e;
	}
	return (j - r) * (ji + ri);
}

static void
row_dot(size_t n, const struct kith_sqpfw_row *row, const double *w, const double *d, double out[2])
{
	kith_vd gap[KITH_PARTS] = {{0}}, change[KITH_PARTS] = {{0}};

	for (size_t f = 0; f < n; f += 8)
		KITH_EACH_PART(h)
		{
			const kith_vd a = entries(row, f + h * KITH_W, NULL);

			gap[h] += a * kith_vd_load(w + f + h * KITH_W);
			change[h] += a * kith_vd_load(d + f + h * KITH_W);
		}
	out[0] = kith_vd_sum_parts(gap);
	out[1] = kith_vd_sum_parts(change);
}

static double
row_norm(size_t n, const struct kith_sqpfw_row *row, const double *h, bool *tiny)
{
	kith_vd all[KITH_PARTS] = {{0}}, sum[KITH_PARTS] = {{0}}, square[KITH_PARTS] = {{0}};
	kith_vd plain[KITH_PARTS] = {{0}}, parts[KITH_PARTS] = {{0}};
	double s, q;

	for (size_t f = 0; f < n; f += 8)
		KITH_EACH_PART(k)
		{
			const kith_vd hf = kith_vd_load(h + f + k * KITH_W);
			kith_vd e;
			const kith_vd a = entries(row, f + k * KITH_W, &e), ha = hf * a;

			all[k] += hf;
			sum[k] += ha;
			square[k] += ha * a;
			plain[k] += a * a;
			parts[k] += e;
		}
	*tiny = kith_vd_sum_parts(plain) <= TINY * TINY * kith_vd_sum_parts(parts);
	/* min over c of sum h (a - c)^2 = sum h a^2 - (sum h a)^2 / sum h */
	s = kith_vd_sum_parts(sum);
	q = kith_vd_sum_parts(square) * (1 + NORM_ROUNDING) - s * (s / kith_vd_sum_parts(all));
	return q > 0 ? sqrt(q) : 0;
}

static void
row_axpy(size_t n, const struct kith_sqpfw_row *row, double factor, double *out)
{
	for (size_t f = 0; f < n; f += KITH_W)
		kith_vd_store(out + f, kith_vd_load(out + f) + factor * entries(row, f, NULL));
}

static double
moved(size_t n, const double *w, double tau, const double *d, const double *from, double floor)
{
	kith_vd sum[KITH_PARTS] = {{0}};

	for (size_t f = 0; f < n; f += 8)
		KITH_EACH_PART(h)
		{
			const size_t k = f + h * KITH_W;
			const kith_vd z = kith_vd_load(from + k);
			const kith_vd m = kith_vd_load(w + k) + tau * kith_vd_load(d + k) - z;

			sum[h] += m * m / (z + floor);
		}
	return kith_vd_sum_parts(sum);
}

/* Two vectors of points, from point l of the panel on. */
KITH_ALWAYS uint64_t
panel_part(size_t p, const double *x, size_t l, const struct kith_sqpfw_measure *by,
    struct kith_sqpfw_lanes *out)
{
	const double *v = by->v;
	kith_vd sum[2] = {{0}}, plain[2] = {{0}}, square[2] = {{0}};
	uint64_t bits = 0;

	for (size_t f = 0; f < p; f++, x += KITH_SQPFW_PANEL, v += 3)
#pragma GCC unroll 2
		for (size_t k = 0; k < 2; k++) {
			const kith_vd e = kith_vd_load(x + l + k * KITH_W) - v[0];
			const kith_vd a = e * e - v[1], ha = v[2] * a;

			plain[k] += a;
			sum[k] += ha;
			square[k] += ha * a;
		}
		/* NOLINTNEXTLINE(readability-misleading-indentation): the pragma stands at the margin */
#pragma GCC unroll 2
	for (size_t k = 0; k < 2; k++) {
		/* a'w = sum h a - floor sum a; gap <= most (|a| + inner) */
		const kith_vd gap = sum[k] - by->floor * plain[k];
		const kith_vd norm2 = square[k] * (1 + NORM_ROUNDING) -
		    sum[k] * (sum[k] / by->sum_h);
		const kith_vd over = gap - by->most * by->inner, zero = {0};

		bits |= (kith_vd_at_most(over, zero) |
			    kith_vd_at_most(over * over, by->most * by->most * norm2))
		    << (l + k * KITH_W);
		kith_vd_store(out->gap + l + k * KITH_W, gap);
		kith_vd_store(out->norm2 + l + k * KITH_W, norm2);
	}
	return bits;
}

static uint64_t
panel(size_t p, const double *x, const struct kith_sqpfw_measure *by, struct kith_sqpfw_lanes *out)
{
	uint64_t bits = 0;

	for (size_t l = 0; l < KITH_SQPFW_PANEL; l += (size_t)2 * KITH_W)
		bits |= panel_part(p, x, l, by, out);
	return bits;
}

static size_t
nearest(size_t n, const double *d, double reach, double *least, size_t *at)
{
	kith_vd low = kith_vd_load(d), limit;
	size_t count = 0;

	for (size_t j = KITH_W; j < n; j += KITH_W) {
		const kith_vi less = kith_vd_load(d + j) < low;

		low = (kith_vd)(((kith_vi)kith_vd_load(d + j) & less) | ((kith_vi)low & ~less));
	}
	*least = low[0];
	for (size_t l = 1; l < KITH_W; l++)
		*least = low[l] < *least ? low[l] : *least;
	limit = (kith_vd){0} + (*least + reach);
	for (size_t j = 0; j < n; j += KITH_W)
		for (uint64_t hit = kith_vd_at_most(kith_vd_load(d + j), limit); hit;
		     hit &= hit - 1)
			at[count++] = j + (size_t)__builtin_ctzll(hit);
	return count;
}

KITH_TABLE(kith_sqpfw_kernels) = {
    .axpy = axpy,
    .rotate = rotate,
    .row_dot = row_dot,
    .row_norm = row_norm,
    .row_axpy = row_axpy,
    .moved = moved,
    .panel = panel,
    .nearest = nearest,
};
