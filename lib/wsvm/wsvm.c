/*
 * A path is a chain of legs (wsvm/leg.h), and each piece is judged before the
 * caller gets it.
 *
 *  1. begin_leg(): the next leg goes as far as the sizes of the weights stay
 *     within DECADES; so tolerances, rounding and the steps of restarts are
 *     those of weights near by.
 *  2. quick(): the end of a piece is sound where what the engine has computed
 *     says so: M within its bounds and e' alpha = 0 at both ends, residuals of
 *     its system and of the gradients of O and I (wsvm/ratio_test.c), and no
 *     term so large that rounding hides the others.
 *  3. Else, and for the piece of a restart, slow(): judge the doubles that the
 *     caller gets (wsvm/judge.h).
 *  4. Those that fail are solved anew at this theta, from the present alpha,
 *     then from nothing; a new leg begins there.  The piece becomes the line
 *     between the solutions at both ends, and is judged again.
 *  5. What still fails is counted, and said by the caller.
 */
#include "wsvm/wsvm.h"

#include "base/pool.h"
#include "wsvm/active_set.h"
#include "wsvm/columns.h"
#include "wsvm/judge.h"
#include "wsvm/krows.h"
#include "wsvm/leg.h"
#include "wsvm/piece.h"
#include "wsvm/ratio_test.h"
#include "wsvm/restart.h"

#include <assert.h>
#include <float.h>
#include <string.h>

enum {
	PATIENCE = 4, /* pieces of next to no length that are off */
	LEVELS = 60,  /* solutions for one piece */
	MENDED = 1000 /* solutions of a path, and one for each variable */
};

#define FAR 64.0 /* of the weights at both ends of such a piece */

#define GROWS 1e3    /* of weights in a leg, at most, or to .. */
#define SMALL 1e2    /* .. terms of a gradient, over the largest |q| */
#define SHRINKS 1e-2 /* of weights in a leg, at most */
#define NOTHING 1e-3 /* terms, over |q|, below which all weights are alike */
#define NEAR 16      /* units of rounding between two legs, at least */

/* What the quick judgement allows, below the limits of wsvm/judge.h. */
#define BOUND 1e-10    /* beyond a bound at the end, over the largest alpha */
#define START 1e-6     /* the same at the start, which is the end before */
#define BALANCE 1e-10  /* e' alpha, over the largest alpha */
#define HIDDEN 1e-9    /* rounding at most, over |q|, or of rows that are .. */
#define ALIKE 100      /* .. alike over their terms, where no .. */
#define SEEN 1e-10     /* .. larger violation was seen, over |q| */
#define RESIDUAL 1e-11 /* of the system of M, over its terms */
#define SOUND 4e-13    /* a violation, over its terms */

/* sum root_v C_v at theta of the path. */
static double
size_at(const struct kith_wsvm *s, double theta)
{
	return s->path.sum[0] + theta * (s->path.sum[1] - s->path.sum[0]);
}

/* Where the leg that begins at base ends. */
static double
leg_end(const struct kith_wsvm *s)
{
	const double from = s->path.sum[0], to = s->path.sum[1];
	const double now = size_at(s, s->path.base);
	const double unit = s->q_max / s->root_most;
	double most, end;

	most = to > from ? fmax(GROWS * now, SMALL * unit) : SHRINKS * now;
	if ((to > from ? to <= most : to >= most || now <= NOTHING * unit) ||
	    !isfinite(unit) || !isfinite(most))
		return 1;
	end = (most - from) / (to - from);
	return end > s->path.base + NEAR * DBL_EPSILON * end &&
		end < 1 - NEAR * DBL_EPSILON
	    ? end
	    : 1;
}

/* Begin the leg at base, where the state is frozen. */
static void
begin_leg(struct kith_wsvm *s, bool first)
{
	const double now = size_at(s, s->path.base);

	s->path.end = leg_end(s);
	s->path.length = s->path.end - s->path.base;
	s->path.cut = !first;
	if (now < s->path.rebuilt / 8) {
		kith_wsvm_bounded_rebuild(s);
		s->path.rebuilt = now;
	}
	for (size_t v = 0; v < s->N; v++)
		s->path.C[v] = kith_wsvm_path_weight(s, v, s->path.end);
	kith_wsvm_leg_aim(s, s->path.C, first);
}

/* Freeze the state at theta of the path, the base of the next leg. */
static void
freeze_at(struct kith_wsvm *s, double theta)
{
	kith_wsvm_leg_freeze(s);
	s->path.base = theta;
	for (size_t v = 0; v < s->N; v++) {
		const double C = kith_wsvm_path_weight(s, v, theta);

		s->C.from[v] = s->C.to[v] = C;
		if (s->set.where[v] == KITH_WSVM_IN)
			s->piece.alpha0[v] = C;
	}
}

void
kith_wsvm_aim(struct kith_wsvm *s, const double *to)
{
	if (s->theta < 1) /* before the last path has come to its end */
		kith_wsvm_restart_store(s, s->theta);
	kith_wsvm_restart_recall(s);
	kith_wsvm_leg_freeze(s);
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
	begin_leg(s, true);
}

/* alpha on the engine's line at t of the leg, which is theta of the path. */
static void
line_at(const struct kith_wsvm *s, double t, double theta, double *alpha)
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
			alpha[v] = fmin(C,
			    fmax(0, kith_wsvm_restart_snap(s, v, t, C, most)));
	}
}

/* What M has at one end of a piece. */
struct ends {
	double most, off, sum, size;
};

static struct ends
survey(const struct kith_wsvm *s, double theta)
{
	struct ends e = {0};

	e.sum = kith_wsvm_sum_value(&s->in.sum.C_sign) +
	    theta * kith_wsvm_sum_value(&s->in.sum.rate_sign);
	e.size = kith_wsvm_sum_value(&s->in.sum.C) +
	    theta * kith_wsvm_sum_value(&s->in.sum.rate);
	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];
		const double a = kith_wsvm_alpha(s, v, theta);
		const double C = kith_wsvm_weight(s, v, theta);

		e.most = kith_larger(e.most, a);
		e.off = kith_larger(e.off, kith_larger(-a, a - C));
		e.sum += s->form.sign[v] * a;
		e.size += s->root[v] * fabs(a);
	}
	return e;
}

/* The largest alpha of I at theta. */
static double
most_in(const struct kith_wsvm *s, double theta)
{
	double most = 0;

	for (size_t c = 0; c < s->C.n_live; c++)
		if (s->set.where[s->C.live[c]] == KITH_WSVM_IN)
			most = fmax(
			    most, kith_wsvm_weight(s, s->C.live[c], theta));
	return most;
}

/* Whether M is within its bounds, and e' alpha = 0. */
static bool
balanced(
    const struct kith_wsvm *s, const struct ends *e, double theta, double least)
{
	const double sum = s->form.bias ? fabs(e->sum) : 0;
	double most = e->most;

	if (!(e->off <= least * most && sum <= BALANCE * most))
		most = kith_larger(most, most_in(s, theta));
	return e->off <= least * most && sum <= BALANCE * most;
}

struct kith_wsvm *
kith_wsvm_new(const struct kith_wsvm_problem *problem, const double *from,
    const struct kith_wsvm_solution *start, struct kith_pool *pool)
{
	struct kith_wsvm *s = kith_wsvm_state_new(problem, pool);
	struct ends e;

	memcpy(s->C.from, from, s->N * sizeof(*from));
	memcpy(s->C.to, from, s->N * sizeof(*from));
	s->theta = s->candidate.horizon = s->path.end = 1;
	if (!start || !kith_wsvm_warm_start(s, start))
		kith_wsvm_cold_start(s);
	kith_wsvm_forget_moves(s);
	kith_wsvm_ratio_test(s);
	kith_wsvm_restart_store_all(s, s->piece.b0);
	e = survey(s, 1);
	if (balanced(s, &e, 1, BOUND)) /* then it is that of the line */
		kith_wsvm_restart_store(s, 1);
	kith_wsvm_restart_recall(s);
	s->event.due = false;
	return s;
}

/* alpha_v of M where the last piece has ended. */
static double
begin_of(const struct kith_wsvm *s, size_t v)
{
	return s->last.stored[v] == s->last.number
	    ? s->last.alpha[v]
	    : kith_wsvm_alpha(s, v, s->last.theta);
}

/*
 * Whether those of O and I are on their bounds there, too: e' alpha = 0 with
 * these and what M has there.
 */
static bool
meets(const struct kith_wsvm *s)
{
	const double theta = s->last.theta;
	double most = 0,
	       sum = kith_wsvm_sum_value(&s->in.sum.C_sign) +
	    theta * kith_wsvm_sum_value(&s->in.sum.rate_sign);

	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];
		const double a = begin_of(s, v);

		most = kith_larger(most, a);
		sum += s->form.sign[v] * a;
	}
	if (s->form.bias && !(fabs(sum) <= BALANCE * most))
		return fabs(sum) <= BALANCE * most_in(s, theta);
	for (size_t v = 0; v < s->N && (s->path.anew || !s->form.bias); v++) {
		const bool in = s->set.where[v] == KITH_WSVM_IN;
		const double C = kith_wsvm_weight(s, v, theta);

		if (s->set.where[v] != KITH_WSVM_MARGIN &&
		    !(fabs(begin_of(s, v) - (in ? C : 0)) <= BOUND * most))
			return false;
	}
	return true;
}

/* Step 2. */
static bool
quick(const struct kith_wsvm *s, double end)
{
	const double hidden = s->root_most * s->tol.scale;
	const double wrong = s->piece.violation / KITH_WSVM_ROUNDING *
	    (s->tol.base + hidden);
	const struct ends l = survey(s, s->theta), r = survey(s, end);

	if (!(s->piece.violation <= SOUND) ||
	    (s->margin->size > 0 && !(s->margin->residual <= RESIDUAL)))
		return false;
	if (!(hidden <= HIDDEN * s->q_max) &&
	    (s->root_most > ALIKE * s->root_min ||
		!(wrong <= SEEN * s->q_max) ||
		!(s->tol.scale <= HIDDEN * kith_lesser(l.size, r.size))))
		return false;
	return meets(s) && balanced(s, &l, s->theta, START) &&
	    balanced(s, &r, end, BOUND);
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

/* The piece that is bent, from theta of the path to theta. */
static void
give_bent(
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

/* Step 4: solve anew at theta of the path, from alpha or from nothing. */
static struct kith_wsvm_point
solve_anew(struct kith_wsvm *s, double theta, const double *alpha)
{
	struct kith_wsvm_point at = {.theta = theta, .alpha = s->work.x};

	freeze_at(s, theta);
	s->path.end = theta;
	s->count.mended++;
	for (int cold = 0; cold < 2; cold++) {
		kith_wsvm_restart_here(s, cold ? NULL : alpha);
		at.b = s->piece.b0;
		at.b = kith_wsvm_judge_bias(
		    s->problem, s->path.from, s->path.to, &at);
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
	s->path.stuck = to - from > NEAR * DBL_EPSILON ? 0 : s->path.stuck + 1;
	if (s->path.stuck <= PATIENCE)
		return to;
	return fmin(to + ldexp(DBL_EPSILON, s->path.stuck), 1);
}

/*
 * Solve anew at `to`, or where the line from l to there is off, before it; the
 * solution is where the next leg begins.
 */
static struct kith_wsvm_point
mend(struct kith_wsvm *s, const struct kith_wsvm_point *l, double to)
{
	const size_t most = s->count.mended + LEVELS;
	const bool sound = judge(s, l, l).off <= 1;
	struct kith_wsvm_point r = solve_anew(s, to, s->path.alpha);

	while (sound && s->count.mended < most &&
	    to - l->theta > NEAR * DBL_EPSILON * to &&
	    judge(s, l, &r).off > 1 && judge(s, &r, &r).off <= 1) {
		const double size = size_at(s, l->theta);
		const bool far = size_at(s, to) > FAR * size;

		to = l->theta + (to - l->theta) / (far ? FAR : 2);
		r = solve_anew(s, to, NULL);
	}
	return r;
}

/*
 * Steps 3 and 4; whether the piece is the line between two solutions now: also
 * where only its start is another than the engine's line has.
 */
static bool
slow(struct kith_wsvm *s, double end)
{
	const struct ends start = survey(s, s->theta);
	const double from = kith_wsvm_path_theta(s, s->last.theta);
	const double to = kith_wsvm_path_theta(s, end);
	struct kith_wsvm_point l = {
	    from, s->piece.b0 + s->last.theta * s->piece.b1, s->last.alpha};
	struct kith_wsvm_point r = {
	    to, s->piece.b0 + end * s->piece.b1, s->path.alpha};
	struct kith_wsvm_verdict verdict;

	kith_wsvm_restart_recall(s);
	line_at(s, end, to, s->path.alpha);
	verdict = judge(s, &l, &r);
	if (s->count.mended > MENDED + s->N) { /* enough */
		note_fault(s, &verdict, to);
		return false;
	}
	if (verdict.off <= 1 &&
	    (to - from <= NEAR * DBL_EPSILON ||
		(meets(s) && balanced(s, &start, s->theta, START))))
		return false;
	l.b = kith_wsvm_judge_bias(s->problem, s->path.from, s->path.to, &l);
	r.b = kith_wsvm_judge_bias(s->problem, s->path.from, s->path.to, &r);
	s->last.b = l.b; /* it may jump */
	s->theta = end;
	if (judge(s, &l, &r).off <= 1) {
		freeze_at(s, to);
		s->path.end = to;
		memcpy(s->work.x, r.alpha, s->N * sizeof(*s->work.x));
	} else {
		r = mend(s, &l, go_past(s, from, to));
	}
	kith_wsvm_restart_bend(s, 1);
	s->bent.b[1] = s->last.b = r.b;
	return true;
}

/* The piece of a restart, up to there. */
static void
bridge(struct kith_wsvm *s, double end)
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
	r = mend(s, &l, to);
	kith_wsvm_restart_bend(s, 1);
	s->bent.b[1] = s->last.b = r.b;
}

static void
give_line(struct kith_wsvm *s, double end, struct kith_wsvm_piece *piece)
{
	const double b1 = s->piece.b1 / s->path.length;
	const struct ends l = survey(s, s->last.theta);

	*piece = (struct kith_wsvm_piece){
	    .from = kith_wsvm_path_theta(s, s->last.theta),
	    .to = kith_wsvm_path_theta(s, end),
	    .leg = {s->last.theta, end},
	    .own = balanced(s, &l, s->last.theta, BOUND),
	    .b0 = s->piece.b0 - s->path.base * b1,
	    .b1 = b1,
	    .b = {s->piece.b0 + s->last.theta * s->piece.b1,
		s->piece.b0 + end * s->piece.b1},
	    .where = s->set.where,
	    .margin = s->margin->size,
	    .solver = s};
	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];

		s->path.begin[v] = begin_of(s, v);
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
	const enum kith_wsvm_got got = kith_wsvm_leg_next(
	    s, &end, on_event, to);

	if (got == KITH_WSVM_NO_MORE)
		return false;
	if (got == KITH_WSVM_BRIDGE) {
		bridge(s, s->event.tie_end);
		give_bent(s, from, kith_wsvm_path_theta(s, s->theta), piece);
		if (s->count.lost_length == 0)
			s->count.lost = from;
		s->count.lost_length = fmax(
		    s->count.lost_length, piece->to - from);
	} else if (!quick(s, end) && slow(s, end)) {
		give_bent(s, from, s->path.end, piece);
	} else {
		give_line(s, end, piece);
	}
	piece->goes_on = s->path.cut && s->count.events == events;
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
			freeze_at(s, s->path.end);
			begin_leg(s, false);
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
		line_at(s, t, theta, alpha);
		return s->piece.b0 + t * s->piece.b1;
	}
	for (size_t v = 0; v < s->N; v++) {
		const double C = kith_wsvm_path_weight(s, v, theta);
		const int8_t where = piece->bent ? KITH_WSVM_MARGIN
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
