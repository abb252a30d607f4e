/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *  1. kith_wsvm_mend(): judge the doubles that the caller would get of the piece
 *     (wsvm/judge.h).  They may be sound, but begin elsewhere than the last
 *     piece has ended; then the line from there is judged.
 *  2. solve_anew(): what is off is solved anew at its end, from the present
 *     alpha, then from nothing; a new leg begins there.
 *  3. anew(): the piece becomes the line between the solutions at both ends.
 *     Where this is off, too, its end comes nearer, by halves, or by FAR where
 *     the weights at both ends are that far apart.
 *  4. go_past(): after PATIENCE pieces of next to no length the end is farther
 *     on.
 *  5. kith_wsvm_mend_piece(): what is still off is counted, and said by the
 *     caller.
 */
#include "wsvm/mend.h"

#include "wsvm/judge.h"
#include "wsvm/legs.h"
#include "wsvm/quick.h"
#include "wsvm/restart.h"

#include <float.h>
#include <string.h>

enum {
	PATIENCE = 4, /* pieces of next to no length that are off */
	LEVELS = 60,  /* solutions for one piece */
	MENDED = 1000 /* solutions of a path, and one for each variable */
};

#define FAR 64.0 /* of the weights at both ends of such a piece */

void
kith_wsvm_mend_line(
    const struct kith_wsvm *s, double t, double theta, double *alpha)
{
	double most = 0;

	for (size_t i = 0; i < s->margin->size; i++)
		most = kith_larger(
		    most, kith_wsvm_alpha(s, s->margin->list[i], t));
	for (size_t v = 0; v < s->N; v++) {
		const double C = kith_wsvm_path_weight(s, v, theta);
		const int8_t where = s->set.where[v];

		alpha[v] = where == KITH_WSVM_IN ? C : 0;
		if (where == KITH_WSVM_MARGIN)
			alpha[v] = fmin(
			    C, kith_wsvm_restart_kept(s, v, t, theta, most));
	}
}

/* Judge the piece from alpha_l, b_l at `from` to alpha_r, b_r. */
static struct kith_wsvm_verdict
judge(const struct kith_wsvm *s, const struct kith_wsvm_point *l,
    const struct kith_wsvm_point *r)
{
	return kith_wsvm_judge(s->problem, s->path.from, s->path.to,
	    l->theta < r->theta ? l : NULL, r);
}

static void
note_fault(
    struct kith_wsvm *s, const struct kith_wsvm_verdict *verdict, double theta)
{
	struct kith_wsvm_fault *fault = &s->count.fault;

	if (!(verdict->off > 1))
		return;
	if (s->count.faults++ == 0 || verdict->off > fault->off)
		*fault = (struct kith_wsvm_fault){
		    theta, verdict->off, verdict->what};
}

/* Step 2: solve anew at theta of the path, from alpha or from nothing. */
static struct kith_wsvm_point
solve_anew(struct kith_wsvm *s, double theta, const double *alpha)
{
	struct kith_wsvm_point at = {.theta = theta, .alpha = s->work.x};

	kith_wsvm_legs_freeze(s, theta);
	s->path.end = theta;
	s->count.mended++;
	for (int cold = 0; cold < 2; cold++) {
		kith_wsvm_restart_here(s, cold ? NULL : alpha);
		at.b = s->piece.b0;
		at.b = kith_wsvm_judge_bias(
		    s->problem, s->path.from, s->path.to, &at, theta >= 1);
		if (judge(s, &at, &at).off <= 1)
			break;
	}
	return at;
}

/*
 * Where the piece is to end that is solved anew: after some of next to no
 * length, ever farther on.
 */
static double
go_past(struct kith_wsvm *s, double from, double to)
{
	s->path.stuck = to - from > KITH_WSVM_NEAR * DBL_EPSILON
	    ? 0
	    : s->path.stuck + 1;
	if (s->path.stuck <= PATIENCE)
		return to;
	return fmin(to + ldexp(DBL_EPSILON, s->path.stuck), 1);
}

/*
 * Solve anew at `to`, or where the line from l to there is off, before it; the
 * solution is where the next leg begins.
 */
static struct kith_wsvm_point
anew(struct kith_wsvm *s, const struct kith_wsvm_point *l, double to)
{
	const size_t most = s->count.mended + LEVELS;
	const bool sound = judge(s, l, l).off <= 1;
	struct kith_wsvm_point r = solve_anew(s, to, s->path.alpha);

	while (sound && s->count.mended < most &&
	    to - l->theta > KITH_WSVM_NEAR * DBL_EPSILON * to &&
	    judge(s, l, &r).off > 1 && judge(s, &r, &r).off <= 1) {
		const double size = kith_wsvm_legs_size(s, l->theta);
		const bool far = kith_wsvm_legs_size(s, to) > FAR * size;

		to = l->theta + (to - l->theta) / (far ? FAR : 2);
		r = solve_anew(s, to, NULL);
	}
	return r;
}

/* The piece that was bent ends with this b, of its f as well. */
static void
end_bias(struct kith_wsvm *s, double b)
{
	const double more = b - s->bent.b[1];

	for (size_t i = 0; i < s->n && more != 0; i++)
		s->bent.f[1][i] += more;
	s->bent.b[1] = s->last.b = b;
}

bool
kith_wsvm_mend(struct kith_wsvm *s, double end)
{
	const double from = kith_wsvm_path_theta(s, s->last.theta);
	const double to = kith_wsvm_path_theta(s, end);
	struct kith_wsvm_point l = {
	    from, s->piece.b0 + s->last.theta * s->piece.b1, s->last.alpha};
	struct kith_wsvm_point r = {
	    to, s->piece.b0 + end * s->piece.b1, s->path.alpha};
	struct kith_wsvm_verdict verdict;
	double past;

	kith_wsvm_restart_recall(s);
	kith_wsvm_mend_line(s, end, to, s->path.alpha);
	verdict = judge(s, &l, &r);
	if (s->count.mended > MENDED + s->N) { /* enough */
		note_fault(s, &verdict, to);
		return false;
	}
	if (verdict.off <= 1 &&
	    (to - from <= KITH_WSVM_NEAR * DBL_EPSILON ||
		kith_wsvm_quick_start(s)))
		return false;
	l.b = kith_wsvm_judge_bias(
	    s->problem, s->path.from, s->path.to, &l, false);
	r.b = kith_wsvm_judge_bias(
	    s->problem, s->path.from, s->path.to, &r, false);
	s->last.b = l.b; /* it may jump */
	s->theta = end;
	past = go_past(s, from, to);
	if (past <= to && judge(s, &l, &r).off <= 1) {
		kith_wsvm_legs_freeze(s, to);
		s->path.end = to;
		memcpy(s->work.x, r.alpha, s->N * sizeof(*s->work.x));
	} else {
		r = anew(s, &l, past);
	}
	kith_wsvm_restart_bend(s, 1);
	end_bias(s, r.b);
	return true;
}

void
kith_wsvm_mend_bridge(struct kith_wsvm *s, double end)
{
	const double to = kith_wsvm_path_theta(s, end);
	const struct kith_wsvm_point l = {
	    kith_wsvm_path_theta(s, s->last.theta), s->last.b, s->last.alpha};
	struct kith_wsvm_point r = {
	    to, s->piece.b0 + end * s->piece.b1, s->work.x};

	s->restart.piece_due = false;
	if (judge(s, &l, &r).off <= 1) {
		kith_wsvm_restart_bend(s, end);
		return;
	}
	memcpy(s->path.alpha, s->work.x, s->N * sizeof(*s->work.x));
	s->theta = end;
	r = anew(s, &l, go_past(s, l.theta, to));
	kith_wsvm_restart_bend(s, 1);
	end_bias(s, r.b);
}

void
kith_wsvm_mend_piece(
    struct kith_wsvm *s, double from, double to, struct kith_wsvm_piece *piece)
{
	const struct kith_wsvm_point l = {from, s->bent.b[0], s->bent.left};
	const struct kith_wsvm_point r = {to, s->bent.b[1], s->bent.right};
	const struct kith_wsvm_verdict verdict = judge(s, &l, &r);
	const double step = to - from;

	note_fault(s, &verdict, to);
	*piece = (struct kith_wsvm_piece){.from = from,
	    .to = to,
	    .b0 = r.b,
	    .b = {l.b, r.b},
	    .f0 = s->out.f0,
	    .f1 = s->out.f1,
	    .where = s->set.where,
	    .margin = s->margin->size,
	    .bent = true,
	    .solver = s};
	if (step > 0) {
		piece->b1 = (r.b - l.b) / step;
		piece->b0 = l.b - from * piece->b1;
	}
	for (size_t i = 0; i < s->n; i++) {
		const double f0 = s->bent.f[0][i], f1 = s->bent.f[1][i];

		s->out.f1[i] = step > 0 ? (f1 - f0) / step : 0;
		s->out.f0[i] = f1 - to * s->out.f1[i];
	}
}
