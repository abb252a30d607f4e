#include "wsvm/polish.h"

#include "base/pool.h"
#include "wsvm/krows.h"
#include "wsvm/margin.h"
#include "wsvm/smo.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	PATIENCE = 30, /* steps that lead nowhere */
	MOST = 200     /* steps for one tol, beside four for each variable */
};

#define NONE SIZE_MAX

struct kith_wsvm_polish {
	double *c, *p; /* N */
	bool *skip;    /* N: dependent on M, and free to move */
	size_t still;  /* steps that led nowhere, one after the other */
	size_t steps;  /* since tol is what it is */
	bool first;    /* take the first violation, not the largest */
};

struct kith_wsvm_polish *
kith_wsvm_polish_new(const struct kith_smo_form *form, struct kith_pool *pool)
{
	struct kith_wsvm_polish *room = kith_new(pool, 1, sizeof(*room));

	room->c = kith_new(pool, form->N, sizeof(*room->c));
	room->p = kith_new(pool, form->N, sizeof(*room->p));
	room->skip = kith_new(pool, form->N, sizeof(*room->skip));
	return room;
}

/* How far x_v may go in direction p, in units of it. */
static double
reach(const struct kith_wsvm_polish_job *job, size_t v, double p)
{
	const double x = job->x[v];
	double t = INFINITY;

	if (p < 0)
		t = (job->form->lo[v] - x) / p;
	if (p > 0)
		t = (job->form->hi[v] - x) / p;
	return t > 0 ? t : 0;
}

/* The first of M to reach a bound before t; of equal ones, the least. */
static size_t
first_stop(const struct kith_wsvm_polish_job *job, const double *p, double *t)
{
	const size_t *list = kith_wsvm_margin_list(job->margin);
	size_t stop = NONE;

	for (size_t i = 0; i < kith_wsvm_margin_size(job->margin); i++) {
		const double own = p[i] == 0 ? INFINITY
					     : reach(job, list[i], p[i]);

		if (own < *t || (own == *t && stop != NONE && list[i] < stop)) {
			*t = own;
			stop = list[i];
		}
	}
	return stop;
}

/* Go t along p; the variable that stops there leaves. */
static void
go(struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job, double *p,
    double t, size_t stop, double towards)
{
	const size_t *list = kith_wsvm_margin_list(job->margin);
	const size_t m = kith_wsvm_margin_size(job->margin);
	double most = 0, size = 0;

	for (size_t i = 0; i < m; i++) {
		p[i] *= t;
		job->x[list[i]] += p[i];
		job->off -= job->form->sign[list[i]] * p[i];
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
		room->still = 0;
		room->first = false;
	} else
		room->still++;
}

/* Towards the minimum over M; whether it was reached. */
static bool
descend(struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job)
{
	const size_t *list = kith_wsvm_margin_list(job->margin);
	const size_t m = kith_wsvm_margin_size(job->margin);
	double t = 1, towards = 0;
	size_t stop;

	if (m == 0)
		return true;
	for (size_t i = 0; i < m; i++)
		room->c[i] = -kith_smo_slope(
		    job->form, job->s, job->x, list[i]);
	kith_wsvm_margin_solve(
	    job->margin, 1, room->c, &job->off, room->p, &job->b);
	stop = first_stop(job, room->p, &t);
	if (stop != NONE)
		towards = room->p[kith_wsvm_margin_place(job->margin, stop)];
	go(room, job, room->p, t, stop, towards);
	return stop == NONE;
}

/* How much v, which is not in M, violates its condition. */
static double
violation(const struct kith_wsvm_polish *room,
    const struct kith_wsvm_polish_job *job, size_t v)
{
	const struct kith_smo_form *form = job->form;
	double g;

	if (kith_wsvm_margin_place(job->margin, v) != KITH_WSVM_NOT ||
	    room->skip[v] || form->lo[v] == form->hi[v])
		return 0;
	g = kith_smo_slope(form, job->s, job->x, v);
	if (form->bias)
		g += form->sign[v] * job->b;
	return job->x[v] <= form->lo[v] ? -g : g;
}

/* The largest violation, or the first. */
static size_t
find(
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
 * and the least of those where it can shrink.  The two where that is not so.
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
		const double b = -e * kith_smo_slope(form, job->s, job->x, v);

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
	return lo > hi + job->tol;
}

/*
 * v depends on M: all move along with it, and no score changes, until one
 * reaches a bound.  Whether that was v.
 */
static bool
slide(struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job, size_t v,
    double way)
{
	const struct kith_smo_form *form = job->form;
	double t = reach(job, v, way), towards = 0, *p = room->p;
	size_t stop;

	kith_wsvm_margin_null(job->margin, v, p);
	for (size_t i = 0; i < kith_wsvm_margin_size(job->margin); i++)
		p[i] *= way;
	stop = first_stop(job, p, &t);
	if (isinf(t)) {
		room->skip[v] = true;
		return true;
	}
	if (stop != NONE)
		towards = p[kith_wsvm_margin_place(job->margin, stop)];
	job->off -= form->sign[v] * way * t;
	for (int side = 0; side < (form->minus ? 2 : 1); side++) {
		const size_t i = side ? form->minus[v] : form->plus[v];
		const double a = form->sign[v] * way * t * (side ? -1 : 1);

		kith_krows_add(form->rows, i, a, 0, job->s, NULL);
	}
	go(room, job, p, t, stop, towards);
	if (stop == NONE)
		job->x[v] = way > 0 ? form->hi[v] : form->lo[v];
	else
		job->x[v] += way * t;
	return stop == NONE;
}

static void
enter(struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job, size_t v,
    double way)
{
	while (!kith_wsvm_margin_enter(job->margin, v))
		if (slide(room, job, v, way))
			return;
}

/* The same, away from the bound that v is on. */
static void
leave_bound(
    struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job, size_t v)
{
	enter(room, job, v, job->x[v] <= job->form->lo[v] ? 1 : -1);
}

/*
 * The worst enters, and along with it those that violate at least half as much,
 * as long as steps lead somewhere: copies of rows would take a step each.
 */
static void
leave_bounds(struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job,
    size_t worst)
{
	const double least = violation(room, job, worst) / 2;

	leave_bound(room, job, worst);
	for (size_t c = 0; job->along && c < job->count && room->still == 0;
	     c++)
		if (violation(room, job, job->live[c]) > least)
			leave_bound(room, job, job->live[c]);
}

void
kith_wsvm_polish_begin(
    struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job)
{
	for (size_t c = 0; c < job->count; c++) {
		const size_t v = job->live[c];
		const double below = job->x[v] - job->form->lo[v];
		const double above = job->form->hi[v] - job->x[v];

		if (below > 0 && above > 0)
			enter(room, job, v, below < above ? -1 : 1);
	}
}

/*
 * Steps that lead nowhere, or in circles: the order of the choices decides
 * then, and at last rounding does.
 */
static void
watch(struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job)
{
	if (room->still > PATIENCE)
		room->first = true;
	if (room->still <= PATIENCE + 4 * job->count &&
	    ++room->steps <= MOST + 4 * job->count)
		return;
	job->tol *= 10;
	room->still = room->steps = 0;
	room->first = false;
}

size_t
kith_wsvm_polish(
    struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job)
{
	size_t steps = 0;

	for (size_t c = 0; c < job->count; c++)
		room->skip[job->live[c]] = false;
	room->still = room->steps = 0;
	room->first = false;
	for (;; steps++) {
		watch(room, job);
		if (!descend(room, job))
			continue;
		if (kith_wsvm_margin_size(job->margin) == 0 &&
		    job->form->bias) {
			size_t pair[2];

			if (!find_pair(job, pair))
				return steps;
			leave_bound(room, job, pair[0]);
			leave_bound(room, job, pair[1]);
		} else {
			const size_t v = find(room, job);

			if (v == NONE)
				return steps;
			leave_bounds(room, job, v);
		}
	}
}
