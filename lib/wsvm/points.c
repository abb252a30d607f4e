/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/points.h"

#include "base/pool.h"
#include "la/mat.h"
#include "wsvm/krows.h"
#include "wsvm/krows_sum.h"
#include "wsvm/problem.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define ROUNDED 1e-15 /* of x, is rounding */
#define NEAR 1e-13    /* of the weight, is on the bound */

static void
measure(struct kith_wsvm_points *at)
{
	const struct kith_wsvm_problem *problem = at->problem;

	for (size_t v = 0; v < at->N; v++) {
		at->diagonal[v] = problem->ridge +
		    kith_krows_length(
			at->rows, problem->plus, problem->minus, v);
		if (at->from[v] > 0 || at->to[v] > 0)
			at->live[at->n_live++] = v;
	}
}

struct kith_wsvm_points *
kith_wsvm_points_new(const struct kith_wsvm_problem *problem,
    const double *from, const double *to, struct kith_pool *pool)
{
	struct kith_wsvm_points *at = kith_new(pool, 1, sizeof(*at));
	struct kith_wsvm_points_part *part = &at->part;
	const size_t n = problem->X->n, N = problem->variables;

	*at = (struct kith_wsvm_points){.problem = problem,
	    .from = from,
	    .to = to,
	    .n = n,
	    .N = N,
	    .pool = pool};
	KITH_NEW_REALS(pool, N, 1, &at->diagonal, &at->zero);
	KITH_NEW_REALS(pool, n, 1, &at->coef, &at->sum);
	KITH_NEW_SIZES(pool, N, 1, &at->live, &at->near, &part->plus,
	    &part->minus, &part->own);
	KITH_NEW_SIZES(pool, N, 2, &at->row);
	KITH_NEW_REALS(pool, N, 2, &at->by);
	KITH_NEW_REALS(pool, N, 1, &part->sign, &part->q, &part->hi,
	    &part->diagonal, &part->x, &part->s, &part->g);
	at->kink = kith_new(pool, N, sizeof(*at->kink));
	for (size_t v = 0; v < N; v++)
		part->own[v] = v;
	at->rows = problem->rows ? problem->rows
				 : kith_krows_new(problem->kern, problem->X,
				       problem->cache, problem->threads, pool);
	measure(at);
	at->form = (struct kith_smo_form){.rows = at->rows,
	    .n = n,
	    .N = N,
	    .plus = problem->plus,
	    .minus = problem->minus,
	    .sign = problem->sign,
	    .q = problem->q,
	    .lo = at->zero,
	    .diagonal = at->diagonal,
	    .bias = problem->bias,
	    .ridge = problem->ridge};
	return at;
}

static struct kith_wsvm_point *
take(struct kith_wsvm_points *at, double theta)
{
	struct kith_wsvm_point *p;

	if (at->n_spare > 0) {
		p = at->spare[--at->n_spare];
	} else {
		p = kith_new(at->pool, 1, sizeof(*p));
		KITH_NEW_REALS(at->pool, at->N, 1, &p->C, &p->x, &p->g);
		KITH_NEW_REALS(at->pool, at->n, 1, &p->s);
	}
	p->theta = theta;
	for (size_t v = 0; v < at->N; v++)
		p->C[v] = theta < 1
		    ? at->from[v] + theta * (at->to[v] - at->from[v])
		    : at->to[v];
	return p;
}

void
kith_wsvm_points_drop(struct kith_wsvm_points *at, struct kith_wsvm_point *p)
{
	assert(at->n_spare < KITH_WSVM_SPARE);
	at->spare[at->n_spare++] = p;
}

void
kith_wsvm_points_add(
    const struct kith_smo_form *form, size_t v, double a, double *s)
{
	a *= form->sign[v];
	kith_krows_add(form->rows, form->plus[v], a, 0, s, NULL);
	if (form->minus)
		kith_krows_add(form->rows, form->minus[v], -a, 0, s, NULL);
}

void
kith_wsvm_points_move(struct kith_wsvm_points *at, struct kith_wsvm_point *p,
    const size_t *list, size_t n, const double *x)
{
	const struct kith_smo_form *form = &at->form;
	size_t m = 0;

	for (size_t c = 0; c < n; c++) {
		const size_t v = list[c];
		const double by = form->sign[v] * (x[c] - p->x[v]);

		p->x[v] = x[c];
		if (by == 0)
			continue;
		at->row[m] = form->plus[v];
		at->by[m++] = by;
		if (form->minus) {
			at->row[m] = form->minus[v];
			at->by[m++] = -by;
		}
	}
	kith_krows_sum(at->rows, at->row, at->by, m, p->s);
}

bool
kith_wsvm_points_put(
    const struct kith_smo_form *form, size_t v, double *x, double *s)
{
	const double C = form->hi[v], few = NEAR * C, was = x[v];

	if (was == 0 || was == C || (was >= few && was <= C - few))
		return false;
	x[v] = was < few ? 0 : C;
	if (fabs(x[v] - was) > ROUNDED * x[v])
		kith_wsvm_points_add(form, v, x[v] - was, s);
	return true;
}

/* Variables that left their bounds are put on them. */
static void
clip(struct kith_wsvm_points *at, struct kith_wsvm_point *p)
{
	at->form.hi = p->C;
	for (size_t c = 0; c < at->n_live; c++)
		kith_wsvm_points_put(&at->form, at->live[c], p->x, p->s);
}

/* Make e' x = 0: first by those between their bounds, then by any. */
static void
balance(struct kith_wsvm_points *at, struct kith_wsvm_point *p)
{
	const double *e = at->form.sign;
	double sum = 0, most = 0;

	for (size_t c = 0; c < at->n_live; c++) {
		sum += e[at->live[c]] * p->x[at->live[c]];
		most = fmax(most, p->C[at->live[c]]);
	}
	for (size_t c = 0; c < 2 * at->n_live && at->form.bias; c++) {
		const size_t v = at->live[c % at->n_live];
		const double x = p->x[v], C = p->C[v];
		double to = x - e[v] * sum;

		if (fabs(sum) <= NEAR * most)
			return;
		if (c < at->n_live && !(x > 0 && x < C))
			continue;
		to = to < 0 ? 0 : to > C ? C : to;
		sum += e[v] * (to - x);
		if (to != x)
			kith_wsvm_points_add(&at->form, v, to - x, p->s);
		p->x[v] = to;
	}
}

/* All scores of x anew. */
static void
score_all(struct kith_wsvm_points *at, struct kith_wsvm_point *p)
{
	const struct kith_smo_form *form = &at->form;

	memset(at->coef, 0, at->n * sizeof(*at->coef));
	for (size_t v = 0; v < at->N; v++) {
		at->coef[form->plus[v]] += form->sign[v] * p->x[v];
		if (form->minus)
			at->coef[form->minus[v]] -= form->sign[v] * p->x[v];
	}
	kith_krows_product(at->rows, at->coef, at->coef, p->s, at->sum);
}

struct kith_wsvm_point *
kith_wsvm_points_first(struct kith_wsvm_points *at, double theta,
    const struct kith_wsvm_point *start)
{
	struct kith_wsvm_point *p = take(at, theta);
	size_t out = 0;

	memset(p->x, 0, at->N * sizeof(*p->x));
	memset(p->s, 0, at->n * sizeof(*p->s));
	if (!start)
		return p;
	memcpy(p->x, start->x, at->N * sizeof(*p->x));
	memcpy(p->s, start->s, at->n * sizeof(*p->s));
	for (size_t v = 0; v < at->N; v++)
		if (p->C[v] == 0 && p->x[v] > 0)
			at->near[out++] = v;
	kith_wsvm_points_move(at, p, at->near, out, at->zero);
	clip(at, p);
	balance(at, p);
	return p;
}

/* Whether all weights of p are the same multiple of those of another. */
static bool
multiple(const struct kith_wsvm_points *at, const struct kith_wsvm_point *p,
    const struct kith_wsvm_point *of, double *by)
{
	double lo = INFINITY, hi = 0;

	for (size_t c = 0; c < at->n_live; c++) {
		const size_t v = at->live[c];
		const double own = p->C[v] / of->C[v];

		if (!(of->C[v] > 0))
			return false;
		lo = fmin(lo, own);
		hi = fmax(hi, own);
	}
	*by = at->n_live > 0 ? lo : 1;
	return hi <= lo * (1 + NEAR);
}

struct kith_wsvm_point *
kith_wsvm_points_scaled(
    struct kith_wsvm_points *at, double theta, const struct kith_wsvm_point *of)
{
	struct kith_wsvm_point *p = take(at, theta);
	double by;

	for (size_t v = 0; v < at->N; v++)
		p->x[v] = of->x[v] < of->C[v] ? of->x[v] / of->C[v] * p->C[v]
		    : of->C[v] > 0            ? p->C[v]
					      : 0;
	if (multiple(at, p, of, &by)) {
		for (size_t i = 0; i < at->n; i++)
			p->s[i] = by * of->s[i];
	} else {
		score_all(at, p);
	}
	balance(at, p);
	return p;
}

/*
 * How far the line from a through b, d = b - a, is worth going on from b, at
 * most t: D(b + t d) = D - t d' g - t^2 d' Q d / 2.
 */
static double
worth(const struct kith_wsvm_points *at, const struct kith_wsvm_point *a,
    const struct kith_wsvm_point *b, double t)
{
	const struct kith_smo_form *form = &at->form;
	double slope = 0, curve = 0;

	for (size_t c = 0; c < at->n_live; c++) {
		const size_t v = at->live[c];
		const double d = b->x[v] - a->x[v];

		slope -= d * b->g[v];
		curve += d *
		    (kith_smo_score(form, b->s, v) -
			kith_smo_score(form, a->s, v) + form->ridge * d);
	}
	return slope <= 0 ? 0 : slope < t * curve ? slope / curve : t;
}

struct kith_wsvm_point *
kith_wsvm_points_between(struct kith_wsvm_points *at, double theta,
    const struct kith_wsvm_point *a, const struct kith_wsvm_point *b)
{
	struct kith_wsvm_point *p = take(at, theta);
	double t = (theta - a->theta) / (b->theta - a->theta);

	if (t > 1)
		t = 1 + worth(at, a, b, t - 1);
	for (size_t v = 0; v < at->N; v++)
		p->x[v] = a->x[v] + t * (b->x[v] - a->x[v]);
	for (size_t i = 0; i < at->n; i++)
		p->s[i] = a->s[i] + t * (b->s[i] - a->s[i]);
	clip(at, p);
	balance(at, p);
	return p;
}
