/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kith_wsvm_point_solve() repeats
 *
 *  1. wsvm/gap.h: g, b, D and G of alpha; the end if G is small enough.
 *  2. choose_near(): the variables of a wrong gradient, those between their
 *     bounds, and those whose gradient is not far from 0.
 *  3. improve(): smo on these alone, whose part of the kernel is copied
 *     together as far as it is needed, until their G is small enough; then the
 *     scores of all follow.
 */
#include "wsvm/point_solve.h"

#include "base/pool.h"
#include "wsvm/gap.h"
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

#define FAR .2   /* of the worst violation, is near */
#define SHARE .8 /* of the gap, for those looked at */

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
	struct kith_wsvm_gap view = {
	    &form, part->x, part->s, part->g, at->kink, 0, 0, 0};
	size_t steps = 0, done;

	begin_part(at, p, n, &form, &tmp);
	kith_wsvm_gap_judge(&view);
	dual -= view.dual; /* of the others */
	do {
		done = some_steps(&form, part->own, n, part->x, part->s);
		steps += done;
		kith_wsvm_gap_judge(&view);
	} while (done == STEPS && steps < PATIENCE * n &&
	    view.own > SHARE * gap * (dual + view.dual));
	kith_wsvm_points_move(at, p, at->near, n, part->x);
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
	struct kith_wsvm_gap all = {
	    &at->form, p->x, p->s, p->g, at->kink, 0, 0, 0};
	size_t done = 1;

	at->form.hi = p->C;
	kith_wsvm_gap_judge(&all);
	while (all.own > gap * all.dual && done > 0 && at->steps < most) {
		const size_t n = choose_near(at, p);

		done = n <= MOST
		    ? improve(at, p, n, gap, all.dual)
		    : some_steps(&at->form, at->near, n, p->x, p->s);
		at->steps += done;
		kith_wsvm_gap_judge(&all);
	}
	if (all.own > gap * all.dual) {
		solve_exactly(at, p);
		kith_wsvm_gap_judge(&all);
	}
	at->solved++;
	p->b = all.b;
	p->dual = all.dual;
	p->own = all.own;
}
