/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kith_wsvm_point_solve() repeats
 *
 *  1. judge(): g, b, D and G of alpha; the end if G is small enough.
 *  2. choose_near(): the variables of a wrong gradient, those between their
 *     bounds, and those whose gradient is not far from 0.
 *  3. improve(): smo on these alone, whose part of the kernel is copied
 *     together, until their G is small enough; then the scores of all follow.
 */
#include "wsvm/point_solve.h"

#include "base/pool.h"
#include "wsvm/krows.h"
#include "wsvm/wsvm.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
	STEPS = 100,  /* of smo, from one look at G to the next */
	MOST = 3000,  /* variables whose part of the kernel is copied */
	PATIENCE = 20 /* steps for each variable, for a point */
};

#define FAR .2      /* of the worst violation, is near */
#define SHARE .8    /* of the gap, for those looked at */
#define EXACT 1e-13 /* of its terms, G is rounding */

/* Variables of a form, alpha, scores and gradients. */
struct view {
	const struct kith_smo_form *form; /* hi: C */
	const size_t *live;
	size_t count;
	double *x, *s, *g;
	struct kith_ranked *ranked;
	double b, dual, own;
};

/*
 * b for which G is least, where every b from lo to hi is wrong for some: dG / db
 * = sum_v e_v (g_v > 0 ? x_v : x_v - C_v) grows by C_v where g_v is 0.
 */
static double
least_bias(struct view *at, double lo, double hi)
{
	const struct kith_smo_form *form = at->form;
	double slope = 0;
	size_t n = 0;

	for (size_t c = 0; c < at->count; c++) {
		const size_t v = at->live[c];
		const double e = form->sign[v], b = -e * at->g[v];

		slope += e *
		    (e * (lo - b) > 0 ? at->x[v] : at->x[v] - form->hi[v]);
		if (b > lo && b <= hi)
			at->ranked[n++] = (struct kith_ranked){-b, v};
	}
	kith_sort_ranked(at->ranked, n);
	for (size_t c = 0; c < n; c++) {
		slope += form->hi[at->ranked[c].of];
		if (slope >= 0)
			return -at->ranked[c].by;
	}
	return hi;
}

/* b: the middle of where it may be, or the best if it may be nowhere. */
static double
bias(struct view *at)
{
	const struct kith_smo_form *form = at->form;
	double lo = -INFINITY, hi = INFINITY;

	if (!form->bias)
		return 0;
	for (size_t c = 0; c < at->count; c++) {
		const size_t v = at->live[c];
		const double e = form->sign[v], b = -e * at->g[v];
		const bool grows = at->x[v]<form->hi[v], falls = at->x[v]> 0;

		if ((e > 0 ? grows : falls) && b > lo)
			lo = b;
		if ((e > 0 ? falls : grows) && b < hi)
			hi = b;
	}
	if (isinf(lo) || isinf(hi))
		return isinf(lo) ? (isinf(hi) ? 0 : hi) : lo;
	return lo > hi ? least_bias(at, hi, lo) : lo + (hi - lo) / 2;
}

static double
gap_of(const size_t *live, size_t count, const double *x, const double *C,
    const double *g)
{
	double sum = 0;

	for (size_t c = 0; c < count; c++) {
		const size_t v = live[c];

		sum += g[v] * (g[v] > 0 ? x[v] : x[v] - C[v]);
	}
	return sum;
}

/* Step 1. */
static void
judge(struct view *at)
{
	const struct kith_smo_form *form = at->form;
	double terms = 0;

	at->dual = 0;
	for (size_t c = 0; c < at->count; c++) {
		const size_t v = at->live[c];

		at->g[v] = kith_smo_gradient(form, at->s, at->x, v);
		/* D = - x' (Q x) / 2 - q' x, Q x = g - q */
		at->dual -= at->x[v] * (at->g[v] + form->q[v]) / 2;
		terms += form->hi[v] * fabs(form->q[v]);
	}
	at->b = bias(at);
	for (size_t c = 0; c < at->count && form->bias; c++)
		at->g[at->live[c]] += form->sign[at->live[c]] * at->b;
	at->own = gap_of(at->live, at->count, at->x, form->hi, at->g);
	if (at->own <= EXACT * terms)
		at->own = 0;
}

/* Step 2; their number. */
static size_t
choose_near(struct kith_wsvm_points *at, const struct kith_wsvm_point *p)
{
	double worst = 0;
	size_t n = 0;

	for (size_t c = 0; c < at->n_live; c++) {
		const size_t v = at->live[c];
		const double below = p->x[v] < p->C[v] ? -p->g[v] : 0;
		const double above = p->x[v] > 0 ? p->g[v] : 0;
		const double own = below > above ? below : above;

		worst = own > worst ? own : worst;
	}
	worst *= FAR;
	for (size_t c = 0; c < at->n_live; c++) {
		const size_t v = at->live[c];
		const double x = p->x[v], g = p->g[v];

		if ((x < p->C[v] && g < worst) || (x > 0 && g > -worst))
			at->near[n++] = v;
	}
	return n;
}

/* phi_v' phi_w without the signs, for the first n of those held. */
static void
copy_kernel(const struct kith_wsvm_points *at, size_t v, size_t n, double *to)
{
	const size_t *plus = at->form.plus, *minus = at->form.minus;
	const size_t *held = at->part.held;
	const double *row = kith_krows_get(at->rows, plus[v]);

	for (size_t c = 0; c < n; c++)
		to[c] = row[plus[held[c]]];
	if (!minus)
		return;
	for (size_t c = 0; c < n; c++)
		to[c] -= row[minus[held[c]]];
	row = kith_krows_get(at->rows, minus[v]);
	for (size_t c = 0; c < n; c++)
		to[c] -= row[plus[held[c]]] - row[minus[held[c]]];
}

/* Hold v too; its kernels come later. */
static void
hold(struct kith_wsvm_points *at, size_t v)
{
	struct kith_wsvm_points_part *part = &at->part;
	const size_t n = part->n++;

	part->held[n] = v;
	part->is_held[v] = true;
	part->sign[n] = at->form.sign[v];
	part->q[n] = at->form.q[v];
	part->diagonal[n] = at->diagonal[v];
}

/* The kernels of those held from number `had` on: K is symmetric. */
static void
hold_kernels(struct kith_wsvm_points *at, size_t had)
{
	struct kith_wsvm_points_part *part = &at->part;
	const size_t n = part->n, ld = part->room;

	for (size_t c = had; c < n; c++)
		copy_kernel(at, part->held[c], n, part->K + c * ld);
	for (size_t c = 0; c < had; c++)
		for (size_t d = had; d < n; d++)
			part->K[c * ld + d] = part->K[d * ld + c];
}

/* Room for so many, of which none is held. */
static void
make_room(struct kith_wsvm_points *at, size_t n)
{
	struct kith_wsvm_points_part *part = &at->part;
	uintptr_t odd;

	/* An odd multiple of 8: rows share no sets of the cache. */
	part->room = n / 16 * 16 + 24;
	part->block = kith_grow(at->pool, part->block,
	    part->room * part->room + 8, sizeof(*part->block));
	odd = (uintptr_t)part->block / sizeof(double) % 8;
	part->K = part->block + (odd ? 8 - odd : 0);
}

/* Hold the n variables near, and not too many others. */
static void
hold_near(struct kith_wsvm_points *at, size_t n)
{
	struct kith_wsvm_points_part *part = &at->part;
	size_t all = part->n, had;

	for (size_t c = 0; c < n; c++)
		all += !part->is_held[at->near[c]];
	part->usual = n > part->usual * 3 / 4 ? n : part->usual * 3 / 4;
	if (all > 2 * part->usual + STEPS || all > part->room) {
		memset(part->is_held, 0, at->N * sizeof(*part->is_held));
		part->n = 0;
		all = n;
	}
	if (all > part->room)
		make_room(at, all + all / 2);
	had = part->n;
	for (size_t c = 0; c < n; c++)
		if (!part->is_held[at->near[c]])
			hold(at, at->near[c]);
	hold_kernels(at, had);
}

/* Those held as a problem of their own, from alpha and scores of a point. */
static void
begin_part(struct kith_wsvm_points *at, const struct kith_wsvm_point *p,
    struct kith_smo_form *form, struct kith_pool *pool)
{
	struct kith_wsvm_points_part *part = &at->part;

	for (size_t c = 0; c < part->n; c++) {
		const size_t v = part->held[c];

		part->hi[c] = p->C[v];
		part->x[c] = p->x[v];
		part->s[c] = part->sign[c] * kith_smo_score(&at->form, p->s, v);
	}
	*form = at->form;
	form->rows = kith_krows_of(part->K, part->n, part->room, pool);
	form->n = form->N = part->n;
	form->plus = part->own;
	form->minus = NULL;
	form->sign = part->sign;
	form->q = part->q;
	form->hi = part->hi;
	form->diagonal = part->diagonal;
}

/*
 * At most STEPS steps of smo; fewer where these end it.  What is left of alpha
 * beside a bound by rounding alone would end it too soon.
 */
static size_t
some_steps(const struct kith_smo_form *form, const size_t *live, size_t count,
    double *x, double *s)
{
	size_t steps = 0, more;

	do {
		steps += kith_smo(form, live, count, 0, STEPS - steps, x, s);
		more = 0;
		for (size_t c = 0; c < count; c++)
			more += kith_wsvm_points_put(form, live[c], x, s);
	} while (more > 0 && steps < STEPS);
	return steps;
}

/* Step 3; the steps of smo, 0 where nothing could be done. */
static size_t
improve(struct kith_wsvm_points *at, struct kith_wsvm_point *p, size_t n,
    double gap, double dual)
{
	struct kith_wsvm_points_part *part = &at->part;
	struct kith_pool tmp = {0};
	struct kith_smo_form form;
	struct view view = {&form, part->own, 0, part->x, part->s, part->g,
	    at->ranked, 0, 0, 0};
	size_t steps = 0, done;

	hold_near(at, n);
	begin_part(at, p, &form, &tmp);
	view.count = part->n;
	judge(&view);
	dual -= view.dual; /* of the others */
	do {
		done = some_steps(&form, part->own, part->n, part->x, part->s);
		steps += done;
		judge(&view);
	} while (done == STEPS && steps < PATIENCE * n &&
	    view.own > SHARE * gap * (dual + view.dual));
	for (size_t c = 0; c < part->n; c++) {
		const size_t v = part->held[c];

		if (part->x[c] != p->x[v])
			kith_wsvm_points_add(
			    &at->form, v, part->x[c] - p->x[v], p->s);
		p->x[v] = part->x[c];
	}
	kith_pool_free(&tmp);
	return steps;
}

/* Where smo is slow: the exact solution (wsvm/wsvm.h). */
static void
solve_exactly(struct kith_wsvm_points *at, struct kith_wsvm_point *p)
{
	struct kith_pool tmp = {0};
	struct kith_wsvm_problem problem = *at->problem;
	struct kith_wsvm_solution exact;

	problem.rows = at->rows;
	kith_wsvm_get(kith_wsvm_new(&problem, p->C, NULL, &tmp), &exact);
	memcpy(p->x, exact.alpha, at->N * sizeof(*p->x));
	memcpy(p->s, exact.f, at->n * sizeof(*p->s));
	kith_pool_free(&tmp);
}

void
kith_wsvm_point_solve(
    struct kith_wsvm_points *at, struct kith_wsvm_point *p, double gap)
{
	const size_t most = at->steps + PATIENCE * (at->n_live + STEPS);
	struct view all = {&at->form, at->live, at->n_live, p->x, p->s, p->g,
	    at->ranked, 0, 0, 0};
	size_t done = 1;

	at->form.hi = p->C;
	judge(&all);
	while (all.own > gap * all.dual && done > 0 && at->steps < most) {
		const size_t n = choose_near(at, p);

		done = n <= MOST
		    ? improve(at, p, n, gap, all.dual)
		    : some_steps(&at->form, at->near, n, p->x, p->s);
		at->steps += done;
		judge(&all);
	}
	if (all.own > gap * all.dual) {
		solve_exactly(at, p);
		judge(&all);
	}
	at->solved++;
	p->b = all.b;
	p->dual = all.dual;
	p->own = all.own;
}

double
kith_wsvm_point_gap(const struct kith_wsvm_points *at,
    const struct kith_wsvm_point *p, const double *g)
{
	return gap_of(at->live, at->n_live, p->x, p->C, g);
}
