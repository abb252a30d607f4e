/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *  1. A point is solved at theta = 0, to G <= INNER gap D (wsvm/point_solve.h).
 *  2. next_point(): another one ahead, begun where the straight line through the
 *     last two leads.
 *  3. ratio(): the least Y for which the bounds of wsvm/approx.h show G <= Y D
 *     between two points.
 *  4. Where Y > gap, a point between both is solved, from the straight line
 *     between them; the farther one waits in a stack.
 *  5. The step to the next point is chosen so that Y, which grows as its
 *     square, should come out a little below the gap.
 */
#include "wsvm/approx.h"

#include "base/pool.h"
#include "la/mat.h"
#include "wsvm/gap.h"
#include "wsvm/krows.h"
#include "wsvm/point_solve.h"

#include <math.h>

enum { WAITING = 40 }; /* points in the stack: then more do not help */

#define INNER .5   /* of the gap, for a point */
#define AIM .9     /* of the gap, for a piece */
#define FIRST .3   /* of the weights, the first step */
#define LEAST 1e-3 /* of theta, the first step from weights 0 */
#define NO 1e-12   /* of theta, is no step */

struct kith_wsvm_approx {
	const double *from, *to;
	double gap;
	size_t n, N;
	struct kith_wsvm_points *points;
	const struct kith_wsvm_point *start; /* or NULL */
	/* The last two points, and those that wait, the nearest on top. */
	struct kith_wsvm_point *last, *now, *waiting[WAITING];
	size_t n_waiting;
	double step; /* of theta, to the next point */
	double *f0, *f1, *alpha0, *alpha1;
	double worst; /* the largest Y */
};

struct kith_wsvm_approx *
kith_wsvm_approx_new(const struct kith_wsvm_problem *problem,
    const double *from, const double *to, double gap,
    const struct kith_wsvm_point *start, struct kith_pool *pool)
{
	struct kith_wsvm_approx *path = kith_new(pool, 1, sizeof(*path));

	*path = (struct kith_wsvm_approx){.from = from,
	    .to = to,
	    .gap = gap,
	    .start = start,
	    .n = problem->X->n,
	    .N = problem->variables};
	KITH_NEW_REALS(pool, path->N, 1, &path->alpha0, &path->alpha1);
	KITH_NEW_REALS(pool, path->n, 1, &path->f0, &path->f1);
	path->points = kith_wsvm_points_new(problem, from, to, pool);
	return path;
}

static struct kith_wsvm_point *
solved(struct kith_wsvm_approx *path, struct kith_wsvm_point *p)
{
	kith_wsvm_point_solve(path->points, p, INNER * path->gap);
	return p;
}

/* Step 1; the first step. */
static void
begin(struct kith_wsvm_approx *path)
{
	double sum = 0, change = 0;

	path->now = solved(
	    path, kith_wsvm_points_first(path->points, 0, path->start));
	for (size_t v = 0; v < path->N; v++) {
		sum += path->from[v];
		change += fabs(path->to[v] - path->from[v]);
	}
	path->step = change > 0 ? FIRST * sum / change : 1;
	if (!(path->step > LEAST))
		path->step = LEAST;
}

/* Step 2. */
static struct kith_wsvm_point *
next_point(struct kith_wsvm_approx *path)
{
	const double now = path->now->theta;
	const double theta = now + 1.25 * path->step < 1 ? now + path->step : 1;

	return solved(path,
	    path->last
		? kith_wsvm_points_between(
		      path->points, theta, path->last, path->now)
		: kith_wsvm_points_scaled(path->points, theta, path->now));
}

/* Whether the bounds show G <= Y D between two points; both: G_01. */
static bool
enough(const struct kith_wsvm_point *a, const struct kith_wsvm_point *b,
    double both, double Y)
{
	const double p = Y * a->dual - a->own, q = Y * b->dual - b->own;
	const double r = Y * (a->dual + b->dual) - both;

	/* p (1 - t)^2 + q t^2 + r t (1 - t) >= 0 for t from 0 to 1 */
	return p >= 0 && q >= 0 && r >= -2 * sqrt(p) * sqrt(q);
}

/* Step 3, to a hundredth above; infinite where there is none. */
static double
ratio(const struct kith_wsvm_approx *path, const struct kith_wsvm_point *a,
    const struct kith_wsvm_point *b)
{
	const double both = kith_wsvm_gap_of(path->N, a->x, a->C, b->g) +
	    kith_wsvm_gap_of(path->N, b->x, b->C, a->g);
	double lo = 1e-16, hi = lo;

	while (!enough(a, b, both, hi)) {
		if (hi > 1e16)
			return INFINITY;
		lo = hi;
		hi *= 100;
	}
	while (hi > 1.01 * lo) {
		const double Y = sqrt(lo * hi);

		if (enough(a, b, both, Y))
			hi = Y;
		else
			lo = Y;
	}
	return hi;
}

/* Where nothing weighs b is free, and that of the point beside is best. */
static void
free_bias(
    const struct kith_wsvm_approx *path, struct kith_wsvm_point *p, double b)
{
	const struct kith_smo_form *form = &path->points->form;
	const double by = b - p->b;

	for (size_t v = 0; v < path->N; v++)
		if (p->C[v] > 0)
			return;
	for (size_t v = 0; v < path->N && form->bias; v++)
		p->g[v] += form->sign[v] * by;
	p->b = b;
}

/* Whether rounding kept a point itself from the gap. */
static bool
off(const struct kith_wsvm_approx *path, const struct kith_wsvm_point *p)
{
	return p->own > path->gap * p->dual;
}

/* Steps 3 and 4: the end of the next piece, and its Y. */
static struct kith_wsvm_point *
end_of_piece(struct kith_wsvm_approx *path, double *Y)
{
	struct kith_wsvm_point *now = path->now;
	struct kith_wsvm_point *end = path->n_waiting
	    ? path->waiting[--path->n_waiting]
	    : next_point(path);

	for (;;) {
		const double step = end->theta - now->theta;
		double by;

		free_bias(path, now, end->b);
		free_bias(path, end, now->b);
		*Y = ratio(path, now, end);
		if (*Y <= path->gap || path->n_waiting == WAITING ||
		    !(step > NO) || off(path, now) || off(path, end))
			return end;
		by = sqrt(AIM * path->gap / *Y);
		by = by < .1 ? .1 : by > .7 ? .7 : by;
		path->waiting[path->n_waiting++] = end;
		end = solved(path,
		    kith_wsvm_points_between(
			path->points, now->theta + by * step, now, end));
	}
}

/* Step 5. */
static void
choose_step(struct kith_wsvm_approx *path, double step, double Y)
{
	const double by = sqrt(AIM * path->gap / Y);

	if (Y <= path->gap) /* else smaller ones do not help */
		path->step = step * (by < .5 ? .5 : by > 3 ? 3 : by);
}

const struct kith_wsvm_point *
kith_wsvm_approx_first(struct kith_wsvm_approx *path)
{
	if (!path->now)
		begin(path);
	return path->now;
}

/* The straight line from a to b. */
static void
give(struct kith_wsvm_approx *path, const struct kith_wsvm_point *a,
    const struct kith_wsvm_point *b, struct kith_wsvm_piece *piece)
{
	const double step = b->theta - a->theta;

	for (size_t v = 0; v < path->N; v++) {
		path->alpha1[v] = (b->x[v] - a->x[v]) / step;
		path->alpha0[v] = a->x[v] - a->theta * path->alpha1[v];
	}
	for (size_t i = 0; i < path->n; i++) {
		path->f1[i] = (b->s[i] + b->b - a->s[i] - a->b) / step;
		path->f0[i] = a->s[i] + a->b - a->theta * path->f1[i];
	}
	*piece = (struct kith_wsvm_piece){.from = a->theta,
	    .to = b->theta,
	    .b1 = (b->b - a->b) / step,
	    .f0 = path->f0,
	    .f1 = path->f1,
	    .alpha0 = path->alpha0,
	    .alpha1 = path->alpha1};
	piece->b0 = a->b - a->theta * piece->b1;
}

bool
kith_wsvm_approx_next(
    struct kith_wsvm_approx *path, struct kith_wsvm_piece *piece)
{
	struct kith_wsvm_point *a, *b;
	double Y;

	kith_wsvm_approx_first(path);
	a = path->now;
	if (a->theta >= 1)
		return false;
	b = end_of_piece(path, &Y);
	path->worst = fmax(path->worst, Y);
	choose_step(path, b->theta - a->theta, Y);
	give(path, a, b, piece);
	if (path->last)
		kith_wsvm_points_drop(path->points, path->last);
	path->last = a;
	path->now = b;
	return true;
}

void
kith_wsvm_approx_count(
    const struct kith_wsvm_approx *path, struct kith_wsvm_count *count)
{
	*count = (struct kith_wsvm_count){.points = path->points->solved,
	    .steps = path->points->steps,
	    .gap = path->worst,
	    .rows = kith_krows_computed(path->points->rows)};
}
