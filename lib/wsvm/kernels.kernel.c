/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/kernels - the inner loops of the SVM paths, compiled for each instruction set (la/level.h).
 * Sums run in eight lanes, number j in lane j % 8, at every level: all levels give the same bits.
 */
#include "la/vector.h"
#include "wsvm/engine.h"

enum { LANES = 8, PAIR = 2 * LANES };

/* x[index[0]], x[index[1]], ... */
KITH_ALWAYS kith_vd
gather(const double *x, const size_t *index)
{
	kith_vd v = {0};

#pragma GCC unroll 8
	for (size_t l = 0; l < KITH_W; l++)
		v[l] = x[index[l]];
	return v;
}

static void
add(size_t n, const double *x, double a, double b, bool sizes, double *u, double *v)
{
	size_t i = 0;

	for (; i + KITH_W <= n; i += KITH_W) {
		const kith_vd k = kith_vd_load(x + i);

		kith_vd_store(u + i, kith_vd_load(u + i) + a * k);
		if (v)
			kith_vd_store(
			    v + i, kith_vd_load(v + i) + b * (sizes ? kith_vd_abs(k) : k));
	}
	for (; i < n; i++) {
		u[i] += a * x[i];
		if (v)
			v[i] += b * (sizes ? fabs(x[i]) : x[i]);
	}
}

/*
 * Rows i + k of Q left of the diagonal, k = 0..3: out_j += sum_k Q_{i+k,j} x_{i+k}, and
 * out_{i+k} += sum_j Q_{i+k,j} x_j; likewise of z.
 */
KITH_ALWAYS void
multiply_rows(size_t i, const double *const Q[4], const double *x, const double *z, double *out,
    double *out_z)
{
	kith_vd u[4][KITH_PARTS] = {{{0}}}, w[4][KITH_PARTS] = {{{0}}};

	for (size_t j = 0; j <= i; j += LANES)
		KITH_EACH_PART(h)
		{
			const size_t at = j + h * KITH_W;
			const kith_vd a = kith_vd_load(x + at), b = kith_vd_load(z + at);
			kith_vd sum = kith_vd_load(out + at), sum_z = kith_vd_load(out_z + at);

#pragma GCC unroll 4
			for (size_t k = 0; k < 4; k++) {
				const kith_vd q = kith_vd_load(Q[k] + at);

				u[k][h] += q * a;
				w[k][h] += q * b;
				sum += q * x[i + k];
				sum_z += q * z[i + k];
			}
			kith_vd_store(out + at, sum);
			kith_vd_store(out_z + at, sum_z);
		}
	for (size_t k = 0; k < 4; k++) {
		out[i + k] += kith_vd_sum_parts(u[k]);
		out_z[i + k] += kith_vd_sum_parts(w[k]);
	}
}

static void
multiply(size_t n, const double *Q, const double *diagonal, const double *x, const double *z,
    double *out, double *out_z)
{
	for (size_t i = 0; i < (n + LANES - 1) / LANES * LANES; i++) {
		out[i] = i < n ? diagonal[i] * x[i] : 0;
		out_z[i] = i < n ? diagonal[i] * z[i] : 0;
	}
	/* Behind the last row it stands for others: x and z are 0 there, and out is not read. */
	for (size_t i = 0; i < n; i += 4) {
		const double *rows[4];

		for (size_t k = 0; k < 4; k++)
			rows[k] = Q + kith_wsvm_row_start(i + k < n ? i + k : n - 1);
		multiply_rows(i, rows, x, z, out, out_z);
	}
}

/* u += row x and w += row z, lane by lane, for 8 numbers. */
KITH_ALWAYS void
add_products(const double *row, const double *x, const double *z, kith_vd u[KITH_PARTS],
    kith_vd w[KITH_PARTS])
{
	KITH_EACH_PART(l)
	{
		const kith_vd K = kith_vd_load(row + l * KITH_W);

		u[l] += K * kith_vd_load(x + l * KITH_W);
		w[l] += K * kith_vd_load(z + l * KITH_W);
	}
}

/* One row of score(): number s in lane s % 8 of sum s / 8 % 2. */
KITH_ALWAYS void
score_row(size_t width, const double *row, const double *x, const double *z, double *f, double *h)
{
	kith_vd u[2][KITH_PARTS] = {{{0}}}, w[2][KITH_PARTS] = {{{0}}};
	size_t s = 0;

	for (; s + PAIR <= width; s += PAIR) {
		add_products(row + s, x + s, z + s, u[0], w[0]);
		add_products(row + s + LANES, x + s + LANES, z + s + LANES, u[1], w[1]);
	}
	if (s < width)
		add_products(row + s, x + s, z + s, u[0], w[0]);
	KITH_EACH_PART(l)
	{
		u[0][l] += u[1][l];
		w[0][l] += w[1][l];
	}
	*f += kith_vd_sum_parts(u[0]);
	if (h)
		*h += kith_vd_sum_parts(w[0]);
}

static void
score_items(size_t n, const size_t *item, size_t width, const double *rows, size_t ld,
    const double *x, const double *z, double *f, double *h)
{
	const size_t eights = (width + LANES - 1) / LANES * LANES;

	for (size_t k = 0; k < n && width > 0; k++) { /* rows may be NULL where width is 0 */
		const size_t i = item ? item[k] : k;

		score_row(eights, rows + i * ld, x, z, f + i, h ? h + i : NULL);
	}
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

/* An addition t = s + x loses (s - (t - y)) + (x - y), y = t - s, exactly (Knuth). */
static struct kith_wsvm_sums
sum(size_t N, double h, double unit, const double *value, const double *rate, const double *e,
    const double *norm, const double *f_rate, const size_t *item)
{
	kith_vd of[8][KITH_PARTS] = {{{0}}};
	double rest[7] = {0};
	size_t v = 0;

	for (; v + LANES <= N; v += LANES)
		KITH_EACH_PART(p)
		{
			const size_t at = v + p * KITH_W;
			const kith_vd r = kith_vd_load(rate + at), sign = kith_vd_load(e + at);
			const kith_vd a = kith_vd_load(value + at) + h * r;
			const kith_vd size = kith_vd_load(norm + at);
			const kith_vd term = (unit * r * sign) * (unit * gather(f_rate, item + at));
			const kith_vd x = sign * a, s = of[0][p], t = s + x, y = t - s;

			of[0][p] = t;
			of[1][p] += sign * r;
			of[2][p] += size * kith_vd_abs(a);
			of[3][p] += size * kith_vd_abs(r);
			of[4][p] += term;
			of[5][p] += kith_vd_abs(term);
			of[6][p] += kith_vd_abs(a);
			of[7][p] += (s - (t - y)) + (x - y);
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
		rest[6] += fabs(a);
	}
	return (struct kith_wsvm_sums){
	    .e = {kith_vd_sum_parts(of[0]) + rest[0], kith_vd_sum_parts(of[1]) + rest[1]},
	    .lost = kith_vd_sum_parts(of[7]),
	    .size = kith_vd_sum_parts(of[2]) + rest[2],
	    .rates = kith_vd_sum_parts(of[3]) + rest[3],
	    .energy = kith_vd_sum_parts(of[4]) + rest[4],
	    .energies = kith_vd_sum_parts(of[5]) + rest[5],
	    .alphas = kith_vd_sum_parts(of[6]) + rest[6]};
}

KITH_TABLE(kith_wsvm_kernels) = {
    .add = add, .multiply = multiply, .score = score_items, .find_due = find_due, .sum = sum};
