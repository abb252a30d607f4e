/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kith_wsvm_point_solve() repeats
 *
 *  1. judge(): g, b, D and G of alpha; the end if G is small enough.
 *  2. choose_near(): the variables of a wrong gradient, those between their
 *     bounds, and those whose gradient is not far from 0.
 *  3. improve(): smo on these alone, whose part of the kernel is copied
 *     together as far as it is needed, until their G is small enough; then the
 *     scores of all follow.
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
	struct kith_wsvm_kink *kink;
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
		const double C = form->hi[v];

		slope += e * (e * (lo - b) > 0 ? at->x[v] : at->x[v] - C);
		at->kink[n] = (struct kith_wsvm_kink){b, C};
		n += b > lo && b <= hi;
	}
	return kith_wsvm_kink_least(at->kink, n, slope, hi);
}

/*
 * b, where it may be from lo to hi: the middle, or the best if it may be
 * nowhere.
 */
static double
bias(struct view *at, double lo, double hi)
{
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

/* Step 1 without b: g and D; *lo and *hi: where b may be. */
static double
judge_rest(struct view *at, double *lo, double *hi)
{
	const struct kith_smo_form *form = at->form;
	double terms = 0;

	at->dual = 0;
	*lo = -INFINITY;
	*hi = INFINITY;
	for (size_t c = 0; c < at->count; c++) {
		const size_t v = at->live[c];
		const double x = at->x[v], C = form->hi[v], e = form->sign[v];
		const double g = kith_smo_gradient(form, at->s, at->x, v);
		const bool grows = x < C, falls = x > 0, up = e > 0;
		const double least = (up ? grows : falls) ? -e * g : -INFINITY;
		const double most = (up ? falls : grows) ? -e * g : INFINITY;

		at->g[v] = g;
		/* D = - x' (Q x) / 2 - q' x, Q x = g - q */
		at->dual -= x * (g + form->q[v]) / 2;
		terms += C * fabs(form->q[v]);
		*lo = least > *lo ? least : *lo;
		*hi = most < *hi ? most : *hi;
	}
	return terms;
}

/* Step 1. */
static void
judge(struct view *at)
{
	const struct kith_smo_form *form = at->form;
	double lo, hi;
	const double terms = judge_rest(at, &lo, &hi);

	at->b = form->bias ? bias(at, lo, hi) : 0;
	at->own = 0;
	for (size_t c = 0; c < at->count; c++) {
		const size_t v = at->live[c];
		const double g = at->g[v] + form->sign[v] * at->b, x = at->x[v];

		at->g[v] = g;
		at->own += g * (g > 0 ? x : x - form->hi[v]);
	}
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

/* Room for the kernels of n variables; the length of a row. */
static size_t
make_room(struct kith_wsvm_points *at, size_t n)
{
	struct kith_wsvm_points_part *part = &at->part;
	/* An odd multiple of 8: rows share no sets of the cache. */
	const size_t ld = n / 16 * 16 + 24;
	uintptr_t odd;

	if (n * ld > part->room) {
		part->room = n * ld + n * ld / 4;
		part->block = kith_grow(at->pool, part->block, part->room + 8,
		    sizeof(*part->block));
		odd = (uintptr_t)part->block / sizeof(double) % 8;
		part->K = part->block + (odd ? 8 - odd : 0);
	}
	return ld;
}

/* The n variables near as a problem of their own. */
static void
begin_part(struct kith_wsvm_points *at, const struct kith_wsvm_point *p,
    size_t n, struct kith_smo_form *form, struct kith_pool *pool)
{
	struct kith_wsvm_points_part *part = &at->part;
	const struct kith_smo_form *all = &at->form;
	const size_t ld = make_room(at, n);

	for (size_t c = 0; c < n; c++) {
		const size_t v = at->near[c];

		part->plus[c] = all->plus[v];
		if (all->minus)
			part->minus[c] = all->minus[v];
		part->sign[c] = all->sign[v];
		part->q[c] = all->q[v];
		part->diagonal[c] = all->diagonal[v];
		part->hi[c] = p->C[v];
		part->x[c] = p->x[v];
		part->s[c] = part->sign[c] * kith_smo_score(all, p->s, v);
	}
	*form = *all;
	form->rows = kith_krows_part(at->rows, part->plus,
	    all->minus ? part->minus : NULL, n, part->K, ld, pool);
	form->n = form->N = n;
	form->plus = part->own;
	form->minus = NULL;
	form->sign = part->sign;
	form->q = part->q;
	form->hi = part->hi;
	form->diagonal = part->diagonal;
}

/* alpha of the n variables near, and the scores of all rows. */
static void
end_part(struct kith_wsvm_points *at, struct kith_wsvm_point *p, size_t n)
{
	const struct kith_smo_form *form = &at->form;
	size_t m = 0;

	for (size_t c = 0; c < n; c++) {
		const size_t v = at->near[c];
		const double by = form->sign[v] * (at->part.x[c] - p->x[v]);

		p->x[v] = at->part.x[c];
		if (by == 0)
			continue;
		at->moved[m] = form->plus[v];
		at->by[m++] = by;
		if (form->minus) {
			at->moved[m] = form->minus[v];
			at->by[m++] = -by;
		}
	}
	kith_krows_sum(at->rows, at->moved, at->by, m, p->s);
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
	struct view view = {&form, part->own, n, part->x, part->s, part->g,
	    at->kink, 0, 0, 0};
	size_t steps = 0, done;

	begin_part(at, p, n, &form, &tmp);
	judge(&view);
	dual -= view.dual; /* of the others */
	do {
		done = some_steps(&form, part->own, n, part->x, part->s);
		steps += done;
		judge(&view);
	} while (done == STEPS && steps < PATIENCE * n &&
	    view.own > SHARE * gap * (dual + view.dual));
	end_part(at, p, n);
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
	    at->kink, 0, 0, 0};
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
