#include "base/pool.h"
#include "wsvm/krows.h"
#include "wsvm/margin.h"
#include "wsvm/polish.h"
#include "wsvm/state.h"

#include <math.h>
#include <string.h>

/*
 * The rates of alpha and b behind theta solve a box form of their own: those
 * in move with their weight, M freely, and the weak between the ways that are
 * open to them; the slopes' rates are to have the signs that keep eq. (6).
 */

enum { MANY = 64 }; /* weak variables that are worth smo */

#define ROUGH 1e-3 /* where smo stops */

/* Where a variable of M goes that has reached a bound. */
static enum kith_wsvm_where
nearest(const struct kith_wsvm *s, size_t v)
{
	const double alpha = s->A0[v] + s->theta * s->A1[v];

	return alpha > kith_wsvm_weight(s, v) / 2 ? KITH_WSVM_IN
						  : KITH_WSVM_OUT;
}

/* The one weak variable moves, and others are there to make up for it. */
static bool
turn_one(struct kith_wsvm *s)
{
	const size_t v = s->W[0], m = kith_wsvm_margin_size(s->margin);
	const bool leaves = s->where[v] == KITH_WSVM_MARGIN;

	if (s->weak != 1 || (s->form.bias && m - leaves == 0) ||
	    !(kith_wsvm_weight(s, v) > 0))
		return false;
	return kith_wsvm_put(s, v, leaves ? nearest(s, v) : KITH_WSVM_MARGIN);
}

/* The ways open to W, from where it is, and M. */
static void
set_ways(struct kith_wsvm *s)
{
	for (size_t c = 0; c < s->weak; c++) {
		const size_t v = s->W[c];
		const bool in = s->where[v] == KITH_WSVM_IN;

		s->lo[v] = in ? -INFINITY : 0;
		s->hi[v] = in ? s->d[v] : INFINITY;
		if (!(kith_wsvm_weight(s, v) > 0)) {
			s->lo[v] = 0;
			s->hi[v] = s->d[v];
		}
		s->x[v] = in ? s->d[v] : 0;
	}
	for (size_t m = 0; m < kith_wsvm_margin_size(s->margin); m++) {
		const size_t v = kith_wsvm_margin_list(s->margin)[m];

		s->lo[v] = -INFINITY;
		s->hi[v] = INFINITY;
		s->x[v] = 0;
	}
}

/* What those in lack. */
static double
lack(const struct kith_wsvm *s, double *few)
{
	double off = 0, sum = 0;

	for (size_t v = 0; v < s->N; v++)
		if (s->where[v] == KITH_WSVM_IN) {
			off -= s->form.sign[v] * s->d[v];
			sum += fabs(s->d[v]);
		}
	*few = 1e-12 * sum;
	return off;
}

/*
 * M is empty: let W take up what e' x lacks, the first as much as they can; at
 * most one is left between its bounds, and becomes M.
 */
static void
fill(struct kith_wsvm *s, double off, double few)
{
	size_t last = SIZE_MAX;

	for (size_t c = 0; c < s->weak && fabs(off) > few; c++) {
		const size_t v = s->W[c];
		const double e = s->form.sign[v], x = s->x[v];
		double to = x + e * off;

		to = fmin(fmax(to, s->lo[v]), s->hi[v]);
		s->x[v] = to;
		off -= e * (to - x);
		s->p1[s->form.plus[v]] += e * (to - x);
		if (s->lo[v] < to && to < s->hi[v])
			last = v;
	}
	kith_krows_product(s->rows, s->p1, s->p1, s->g0, s->g1);
	for (size_t i = 0; i < s->n; i++)
		s->s[i] += s->g1[i];
	memset(s->p1, 0, s->n * sizeof(*s->p1));
	if (last != SIZE_MAX)
		kith_wsvm_margin_enter(s->margin, last);
}

/* With many weak variables and M empty, smo goes most of the way. */
static void
approach(struct kith_wsvm *s, struct kith_wsvm_polish_job *job)
{
	double most = 0;

	if (kith_wsvm_margin_size(s->margin) > 0)
		kith_wsvm_margin_leave(
		    s->margin, kith_wsvm_margin_list(s->margin)[0]);
	for (size_t c = 0; c < s->weak; c++)
		most = fmax(
		    most, fabs(kith_smo_slope(&s->rate, s->s, s->x, s->W[c])));
	kith_smo(
	    &s->rate, s->W, s->weak, ROUGH * most, 100 * s->weak, s->x, s->s);
	kith_wsvm_polish_begin(s->polish, job);
}

/* Take over where the rates ended. */
static void
take(struct kith_wsvm *s)
{
	for (size_t c = 0; c < s->weak; c++) {
		const size_t v = s->W[c];
		enum kith_wsvm_where where = KITH_WSVM_MARGIN;

		if (kith_wsvm_margin_place(s->margin, v) == KITH_WSVM_NOT)
			where = s->x[v] == s->hi[v] && s->hi[v] > s->lo[v]
			    ? KITH_WSVM_IN
			    : KITH_WSVM_OUT;
		kith_wsvm_put(s, v, where);
	}
}

static void
decide(struct kith_wsvm *s)
{
	struct kith_wsvm_polish_job job = {
	    &s->rate, s->margin, s->W, s->weak, 0, 0, false, s->x, s->s, 0};
	double few;

	kith_wsvm_flush(s);
	set_ways(s);
	memcpy(s->s, s->s1, s->n * sizeof(*s->s));
	job.off = lack(s, &few);
	job.tol = 2e-14 * s->kappa * (1e12 * few + s->d_most);
	if (s->form.bias && kith_wsvm_margin_size(s->margin) == 0) {
		fill(s, job.off, few);
		job.off = 0;
		if (s->weak > MANY)
			approach(s, &job);
	}
	kith_wsvm_polish(s->polish, &job);
	s->slow = job.tol;
	take(s);
}

static void
keep(struct kith_wsvm *s)
{
	for (size_t c = 0; c < s->weak; c++) {
		const size_t v = s->W[c];

		s->kept[v] = true;
		kith_wsvm_look_at(s, v);
	}
}

void
kith_wsvm_turn(struct kith_wsvm *s)
{
	s->turn = false;
	s->slow = 0;
	keep(s);
	if (s->weak > 0 && turn_one(s))
		return;
	for (size_t c = 0; c < s->weak; c++)
		if (s->where[s->W[c]] == KITH_WSVM_MARGIN)
			kith_wsvm_put(s, s->W[c], nearest(s, s->W[c]));
	if (s->form.bias && kith_wsvm_margin_size(s->margin) == 0) {
		if (kith_wsvm_walk(s))
			return;
		keep(s);
	}
	if (s->weak > 0)
		decide(s);
}
