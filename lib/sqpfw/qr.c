/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/qr.h"

#include "base/pool.h"
#include "sqpfw/rows.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { FIRST = 16 }; /* columns that there is room for at first */

static size_t
rows(const struct kith_sqpfw_qr *qr)
{
	return kith_sqpfw_padded(qr->n);
}

/* Make room for a column more than m, and one as scratch. */
static void
widen(struct kith_sqpfw_qr *qr)
{
	const size_t old = qr->room, room = old ? 2 * old : FIRST;
	double *R;

	if (qr->m + 2 <= old)
		return;
	R = kith_new(qr->pool, room * room, sizeof(*R));
	for (size_t i = 0; i < qr->m; i++)
		memcpy(R + i * room, qr->R + i * old, qr->m * sizeof(*R));
	qr->R = R;
	qr->extra = kith_new(qr->pool, room, sizeof(*qr->extra));
	qr->z = kith_grow(qr->pool, qr->z, room, sizeof(*qr->z));
	qr->Q = kith_grow(qr->pool, qr->Q, room, sizeof(*qr->Q));
	for (size_t k = old; k < room; k++)
		qr->Q[k] = NULL;
	qr->room = room;
}

/* A scratch column behind the others, the first or the second, all 0. */
static double *
spare(struct kith_sqpfw_qr *qr, size_t which)
{
	double **q = &qr->Q[qr->m + which];

	if (!*q)
		*q = kith_new(qr->pool, qr->ld, sizeof(**q));
	memset(*q, 0, rows(qr) * sizeof(**q));
	if (which == 0)
		qr->complement = false;
	return *q;
}

struct kith_sqpfw_qr
kith_sqpfw_qr_new(size_t n, struct kith_pool *pool)
{
	struct kith_sqpfw_qr qr = {.n = n, .ld = kith_sqpfw_padded(n), .pool = pool};

	qr.d = kith_new(pool, qr.ld, sizeof(*qr.d));
	widen(&qr);
	return qr;
}

void
kith_sqpfw_qr_clear(struct kith_sqpfw_qr *qr, size_t n)
{
	assert(n <= qr->ld);
	qr->n = n;
	qr->m = 0;
	qr->complement = false;
}

/*
 * q -= Q Q'q, and z = Q'q of the q before; two passes are enough.  While a
 * column is subtracted the product with the next one is formed.
 */
static void
orthogonalise(struct kith_sqpfw_qr *qr, double *q, double *z)
{
	const size_t n = rows(qr), m = qr->m;
	double h = m > 0 ? kith_sqpfw_dot(n, qr->Q[0], q) : 0;

	for (size_t k = 0; k < 2 * m; k++) {
		const double *Q = qr->Q[k % m];

		/* h = Q_k'q */
		if (z)
			z[k % m] = k < m ? h : z[k % m] + h;
		if (k + 1 < 2 * m)
			h = kith_sqpfw_axpy_dot(n, -h, Q, q, qr->Q[(k + 1) % m]);
		else
			kith_sqpfw_axpy(n, -h, Q, q);
	}
}

/* The unit vector of a - Q Q'a as column m of Q, and Q'a in extra; the length
 * |a - Q Q'a|. */
static double
next_column(struct kith_sqpfw_qr *qr, const double *a)
{
	const size_t n = rows(qr);
	double *q, left;

	if (qr->complement) {
		q = qr->Q[qr->m];
		for (size_t k = 0; k < qr->m; k++)
			qr->extra[k] = kith_sqpfw_dot(n, qr->Q[k], a);
		left = kith_sqpfw_dot(n, q, a);
		if (left < 0)
			for (size_t f = 0; f < n; f++)
				q[f] = -q[f];
		left = fabs(left);
	} else {
		q = spare(qr, 0);
		memcpy(q, a, n * sizeof(*q));
		orthogonalise(qr, q, qr->extra);
		left = sqrt(kith_sqpfw_dot(n, q, q));
		for (size_t f = 0; f < n && left > 0; f++)
			q[f] /= left;
	}
	return left;
}

bool
kith_sqpfw_qr_append_column(struct kith_sqpfw_qr *qr, const double *a)
{
	const double left = next_column(qr, a);
	const size_t n = rows(qr), m = qr->m;
	const double *q = qr->Q[m];

	if (!(left > 0))
		return false;
	for (size_t k = 0; k < m; k++) {
		qr->R[k * qr->room + m] = qr->extra[k];
		qr->R[m * qr->room + k] = 0;
	}
	qr->R[m * qr->room + m] = left;
	/* z_m = q'd, d -= z_m q */
	qr->z[m] = kith_sqpfw_dot(n, q, qr->d);
	kith_sqpfw_axpy(n, -qr->z[m], q, qr->d);
	qr->m++;
	qr->complement = false;
	widen(qr);
	return true;
}

double
kith_sqpfw_qr_distance(struct kith_sqpfw_qr *qr, const double *a)
{
	const size_t n = rows(qr);
	double *q = spare(qr, 1);

	memcpy(q, a, n * sizeof(*q));
	orthogonalise(qr, q, NULL);
	return sqrt(kith_sqpfw_dot(n, q, q));
}

double
kith_sqpfw_qr_unit_distance2(const struct kith_sqpfw_qr *qr, size_t row)
{
	double left = 1;

	/* 1 - |Q'e|^2 */
	for (size_t k = 0; k < qr->m; k++)
		left -= qr->Q[k][row] * qr->Q[k][row];
	return left;
}

void
kith_sqpfw_qr_subtract_column(struct kith_sqpfw_qr *qr, size_t k, size_t l)
{
	assert(k < l && l < qr->m);
	/* A_l - A_k = Q (R_l - R_k) */
	for (size_t i = 0; i <= k; i++)
		qr->R[i * qr->room + l] -= qr->R[i * qr->room + k];
}

/*
 * Two numbers.  Where it sees that they lie side by side, gcc 12 makes one
 * instruction of the products and sums that rounds once (vfmsubadd), though
 * told not to: so they come from outside.
 */
__attribute__((noinline)) static void
rotate(double c, double s, double *x, double *y)
{
	const double a = *x, b = *y;

	*x = c * a + s * b;
	*y = c * b - s * a;
}

/* Rotate rows i and i + 1 of R, so that the entry below the diagonal is 0. */
static void
zero_below(struct kith_sqpfw_qr *qr, size_t i)
{
	double *x = qr->R + i * qr->room, *y = x + qr->room;
	const double r = hypot(x[i], y[i]);
	double c, s;

	if (y[i] == 0)
		return;
	c = x[i] / r;
	s = y[i] / r;
	kith_sqpfw_rotate(qr->m - i, c, s, x + i, y + i);
	y[i] = 0;
	rotate(c, s, &qr->z[i], &qr->z[i + 1]);
	kith_sqpfw_rotate(rows(qr), c, s, qr->Q[i], qr->Q[i + 1]);
}

void
kith_sqpfw_qr_delete_column(struct kith_sqpfw_qr *qr, size_t k)
{
	assert(k < qr->m);
	for (size_t i = 0; i < qr->m; i++) {
		double *row = qr->R + i * qr->room;

		memmove(row + k, row + k + 1, (qr->m - k - 1) * sizeof(*row));
	}
	qr->m--;
	for (size_t i = k; i < qr->m; i++)
		zero_below(qr, i);
	/* The last column of Q goes: d += z_m Q_m. */
	kith_sqpfw_axpy(rows(qr), qr->z[qr->m], qr->Q[qr->m], qr->d);
	qr->complement = qr->n == qr->m + 1;
}

/* u = (e - Q Q'e) / |e - Q Q'e|, e the unit vector of a row. */
static double *
off_row(struct kith_sqpfw_qr *qr, size_t row)
{
	const size_t n = rows(qr);
	double *u = qr->complement ? qr->Q[qr->m] : spare(qr, 0), left = 1;

	if (qr->complement)
		left = u[row] < 0 ? -1 : 1;
	else {
		u[row] = 1;
		orthogonalise(qr, u, NULL);
		left = sqrt(kith_sqpfw_dot(n, u, u));
	}
	for (size_t f = 0; f < n; f++)
		u[f] /= left;
	qr->complement = false;
	return u;
}

/*
 * With u as another column, of which R has a row x of zeros, the unit vector e
 * of the row is a combination of the columns.  Rotations of each column with u
 * make u = e: the other columns have 0 in that row then.
 */
void
kith_sqpfw_qr_delete_row(struct kith_sqpfw_qr *qr, size_t row)
{
	const size_t n = rows(qr), last = qr->n - 1;
	double *u = off_row(qr, row), *x = qr->extra, along;

	along = kith_sqpfw_dot(n, u, qr->d);
	kith_sqpfw_axpy(n, -along, u, qr->d);
	memset(x, 0, qr->m * sizeof(*x));
	for (size_t k = qr->m; k-- > 0;) {
		double *q = qr->Q[k], *R = qr->R + k * qr->room;
		const double r = hypot(q[row], u[row]);
		const double c = u[row] / r, s = q[row] / r;

		kith_sqpfw_rotate(n, c, -s, q, u);
		rotate(c, -s, &qr->z[k], &along);
		kith_sqpfw_rotate(qr->m - k, c, -s, R + k, x + k);
	}
	for (size_t k = 0; k < qr->m; k++) {
		qr->Q[k][row] = qr->Q[k][last];
		qr->Q[k][last] = 0;
	}
	qr->d[row] = qr->d[last];
	qr->d[last] = 0;
	qr->n = last;
}

void
kith_sqpfw_qr_append_row(struct kith_sqpfw_qr *qr, const double *a, double entry)
{
	const size_t at = qr->n++;
	double *u, *x = qr->extra;

	assert(qr->n <= qr->ld);
	/* Column u = e of Q and row x = a of R; rotations make x = 0. */
	for (size_t k = 0; k < qr->m; k++)
		if (at % 8 == 0)
			memset(qr->Q[k] + at, 0, 8 * sizeof(*qr->Q[k]));
	if (at % 8 == 0)
		memset(qr->d + at, 0, 8 * sizeof(*qr->d));
	u = spare(qr, 0);
	u[at] = 1;
	memcpy(x, a, qr->m * sizeof(*x));
	for (size_t k = 0; k < qr->m; k++) {
		double *R = qr->R + k * qr->room;
		const double r = hypot(R[k], x[k]);
		const double c = R[k] / r, s = x[k] / r;

		if (x[k] == 0)
			continue;
		kith_sqpfw_rotate(qr->m - k, c, s, R + k, x + k);
		rotate(c, s, &qr->z[k], &entry);
		kith_sqpfw_rotate(rows(qr), c, s, qr->Q[k], u);
	}
	kith_sqpfw_axpy(rows(qr), entry, u, qr->d);
	qr->complement = qr->n == qr->m + 1;
}

void
kith_sqpfw_qr_add_multiple(struct kith_sqpfw_qr *qr, size_t k, double factor)
{
	for (size_t i = 0; i <= k; i++)
		qr->z[i] += factor * qr->R[i * qr->room + k];
}

void
kith_sqpfw_qr_split(struct kith_sqpfw_qr *qr, const double *r)
{
	const size_t n = rows(qr);

	memcpy(qr->d, r, qr->n * sizeof(*r));
	for (size_t f = qr->n; f < n; f++)
		qr->d[f] = 0;
	orthogonalise(qr, qr->d, qr->z);
}

void
kith_sqpfw_qr_solve(const struct kith_sqpfw_qr *qr, double *z)
{
	for (size_t i = qr->m; i-- > 0;) {
		const double *R = qr->R + i * qr->room;
		double sum = z[i];

		for (size_t k = i + 1; k < qr->m; k++)
			sum -= R[k] * z[k];
		z[i] = sum / R[i];
	}
}

void
kith_sqpfw_qr_least_norm(struct kith_sqpfw_qr *qr, double *b, double *x)
{
	const size_t n = rows(qr);

	memset(x, 0, n * sizeof(*x));
	/* x = Q c, R'c = b */
	for (size_t i = 0; i < qr->m; i++) {
		double sum = b[i];

		for (size_t k = 0; k < i; k++)
			sum -= qr->R[k * qr->room + i] * b[k];
		b[i] = sum / qr->R[i * qr->room + i];
		kith_sqpfw_axpy(n, b[i], qr->Q[i], x);
	}
}
