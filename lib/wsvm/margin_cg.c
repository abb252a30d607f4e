/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With P = L L' the incomplete factor of the large entries of Q_MM, the solution
 * of Q x + e b = c, e' x = r is
 *
 *  1. w = P^-1 e, x = w r / e' w, c -= Q x; Q x is nearly a multiple of e, which b
 *     takes up, and is left out where it is small.
 *  2. y = P^-1 c, beta = e' y / e' w, z = y - beta w: e' z = 0.  b += beta, c -=
 *     beta e.  The end where c and z are small.
 *  3. p = z + p (c' z) / (c' z of before), q = Q p, t = c' z / p' q.
 *  4. x += t p, c -= t q; from 2 on.
 *
 * These are conjugate gradients in the space of e' x = 0 (Gould, Hribar and
 * Nocedal, 2001).  What rounding leaves, the caller corrects.
 *
 * Rows of the factor are variables in the order in which they came, those that
 * have left too: P^-1 between those that are there is positive definite as well.
 */
#include "wsvm/margin_cg.h"

#include "base/pool.h"
#include "solve/ic.h"
#include "wsvm/krows.h"
#include "wsvm/krows_sum.h"
#include "wsvm/margin.h"
#include "wsvm/smo_form.h"

#include <math.h>
#include <string.h>

enum {
	WORTH = 512,  /* |M|^2 / n from which cg is tried */
	PASS = 32,    /* a factor costs as many passes as |M|^2 / n over this */
	ENTRIES = 32, /* of a row of the factor, at most .. */
	FIRST = 64    /* .. on the whole, with so many rows for nothing */
};

#define LARGE .01   /* |Q_vw| over sqrt(Q_vv Q_ww), in the factor */
#define LEAST 1e-10 /* pivot^2 / Q_vv: v nearly depends on others */

struct kith_wsvm_margin_cg {
	struct kith_ic *ic;
	size_t rows, entries; /* of ic */
	size_t *row;          /* N: of variable v, or NOT */
	size_t *variable;     /* N: of each row */
	double *root;         /* N: sqrt(Q_vv) of its variable */
	uint32_t *column;     /* N: room for a row, as x */
	double *x;
	size_t passes; /* over the kernel so far */
	double *e;     /* N: P^-1 e of M, unless stale */
	double e_e;    /* e' P^-1 e */
	bool stale;
	double *in, *out;       /* N: of P^-1 */
	double *z, *p, *d, *Qp; /* N, in the order of M */
	double *u;              /* n */
	size_t *item;           /* N: plus[v] of M, and e_v times a number */
	double *times;
	/* Coefficients of the items, and their scores if they are known. */
	double *coef[2], *next, *score[2]; /* n */
	bool known[2];
};

/* Rows of the kernel that are passed over in place of a factor. */
static double
worth(const struct kith_wsvm_margin *m, size_t size)
{
	return (double)size * (double)size / (double)m->form->n;
}

static struct kith_wsvm_margin_cg *
make(struct kith_wsvm_margin *m)
{
	struct kith_pool *pool = m->pool;
	struct kith_wsvm_margin_cg *cg = kith_new(pool, 1, sizeof(*cg));
	const size_t N = m->form->N, n = m->form->n;

	cg->ic = kith_ic_begin(pool);
	cg->column = kith_new(pool, N, sizeof(*cg->column));
	KITH_NEW_SIZES(pool, N, 1, &cg->row, &cg->variable, &cg->item);
	KITH_NEW_REALS(pool, N, 1, &cg->root, &cg->x, &cg->e, &cg->in, &cg->out,
	    &cg->z, &cg->p, &cg->d, &cg->Qp, &cg->times);
	KITH_NEW_REALS(pool, n, 1, &cg->u, &cg->coef[0], &cg->coef[1],
	    &cg->next, &cg->score[0], &cg->score[1]);
	for (size_t v = 0; v < N; v++)
		cg->row[v] = KITH_WSVM_NOT;
	cg->known[0] = cg->known[1] = true; /* 0 of 0 */
	cg->stale = true;
	return cg;
}

/* A row of the factor for v; false where it is too long, or v depends. */
static bool
add_row(struct kith_wsvm_margin *m, struct kith_wsvm_margin_cg *cg, size_t v)
{
	const struct kith_smo_form *form = m->form;
	const double *K = kith_krows_get(form->rows, form->plus[v]);
	const double root = sqrt(form->diagonal[v]), least = LARGE * root;
	size_t count = 0;

	for (size_t r = 0; r < cg->rows; r++) {
		const size_t w = cg->variable[r];
		const double Q = K[form->plus[w]];

		if (!(fabs(Q) > least * cg->root[r]))
			continue;
		cg->column[count] = (uint32_t)r;
		cg->x[count++] = form->sign[v] * form->sign[w] * Q;
	}
	cg->entries += count;
	if (cg->entries > ENTRIES * (cg->rows + FIRST) ||
	    !kith_ic_append(
		cg->ic, form->diagonal[v], cg->column, cg->x, count, LEAST))
		return false;
	cg->row[v] = cg->rows;
	cg->root[cg->rows] = root;
	cg->variable[cg->rows++] = v;
	return true;
}

bool
kith_wsvm_margin_cg_begin(
    struct kith_wsvm_margin *m, const size_t *v, size_t count)
{
	const struct kith_smo_form *form = m->form;
	struct kith_wsvm_margin_cg *cg;

	if (m->size > 0 || form->minus || !(worth(m, count) >= WORTH) ||
	    form->N > UINT32_MAX || kith_krows_room(form->rows) < form->n)
		return false;
	cg = make(m);
	for (size_t i = 0; i < count; i++)
		if (!add_row(m, cg, v[i]))
			return false;
	m->cg = cg;
	m->settled = false;
	m->most = form->N;
	m->list = kith_new(m->pool, m->most, sizeof(*m->list));
	m->room = kith_new(m->pool, 4 * m->most, sizeof(*m->room));
	memcpy(m->list, v, count * sizeof(*v));
	for (; m->size < count; m->size++)
		m->place[v[m->size]] = m->size;
	return true;
}

bool
kith_wsvm_margin_cg_enter(struct kith_wsvm_margin *m, size_t v)
{
	struct kith_wsvm_margin_cg *cg = m->cg;

	if (cg->row[v] == KITH_WSVM_NOT && !add_row(m, cg, v))
		return false;
	m->place[v] = m->size;
	m->list[m->size++] = v;
	cg->stale = true;
	m->settled = false;
	return true;
}

void
kith_wsvm_margin_cg_leave(struct kith_wsvm_margin *m, size_t v)
{
	const size_t i = m->place[v];

	m->size--;
	for (size_t r = i; r < m->size; r++) {
		m->list[r] = m->list[r + 1];
		m->place[m->list[r]] = r;
	}
	m->place[v] = KITH_WSVM_NOT;
	m->cg->stale = true;
	m->settled = false;
}

/* u = K a for n items, a being e_v x_v of M. */
static void
pass(struct kith_wsvm_margin *m, const double *x, double *u)
{
	const struct kith_smo_form *form = m->form;
	struct kith_wsvm_margin_cg *cg = m->cg;

	for (size_t i = 0; i < m->size; i++) {
		const size_t v = m->list[i];

		cg->item[i] = form->plus[v];
		cg->times[i] = form->sign[v] * x[i];
	}
	memset(u, 0, form->n * sizeof(*u));
	kith_krows_sum(form->rows, cg->item, cg->times, m->size, u);
	cg->passes++;
}

/* z = P^-1 r */
static void
precondition(struct kith_wsvm_margin *m, const double *r, double *z)
{
	struct kith_wsvm_margin_cg *cg = m->cg;

	memset(cg->in, 0, cg->rows * sizeof(*cg->in));
	for (size_t i = 0; i < m->size; i++)
		cg->in[cg->row[m->list[i]]] = r[i];
	kith_ic_solve(cg->ic, 1, cg->in, cg->out);
	for (size_t i = 0; i < m->size; i++)
		z[i] = cg->out[cg->row[m->list[i]]];
}

static double
dot(size_t n, const double *x, const double *y)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

static double
largest(size_t n, const double *x)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(x[i]));
	return most;
}

/* e of M, into room that the next pass uses. */
static const double *
signs(const struct kith_wsvm_margin *m)
{
	for (size_t i = 0; i < m->size; i++)
		m->cg->times[i] = m->form->sign[m->list[i]];
	return m->cg->times;
}

/* Q p of M. */
static void
multiply(struct kith_wsvm_margin *m)
{
	const struct kith_smo_form *form = m->form;
	struct kith_wsvm_margin_cg *cg = m->cg;

	pass(m, cg->p, cg->u);
	for (size_t i = 0; i < m->size; i++) {
		const size_t v = m->list[i];

		cg->Qp[i] = form->sign[v] * cg->u[form->plus[v]] +
		    form->ridge * cg->p[i];
	}
}

/* Step 1; `left` is small. */
static void
begin(struct kith_wsvm_margin *m, double *c, double r, double left)
{
	struct kith_wsvm_margin_cg *cg = m->cg;
	double share = 0;

	if (cg->stale && m->form->bias) {
		precondition(m, signs(m), cg->e);
		cg->e_e = dot(m->size, signs(m), cg->e);
	}
	cg->stale = false;
	if (m->form->bias)
		share = r / cg->e_e;
	for (size_t i = 0; i < m->size; i++)
		cg->d[i] = cg->p[i] = share * cg->e[i];
	if (fabs(share) > left)
		multiply(m);
	for (size_t i = 0; i < m->size && fabs(share) > left; i++)
		c[i] -= cg->Qp[i];
}

/* Step 2; c' z. */
static double
project(struct kith_wsvm_margin *m, double *c, double *b)
{
	struct kith_wsvm_margin_cg *cg = m->cg;
	const size_t n = m->size;
	const double *e = signs(m);
	double beta;

	precondition(m, c, cg->z);
	if (!m->form->bias)
		return dot(n, c, cg->z);
	beta = dot(n, e, cg->z) / cg->e_e;
	*b += beta;
	for (size_t i = 0; i < n; i++) {
		cg->z[i] -= beta * cg->e[i];
		c[i] -= beta * e[i];
	}
	return dot(n, c, cg->z);
}

bool
kith_wsvm_margin_cg_solve(struct kith_wsvm_margin *m, double *c, double r,
    double left, double error, double *b)
{
	struct kith_wsvm_margin_cg *cg = m->cg;
	const size_t n = m->size;
	double before = INFINITY, now;

	*b = 0;
	begin(m, c, r, left);
	memset(cg->p, 0, n * sizeof(*cg->p));
	for (;;) {
		double t;

		now = project(m, c, b);
		if (!(now > 0) ||
		    (largest(n, c) <= left && largest(n, cg->z) <= error))
			break;
		if ((double)cg->passes > worth(m, n) / PASS)
			return false;
		for (size_t i = 0; i < n; i++)
			cg->p[i] = cg->z[i] + cg->p[i] * (now / before);
		multiply(m);
		t = now / dot(n, cg->p, cg->Qp);
		for (size_t i = 0; i < n; i++) {
			cg->d[i] += t * cg->p[i];
			c[i] -= t * cg->Qp[i];
		}
		before = now;
	}
	memcpy(c, cg->d, n * sizeof(*c));
	return true;
}

void
kith_wsvm_margin_cg_load(
    struct kith_wsvm_margin *m, const double *a, const double *b)
{
	const struct kith_smo_form *form = m->form;
	const size_t len = form->n * sizeof(*a);
	struct kith_wsvm_margin_cg *cg = m->cg;

	for (int k = 0; k < 2; k++) {
		const double *x = k ? b : a;
		double *now = cg->next;

		memset(now, 0, len);
		for (size_t i = 0; i < m->size && x; i++)
			now[form->plus[m->list[i]]] += form->sign[m->list[i]] *
			    x[i];
		if (memcmp(now, cg->coef[k], len) == 0)
			continue;
		cg->next = cg->coef[k];
		cg->coef[k] = now;
		cg->known[k] = false;
	}
}

/* K coef, unless it is known. */
static const double *
scores(struct kith_wsvm_margin *m, int k)
{
	struct kith_wsvm_margin_cg *cg = m->cg;
	const size_t n = m->form->n;
	size_t count = 0;

	if (cg->known[k])
		return cg->score[k];
	for (size_t i = 0; i < n; i++) {
		if (cg->coef[k][i] == 0)
			continue;
		cg->item[count] = i;
		cg->times[count++] = cg->coef[k][i];
	}
	memset(cg->score[k], 0, n * sizeof(*cg->score[k]));
	kith_krows_sum(m->form->rows, cg->item, cg->times, count, cg->score[k]);
	cg->passes += count > 0;
	cg->known[k] = true;
	return cg->score[k];
}

void
kith_wsvm_margin_cg_scores(
    struct kith_wsvm_margin *m, const double **u, const double **w)
{
	*u = scores(m, 0);
	*w = scores(m, 1);
}
