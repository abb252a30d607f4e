/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/kernels - the inner loops of the SVM paths, compiled for each instruction set (la/level.h).
 * Sums run in eight lanes, number j in lane j % 8, at every level: all levels give the same bits.
 */
#include "wsvm/kernels.h"

#include "la/vector.h"

#include <math.h>
#include <stdbool.h>

enum {
	LANES = 8,
	AHEAD = 3 /* packs that are read ahead */
};

KITH_ALWAYS double
sum_lanes(const kith_vd v[KITH_PARTS])
{
	double s[LANES];

	KITH_EACH_PART(h)
	kith_vd_store(s + h * KITH_W, v[h]);
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* x[index[0]], x[index[1]], ... */
KITH_ALWAYS kith_vd
gather(const double *x, const size_t *index)
{
	kith_vd v;

#pragma GCC unroll 8
	for (size_t l = 0; l < KITH_W; l++)
		v[l] = x[index[l]];
	return v;
}

static void
add(size_t n, const double *x, double a, double b, double *u, double *v)
{
	size_t i = 0;

	for (; i + KITH_W <= n; i += KITH_W) {
		const kith_vd k = kith_vd_load(x + i);

		kith_vd_store(u + i, kith_vd_load(u + i) + a * k);
		if (v)
			kith_vd_store(v + i, kith_vd_load(v + i) + b * k);
	}
	for (; i < n; i++) {
		u[i] += a * x[i];
		if (v)
			v[i] += b * x[i];
	}
}

/*
 * Rows i and i + 1 of Q left of the diagonal, Q and R: out_j += Q_j x_i + R_j x_{i+1}, and
 * out_i += sum_j Q_j x_j, out_{i+1} += sum_j R_j x_j; likewise of z where `two`.
 */
KITH_ALWAYS void
multiply_rows(size_t i, const double *Q, const double *R, const double *x, const double *z,
    bool two, double *out, double *out_z)
{
	kith_vd u[2][KITH_PARTS] = {{{0}}}, w[2][KITH_PARTS] = {{{0}}};

	for (size_t j = 0; j <= i; j += LANES)
		KITH_EACH_PART(h)
		{
			const size_t at = j + h * KITH_W;
			const kith_vd q = kith_vd_load(Q + at), r = kith_vd_load(R + at);
			const kith_vd a = kith_vd_load(x + at);

			u[0][h] += q * a;
			u[1][h] += r * a;
			kith_vd_store(out + at, kith_vd_load(out + at) + (q * x[i] + r * x[i + 1]));
			if (two) {
				const kith_vd b = kith_vd_load(z + at);

				w[0][h] += q * b;
				w[1][h] += r * b;
				kith_vd_store(out_z + at,
				    kith_vd_load(out_z + at) + (q * z[i] + r * z[i + 1]));
			}
		}
	out[i] += sum_lanes(u[0]);
	out[i + 1] += sum_lanes(u[1]);
	if (two) {
		out_z[i] += sum_lanes(w[0]);
		out_z[i + 1] += sum_lanes(w[1]);
	}
}

KITH_ALWAYS void
multiply_sides(size_t n, const double *Q, size_t ld, const double *diagonal, const double *x,
    const double *z, bool two, double *out, double *out_z)
{
	const size_t wide = (n + LANES - 1) / LANES * LANES;

	for (size_t i = 0; i < wide; i++) {
		out[i] = i < n ? diagonal[i] * x[i] : 0;
		if (two)
			out_z[i] = i < n ? diagonal[i] * z[i] : 0;
	}
	/* Behind an odd last row there is none: x and z are 0 there, and out is not read. */
	for (size_t i = 0; i < n; i += 2)
		multiply_rows(
		    i, Q + i * ld, Q + (i + 1 < n ? i + 1 : i) * ld, x, z, two, out, out_z);
}

static void
multiply(size_t n, const double *Q, size_t ld, const double *diagonal, const double *x,
    const double *z, double *out, double *out_z)
{
	if (z)
		multiply_sides(n, Q, ld, diagonal, x, z, true, out, out_z);
	else
		multiply_sides(n, Q, ld, diagonal, x, NULL, false, out, NULL);
}

/* One item of score(): number s of a pack in lane s % 8 of sum s / 8 % 2. */
KITH_ALWAYS void
score_item(double *const *pack, size_t packs, size_t item, const double *x, const double *z,
    bool two, double *f, double *h)
{
	kith_vd u[2][KITH_PARTS] = {{{0}}}, w[2][KITH_PARTS] = {{{0}}};

	for (size_t c = 0; c < packs; c++) {
		const double *K = pack[c] + item * KITH_PACK;

		if (c + AHEAD < packs)
			for (size_t s = 0; s < KITH_PACK; s += LANES)
				__builtin_prefetch(pack[c + AHEAD] + item * KITH_PACK + s);
#pragma GCC unroll 4
		for (size_t s = 0; s < KITH_PACK; s += LANES)
			KITH_EACH_PART(l)
			{
				const size_t at = s + l * KITH_W;
				const kith_vd k = kith_vd_load(K + at);

				u[s / LANES % 2][l] += k * kith_vd_load(x + c * KITH_PACK + at);
				if (two)
					w[s / LANES % 2][l] += k *
					    kith_vd_load(z + c * KITH_PACK + at);
			}
	}
	KITH_EACH_PART(l)
	{
		u[0][l] += u[1][l];
		w[0][l] += w[1][l];
	}
	*f += sum_lanes(u[0]);
	if (two)
		*h += sum_lanes(w[0]);
}

static void
score(double *const *pack, size_t packs, size_t from, size_t end, const double *x, const double *z,
    double *f, double *h)
{
	for (size_t i = from; i < end; i++)
		if (h)
			score_item(pack, packs, i, x, z, true, f + i - from, h + i - from);
		else
			score_item(pack, packs, i, x, NULL, false, f + i - from, NULL);
}

static size_t
find_due(
    size_t N, const double *slack, const double *reach, double length, double shift, size_t *list)
{
	size_t v = 0, n = 0;

	for (; v + LANES <= N; v += LANES) {
		uint64_t due = 0;

		KITH_EACH_PART(h)
		{
			const size_t at = v + h * KITH_W;

			due |= kith_vd_at_most(kith_vd_load(slack + at),
				   kith_vd_load(reach + at) * length + shift)
			    << (h * KITH_W);
		}
		for (; due; due &= due - 1)
			list[n++] = v + (size_t)__builtin_ctzll(due);
	}
	for (; v < N; v++)
		if (slack[v] <= reach[v] * length + shift)
			list[n++] = v;
	return n;
}

static struct kith_wsvm_sums
sum(size_t N, double h, double unit, const double *value, const double *rate, const double *e,
    const double *norm, const double *f_rate, const size_t *item)
{
	kith_vd of[6][KITH_PARTS] = {{{0}}};
	double rest[6] = {0};
	size_t v = 0;

	for (; v + LANES <= N; v += LANES)
		KITH_EACH_PART(p)
		{
			const size_t at = v + p * KITH_W;
			const kith_vd r = kith_vd_load(rate + at), sign = kith_vd_load(e + at);
			const kith_vd a = kith_vd_load(value + at) + h * r;
			const kith_vd size = kith_vd_load(norm + at);
			const kith_vd term = (unit * r * sign) * (unit * gather(f_rate, item + at));

			of[0][p] += sign * a;
			of[1][p] += sign * r;
			of[2][p] += size * kith_vd_abs(a);
			of[3][p] += size * kith_vd_abs(r);
			of[4][p] += term;
			of[5][p] += kith_vd_abs(term);
		}
	for (; v < N; v++) {
		const double a = value[v] + h * rate[v], r = rate[v];
		const double term = (unit * r * e[v]) * (unit * f_rate[item[v]]);

		rest[0] += e[v] * a;
		rest[1] += e[v] * r;
		rest[2] += norm[v] * fabs(a);
		rest[3] += norm[v] * fabs(r);
		rest[4] += term;
		rest[5] += fabs(term);
	}
	return (struct kith_wsvm_sums){.e_alpha = sum_lanes(of[0]) + rest[0],
	    .e_rate = sum_lanes(of[1]) + rest[1],
	    .size = sum_lanes(of[2]) + rest[2],
	    .rates = sum_lanes(of[3]) + rest[3],
	    .energy = sum_lanes(of[4]) + rest[4],
	    .energies = sum_lanes(of[5]) + rest[5]};
}

static size_t
find_largest(size_t n, const double *gain, const double *open)
{
	double top = -INFINITY;
	size_t found = n;

	for (size_t c = 0; c < n; c += LANES) {
		uint64_t above = 0;

		KITH_EACH_PART(h)
		above |= kith_vd_at_most((kith_vd){0} + top,
		    kith_vd_load(gain + c + h * KITH_W) + kith_vd_load(open + c + h * KITH_W));
		for (size_t k = c; k < c + LANES && above; k++)
			if (gain[k] + open[k] > top) {
				top = gain[k] + open[k];
				found = k;
			}
	}
	return found;
}

/* Lanes of a where the lanes of mask are -1, of b where they are 0. */
KITH_ALWAYS kith_vd
choose(kith_vi mask, kith_vd a, kith_vd b)
{
	return (kith_vd)((mask & (kith_vi)a) | (~mask & (kith_vi)b));
}

static size_t
find_partner(size_t n, double top, const double *gain, const double *open, double Q,
    const double *Q_c, const double *K, const size_t *item, double least, double *gap)
{
	double best = 0, widest = 0;
	size_t found = n;

	for (size_t c = 0; c < n; c += LANES) {
		double d[LANES], a[LANES];

		KITH_EACH_PART(h)
		{
			const size_t at = c + h * KITH_W;
			const kith_vd zero = {0};
			const kith_vd own = top - kith_vd_load(gain + at) + kith_vd_load(open + at);
			const kith_vd curve = Q + kith_vd_load(Q_c + at) - 2 * gather(K, item + at);

			kith_vd_store(d + h * KITH_W, choose(own > zero, own, zero));
			kith_vd_store(
			    a + h * KITH_W, choose(curve > zero + least * Q, curve, zero + least));
		}
		for (size_t k = 0; k < LANES; k++) {
			widest = d[k] > widest ? d[k] : widest;
			if (d[k] * d[k] > best * a[k]) {
				best = d[k] * d[k] / a[k];
				found = c + k;
			}
		}
	}
	*gap = widest;
	return found;
}

static void
update_gains(size_t n, double t, const double *K, const double *L, const size_t *item, double *gain)
{
	for (size_t c = 0; c < n; c += KITH_W)
		kith_vd_store(gain + c,
		    kith_vd_load(gain + c) - t * (gather(K, item + c) - gather(L, item + c)));
}

KITH_TABLE(kith_wsvm_kernels) = {.add = add,
    .multiply = multiply,
    .score = score,
    .find_due = find_due,
    .sum = sum,
    .find_largest = find_largest,
    .find_partner = find_partner,
    .update_gains = update_gains};
