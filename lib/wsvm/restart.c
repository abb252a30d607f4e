/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/restart.h"

#include "base/pool.h"
#include "wsvm/active_set.h"
#include "wsvm/bias.h"
#include "wsvm/krows.h"
#include "wsvm/piece.h"
#include "wsvm/polish.h"
#include "wsvm/ratio_test.h"

#include <float.h>
#include <string.h>

/* Steps of smo, beside twenty for each variable: then polish is faster. */
enum { STEPS = 1000 };

#define SMO_TOL 1e-3 /* of the largest |q|, where smo stops */
#define CLOSER .1    /* of that, where a step of polish costs much more */
#define MANY .25     /* of all between their bounds: then it does */
#define SNAP 1e-13   /* of the largest alpha of M, that is on a bound */
#define BALANCE 1e-6 /* e' alpha, over the largest weight, that is near 0 */

/* Empty M. */
static void
clear_margin(struct kith_wsvm *s)
{
	for (size_t m = s->margin->size; m-- > 0;) {
		const size_t v = s->margin->list[m];

		kith_wsvm_margin_leave(s->margin, v);
		s->set.where[v] = KITH_WSVM_OUT;
	}
	kith_wsvm_margin_bind(s->margin);
}

static void
note_all(struct kith_wsvm *s, const int8_t *before)
{
	for (size_t v = 0; v < s->N; v++)
		if (before[v] != s->set.where[v])
			kith_wsvm_note_move(s, v, before[v]);
}

/* From x and its scores, within the bounds of the form: the exact solution. */
static void
solve_exactly(struct kith_wsvm *s)
{
	struct kith_wsvm_polish_job job = {.form = &s->form,
	    .margin = s->margin,
	    .live = s->C.live,
	    .count = s->C.n_live,
	    .tol = 1,
	    .unit = s->work.unit,
	    .batch = true,
	    .start = s->alone,
	    .x = s->work.x,
	    .s = s->work.score,
	    .b = s->piece.b0};

	kith_wsvm_state_tolerance(s, s->work.x);
	for (size_t c = 0; c < s->C.n_live; c++)
		s->work.unit[s->C.live[c]] = kith_wsvm_few(s, s->C.live[c]);
	kith_wsvm_polish_begin(s->polish, &job);
	job.residual = 0; /* -e' x */
	for (size_t v = 0; v < s->N; v++)
		job.residual -= s->form.sign[v] * s->work.x[v];
	kith_wsvm_polish(s->polish, &job);
	for (size_t v = 0; v < s->N; v++) {
		const bool in = s->work.x[v] > 0;

		s->set.where[v] = KITH_WSVM_MARGIN;
		if (s->margin->place[v] != KITH_WSVM_NOT)
			continue;
		s->set.where[v] = in ? KITH_WSVM_IN : KITH_WSVM_OUT;
		s->piece.alpha0[v] = in ? s->C.from[v] : 0;
		s->piece.alpha1[v] = in ? s->C.rate[v] : 0;
	}
	/* From here a margin without a factor goes on. */
	for (size_t i = 0; i < s->margin->size && s->margin->cg; i++) {
		const size_t v = s->margin->list[i];

		s->piece.alpha0[v] = s->work.x[v];
		s->piece.alpha1[v] = 0;
	}
	s->piece.b0 = job.b;
	s->piece.b1 = 0;
}

/* alpha that is right for smo, from 0. */
static void
approach(struct kith_wsvm *s)
{
	const size_t most = 20 * s->C.n_live + STEPS;
	const double tol = SMO_TOL * s->q_max;
	const size_t steps = kith_smo(&s->form, s->C.live, s->C.n_live, tol,
	    most, s->work.x, s->work.score);
	size_t between = 0;

	for (size_t c = 0; c < s->C.n_live; c++) {
		const size_t v = s->C.live[c];

		between += s->work.x[v] > 0 && s->work.x[v] < s->upper[v];
	}
	if ((double)between > MANY * (double)s->C.n_live)
		kith_smo(&s->form, s->C.live, s->C.n_live, CLOSER * tol,
		    most - steps, s->work.x, s->work.score);
}

void
kith_wsvm_cold_start(struct kith_wsvm *s)
{
	struct kith_pool tmp = {0};
	int8_t *before = kith_new(&tmp, s->N, sizeof(*before));

	memcpy(before, s->set.where, s->N * sizeof(*before));
	clear_margin(s);
	memset(s->work.x, 0, s->N * sizeof(*s->work.x));
	memset(s->work.score, 0, s->n * sizeof(*s->work.score));
	memset(s->lower, 0, s->N * sizeof(*s->lower));
	s->C.n_live = 0;
	for (size_t v = 0; v < s->N; v++) {
		s->upper[v] = kith_wsvm_weight(s, v, s->theta);
		if (s->upper[v] > 0)
			s->C.live[s->C.n_live++] = v;
	}
	approach(s);
	solve_exactly(s);
	note_all(s, before);
	kith_wsvm_bounded_rebuild(s);
	kith_wsvm_ratio_check_all(s);
	kith_pool_free(&tmp);
}

bool
kith_wsvm_warm_start(
    struct kith_wsvm *s, const struct kith_wsvm_solution *start)
{
	double sum = 0, most = 0;

	s->C.n_live = 0;
	for (size_t v = 0; v < s->N; v++) {
		const double C = s->C.from[v], a = start->alpha[v];

		s->lower[v] = 0;
		s->upper[v] = C;
		s->work.x[v] = a < 0 ? 0 : a > C ? C : a;
		if (start->where[v] == KITH_WSVM_OUT)
			s->work.x[v] = 0;
		if (start->where[v] == KITH_WSVM_IN)
			s->work.x[v] = C;
		if (C > 0)
			s->C.live[s->C.n_live++] = v;
		sum += s->form.sign[v] * s->work.x[v];
		most = fmax(most, C);
	}
	if (s->form.bias && fabs(sum) > BALANCE * most)
		return false;
	memcpy(s->work.score, start->f, s->n * sizeof(*s->work.score));
	s->piece.b0 = start->b;
	solve_exactly(s);
	kith_wsvm_bounded_split(s);
	kith_wsvm_bounded_sum(s);
	kith_wsvm_ratio_check_all(s);
	return true;
}

double
kith_wsvm_restart_kept(
    const struct kith_wsvm *s, size_t v, double end, double theta, double most)
{
	const double a = kith_wsvm_alpha(s, v, end);
	const double rate = s->path.to[v] - s->path.from[v];
	double C = kith_wsvm_weight(s, v, end);

	if (a <= SNAP * most && a <= C / 2)
		return 0;
	/* That of the path, where theta is rounded, if it may count. */
	if (a < C - SNAP * C - 2 * DBL_EPSILON * fabs(rate))
		return kith_larger(0, a);
	C = kith_wsvm_path_weight(s, v, theta);
	return a >= C - SNAP * kith_lesser(C, most) ? C : kith_larger(0, a);
}

void
kith_wsvm_restart_store(struct kith_wsvm *s, double end)
{
	const size_t *list = s->margin->list;
	const double theta = kith_wsvm_path_theta(s, end);
	double most = 0;

	for (size_t i = 0; i < s->margin->size; i++)
		most = kith_larger(most, kith_wsvm_alpha(s, list[i], end));
	s->last.theta = end;
	s->last.b = s->piece.b0 + end * s->piece.b1;
	s->last.number++;
	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = list[i];

		s->last.alpha[v] = kith_wsvm_restart_kept(
		    s, v, end, theta, most);
		s->last.stored[v] = s->last.number;
	}
}

/* f = sum_v alpha_v phi_v' Phi(x_i) of all items. */
static void
score(struct kith_wsvm *s, const double *alpha, double *f)
{
	struct kith_pool tmp = {0};
	double *coef = kith_new(&tmp, s->n, sizeof(*coef));
	double *none = kith_new(&tmp, s->n, sizeof(*none));

	for (size_t v = 0; v < s->N; v++) {
		const double a = s->form.sign[v] * alpha[v];

		coef[s->form.plus[v]] += a;
		if (s->form.minus)
			coef[s->form.minus[v]] -= a;
	}
	kith_krows_product(s->rows, coef, none, f, none);
	kith_pool_free(&tmp);
}

void
kith_wsvm_restart_recall(struct kith_wsvm *s)
{
	for (size_t v = 0; v < s->N; v++)
		if (s->last.stored[v] != s->last.number) {
			s->last.alpha[v] = kith_wsvm_alpha(s, v, s->last.theta);
			s->last.stored[v] = s->last.number;
		}
}

void
kith_wsvm_restart(struct kith_wsvm *s)
{
	const double theta = s->theta;

	s->alone = false;
	if (!s->restart.piece_due)
		kith_wsvm_restart_recall(s);
	s->restart.piece_due = true;
	s->count.fallbacks++;
	s->event.tie_end = fmin(
	    fmax(theta, s->event.tie_end) + s->restart.step, 1);
	s->restart.step *= 10; /* until it helps */
	s->theta = s->event.tie_end;
	kith_wsvm_cold_start(s);
	s->theta = theta;
	s->event.due = false;
	s->event.zero_steps = 0;
	kith_wsvm_state_live(s);
	kith_wsvm_ratio_check_all(s);
	memset(s->event.decided, 0, s->N * sizeof(*s->event.decided));
}

bool
kith_wsvm_restart_here(struct kith_wsvm *s, const double *alpha)
{
	struct kith_pool tmp = {0};
	int8_t *before = kith_new(&tmp, s->N, sizeof(*before));
	int8_t *where = kith_new(&tmp, s->N, sizeof(*where));
	bool done = alpha != NULL;

	s->alone = false;
	if (done) {
		const struct kith_wsvm_solution start = {
		    s->piece.b0, alpha, s->out.f0, where};

		for (size_t v = 0; v < s->N; v++)
			where[v] = (int8_t)(alpha[v] <= 0  ? KITH_WSVM_OUT
				: alpha[v] >= s->C.from[v] ? KITH_WSVM_IN
							   : KITH_WSVM_MARGIN);
		memcpy(before, s->set.where, s->N * sizeof(*before));
		score(s, alpha, s->out.f0);
		clear_margin(s);
		done = kith_wsvm_warm_start(s, &start);
		note_all(s, before);
		kith_wsvm_bounded_rebuild(s);
	}
	if (!done)
		kith_wsvm_cold_start(s);
	kith_wsvm_ratio_test(s);
	s->event.due = false;
	kith_pool_free(&tmp);
	return done;
}

void
kith_wsvm_restart_store_all(struct kith_wsvm *s, double b)
{
	s->last.theta = s->theta;
	s->last.b = b;
	s->last.number++;
	for (size_t v = 0; v < s->N; v++) {
		s->last.alpha[v] = s->work.x[v];
		s->last.stored[v] = s->last.number;
	}
}

/*
 * alpha, b and f are the straight lines between their values at both ends.  At
 * the end b may have an interval, as where all weights vanish: there b changes
 * no more than necessary.
 */
void
kith_wsvm_restart_bend(struct kith_wsvm *s, double to)
{
	double b;

	s->theta = to;
	b = kith_wsvm_bias_nearest(s, s->last.b);
	memcpy(s->bent.left, s->last.alpha, s->N * sizeof(*s->bent.left));
	memcpy(s->bent.right, s->work.x, s->N * sizeof(*s->bent.right));
	score(s, s->last.alpha, s->last.f);
	s->bent.b[0] = s->last.b;
	s->bent.b[1] = b;
	kith_wsvm_piece_scores(s);
	for (size_t i = 0; i < s->n; i++) {
		s->bent.f[0][i] = s->last.f[i] + s->last.b;
		s->bent.f[1][i] = s->piece.f0[i] + to * s->piece.f1[i] + b;
	}
	if (s->margin->size == 0) {
		s->piece.b0 = b;
		s->piece.b1 = 0;
	}
	kith_wsvm_restart_store_all(s, b);
	kith_wsvm_ratio_check_all(s);
	s->restart.piece_due = s->event.due = false;
}
