#include "base/pool.h"
#include "wsvm/columns.h"
#include "wsvm/krows.h"
#include "wsvm/margin.h"
#include "wsvm/state.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	STUCK = 60,  /* steps of no length */
	STALE = 1000 /* events, before s is made anew; more for many rows */
};

#define BEHIND 1e-12 /* theta, for a cold solve behind one that is stuck */
#define FIRST 1e-3   /* theta, up to which events are looked for at first */
#define BROKEN 4e-13 /* a violation that no rounding explains */

/* Make the present solution one that has no rates, at weights from. */
static void
freeze(struct kith_wsvm *s)
{
	const double theta = s->theta;

	kith_wsvm_whole(s);
	for (size_t i = 0; i < s->n; i++) {
		s->s0[i] += theta * s->s1[i];
		s->f0[i] += theta * s->f1[i];
		s->s1[i] = s->f1[i] = 0;
	}
	s->b0 += theta * s->b1;
	s->b1 = 0;
	for (size_t v = 0; v < s->N; v++) {
		s->A0[v] += theta * s->A1[v];
		s->from[v] = theta < 1 ? kith_wsvm_weight(s, v) : s->to[v];
		s->d[v] = s->A1[v] = 0;
		if (s->where[v] == KITH_WSVM_IN)
			s->A0[v] = s->from[v];
		if (s->where[v] == KITH_WSVM_MARGIN && !(s->from[v] > 0))
			kith_wsvm_put(s, v, KITH_WSVM_OUT);
		s->to[v] = s->from[v];
	}
	s->theta = 1;
}

/*
 * Those that are weak at the start of a path; those without weight take their
 * place by the sign of the slope.
 */
static void
find_weak(struct kith_wsvm *s)
{
	s->weak = 0;
	for (size_t c = 0; c < s->lives; c++) {
		const size_t v = s->live[c];
		const double C = s->from[v], alpha = s->A0[v];
		double g = kith_smo_score(&s->form, s->f0, v) + s->form.q[v] +
		    s->form.ridge * alpha;
		bool weak;

		g += s->form.bias ? s->form.sign[v] * s->b0 : 0;
		weak = fabs(g) <= s->noise;
		if (!(C > 0))
			kith_wsvm_put(
			    s, v, g > 0 || weak ? KITH_WSVM_OUT : KITH_WSVM_IN);
		else if (s->where[v] == KITH_WSVM_MARGIN)
			weak = alpha <= 1e-12 * C || alpha >= C - 1e-12 * C;
		if (weak)
			s->W[s->weak++] = v;
	}
}

/*
 * Keep the values at the end of a piece, where a bridge may begin: alpha of M
 * at once, the others when they move.
 */
static void
mark(struct kith_wsvm *s, double end)
{
	const size_t *list = kith_wsvm_margin_list(s->margin);

	s->done = end;
	s->b_done = s->b0 + end * s->b1;
	s->mark++;
	for (size_t i = 0; i < kith_wsvm_margin_size(s->margin); i++) {
		const size_t v = list[i];

		s->alpha[v] = s->A0[v] + end * s->A1[v];
		s->marked[v] = s->mark;
	}
}

/* All values there. */
static void
recall(struct kith_wsvm *s)
{
	struct kith_pool tmp = {0};
	double *coef = kith_new(&tmp, s->n, sizeof(*coef));
	double *none = kith_new(&tmp, s->n, sizeof(*none));

	for (size_t v = 0; v < s->N; v++) {
		double a;

		if (s->marked[v] != s->mark)
			s->alpha[v] = s->A0[v] + s->done * s->A1[v];
		a = s->form.sign[v] * s->alpha[v];
		coef[s->form.plus[v]] += a;
		if (s->form.minus)
			coef[s->form.minus[v]] -= a;
	}
	kith_krows_product(s->rows, coef, none, s->f, none);
	kith_pool_free(&tmp);
}

static void
find_live(struct kith_wsvm *s)
{
	s->lives = 0;
	for (size_t v = 0; v < s->N; v++)
		if (s->from[v] > 0 || s->to[v] > 0)
			s->live[s->lives++] = v;
}

void
kith_wsvm_aim(struct kith_wsvm *s, const double *to)
{
	freeze(s);
	s->noise = kith_wsvm_noise(s);
	s->d_most = 0;
	for (size_t v = 0; v < s->N; v++) {
		assert(to[v] >= 0 && isfinite(to[v]));
		if (!(s->from[v] > 0)) /* its rate is to count from now on */
			kith_wsvm_put(s, v, KITH_WSVM_OUT);
		s->d[v] = to[v] - s->from[v];
		s->to[v] = to[v];
		s->d_most = fmax(s->d_most, fabs(s->d[v]));
	}
	kith_wsvm_speed(s);
	kith_wsvm_add_up(s);
	s->theta = s->blind = 0;
	s->bridge = false;
	find_live(s);
	mark(s, 0);
	find_weak(s);
	kith_wsvm_stale(s);
	s->stride = FIRST;
	kith_wsvm_forget(s);
	s->turn = true;
	s->zeros = 0;
	s->behind = BEHIND;
	memset(s->kept, 0, s->N * sizeof(*s->kept));
}

static int
by_number(const void *a, const void *b)
{
	const size_t *v = a, *w = b;

	return (*v > *w) - (*v < *w);
}

/* Tell of the moves; where a weight begins there was no place before. */
static void
report(struct kith_wsvm *s, kith_wsvm_tell *tell, void *to)
{
	const size_t m = kith_wsvm_margin_size(s->margin);

	qsort(s->moved, s->moves, sizeof(*s->moved), by_number);
	for (size_t i = 0; i < s->moves; i++) {
		const size_t v = s->moved[i];
		const struct kith_wsvm_event event = {s->theta, v,
		    (enum kith_wsvm_where)s->was[v],
		    (enum kith_wsvm_where)s->where[v]};

		if (event.was == event.becomes || !(kith_wsvm_weight(s, v) > 0))
			continue;
		s->told++;
		s->since++;
		s->sizes += m;
		if (tell)
			tell(to, &event);
	}
	kith_wsvm_forget(s);
}

/*
 * Solve anew a little further on; a piece from the solution here to that one
 * comes next.
 */
static void
rescue(struct kith_wsvm *s)
{
	const double theta = s->theta;

	if (!s->bridge)
		recall(s);
	s->bridge = true;
	s->fallbacks++;
	s->blind = fmin(fmax(theta, s->blind) + s->behind, 1);
	s->behind *= 10; /* until it helps */
	s->theta = s->blind;
	kith_wsvm_cold(s);
	s->theta = theta;
	s->turn = false;
	s->zeros = 0;
	find_live(s);
	kith_wsvm_stale(s);
	memset(s->kept, 0, s->N * sizeof(*s->kept));
}

/*
 * The straight line from the values before to those at blind.  There b may have
 * an interval, as where all weights vanish: it changes no more than need be.
 */
static void
give_bridge(struct kith_wsvm *s, struct kith_wsvm_piece *piece)
{
	const double from = s->done, to = s->blind, step = to - from;
	double b, b0, b1;

	s->theta = to;
	b = kith_wsvm_nearest_b(s, s->b_done);
	b1 = (b - s->b_done) / step;
	b0 = s->b_done - from * b1;
	for (size_t v = 0; v < s->N; v++) {
		const double alpha = s->A0[v] + to * s->A1[v];

		s->a1[v] = (alpha - s->alpha[v]) / step;
		s->a0[v] = s->alpha[v] - from * s->a1[v];
	}
	kith_wsvm_whole(s);
	for (size_t i = 0; i < s->n; i++) {
		const double f = s->f0[i] + to * s->f1[i];

		s->g1[i] = (f - s->f[i]) / step;
		s->g0[i] = s->f[i] - from * s->g1[i] + b0;
		s->g1[i] += b1;
	}
	*piece = (struct kith_wsvm_piece){from, to, b0, b1, s->g0, s->g1, s->a0,
	    s->a1, s->where, kith_wsvm_margin_size(s->margin), s};
	if (kith_wsvm_margin_size(s->margin) == 0) {
		s->b0 = b;
		s->b1 = 0;
	}
	mark(s, to);
	kith_wsvm_stale(s);
	s->bridge = s->turn = false;
}

/* The piece from theta on, sound; its end. */
static double
sound_end(struct kith_wsvm *s)
{
	double end;

	if (s->since > STALE + s->lives / 2)
		kith_wsvm_refresh(s);
	end = kith_wsvm_piece_end(s);
	if (s->worst > BROKEN) {
		kith_wsvm_refresh(s);
		end = kith_wsvm_piece_end(s);
	}
	while ((s->worst > BROKEN || s->zeros > STUCK) && s->blind < 1) {
		rescue(s);
		end = kith_wsvm_piece_end(s);
	}
	return end;
}

static void
give(struct kith_wsvm *s, double end, struct kith_wsvm_piece *piece)
{
	*piece = (struct kith_wsvm_piece){s->done, end, s->b0, s->b1, NULL,
	    NULL, s->A0, s->A1, s->where, kith_wsvm_margin_size(s->margin), s};
	s->stride = end - s->done;
	mark(s, end);
	s->behind = BEHIND;
	s->theta = end;
	s->zeros = 0;
}

void
kith_wsvm_scores(struct kith_wsvm_piece *piece)
{
	struct kith_wsvm *s = piece->solver;

	if (piece->f0)
		return;
	kith_wsvm_whole(s);
	for (size_t i = 0; i < s->n; i++) {
		s->g0[i] = s->f0[i] + s->b0;
		s->g1[i] = s->f1[i] + s->b1;
	}
	piece->f0 = s->g0;
	piece->f1 = s->g1;
}

bool
kith_wsvm_next(struct kith_wsvm *s, struct kith_wsvm_piece *piece,
    kith_wsvm_tell *tell, void *to)
{
	while (s->theta < 1) {
		double end;

		if (s->turn)
			kith_wsvm_turn(s);
		end = sound_end(s);
		report(s, tell, to);
		s->residual = fmax(s->residual, s->worst);
		if (s->bridge) {
			give_bridge(s, piece);
			return true;
		}
		if (end == 1 || !kith_wsvm_same(s->theta, end)) {
			give(s, end, piece);
			return true;
		}
		s->theta = kith_wsvm_most(s->theta, end);
		s->zeros++;
	}
	return false;
}

void
kith_wsvm_get(struct kith_wsvm *s, struct kith_wsvm_solution *out)
{
	kith_wsvm_whole(s);
	for (size_t v = 0; v < s->N; v++) {
		const double alpha = s->A0[v] + s->theta * s->A1[v];
		const double C = s->theta < 1 ? kith_wsvm_weight(s, v)
					      : s->to[v];

		s->x[v] = alpha < 0 ? 0 : alpha > C ? C : alpha;
	}
	for (size_t i = 0; i < s->n; i++)
		s->s[i] = s->f0[i] + s->theta * s->f1[i];
	*out = (struct kith_wsvm_solution){
	    s->b0 + s->theta * s->b1, s->x, s->s, s->where};
}

void
kith_wsvm_replace(struct kith_wsvm *s, size_t item)
{
	const struct kith_smo_form *form = &s->form;
	const double *row;

	freeze(s);
	for (size_t v = 0; v < s->N; v++)
		if (form->plus[v] == item ||
		    (form->minus && form->minus[v] == item)) {
			assert(!(s->from[v] > 0));
			kith_wsvm_put(s, v, KITH_WSVM_OUT);
		}
	kith_wsvm_forget(s);
	kith_krows_replace(s->rows, item);
	kith_wsvm_columns_replace(kith_wsvm_margin_columns(s->margin), item);
	row = kith_krows_get(s->rows, item);
	s->s0[item] = s->f0[item] = 0;
	for (size_t v = 0; v < s->N; v++) {
		const double a = s->A0[v] * kith_smo_score(form, row, v);

		if (form->plus[v] == item ||
		    (form->minus && form->minus[v] == item))
			kith_wsvm_measure(s, v);
		s->f0[item] += a;
		if (s->where[v] == KITH_WSVM_IN)
			s->s0[item] += a;
	}
}

void
kith_wsvm_count(const struct kith_wsvm *s, struct kith_wsvm_count *count)
{
	*count = (struct kith_wsvm_count){s->told, kith_krows_computed(s->rows),
	    s->fallbacks, s->told ? (double)s->sizes / (double)s->told : 0,
	    s->residual};
}
