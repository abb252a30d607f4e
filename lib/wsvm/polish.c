/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A step of the active-set method, with g = Q x + q + e b:
 *
 *  1. descend(): the minimum over M, where x_M + p solves
 *
 *	[ Q_MM  e_M ] [ p ]   [ -(Q x + q)_M ]
 *	[ e_M'   0  ] [ b ] = [   residual   ]
 *
 *  2. blocking(): the largest t <= 1 for which x_M + t p is within its bounds;
 *     the variable that is on its bound there, if any, leaves M; 1 again.
 *  3. worst_violation(): at the minimum, the variable whose g has the wrong
 *     sign by most enters M; where M is empty, two do (find_pair()).
 *  4. Where the one that enters depends on M, slide() moves all within the null
 *     space of Q, which changes no score.
 */
#include "wsvm/polish.h"

#include "base/pool.h"
#include "wsvm/krows.h"
#include "wsvm/krows_sum.h"
#include "wsvm/margin_cg.h"
#include "wsvm/margin_kkt.h"
#include "wsvm/margin_score.h"
#include "wsvm/margin_solve.h"
#include "wsvm/smo.h"

#include <math.h>
#include <stdint.h>

enum {
	PATIENCE = 30, /* null steps in a row, by the largest violation */
	MOST = 200     /* steps for one tol, and four for each variable */
};

#define NONE SIZE_MAX

#define LEFT .25 /* of a violation that counts as rounding, left in M */

struct kith_wsvm_polish {
	double *c, *p;     /* N */
	bool *dependent;   /* N: depends on M, and no bound is ahead */
	size_t null_steps; /* steps of no length, in a row */
	size_t steps;      /* since tol is what it is */
	bool first;        /* the first violation enters, not the largest */
};

struct kith_wsvm_polish *
kith_wsvm_polish_new(const struct kith_smo_form *form, struct kith_pool *pool)
{
	struct kith_wsvm_polish *room = kith_new(pool, 1, sizeof(*room));

	KITH_NEW_REALS(pool, form->N, 1, &room->c, &room->p);
	room->dependent = kith_new(pool, form->N, sizeof(*room->dependent));
	return room;
}

/* The t >= 0 at which x_v + t p is on a bound. */
static double
bound_step(const struct kith_wsvm_polish_job *job, size_t v, double p)
{
	const double x = job->x[v];
	double t = INFINITY;

	if (p < 0)
		t = (job->form->lo[v] - x) / p;
	if (p > 0)
		t = (job->form->hi[v] - x) / p;
	return t > 0 ? t : 0;
}

/*
 * The variable of M that is first on a bound along p, before t; of equal ones
 * the one of the least number.  Lowers t to that step.
 */
static size_t
blocking(const struct kith_wsvm_polish_job *job, const double *p, double *t)
{
	const size_t *list = job->margin->list;
	size_t stop = NONE;

	for (size_t i = 0; i < job->margin->size; i++) {
		const double own = p[i] == 0 ? INFINITY
					     : bound_step(job, list[i], p[i]);

		if (own < *t || (own == *t && stop != NONE && list[i] < stop)) {
			*t = own;
			stop = list[i];
		}
	}
	return stop;
}

/* x_M += t p; the blocking variable is put on its bound and leaves M. */
static void
step_along(struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job,
    double *p, double t, size_t stop, double towards)
{
	const size_t *list = job->margin->list;
	const size_t m = job->margin->size;
	double most = 0, size = 0;

	for (size_t i = 0; i < m; i++) {
		p[i] *= t;
		job->x[list[i]] += p[i];
		job->residual -= job->form->sign[list[i]] * p[i];
		most = fmax(most, fabs(p[i]));
		size = fmax(size, fabs(job->x[list[i]]));
	}
	kith_wsvm_margin_scores(job->margin, p, job->s);
	if (stop != NONE) {
		job->x[stop] = towards < 0 ? job->form->lo[stop]
					   : job->form->hi[stop];
		kith_wsvm_margin_leave(job->margin, stop);
	}
	if (most > 1e-14 * size) {
		room->null_steps = 0;
		room->first = false;
	} else
		room->null_steps++;
}

/* The least unit of M, where they have some. */
static double
least_unit(const struct kith_wsvm_polish_job *job)
{
	double least = INFINITY;

	for (size_t i = 0; i < job->margin->size && job->margin->cg; i++)
		least = fmin(least, job->unit[job->margin->list[i]]);
	return least;
}

/* Steps 1 and 2; whether the minimum over M was reached. */
static bool
descend(struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job)
{
	const size_t *list = job->margin->list;
	const size_t m = job->margin->size;
	double t = 1, towards = 0;
	size_t stop;

	if (m == 0)
		return true;
	for (size_t i = 0; i < m; i++)
		room->c[i] = -kith_smo_gradient(
		    job->form, job->s, job->x, list[i]);
	kith_wsvm_margin_solve(job->margin, room->c, job->residual,
	    LEFT * job->tol * least_unit(job), room->p, &job->b);
	stop = blocking(job, room->p, &t);
	if (stop != NONE)
		towards = room->p[job->margin->place[stop]];
	step_along(room, job, room->p, t, stop, towards);
	return stop == NONE;
}

/* By how much g_v, for v not in M, has the wrong sign, over its unit. */
static double
violation(const struct kith_wsvm_polish *room,
    const struct kith_wsvm_polish_job *job, size_t v)
{
	const struct kith_smo_form *form = job->form;
	double g;

	if (job->margin->place[v] != KITH_WSVM_NOT || room->dependent[v] ||
	    form->lo[v] == form->hi[v])
		return 0;
	g = kith_smo_gradient(form, job->s, job->x, v);
	if (form->bias)
		g += form->sign[v] * job->b;
	return (job->x[v] <= form->lo[v] ? -g : g) / job->unit[v];
}

/* The variable of the largest violation, or of the first; or NONE. */
static size_t
worst_violation(
    const struct kith_wsvm_polish *room, const struct kith_wsvm_polish_job *job)
{
	double worst = job->tol;
	size_t found = NONE;

	for (size_t c = 0; c < job->count; c++) {
		const size_t v = job->live[c];
		const double g = violation(room, job, v);

		if (g > worst) {
			worst = g;
			found = v;
			if (room->first)
				return v;
		}
	}
	return found;
}

/*
 * M empty: b lies between the largest -e_v g_v of those whose e_v x_v can grow
 * and the least of those where it can shrink.  True, and the two variables,
 * where these contradict each other.
 */
static bool
find_pair(struct kith_wsvm_polish_job *job, size_t pair[2])
{
	const struct kith_smo_form *form = job->form;
	double lo = -INFINITY, hi = INFINITY;

	pair[0] = pair[1] = NONE;
	for (size_t c = 0; c < job->count; c++) {
		const size_t v = job->live[c];
		const double e = form->sign[v], x = job->x[v];
		const double b = -e *
		    kith_smo_gradient(form, job->s, job->x, v);

		if ((e > 0 ? x < form->hi[v] : x > form->lo[v]) && b > lo) {
			lo = b;
			pair[0] = v;
		}
		if ((e > 0 ? x > form->lo[v] : x < form->hi[v]) && b < hi) {
			hi = b;
			pair[1] = v;
		}
	}
	job->b = isinf(lo) ? (isinf(hi) ? 0 : hi)
			   : (isinf(hi) ? lo : (lo + hi) / 2);
	return lo > hi &&
	    lo - hi > job->tol * fmax(job->unit[pair[0]], job->unit[pair[1]]);
}

/*
 * v depends on M: x_v += way t and x_M += way t z with Q_MM z = -Q_Mv, until
 * one of them is on a bound.  Whether v is.
 */
static bool
slide(struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job, size_t v,
    double way)
{
	const struct kith_smo_form *form = job->form;
	double t = bound_step(job, v, way), towards = 0, *p = room->p;
	size_t stop;

	kith_wsvm_margin_null(job->margin, v, p);
	for (size_t i = 0; i < job->margin->size; i++)
		p[i] *= way;
	stop = blocking(job, p, &t);
	if (isinf(t)) {
		room->dependent[v] = true;
		return true;
	}
	if (stop != NONE)
		towards = p[job->margin->place[stop]];
	job->residual -= form->sign[v] * way * t;
	for (int side = 0; side < (form->minus ? 2 : 1); side++) {
		const size_t i = side ? form->minus[v] : form->plus[v];
		const double a = form->sign[v] * way * t * (side ? -1 : 1);

		kith_krows_add(form->rows, i, a, 0, job->s, NULL);
	}
	step_along(room, job, p, t, stop, towards);
	if (stop == NONE)
		job->x[v] = way > 0 ? form->hi[v] : form->lo[v];
	else
		job->x[v] += way * t;
	return stop == NONE;
}

/* Let v enter M, or move it to its bound. */
static void
enter(struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job, size_t v,
    double way)
{
	while (!kith_wsvm_margin_enter(job->margin, v))
		if (slide(room, job, v, way))
			return;
}

/* Let v, which is on a bound, enter M. */
static void
leave_bound(
    struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job, size_t v)
{
	enter(room, job, v, job->x[v] <= job->form->lo[v] ? 1 : -1);
}

/*
 * The worst enters, and, unless there are null steps, those that violate at
 * least half as much: copies of rows would take a step each.
 */
static void
leave_bounds(struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job,
    size_t worst)
{
	const double least = violation(room, job, worst) / 2;

	leave_bound(room, job, worst);
	for (size_t c = 0;
	     job->batch && c < job->count && room->null_steps == 0; c++)
		if (violation(room, job, job->live[c]) > least)
			leave_bound(room, job, job->live[c]);
}

void
kith_wsvm_polish_begin(
    struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job)
{
	const double *lo = job->form->lo, *hi = job->form->hi;
	struct kith_pool tmp = {0};
	size_t *between = kith_new(&tmp, job->count, sizeof(*between));
	size_t n = 0, i = 0;

	for (size_t c = 0; c < job->count; c++) {
		const size_t v = job->live[c];

		if (job->x[v] > lo[v] && job->x[v] < hi[v])
			between[n++] = v;
	}
	if (job->start && kith_wsvm_margin_cg_begin(job->margin, between, n))
		i = n;
	while (i < n &&
	    (i += kith_wsvm_margin_enter_all(job->margin, between + i, n - i)) <
		n) {
		const size_t v = between[i++];
		const double below = job->x[v] - lo[v];

		enter(room, job, v, below < hi[v] - job->x[v] ? -1 : 1);
	}
	kith_pool_free(&tmp);
}

/*
 * Against cycles: after many null steps the first violation enters, by number,
 * as in Bland's rule; where these do not end either, tol grows.
 */
static void
guard(struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job)
{
	if (room->null_steps > PATIENCE)
		room->first = true;
	if (room->null_steps <= PATIENCE + 4 * job->count &&
	    ++room->steps <= MOST + 4 * job->count)
		return;
	job->tol *= 10;
	room->null_steps = room->steps = 0;
	room->first = false;
}

size_t
kith_wsvm_polish(
    struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job)
{
	size_t steps = 0;

	for (size_t c = 0; c < job->count; c++)
		room->dependent[job->live[c]] = false;
	room->null_steps = room->steps = 0;
	room->first = false;
	for (;; steps++) {
		guard(room, job);
		if (!descend(room, job))
			continue;
		if (job->margin->size == 0 && job->form->bias) {
			size_t pair[2];

			if (!find_pair(job, pair))
				return steps;
			leave_bound(room, job, pair[0]);
			leave_bound(room, job, pair[1]);
		} else {
			const size_t v = worst_violation(room, job);

			if (v == NONE)
				return steps;
			leave_bounds(room, job, v);
		}
	}
}
