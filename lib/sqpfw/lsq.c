/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Part 1, a thin factor C = Q R (C n x m, Q with orthonormal columns, R upper triangular) that
 * gains and loses columns and rows (Golub and Van Loan, section 6.5).
 *
 *	append a column a   Gram-Schmidt: q = (a - Q Q'a) / |.|
 *	delete column k     shift the columns of R behind k, rotate it to a triangle again
 *	append a row        Q gets the column e of the new row, R the row; rotate that to 0
 *	delete a row        with u = (e - Q Q'e) / |.| as another column of Q, rotate all
 *	                    columns with u until u = e; then the row is 0 in all other columns
 *
 * A vector v = Q z + d is split into its part in the columns and the part d that is orthogonal to
 * them: z is rotated with the rows of R, and d gains or loses the part along a column of Q that is
 * deleted or appended.
 *
 * Each takes time O(m (n + m)).  Columns of Q are padded with 0 to a multiple of 8.
 *
 * Part 2, how near 0 comes to a sum of convex hulls: shares t >= 0, of sum 1 in each group, and phi
 * minimise
 *
 *	1/2 sum_j h_j^2,   r = b + phi e + sum_i t_i A_i,   h_j = r_j, or where entry j is
 *	                                                    one-sided h_j = min(r_j, 0)
 *
 * By an active set: shares that are 0 and fixed; all other shares are free.
 *
 *	1. Factor the columns e and A_i - A_rep of the free shares, rep being the largest share
 *	   of the group, over the entries that count (QR; a Gram matrix would square the
 *	   condition).  A column that depends on earlier columns is passed over.
 *	2. The direction of least squares.  Where it reduces h no more, go to 4.
 *	3. A line search up to the first share that becomes 0, which is fixed.  Back to 1, unless
 *	   the whole step was made and the same entries count.
 *	4. The share at 0 whose vector has the smallest cosine with h is set free, if that is
 *	   negative; back to 1.  Else h is the least.
 */
#include "sqpfw/lsq.h"
#include "base/pool.h"
#include "la/kernels.h"
#include "la/vec.h"
#include "sqpfw/kernels.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* A column depends on others if so little of its length is off them. */
#define DEPENDENT 1e-10
/* The share of |q|^2 of which an orthogonalisation may lose the digits. */
#define ANOTHER_PASS .1
/* The rounding error of r, relative to the largest |b_j|. */
#define NOISE (16 * DBL_EPSILON)
/* A cosine with -h that is 0, and the slope of a line search, relative to that at 0. */
#define COSINE_ZERO 1e-11
#define SLOPE_ZERO 1e-10

enum { BISECTIONS = 60 };

/* The kernels, which are called by short names: z += a x; (x, z) = (c x + s z, c z - s x). */

static void
axpy(size_t n, double a, const double *x, double *z)
{
	kith_sqpfw_kernels_at_level()->axpy(n, a, x, z);
}

static void
rotate(size_t n, double c, double s, double *x, double *z)
{
	kith_sqpfw_kernels_at_level()->rotate(n, c, s, x, z);
}

/* Makes room for column m of Q as scratch and for another column of R. */
static void
widen(struct kith_sqpfw_qr *qr)
{
	const size_t old = qr->room, room = old ? 2 * old : 16;
	double *R;

	if (qr->m + 2 > old) {
		R = kith_new(qr->pool, room * room, sizeof(*R));
		for (size_t i = 0; i < qr->m; i++)
			memcpy(R + i * room, qr->R + i * old, qr->m * sizeof(*R));
		qr->R = R;
		qr->x = kith_new(qr->pool, room, sizeof(*qr->x));
		qr->z = kith_grow(qr->pool, qr->z, room, sizeof(*qr->z));
		qr->Q = kith_grow(qr->pool, qr->Q, room, sizeof(*qr->Q));
		for (size_t k = old; k < room; k++)
			qr->Q[k] = NULL;
		qr->room = room;
	}
	if (!qr->Q[qr->m])
		qr->Q[qr->m] = kith_new(qr->pool, qr->ld, sizeof(**qr->Q));
}

/* A factor without rows or columns; n will never exceed ld. */
void
kith_sqpfw_qr_new(struct kith_sqpfw_qr *qr, size_t ld, struct kith_pool *pool)
{
	*qr = (struct kith_sqpfw_qr){.ld = ld, .pool = pool};
	qr->d = kith_new(pool, ld, sizeof(*qr->d));
	widen(qr);
}

/* q -= Q Q'q; z (m) = Q'q of the q before; returns |q|.  A second pass, where the first one takes
 * more than ANOTHER_PASS of |q|^2, removes what rounding has left along Q. */
static double
orthogonalise(const struct kith_sqpfw_qr *qr, double *q, double *z)
{
	const size_t n = kith_sqpfw_pad(qr->n), m = qr->m;
	double before = INFINITY, left = kith_dot(n, q, q);

	memset(z, 0, m * sizeof(*z));
	for (size_t pass = 0; pass < 2 && left < (1 - ANOTHER_PASS) * before; pass++) {
		before = left;
		for (size_t k = 0; k < m; k++) {
			const double along = kith_dot(n, qr->Q[k], q);

			z[k] += along;
			axpy(n, -along, qr->Q[k], q);
		}
		left = kith_dot(n, q, q);
	}
	return sqrt(left);
}

/* |a - Q Q'a|, a padded; the vector is left in Q[m], Q'a in x. */
double
kith_sqpfw_qr_residual(struct kith_sqpfw_qr *qr, const double *a)
{
	const size_t n = kith_sqpfw_pad(qr->n);
	double *q = qr->Q[qr->m];

	memcpy(q, a, n * sizeof(*q));
	return orthogonalise(qr, q, qr->x);
}

/* Returns false, and changes nothing, where the part of the column that is orthogonal to all other
 * columns is at most `dependent` times its length. */
bool
kith_sqpfw_qr_append_column(struct kith_sqpfw_qr *qr, const double *a, double dependent)
{
	const size_t n = kith_sqpfw_pad(qr->n), m = qr->m;
	const double norm = kith_sqpfw_qr_residual(qr, a);

	if (!(norm > dependent * sqrt(kith_dot(n, a, a))))
		return false;
	for (size_t f = 0; f < n; f++)
		qr->Q[m][f] /= norm;
	for (size_t k = 0; k < m; k++) {
		qr->R[k * qr->room + m] = qr->x[k];
		qr->R[m * qr->room + k] = 0;
	}
	qr->R[m * qr->room + m] = norm;
	/* d = z_m q + the new d */
	qr->z[m] = kith_dot(n, qr->Q[m], qr->d);
	axpy(n, -qr->z[m], qr->Q[m], qr->d);
	qr->m++;
	widen(qr);
	return true;
}

/* Rotates column k of Q with q, its number z_k with *z, and its row of R from column k on with x, by
 * the angle that brings (a, b) to (|(a, b)|, 0). */
static void
turn(struct kith_sqpfw_qr *qr, size_t k, double a, double b, double *x, double *z, double *q)
{
	const double r = hypot(a, b), c = a / r, s = b / r;

	if (b == 0)
		return;
	rotate(qr->m - k, c, s, qr->R + k * qr->room + k, x);
	rotate(1, c, s, &qr->z[k], z);
	rotate(kith_sqpfw_pad(qr->n), c, s, qr->Q[k], q);
}

void
kith_sqpfw_qr_delete_column(struct kith_sqpfw_qr *qr, size_t k)
{
	const size_t m = --qr->m;

	for (size_t i = 0; i <= m; i++) {
		double *row = qr->R + i * qr->room;

		memmove(row + k, row + k + 1, (m - k) * sizeof(*row));
	}
	for (size_t i = k; i < m; i++) {
		double *x = qr->R + i * qr->room + i, *below = x + qr->room;

		turn(qr, i, *x, *below, below, &qr->z[i + 1], qr->Q[i + 1]);
		*below = 0;
	}
	axpy(kith_sqpfw_pad(qr->n), qr->z[m], qr->Q[m], qr->d);
}

/* Subtracts column k of C from column l > k. */
void
kith_sqpfw_qr_subtract_column(struct kith_sqpfw_qr *qr, size_t k, size_t l)
{
	assert(k < l && l < qr->m);
	for (size_t i = 0; i <= k; i++)
		qr->R[i * qr->room + l] -= qr->R[i * qr->room + k];
}

/* Appends the row a (m) to C, and an entry to v. */
void
kith_sqpfw_qr_append_row(struct kith_sqpfw_qr *qr, const double *a, double v)
{
	const size_t row = qr->n++;
	double *u = qr->Q[qr->m], *x = qr->x;

	if (row % 8 == 0)
		for (size_t k = 0; k < qr->m; k++)
			memset(qr->Q[k] + row, 0, 8 * sizeof(*u));
	memset(qr->d + row, 0, (kith_sqpfw_pad(qr->n) - row) * sizeof(*u));
	memset(u, 0, kith_sqpfw_pad(qr->n) * sizeof(*u));
	u[row] = 1;
	memcpy(x, a, qr->m * sizeof(*x));
	for (size_t k = 0; k < qr->m; k++)
		turn(qr, k, qr->R[k * qr->room + k], x[k], x + k, &v, u);
	axpy(kith_sqpfw_pad(qr->n), v, u, qr->d);
}

/* Deletes a row of C; the last one takes its place. */
void
kith_sqpfw_qr_delete_row(struct kith_sqpfw_qr *qr, size_t row)
{
	const size_t n = kith_sqpfw_pad(qr->n), last = qr->n - 1;
	double *u = qr->Q[qr->m], *x = qr->x, norm, along;

	memset(u, 0, n * sizeof(*u));
	u[row] = 1;
	norm = orthogonalise(qr, u, x);
	for (size_t f = 0; f < n; f++)
		u[f] /= norm;
	along = kith_dot(n, u, qr->d);
	axpy(n, -along, u, qr->d);
	memset(x, 0, qr->m * sizeof(*x));
	for (size_t k = qr->m; k-- > 0;)
		turn(qr, k, u[row], -qr->Q[k][row], x + k, &along, u);
	for (size_t k = 0; k < qr->m; k++) {
		qr->Q[k][row] = qr->Q[k][last];
		qr->Q[k][last] = 0;
	}
	qr->d[row] = qr->d[last];
	qr->d[last] = 0;
	qr->n = last;
}

/* The squared distance of the unit vector of a row from the columns, 1 - |Q'e|^2. */
double
kith_sqpfw_qr_unit_residual2(const struct kith_sqpfw_qr *qr, size_t row)
{
	double left = 1;

	for (size_t k = 0; k < qr->m; k++)
		left -= qr->Q[k][row] * qr->Q[k][row];
	return left;
}

/* Sets v (n). */
void
kith_sqpfw_qr_split(struct kith_sqpfw_qr *qr, const double *v)
{
	memcpy(qr->d, v, qr->n * sizeof(*v));
	memset(qr->d + qr->n, 0, (kith_sqpfw_pad(qr->n) - qr->n) * sizeof(*v));
	orthogonalise(qr, qr->d, qr->z);
}

/* v += factor C_k */
void
kith_sqpfw_qr_add_multiple(struct kith_sqpfw_qr *qr, double factor, size_t k)
{
	for (size_t i = 0; i <= k; i++)
		qr->z[i] += factor * qr->R[i * qr->room + k];
}

/* The y (m) of the least |v - C y|: R y = z. */
void
kith_sqpfw_qr_solve(const struct kith_sqpfw_qr *qr, double *y)
{
	for (size_t i = qr->m; i-- > 0;) {
		const double *R = qr->R + i * qr->room;

		y[i] = qr->z[i];
		for (size_t k = i + 1; k < qr->m; k++)
			y[i] -= R[k] * y[k];
		y[i] /= R[i];
	}
}

/* The shortest x (padded) with C'x = b (m): R'c = b, x = Q c.  b becomes c. */
void
kith_sqpfw_qr_least_norm(struct kith_sqpfw_qr *qr, double *b, double *x)
{
	const size_t n = kith_sqpfw_pad(qr->n);

	memset(x, 0, n * sizeof(*x));
	for (size_t i = 0; i < qr->m; i++) {
		for (size_t k = 0; k < i; k++)
			b[i] -= qr->R[k * qr->room + i] * b[k];
		b[i] /= qr->R[i * qr->room + i];
		axpy(n, b[i], qr->Q[i], x);
	}
}

/* Part 2. */

struct search {
	const struct kith_sqpfw_hull *in;
	double *t, *r, phi;
	double noise;         /* the rounding error of r that is to be expected */
	size_t groups, *rep;  /* groups: number of the representative share */
	bool *free, *blocked; /* n; blocked: set free, and could not grow since a move */
	size_t *entry, m;     /* p: the m entries that count */
	struct kith_sqpfw_qr qr;
	size_t *column;       /* the share of each column but the first */
	double *a, *y;        /* m, padded: scratch; as many as columns */
	double *d, *dr, dphi; /* n, p: the direction of t, r and phi */
};

/* Whether a value r of entry j counts; of a one-sided entry a value of 0 but for rounding, too, does
 * not. */
static bool
counts(const struct search *s, size_t j, double r)
{
	return !s->in->sided[j] || r < -s->noise;
}

/* h_j */
static double
counted(const struct search *s, size_t j)
{
	return counts(s, j, s->r[j]) ? s->r[j] : 0;
}

static double
largest(const struct search *s)
{
	double most = 0;

	for (size_t j = 0; j < s->in->p; j++)
		most = fmax(most, fabs(counted(s, j)));
	return most;
}

/* out = b + phi e + sum t_i A_i, or without b */
static void
combine(const struct search *s, const double *b, double phi, const double *t, double *out)
{
	const struct kith_sqpfw_hull *in = s->in;

	for (size_t j = 0; j < in->p; j++)
		out[j] = (b ? b[j] : 0) + phi * in->e[j];
	for (size_t i = 0; i < in->n; i++)
		if (t[i] != 0)
			axpy(in->p, t[i], in->A[i], out);
}

/* Copies the entries that count of x - y to s->a, padded; y may be NULL. */
static const double *
gather(struct search *s, const double *x, const double *y)
{
	for (size_t j = 0; j < kith_sqpfw_pad(s->m); j++)
		s->a[j] = j < s->m ? x[s->entry[j]] - (y ? y[s->entry[j]] : 0) : 0;
	return s->a;
}

/* Step 1. */
static void
factor(struct search *s)
{
	const struct kith_sqpfw_hull *in = s->in;

	s->m = 0;
	for (size_t j = 0; j < in->p; j++)
		if (counts(s, j, s->r[j]))
			s->entry[s->m++] = j;
	s->qr.n = s->m;
	s->qr.m = 0;
	kith_sqpfw_qr_append_column(&s->qr, gather(s, in->e, NULL), DEPENDENT);
	for (size_t i = 0; i < in->n && s->qr.m < s->m; i++) {
		const size_t rep = s->rep[in->group[i]];

		s->column[s->qr.m] = i;
		if (s->free[i] && i != rep)
			kith_sqpfw_qr_append_column(
			    &s->qr, gather(s, in->A[i], in->A[rep]), DEPENDENT);
	}
}

/* Step 2: R y = -Q'r; false where that does not reduce h. */
static bool
find_direction(struct search *s)
{
	const struct kith_sqpfw_hull *in = s->in;
	const double *r = gather(s, s->r, NULL);
	const double all = kith_dot(kith_sqpfw_pad(s->m), r, r);

	kith_sqpfw_qr_split(&s->qr, r);
	if (kith_vec_dot(s->qr.m, s->qr.z, s->qr.z) <=
	    COSINE_ZERO * COSINE_ZERO * all + s->noise * s->noise)
		return false;
	kith_sqpfw_qr_solve(&s->qr, s->y);
	for (size_t i = 0; i < in->n; i++)
		s->d[i] = 0;
	s->dphi = s->qr.m > 0 ? -s->y[0] : 0;
	for (size_t c = 1; c < s->qr.m; c++) {
		s->d[s->column[c]] -= s->y[c];
		s->d[s->rep[in->group[s->column[c]]]] += s->y[c];
	}
	combine(s, NULL, s->dphi, s->d, s->dr);
	return true;
}

/* d/dtau of 1/2 |h|^2 at r + tau dr */
static double
slope(const struct search *s, double tau)
{
	double sum = 0;

	for (size_t j = 0; j < s->in->p; j++) {
		const double r = s->r[j] + tau * s->dr[j];

		sum += counts(s, j, r) ? r * s->dr[j] : 0;
	}
	return sum;
}

/* The tau <= most of the least |h|, where the slope, which rises, is 0. */
static double
line_search(const struct search *s, double most)
{
	double low = 0, high = most;

	if (slope(s, most) <= -SLOPE_ZERO * slope(s, 0))
		return most;
	for (int k = 0; k < BISECTIONS; k++) {
		const double tau = (low + high) / 2;

		*(slope(s, tau) > 0 ? &high : &low) = tau;
	}
	return low;
}

/* Sets the largest free share of each group to 1 less the sum of its other shares. */
static void
restore_sums(struct search *s)
{
	const struct kith_sqpfw_hull *in = s->in;

	for (size_t i = 0; i < in->n; i++) {
		size_t *rep = &s->rep[in->group[i]];

		if (s->free[i] && (!s->free[*rep] || s->t[i] > s->t[*rep]))
			*rep = i;
	}
	for (size_t g = 0; g < s->groups; g++)
		s->t[s->rep[g]] = 1;
	for (size_t i = 0; i < in->n; i++)
		if (i != s->rep[in->group[i]])
			s->t[s->rep[in->group[i]]] -= s->t[i];
	for (size_t i = 0; i < in->n; i++)
		s->t[i] = fmax(s->t[i], 0);
}

/* Step 3; true where h is the least over the free shares. */
static bool
take_step(struct search *s)
{
	const struct kith_sqpfw_hull *in = s->in;
	size_t stop = in->n;
	double most = 1, tau;
	bool whole;

	for (size_t i = 0; i < in->n; i++)
		if (s->d[i] < 0 && s->t[i] < -s->d[i] * most) {
			most = s->t[i] / -s->d[i];
			stop = i;
		}
	tau = most > 0 ? line_search(s, most) : 0;
	for (size_t i = 0; i < in->n; i++)
		s->t[i] += tau * s->d[i];
	s->phi += tau * s->dphi;
	whole = tau == 1;
	for (size_t j = 0; j < in->p; j++)
		whole &= counts(s, j, s->r[j]) == counts(s, j, s->r[j] + s->dr[j]);
	for (size_t i = 0; i < in->n && tau > 0; i++)
		s->blocked[i] = false;
	if (stop < in->n && tau == most) {
		s->t[stop] = 0;
		s->free[stop] = false;
		s->blocked[stop] = tau <= 0;
		whole = false;
	}
	restore_sums(s);
	combine(s, in->b, s->phi, s->t, s->r);
	return whole;
}

/* Step 4; false where no share at 0 would reduce h. */
static bool
release(struct search *s)
{
	const struct kith_sqpfw_hull *in = s->in;
	double least = -COSINE_ZERO, size = 0;
	size_t best = in->n;

	for (size_t j = 0; j < in->p; j++)
		size += counted(s, j) * counted(s, j);
	size = sqrt(size);
	for (size_t i = 0; i < in->n; i++) {
		const double *a = in->A[i], *b = in->A[s->rep[in->group[i]]];
		double sum = 0, length = 0;

		if (s->free[i] || s->blocked[i])
			continue;
		for (size_t j = 0; j < in->p; j++) {
			sum += (a[j] - b[j]) * counted(s, j);
			length += (a[j] - b[j]) * (a[j] - b[j]);
		}
		if (sum < least * sqrt(length) * size) {
			least = sum / (sqrt(length) * size);
			best = i;
		}
	}
	if (best < in->n)
		s->free[best] = true;
	return best < in->n;
}

/*
 * Begins with the shares proposed, or with equal shares of the independent vectors of each group,
 * over two-sided entries; with phi of least squares over two-sided entries.
 */
static void
begin(struct search *s, size_t *count)
{
	const struct kith_sqpfw_hull *in = s->in;
	double along = 0, square = 0;

	for (size_t i = in->n; i-- > 0;) {
		s->rep[in->group[i]] = i;
		s->free[i] = !in->proposed || s->t[i] > 0;
	}
	if (!in->proposed) {
		memset(s->r, 0, in->p * sizeof(*s->r));
		factor(s);
		for (size_t i = 0; i < in->n; i++)
			s->free[i] = i == s->rep[in->group[i]];
		for (size_t c = 1; c < s->qr.m; c++)
			s->free[s->column[c]] = true;
		for (size_t i = 0; i < in->n; i++)
			count[in->group[i]] += s->free[i];
		for (size_t i = 0; i < in->n; i++)
			s->t[i] = s->free[i] ? 1 / (double)count[in->group[i]] : 0;
	}
	restore_sums(s);
	combine(s, in->b, 0, s->t, s->r);
	for (size_t j = 0; j < in->p; j++) {
		along += in->sided[j] ? 0 : s->r[j] * in->e[j];
		square += in->sided[j] ? 0 : in->e[j] * in->e[j];
	}
	s->phi = square > 0 ? -along / square : 0;
	axpy(in->p, s->phi, in->e, s->r);
}

/*
 * Finds t (n) and r (p); returns max |h_j|.  The search ends when that is at most `enough`,
 * at the minimum, or after many steps; what is returned is that of the t found.
 */
double
kith_sqpfw_hull(const struct kith_sqpfw_hull *in, double enough, double *t, double *r)
{
	struct kith_pool tmp = {0};
	struct search s = {.in = in, .t = t, .r = r};
	size_t steps = 100 + 10 * in->n, *count;
	double most;

	s.groups = in->n > 0 ? in->group[in->n - 1] + 1 : 0;
	s.free = kith_new(&tmp, in->n, sizeof(*s.free));
	s.blocked = kith_new(&tmp, in->n, sizeof(*s.blocked));
	KITH_NEW_SIZES(&tmp, s.groups, 1, &s.rep, &count);
	KITH_NEW_SIZES(&tmp, in->p + in->n + 1, 1, &s.entry, &s.column);
	KITH_NEW_REALS(&tmp, in->n + kith_sqpfw_pad(in->p) + 1, 1, &s.a, &s.y, &s.d, &s.dr);
	kith_sqpfw_qr_new(&s.qr, kith_sqpfw_pad(in->p), &tmp);
	s.noise = NOISE * kith_vec_largest(in->p, in->b);
	begin(&s, count);
	while (largest(&s) > enough && steps-- > 0) {
		factor(&s);
		if ((!find_direction(&s) || take_step(&s)) && !release(&s))
			break;
	}
	most = largest(&s);
	kith_pool_free(&tmp);
	return most;
}
