/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The active set holds the shares t_i that are 0; the others are free.
 *
 *	1. Factor the columns e and A_i - A_rep of the free shares over the
 *	   entries that count (r_j, or r_j < 0 where one-sided).       factor()
 *	2. The direction d of least squares over them; where it does not reduce
 *	   |h|, go to 4.                                       find_direction()
 *	3. t += tau d, tau <= 1 the least |h| up to the first share that becomes
 *	   0, which is fixed there.  Back to 1, unless tau = 1 and the same
 *	   entries count.                                            take_step()
 *	4. Set free the share at 0 whose vector has the least cosine with h;
 *	   where none is below 0, h is the least.  Back to 1.          release()
 */
#include "sqpfw/hull.h"

#include "base/pool.h"

#include <math.h>

/* A vector depends on others where so little of its length is off them. */
#define DEPENDENT 1e-10

/* A vector whose cosine with -h is at most this cannot reduce |h|: stop. */
#define USEFUL 1e-11

/* A slope that counts as 0, relative to the slope at tau = 0. */
#define FLAT 1e-10

enum { BISECTIONS = 60 }; /* of a line search, at most */

/* The search: shares t are those of the caller. */
struct search {
	const struct kith_qp_hull *in;
	double *t, *r;
	double phi;
	size_t groups;
	size_t *rep;   /* groups: representative, whose share follows from the rest */
	bool *free;    /* n: the share may be above 0 */
	bool *blocked; /* n: was set free, and could not grow: not again, until
			  some step is longer than 0 */
	size_t *row;   /* p: the m entries that count */
	size_t m;

	/* Q R = the s columns: e, then A_i - A_rep for column[] = i. */
	size_t s, most;
	size_t *column;
	double *Q; /* most x p: column c from Q + c * p on, m entries */
	double *R; /* most x most: column c from R + c * most on */
	double *z; /* most */

	double *d;  /* n: a direction of t, dphi of phi, dr of r */
	double *dr; /* p */
	double dphi;
	bool optimal; /* the direction does not reduce |h| */
};

static double
counted(const struct search *s, size_t j)
{
	return s->in->sided[j] && s->r[j] > 0 ? 0 : s->r[j];
}

static void
find_r(struct search *s)
{
	const struct kith_qp_hull *in = s->in;

	for (size_t j = 0; j < in->p; j++)
		s->r[j] = in->b[j] + s->phi * in->e[j];
	for (size_t i = 0; i < in->n; i++)
		for (size_t j = 0; j < in->p && s->t[i] > 0; j++)
			s->r[j] += s->t[i] * in->A[i * in->p + j];
}

static double
largest(const struct search *s)
{
	double most = 0;

	for (size_t j = 0; j < s->in->p; j++)
		most = fmax(most, fabs(counted(s, j)));
	return most;
}

static double
dot(const double *x, const double *z, size_t n)
{
	double sum = 0;

	for (size_t j = 0; j < n; j++)
		sum += x[j] * z[j];
	return sum;
}

/*
 * Make the column at Q + s * p (m entries) orthogonal to those before it, in
 * two passes; false where nothing is left of it.
 */
static bool
append(struct search *s)
{
	const size_t p = s->in->p, m = s->m;
	double *q = s->Q + s->s * p, *R = s->R + s->s * s->most;
	const double length = sqrt(dot(q, q, m));
	double left;

	for (size_t c = 0; c < s->s; c++)
		R[c] = 0;
	for (int pass = 0; pass < 2; pass++)
		for (size_t c = 0; c < s->s; c++) {
			const double *e = s->Q + c * p;
			const double x = dot(e, q, m);

			R[c] += x;
			for (size_t j = 0; j < m; j++)
				q[j] -= x * e[j];
		}
	left = sqrt(dot(q, q, m));
	if (!(left > DEPENDENT * length))
		return false;
	for (size_t j = 0; j < m; j++)
		q[j] /= left;
	R[s->s++] = left;
	return true;
}

/* Factor the columns of all free shares, over the entries that count. */
static void
factor(struct search *s)
{
	const struct kith_qp_hull *in = s->in;

	s->m = 0;
	for (size_t j = 0; j < in->p; j++)
		if (!in->sided[j] || s->r[j] < 0)
			s->row[s->m++] = j;
	s->s = 0;
	for (size_t j = 0; j < s->m; j++)
		s->Q[j] = in->e[s->row[j]];
	append(s);
	for (size_t i = 0; i < in->n && s->s < s->m; i++) {
		const size_t rep = s->rep[in->group[i]];
		double *q = s->Q + s->s * in->p;

		if (!s->free[i] || i == rep)
			continue;
		for (size_t j = 0; j < s->m; j++)
			q[j] = in->A[i * in->p + s->row[j]] - in->A[rep * in->p + s->row[j]];
		s->column[s->s] = i;
		append(s);
	}
}

/* The direction to the minimum over the columns, without bounds: with the
 * residual r over the rows that count, R z = -Q'r. */
static void
find_direction(struct search *s)
{
	const struct kith_qp_hull *in = s->in;

	double gain = 0, all = 0;

	for (size_t j = 0; j < s->m; j++)
		all += s->r[s->row[j]] * s->r[s->row[j]];
	for (size_t c = 0; c < s->s; c++) {
		s->z[c] = 0;
		for (size_t j = 0; j < s->m; j++)
			s->z[c] -= s->Q[c * in->p + j] * s->r[s->row[j]];
		gain += s->z[c] * s->z[c];
	}
	s->optimal = gain <= USEFUL * USEFUL * all;
	for (size_t c = s->s; c-- > 0;) {
		for (size_t e = c + 1; e < s->s; e++)
			s->z[c] -= s->R[e * s->most + c] * s->z[e];
		s->z[c] /= s->R[c * s->most + c];
	}
	for (size_t i = 0; i < in->n; i++)
		s->d[i] = 0;
	s->dphi = s->s > 0 ? s->z[0] : 0;
	for (size_t c = 1; c < s->s; c++) {
		s->d[s->column[c]] = s->z[c];
		s->d[s->rep[in->group[s->column[c]]]] -= s->z[c];
	}
	for (size_t j = 0; j < in->p; j++)
		s->dr[j] = s->dphi * in->e[j];
	for (size_t i = 0; i < in->n; i++)
		for (size_t j = 0; j < in->p && s->d[i] != 0; j++)
			s->dr[j] += s->d[i] * in->A[i * in->p + j];
}

/* d/dtau of 1/2 |h|^2 at r + tau dr; *curvature: the second derivative. */
static double
slope(const struct search *s, double tau, double *curvature)
{
	double sum = 0;

	*curvature = 0;
	for (size_t j = 0; j < s->in->p; j++) {
		const double r = s->r[j] + tau * s->dr[j];

		if (s->in->sided[j] && r >= 0)
			continue;
		sum += r * s->dr[j];
		*curvature += s->dr[j] * s->dr[j];
	}
	return sum;
}

/* The tau <= most of the least |h|: the slope is piecewise linear, and rises;
 * Newton steps with bisection. */
static double
descend(const struct search *s, double most)
{
	double low = 0, high = most, tau = most, curvature;
	const double noise = -FLAT * slope(s, 0, &curvature);

	for (int i = 0; i < BISECTIONS; i++) {
		const double up = slope(s, tau, &curvature);

		if (fabs(up) <= noise || (up <= 0 && tau == most))
			return tau;
		*(up > 0 ? &high : &low) = tau;
		tau = curvature > 0 ? tau - up / curvature : (low + high) / 2;
		if (!(tau > low && tau < high))
			tau = (low + high) / 2;
		if (high - low <= 1e-15 * high)
			break;
	}
	return low;
}

/*
 * Let the largest free share of each group be the representative: 1 less the
 * others, so that the sum of the group is 1 but for one rounding.
 */
static void
restore_sums(struct search *s)
{
	const struct kith_qp_hull *in = s->in;

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

/*
 * Step 3.  True where the whole step was made and the same entries count as
 * before: then h is the least over the free shares.
 */
static bool
take_step(struct search *s)
{
	const struct kith_qp_hull *in = s->in;
	double most = 1, tau;
	size_t stop = in->n;
	bool whole;

	for (size_t i = 0; i < in->n; i++)
		if (s->d[i] < 0 && s->t[i] < -s->d[i] * most) {
			most = s->t[i] / -s->d[i];
			stop = i;
		}
	tau = most > 0 ? descend(s, most) : 0;
	for (size_t i = 0; i < in->n; i++)
		s->t[i] += tau * s->d[i];
	s->phi += tau * s->dphi;
	whole = tau == 1;
	for (size_t j = 0; j < in->p; j++)
		whole &= !in->sided[j] || (s->r[j] < 0) == (s->r[j] + s->dr[j] < 0);
	if (stop < in->n && tau == most) {
		s->t[stop] = 0;
		s->free[stop] = false;
		s->blocked[stop] = tau <= 0;
		whole = false;
	}
	for (size_t i = 0; i < in->n && tau > 0; i++)
		s->blocked[i] = false;
	restore_sums(s);
	find_r(s);
	return whole;
}

/* Step 4: set free the share that reduces |h| the fastest; false: none does. */
static bool
release(struct search *s)
{
	const struct kith_qp_hull *in = s->in;
	double least = -USEFUL, size = 0;
	size_t best = in->n;

	for (size_t j = 0; j < in->p; j++)
		size += counted(s, j) * counted(s, j);
	size = sqrt(size);
	for (size_t i = 0; i < in->n; i++) {
		const double *a = in->A + i * in->p;
		const double *e = in->A + s->rep[in->group[i]] * in->p;
		double sum = 0, length = 0;

		if (s->free[i] || s->blocked[i])
			continue;
		for (size_t j = 0; j < in->p; j++) {
			sum += (a[j] - e[j]) * counted(s, j);
			length += (a[j] - e[j]) * (a[j] - e[j]);
		}
		if (sum < least * sqrt(length) * size) {
			least = sum / (sqrt(length) * size);
			best = i;
		}
	}
	if (best == in->n)
		return false;
	s->free[best] = true;
	return true;
}

/* Begin with equal shares of the independent vectors of each group. */
static void
begin(struct search *s)
{
	const struct kith_qp_hull *in = s->in;
	size_t *count;
	struct kith_pool tmp = {0};

	for (size_t i = in->n; i-- > 0;) {
		s->rep[in->group[i]] = i;
		s->free[i] = true;
		s->t[i] = 0;
	}
	/* Only entries that always count say which vectors are independent. */
	for (size_t j = 0; j < in->p; j++)
		s->r[j] = 0;
	factor(s);
	for (size_t i = 0; i < in->n; i++)
		s->free[i] = i == s->rep[in->group[i]];
	for (size_t c = 1; c < s->s; c++)
		s->free[s->column[c]] = true;
	count = kith_new(&tmp, s->groups, sizeof(*count));
	for (size_t i = 0; i < in->n; i++)
		count[in->group[i]] += s->free[i];
	for (size_t i = 0; i < in->n; i++)
		s->t[i] = s->free[i] ? 1 / (double)count[in->group[i]] : 0;
	kith_pool_free(&tmp);
	find_r(s);
}

double
kith_qp_hull(const struct kith_qp_hull *in, double enough, double *t, double *r)
{
	struct kith_pool tmp = {0};
	struct search s = {.in = in, .t = t, .r = r};
	size_t steps = 100 + 10 * in->n;
	double most;

	s.groups = in->n > 0 ? in->group[in->n - 1] + 1 : 0;
	s.most = 1 + (in->n < in->p ? in->n : in->p);
	s.rep = kith_new(&tmp, s.groups, sizeof(*s.rep));
	s.free = kith_new(&tmp, in->n, sizeof(*s.free));
	s.blocked = kith_new(&tmp, in->n, sizeof(*s.blocked));
	s.row = kith_new(&tmp, in->p, sizeof(*s.row));
	s.column = kith_new(&tmp, s.most, sizeof(*s.column));
	s.Q = kith_new(&tmp, s.most, in->p * sizeof(*s.Q));
	s.R = kith_new(&tmp, s.most, s.most * sizeof(*s.R));
	s.z = kith_new(&tmp, s.most, sizeof(*s.z));
	s.d = kith_new(&tmp, in->n, sizeof(*s.d));
	s.dr = kith_new(&tmp, in->p, sizeof(*s.dr));
	begin(&s);
	while (largest(&s) > enough && steps-- > 0) {
		factor(&s);
		find_direction(&s);
		if ((s.optimal || take_step(&s)) && !release(&s))
			break;
	}
	most = largest(&s);
	kith_pool_free(&tmp);
	return most;
}
