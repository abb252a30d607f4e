/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/rows.h"

#include "la/lanes.h"
#include "la/simd.h"

/* A row may be nothing but rounding where its square is so small beside that of
 * the squared differences that it is made of: the root of the ratio. */
#define SMALL 1e-4

KITH_INLINE kith_v8d_at *
to(double *x)
{
	return (kith_v8d_at *)x;
}

/* Eight entries of a row from feature f on: (x_j - x_r) ((x_j - x_i) + (x_r -
 * x_i)). */
KITH_INLINE void
entries(const struct kith_sqpfw_row *row, size_t f, kith_v8d *a)
{
	const kith_v8d xi = *kith_lanes_at(row->i + f);
	const kith_v8d xj = *kith_lanes_at(row->j + f);
	const kith_v8d xr = *kith_lanes_at(row->r + f);

	*a = (xj - xr) * ((xj - xi) + (xr - xi));
}

KITH_CLONES static void
sqpfw_rows_dot(
    size_t n, const struct kith_sqpfw_row *row, const double *w, const double *d, double out[2])
{
	kith_v8d c = {0}, t = {0};

	for (size_t f = 0; f < n; f += 8) {
		kith_v8d a;

		entries(row, f, &a);
		c += a * *kith_lanes_at(w + f);
		t += a * *kith_lanes_at(d + f);
	}
	out[0] = kith_lanes_stored(&c);
	out[1] = kith_lanes_stored(&t);
}

void
kith_sqpfw_rows_dot(
    size_t n, const struct kith_sqpfw_row *row, const double *w, const double *d, double out[2])
{
	sqpfw_rows_dot(n, row, w, d, out);
}

KITH_CLONES static void
sqpfw_rows_range(
    size_t n, const struct kith_sqpfw_row *row, const double *m, const double *h, double out[2])
{
	kith_v8d c = {0}, t = {0};

	for (size_t f = 0; f < n; f += 8) {
		kith_v8d a;

		entries(row, f, &a);
		c += a * *kith_lanes_at(m + f);
		/* |a| */
		a = (kith_v8d)((kith_v8i)a & INT64_MAX);
		t += a * *kith_lanes_at(h + f);
	}
	out[0] = kith_lanes_stored(&c);
	out[1] = kith_lanes_stored(&t);
}

void
kith_sqpfw_rows_range(
    size_t n, const struct kith_sqpfw_row *row, const double *m, const double *h, double out[2])
{
	sqpfw_rows_range(n, row, m, h, out);
}

KITH_CLONES static double
sqpfw_rows_norm(size_t n, const struct kith_sqpfw_row *row, const double *h)
{
	kith_v8d s = {0}, q = {0}, m = {0}, u = {0}, t = {0};
	double sum, square;
	bool small;

	for (size_t f = 0; f < n; f += 8) {
		const kith_v8d xi = *kith_lanes_at(row->i + f);
		const kith_v8d dj = *kith_lanes_at(row->j + f) - xi;
		const kith_v8d dr = *kith_lanes_at(row->r + f) - xi;
		const kith_v8d e = dj * dj + dr * dr;
		const kith_v8d k = *kith_lanes_at(h + f);
		kith_v8d a;

		entries(row, f, &a);
		u += a * a;
		m += e * e;
		t += k;
		s += k * a;
		q += k * a * a;
	}
	small = kith_lanes_stored(&u) <= SMALL * SMALL * kith_lanes_stored(&m);
	sum = kith_lanes_stored(&s);
	square = kith_lanes_stored(&q);
	/* sum h a^2 - (sum h a)^2 / sum h, and a little for rounding */
	square += 1e-13 * square - sum * (sum / kith_lanes_stored(&t));
	square = square > 0 ? sqrt(square) : 0;
	return small ? -square : square;
}

double
kith_sqpfw_rows_norm(size_t n, const struct kith_sqpfw_row *row, const double *h)
{
	return sqpfw_rows_norm(n, row, h);
}

KITH_CLONES static void
sqpfw_rows_fill(size_t n, const struct kith_sqpfw_row *row, double *out)
{
	for (size_t f = 0; f < n; f += 8) {
		kith_v8d a;

		entries(row, f, &a);
		*to(out + f) = a;
	}
}

void
kith_sqpfw_rows_fill(size_t n, const struct kith_sqpfw_row *row, double *out)
{
	sqpfw_rows_fill(n, row, out);
}

KITH_CLONES static void
sqpfw_rows_axpy(size_t n, const struct kith_sqpfw_row *row, double factor, double *out)
{
	for (size_t f = 0; f < n; f += 8) {
		kith_v8d a;

		entries(row, f, &a);
		*to(out + f) += factor * a;
	}
}

void
kith_sqpfw_rows_axpy(size_t n, const struct kith_sqpfw_row *row, double factor, double *out)
{
	sqpfw_rows_axpy(n, row, factor, out);
}

KITH_CLONES static void
sqpfw_rows_add_variance(
    size_t n, const struct kith_sqpfw_row *row, const double *h, double factor, double *out)
{
	kith_v8d s = {0}, t = {0};
	double mean;

	for (size_t f = 0; f < n; f += 8) {
		kith_v8d a;

		entries(row, f, &a);
		s += *kith_lanes_at(h + f) * a;
		t += *kith_lanes_at(h + f);
	}
	/* c = sum h a / sum h */
	mean = kith_lanes_stored(&s) / kith_lanes_stored(&t);
	for (size_t f = 0; f < n; f += 8) {
		kith_v8d a;

		entries(row, f, &a);
		a -= mean;
		*to(out + f) += factor * (a * a);
	}
}

void
kith_sqpfw_rows_add_variance(
    size_t n, const struct kith_sqpfw_row *row, const double *h, double factor, double *out)
{
	sqpfw_rows_add_variance(n, row, h, factor, out);
}

KITH_CLONES static double
sqpfw_dot(size_t n, const double *x, const double *y)
{
	kith_v8d s = {0};

	for (size_t f = 0; f < n; f += 8)
		s += *kith_lanes_at(x + f) * *kith_lanes_at(y + f);
	return kith_lanes_stored(&s);
}

double
kith_sqpfw_dot(size_t n, const double *x, const double *y)
{
	return sqpfw_dot(n, x, y);
}

KITH_CLONES static void
sqpfw_axpy(size_t n, double a, const double *x, double *y)
{
	for (size_t f = 0; f < n; f += 8)
		*to(y + f) += a * *kith_lanes_at(x + f);
}

void
kith_sqpfw_axpy(size_t n, double a, const double *x, double *y)
{
	sqpfw_axpy(n, a, x, y);
}

KITH_CLONES static double
sqpfw_axpy_dot(size_t n, double a, const double *x, double *y, const double *z)
{
	kith_v8d s = {0};

	for (size_t f = 0; f < n; f += 8) {
		const kith_v8d v = *kith_lanes_at(y + f) + a * *kith_lanes_at(x + f);

		*to(y + f) = v;
		s += *kith_lanes_at(z + f) * v;
	}
	return kith_lanes_stored(&s);
}

double
kith_sqpfw_axpy_dot(size_t n, double a, const double *x, double *y, const double *z)
{
	return sqpfw_axpy_dot(n, a, x, y, z);
}

KITH_CLONES static void
sqpfw_rotate(size_t n, double c, double s, double *x, double *y)
{
	size_t f = 0;

	for (; f + 8 <= n; f += 8) {
		const kith_v8d a = *kith_lanes_at(x + f);
		const kith_v8d b = *kith_lanes_at(y + f);

		*to(x + f) = c * a + s * b;
		*to(y + f) = c * b - s * a;
	}
	for (; f < n; f++) {
		const double a = x[f], b = y[f];

		x[f] = c * a + s * b;
		y[f] = c * b - s * a;
	}
}

void
kith_sqpfw_rotate(size_t n, double c, double s, double *x, double *y)
{
	sqpfw_rotate(n, c, s, x, y);
}

KITH_CLONES static double
sqpfw_length_ratio(size_t n, const double *scale, const double *from, double floor)
{
	kith_v8d most = {0};
	double s[8], all = 0;

	for (size_t f = 0; f < n; f += 8) {
		const kith_v8d v = *kith_lanes_at(scale + f) / (*kith_lanes_at(from + f) + floor);

		const kith_v8i more = v > most;

		most = (kith_v8d)(((kith_v8i)v & more) | ((kith_v8i)most & ~more));
	}
	*to(s) = most;
	for (size_t l = 0; l < 8; l++)
		all = kith_larger(all, s[l]);
	return 1 / sqrt(all) * (1 - 1e-12);
}

double
kith_sqpfw_length_ratio(size_t n, const double *scale, const double *from, double floor)
{
	return sqpfw_length_ratio(n, scale, from, floor);
}

KITH_CLONES static double
sqpfw_scaled_distance2(
    size_t n, const double *w, double tau, const double *d, const double *from, double floor)
{
	kith_v8d s = {0};

	for (size_t f = 0; f < n; f += 8) {
		const kith_v8d z = *kith_lanes_at(from + f);
		const kith_v8d m = *kith_lanes_at(w + f) + tau * *kith_lanes_at(d + f) - z;

		s += m * m / (z + floor);
	}
	return kith_lanes_stored(&s);
}

double
kith_sqpfw_scaled_distance2(
    size_t n, const double *w, double tau, const double *d, const double *from, double floor)
{
	return sqpfw_scaled_distance2(n, w, tau, d, from, floor);
}
