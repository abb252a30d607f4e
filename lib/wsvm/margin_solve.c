/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/margin_solve.h"

#include "wsvm/margin_cg.h"
#include "wsvm/margin_kkt.h"
#include "wsvm/margin_score.h"
#include "wsvm/margin_step.h"
#include "wsvm/smo.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
	STEPS = 3,    /* of refinement, the first solution too */
	CHANGES = 100 /* of a factor, or |M|, before it is computed anew */
};

#define RESIDUAL 1e-12 /* over its terms, from which a factor is poor */
#define DONE 0x1p-51   /* over its terms, at which refinement ends */
#define LITTLE 0x1p-49 /* over its terms, at which a step is right */
#define REST .0625     /* of what may be left, which cg leaves */
#define ERROR 0x1p-46  /* of x, over the largest, which cg leaves */

/* One or two systems; left and rest are their residuals. */
struct systems {
	size_t count;
	const double *c, *r;
	double *x, *b, *left, rest[2];
	double own;      /* the residual without b among its terms */
	double off;      /* of the last row */
	double most[2];  /* the residual, not over its terms */
	double scale[2]; /* its terms */
	double large[2]; /* the largest |x| */
};

/*
 * x = (Q_MM + rho e e')^-1 x for `count` sides; with a bias, and unless it is
 * known for this M, unit = (Q_MM + rho e e')^-1 e with them.
 */
static void
solve_sides(struct kith_wsvm_margin *m, size_t count, double *x)
{
	const size_t n = m->size, ld = m->chol.ld, len = n * sizeof(*x);
	const bool unit = m->form->bias && !m->fresh;
	double *e = m->side + count * ld;

	for (size_t k = 0; k < count; k++)
		memcpy(m->side + k * ld, x + k * n, len);
	for (size_t i = 0; unit && i < n; i++)
		e[i] = m->form->sign[m->list[i]];
	kith_chol_solve_sides(&m->chol, count + unit, m->side);
	for (size_t k = 0; k < count; k++)
		memcpy(x + k * n, m->side + k * ld, len);
	if (unit)
		memcpy(m->unit, e, len);
	m->fresh = m->fresh || unit;
}

/*
 * Solve the bordered systems by the factor of F = Q_MM + rho e e', x into c:
 *
 *	y = F^-1 (c + rho r e)    u = F^-1 e
 *	b = (e' y - r) / e' u     x = y - b u
 */
static void
solve_once(struct kith_wsvm_margin *m, size_t count, double *c, const double *r,
    double *b)
{
	const size_t n = m->size, *list = m->list;
	const double *sign = m->form->sign;
	double under = 0;

	b[0] = b[count - 1] = 0;
	for (size_t k = 0; k < count && m->form->bias; k++)
		for (size_t i = 0; i < n; i++)
			c[k * n + i] += m->rho * r[k] * sign[list[i]];
	solve_sides(m, count, c);
	for (size_t i = 0; m->form->bias && i < n; i++)
		under += sign[list[i]] * m->unit[i];
	for (size_t k = 0; k < count && m->form->bias; k++) {
		double *x = c + k * n, over = 0;

		for (size_t i = 0; i < n; i++)
			over += sign[list[i]] * x[i];
		b[k] = (over - r[k]) / under;
		for (size_t i = 0; i < n; i++)
			x[i] -= b[k] * m->unit[i];
	}
}

/* left = Q_MM x */
static void
multiply(struct kith_wsvm_margin *m, struct systems *at)
{
	const struct kith_smo_form *form = m->form;
	const size_t n = m->size;

	kith_wsvm_margin_load(m, at->x, at->count > 1 ? at->x + n : NULL);
	kith_wsvm_margin_score_own(m);
	for (size_t i = 0; i < n; i++) {
		const size_t v = m->list[i];
		double out[2], less[2] = {0};

		kith_wsvm_margin_own(m, form->plus[v], out);
		if (form->minus)
			kith_wsvm_margin_own(m, form->minus[v], less);
		for (size_t k = 0; k < at->count; k++)
			at->left[k * n + i] = form->sign[v] *
				(out[k] - less[k]) +
			    form->ridge * at->x[k * n + i];
	}
}

static double
over(double x, double size)
{
	return size > 0 ? x / size : 0;
}

/* left = c - Q_MM x - e b, rest = r - e' x; the largest over its terms. */
static double
residual(struct kith_wsvm_margin *m, struct systems *at)
{
	const size_t n = m->size;
	double worst = 0;

	multiply(m, at);
	at->own = at->off = 0;
	for (size_t k = 0; k < at->count; k++) {
		const double *c = at->c + k * n, *x = at->x + k * n;
		const double b = at->b[k];
		double most = 0, scale = 0, sum = 0, size = 0;

		at->large[k] = 0;
		for (size_t i = 0; i < n; i++) {
			const size_t v = m->list[i];
			const double e = m->form->sign[v];
			double *left = at->left + k * n + i;

			*left = c[i] - *left - e * b;
			most = fmax(most, fabs(*left));
			scale += m->form->diagonal[v] * fabs(x[i]);
			sum += e * x[i];
			size += fabs(x[i]);
			at->large[k] = fmax(at->large[k], fabs(x[i]));
		}
		at->most[k] = most;
		at->scale[k] = scale + fabs(b);
		at->rest[k] = m->form->bias ? at->r[k] - sum : 0;
		at->own = fmax(at->own, over(most, scale));
		at->off = fmax(at->off, over(fabs(at->rest[k]), size));
		worst = fmax(worst, over(most, scale + fabs(b)));
	}
	return worst;
}

/* x = 0 and b = 0, of which the right-hand sides are the residual. */
static void
start_anew(const struct kith_wsvm_margin *m, struct systems *at)
{
	const size_t len = at->count * m->size * sizeof(*at->x);

	memset(at->x, 0, len);
	memcpy(at->left, at->c, len);
	for (size_t k = 0; k < at->count; k++) {
		at->b[k] = 0;
		at->rest[k] = at->r[k];
		at->most[k] = INFINITY;
	}
}

/* x, b and residual after a step that is in left. */
static double
add_step(struct kith_wsvm_margin *m, struct systems *at, const double *b)
{
	const size_t n = m->size;

	for (size_t k = 0; k < at->count; k++) {
		at->b[k] += b[k];
		for (size_t i = 0; i < n; i++)
			at->x[k * n + i] += at->left[k * n + i];
	}
	return residual(m, at);
}

/* x += F^-1 residual, until only rounding is left.  The residual. */
static double
solve_all(struct kith_wsvm_margin *m, struct systems *at)
{
	double got = INFINITY;

	start_anew(m, at);
	for (int step = 0; step < STEPS && !(got <= DONE); step++) {
		double b[2];

		solve_once(m, at->count, at->left, at->rest, b);
		got = add_step(m, at, b);
	}
	return got;
}

/*
 * The same from x, b and their residual by conjugate gradients, until `enough` is
 * left, or where that is 0, until rounding alone is.  Copies of rows have
 * differences that leave next to nothing; so x is looked at, too.  False where
 * that takes too long.
 */
static bool
solve_by_cg(
    struct kith_wsvm_margin *m, struct systems *at, double enough, double got)
{
	const size_t n = m->size;

	for (int step = 0; step < STEPS && !(got <= DONE && step > 0) &&
	     !(at->most[0] <= enough);
	     step++) {
		double b[2] = {0};

		for (size_t k = 0; k < at->count; k++) {
			const double left = fmax(enough, DONE * at->scale[k]) *
			    REST;
			const double error = enough > 0 ? INFINITY
							: ERROR * at->large[k];

			if (at->most[k] == 0)
				memset(at->left + k * n, 0, n * sizeof(*b));
			else if (!kith_wsvm_margin_cg_solve(m, at->left + k * n,
				     at->rest[k], left, error, &b[k]))
				return false;
		}
		got = add_step(m, at, b);
	}
	m->residual = got;
	return (got <= LITTLE && at->off <= LITTLE) || at->most[0] <= enough;
}

/* With the factor, from nothing. */
static void
solve_by_factor(struct kith_wsvm_margin *m, size_t count, const double *c,
    const double *r, double *x, double *b)
{
	struct systems at = {.count = count,
	    .c = c,
	    .r = r,
	    .x = x,
	    .b = b,
	    .left = m->room + m->most};

	if (m->changes > CHANGES && m->changes > m->size)
		kith_wsvm_margin_factor(m);
	m->residual = solve_all(m, &at);
	if (!(m->residual <= RESIDUAL) && m->changes > 0) {
		kith_wsvm_margin_factor(m);
		m->residual = solve_all(m, &at);
	}
}

void
kith_wsvm_margin_solve(struct kith_wsvm_margin *m, const double *c, double r,
    double enough, double *x, double *b)
{
	struct systems at = {.count = 1,
	    .c = c,
	    .r = &r,
	    .x = x,
	    .b = b,
	    .left = m->room + m->most};

	assert(m->size > 0);
	if (m->cg) {
		start_anew(m, &at);
		if (solve_by_cg(m, &at, enough, INFINITY))
			return;
		kith_wsvm_margin_bind(m);
	}
	solve_by_factor(m, 1, c, &r, x, b);
}

void
kith_wsvm_margin_solve_next(struct kith_wsvm_margin *m, const double *c,
    const double *r, double *x, double *b)
{
	struct systems at = {.count = 2,
	    .c = c,
	    .r = r,
	    .x = x,
	    .b = b,
	    .left = m->room + m->most};

	assert(m->size > 0);
	m->left = at.left;
	if (m->cg) {
		const double got = residual(m, &at);

		if ((m->settled && got <= DONE) ||
		    solve_by_cg(m, &at, 0, got)) {
			m->settled = true;
			return;
		}
		kith_wsvm_margin_bind(m);
		m->left = m->room + m->most;
	}
	if (kith_wsvm_margin_step(m, c, x, b)) {
		m->residual = residual(m, &at);
		if (m->residual <= LITTLE && at.off <= LITTLE &&
		    at.own <= RESIDUAL)
			return;
	}
	solve_by_factor(m, 2, c, r, x, b);
}

void
kith_wsvm_margin_null(struct kith_wsvm_margin *m, size_t v, double *z)
{
	const double r = -m->form->sign[v];
	struct systems at = {.count = 1, .r = &r, .x = z};
	double *c, b;

	kith_wsvm_margin_bind(m);
	at.c = c = m->room + 3 * m->most;
	at.b = &b;
	at.left = m->room + m->most;
	kith_wsvm_margin_column(m, v, c);
	for (size_t i = 0; i < m->size; i++)
		c[i] = -c[i];
	if (m->size > 0)
		solve_all(m, &at);
}
