/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A path is a chain of legs, and each piece is judged before the caller gets it.
 *
 *  1. kith_wsvm_legs_begin(): the next leg goes as far as the sizes of the
 *     weights stay within a few decades (wsvm/legs.c).
 *  2. kith_wsvm_leg_next(): the next piece of the leg (wsvm/leg.c).
 *  3. kith_wsvm_quick(): whether it is sound by what the engine has computed
 *     (wsvm/quick.c).
 *  4. Else, and for the piece of a restart, kith_wsvm_mend() judges it from the
 *     rows, and solves anew what is off (wsvm/mend.c).
 *  5. The solutions that the caller asks for, kith_wsvm_point(), are those that
 *     were judged.
 */
#include "wsvm/wsvm.h"

#include "base/pool.h"
#include "wsvm/active_set.h"
#include "wsvm/columns.h"
#include "wsvm/ends.h"
#include "wsvm/krows.h"
#include "wsvm/leg.h"
#include "wsvm/legs.h"
#include "wsvm/mend.h"
#include "wsvm/piece.h"
#include "wsvm/quick.h"
#include "wsvm/ratio_test.h"
#include "wsvm/restart.h"

#include <assert.h>
#include <string.h>

/* Whether variables of both signs have weights; without a bias none need. */
static bool
has_both(const struct kith_wsvm *s)
{
	bool has[2] = {!s->form.bias, !s->form.bias};

	for (size_t v = 0; v < s->N && !(has[0] && has[1]); v++)
		has[s->form.sign[v] > 0] |= s->C.from[v] > 0;
	return has[0] && has[1];
}

/* e' alpha = 0 leaves nothing but 0 where all weights have one sign. */
static void
empty(struct kith_wsvm *s)
{
	for (size_t v = 0; v < s->N; v++) {
		if (s->set.where[v] != KITH_WSVM_OUT)
			kith_wsvm_move(s, v, KITH_WSVM_OUT);
		s->last.stored[v] = s->last.number;
		s->last.alpha[v] = 0;
	}
}

/* More than a start is asked for; what M had loaded is lost. */
static void
need_factor(struct kith_wsvm *s)
{
	s->alone = false;
	kith_wsvm_margin_bind(s->margin);
}

void
kith_wsvm_aim(struct kith_wsvm *s, const double *to)
{
	if (s->theta < 1) /* before the last path has come to its end */
		kith_wsvm_restart_store(s, s->theta);
	kith_wsvm_restart_recall(s);
	kith_wsvm_leg_freeze(s);
	if (memcmp(s->C.from, to, s->N * sizeof(*to)) != 0)
		need_factor(s);
	if (!has_both(s))
		empty(s);
	memcpy(s->path.from, s->C.from, s->N * sizeof(*to));
	memcpy(s->path.to, to, s->N * sizeof(*to));
	s->path.sum[0] = s->path.sum[1] = 0;
	for (size_t v = 0; v < s->N; v++) {
		s->path.sum[0] += s->root[v] * s->C.from[v];
		s->path.sum[1] += s->root[v] * to[v];
	}
	s->path.base = 0;
	s->path.rebuilt = s->path.sum[0];
	s->path.anew = true;
	kith_wsvm_legs_begin(s, true);
}

struct kith_wsvm *
kith_wsvm_new(const struct kith_wsvm_problem *problem, const double *from,
    const struct kith_wsvm_solution *start, struct kith_pool *pool)
{
	struct kith_wsvm *s = kith_wsvm_state_new(problem, pool);

	memcpy(s->C.from, from, s->N * sizeof(*from));
	memcpy(s->C.to, from, s->N * sizeof(*from));
	memcpy(s->path.from, from, s->N * sizeof(*from));
	memcpy(s->path.to, from, s->N * sizeof(*from));
	s->theta = s->candidate.horizon = s->path.end = 1;
	s->alone = true;
	if (!start || !kith_wsvm_warm_start(s, start))
		kith_wsvm_cold_start(s);
	kith_wsvm_forget_moves(s);
	kith_wsvm_ratio_test(s);
	kith_wsvm_restart_store_all(s, s->piece.b0);
	if (kith_wsvm_quick_within(s, 1)) /* then it is that of the line */
		kith_wsvm_restart_store(s, 1);
	kith_wsvm_restart_recall(s);
	s->event.due = false;
	return s;
}

/* within: the line is within its bounds where it begins. */
static void
give_line(
    struct kith_wsvm *s, double end, bool within, struct kith_wsvm_piece *piece)
{
	const double b1 = s->piece.b1 / s->path.length;

	*piece = (struct kith_wsvm_piece){
	    .from = kith_wsvm_path_theta(s, s->last.theta),
	    .to = kith_wsvm_path_theta(s, end),
	    .leg = {s->last.theta, end},
	    .own = within,
	    .b0 = s->piece.b0 - s->path.base * b1,
	    .b1 = b1,
	    .b = {s->piece.b0 + s->last.theta * s->piece.b1,
		s->piece.b0 + end * s->piece.b1},
	    .where = s->set.where,
	    .margin = s->margin->size,
	    .solver = s};
	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];

		s->path.begin[v] = kith_wsvm_ends_begin(s, v);
	}
	kith_wsvm_leg_pass(s, end);
}

/* The next piece of the leg; false: it has ended. */
static bool
next_of_leg(struct kith_wsvm *s, struct kith_wsvm_piece *piece,
    kith_wsvm_on_event *on_event, void *to)
{
	const size_t events = s->count.events;
	double end = 1, from = kith_wsvm_path_theta(s, s->last.theta);
	bool within;
	const enum kith_wsvm_got got = kith_wsvm_leg_next(
	    s, &end, on_event, to);

	if (got == KITH_WSVM_NO_MORE)
		return false;
	if (got == KITH_WSVM_BRIDGE) {
		kith_wsvm_mend_bridge(s, s->event.tie_end);
		kith_wsvm_mend_piece(
		    s, from, kith_wsvm_path_theta(s, s->theta), piece);
		if (s->count.lost_length == 0)
			s->count.lost = from;
		s->count.lost_length = fmax(
		    s->count.lost_length, piece->to - from);
	} else if (!kith_wsvm_quick(s, end, &within) &&
	    kith_wsvm_mend(s, end)) {
		kith_wsvm_mend_piece(s, from, s->path.end, piece);
	} else {
		give_line(s, end, within, piece);
	}
	/* What is solved anew is a solution of its own. */
	piece->goes_on = s->path.cut && s->count.events == events &&
	    !piece->bent && !s->path.anew;
	s->path.cut = false;
	s->path.anew = piece->bent;
	return true;
}

bool
kith_wsvm_next(struct kith_wsvm *s, struct kith_wsvm_piece *piece,
    kith_wsvm_on_event *on_event, void *to)
{
	for (;;) {
		if (s->theta >= 1) {
			if (s->path.end >= 1)
				return false;
			kith_wsvm_legs_freeze(s, s->path.end);
			kith_wsvm_legs_begin(s, false);
		}
		if (next_of_leg(s, piece, on_event, to))
			return true;
	}
}

/* How far theta is between the ends of the piece; the share at its end. */
static double
share(const struct kith_wsvm_piece *piece, double theta)
{
	return theta >= piece->to
	    ? 1
	    : (theta - piece->from) / (piece->to - piece->from);
}

static double
between(double l, double r, double w)
{
	return w >= 1 ? r : l + w * (r - l);
}

/* theta of the leg. */
static double
of_leg(const struct kith_wsvm_piece *piece, double theta)
{
	const struct kith_wsvm *s = piece->solver;

	return theta >= piece->to ? piece->leg[1]
	    : theta <= piece->from
	    ? piece->leg[0]
	    : kith_lesser(
		  piece->leg[1], (theta - s->path.base) / s->path.length);
}

double
kith_wsvm_point(
    const struct kith_wsvm_piece *piece, double theta, double *alpha)
{
	const struct kith_wsvm *s = piece->solver;
	const double w = share(piece, theta), t = of_leg(piece, theta);
	const double *l = piece->bent ? s->bent.left : s->path.begin;
	const double *r = piece->bent ? s->bent.right : s->last.alpha;

	if (piece->own) {
		kith_wsvm_mend_line(s, t, theta, alpha);
		return s->piece.b0 + t * s->piece.b1;
	}
	for (size_t v = 0; v < s->N; v++) {
		const double C = kith_wsvm_path_weight(s, v, theta);
		const int where = piece->bent ? KITH_WSVM_MARGIN
					      : s->set.where[v];

		alpha[v] = where == KITH_WSVM_IN ? C : 0;
		if (where == KITH_WSVM_MARGIN)
			alpha[v] = fmin(C, fmax(0, between(l[v], r[v], w)));
	}
	return piece->bent ? between(s->bent.b[0], s->bent.b[1], w)
			   : s->piece.b0 + t * s->piece.b1;
}

void
kith_wsvm_point_scores(struct kith_wsvm_piece *piece, double theta, double *f)
{
	struct kith_wsvm *s = piece->solver;
	const double w = share(piece, theta), t = of_leg(piece, theta);
	const double b = s->piece.b0 + t * s->piece.b1;

	if (!piece->bent)
		kith_wsvm_piece_scores(s);
	for (size_t i = 0; i < s->n; i++)
		f[i] = piece->bent
		    ? between(s->bent.f[0][i], s->bent.f[1][i], w)
		    : s->piece.f0[i] + t * s->piece.f1[i] + b;
}

/* f0 + theta f1 of the path from f[0] + t f[1] + b0 + t b1 of the leg. */
static void
give_score(struct kith_wsvm *s, size_t i, const double f[2])
{
	const double f1 = (f[1] + s->piece.b1) / s->path.length;

	s->out.f0[i] = f[0] + s->piece.b0 - s->path.base * f1;
	s->out.f1[i] = f1;
}

void
kith_wsvm_scores(struct kith_wsvm_piece *piece)
{
	struct kith_wsvm *s = piece->solver;

	if (piece->f0)
		return;
	kith_wsvm_piece_scores(s);
	for (size_t i = 0; i < s->n; i++)
		give_score(
		    s, i, (const double[]){s->piece.f0[i], s->piece.f1[i]});
	piece->f0 = s->out.f0;
	piece->f1 = s->out.f1;
}

void
kith_wsvm_scores_from(const struct kith_wsvm_piece *piece, size_t first,
    const double **f0, const double **f1)
{
	struct kith_wsvm *s = piece->solver;

	/* A piece of a restart knows them, and not from its margin. */
	for (size_t i = first; i < s->n && !piece->f0; i++) {
		double f[2];

		kith_wsvm_piece_score(s, i, f);
		give_score(s, i, f);
	}
	*f0 = s->out.f0 + first;
	*f1 = s->out.f1 + first;
}

void
kith_wsvm_get(struct kith_wsvm *s, struct kith_wsvm_solution *out)
{
	if (s->theta < 1)
		kith_wsvm_restart_store(s, s->theta);
	kith_wsvm_restart_recall(s);
	kith_wsvm_piece_scores(s);
	for (size_t v = 0; v < s->N; v++) {
		const double C = s->theta < 1 ? kith_wsvm_weight(s, v, s->theta)
					      : s->C.to[v];

		s->work.x[v] = fmax(0, fmin(C, s->last.alpha[v]));
	}
	for (size_t i = 0; i < s->n; i++)
		s->work.score[i] = s->piece.f0[i] + s->theta * s->piece.f1[i];
	*out = (struct kith_wsvm_solution){s->piece.b0 + s->theta * s->piece.b1,
	    s->work.x, s->work.score, s->set.where};
}

void
kith_wsvm_replace(struct kith_wsvm *s, size_t item)
{
	const struct kith_smo_form *form = &s->form;
	const double *row;

	kith_wsvm_restart_recall(s);
	kith_wsvm_leg_freeze(s);
	need_factor(s);
	s->path.end = 1;
	for (size_t v = 0; v < s->N; v++)
		if (form->plus[v] == item ||
		    (form->minus && form->minus[v] == item)) {
			assert(!(s->C.from[v] > 0));
			kith_wsvm_move(s, v, KITH_WSVM_OUT);
		}
	kith_wsvm_forget_moves(s);
	kith_krows_replace(s->rows, item);
	kith_wsvm_columns_replace(s->margin->columns, item);
	row = kith_krows_get(s->rows, item);
	s->in.score0[item] = s->piece.f0[item] = 0;
	for (size_t v = 0; v < s->N; v++) {
		const double a = s->piece.alpha0[v] *
		    kith_smo_score(form, row, v);

		if (form->plus[v] == item ||
		    (form->minus && form->minus[v] == item))
			kith_wsvm_state_measure(s, v);
		s->piece.f0[item] += a;
		if (s->set.where[v] == KITH_WSVM_IN)
			s->in.score0[item] += a;
	}
}

void
kith_wsvm_count(const struct kith_wsvm *s, struct kith_wsvm_count *count)
{
	*count = s->count;
	count->rows = kith_krows_computed(s->rows);
	if (count->events > 0)
		count->margin /= (double)count->events;
}
