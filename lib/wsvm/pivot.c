/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * At a breakpoint where one variable is open, it moves between M and its bound,
 * and M goes on alone.  At a degenerate one the rates x = dalpha / dtheta
 * after theta minimise a QP of their own,
 *
 *	min 1/2 x' Q x     e' x = 0
 *	x_v = rate_v        v in I: it follows its bound
 *	x_v = 0             v in O
 *	x_v free            v in M
 *	0 <= x_v            v open, at 0 (of weight 0: at most rate_v)
 *	x_v <= rate_v       v open, at C
 *
 * whose conditions are those of eq. (6) after theta: dg_v / dtheta >= 0 where
 * x_v stays at 0, <= 0 where it stays at rate_v.
 *
 *  1. kith_wsvm_pivot(): open variables of M go to their nearest bound; where
 *     M is empty then, b is found first (wsvm/bias.h).
 *  2. set_bounds(): bounds of x, and a point within.
 *  3. balance(): M is empty, x is changed until e' x = 0.
 *  4. wsvm/smo.h where many are open, then wsvm/polish.h: the minimum, for which
 *     the scores of M and of the open variables are enough.
 *  5. take_rates(): the set of each open variable is where its x is.
 */
#include "wsvm/pivot.h"

#include "base/pool.h"
#include "base/sort.h"
#include "wsvm/active_set.h"
#include "wsvm/bias.h"
#include "wsvm/krows.h"
#include "wsvm/margin_step.h"
#include "wsvm/polish.h"

#include <string.h>

enum { MANY = 64 }; /* open variables that are worth smo */

#define SMO_TOL 1e-3 /* of the largest gradient, where smo stops */

/* The set of the bound that v of M is at. */
static enum kith_wsvm_where
nearest_bound(const struct kith_wsvm *s, size_t v)
{
	const double alpha = kith_wsvm_alpha(s, v, s->theta);

	return alpha > kith_wsvm_weight(s, v, s->theta) / 2 ? KITH_WSVM_IN
							    : KITH_WSVM_OUT;
}

/* One variable is open and moves, and others remain for e' x = 0. */
static bool
pivot_one(struct kith_wsvm *s)
{
	const size_t v = s->event.open[0], m = s->margin->size;
	const bool leaves = s->set.where[v] == KITH_WSVM_MARGIN;
	enum kith_wsvm_where where = KITH_WSVM_MARGIN;
	double shift[2] = {0, 0};

	if (s->event.n_open != 1 || (s->form.bias && m - leaves == 0) ||
	    !(kith_wsvm_weight(s, v, s->theta) > 0))
		return false;
	if (leaves)
		where = nearest_bound(s, v);
	if (where == KITH_WSVM_IN) {
		shift[0] = s->C.from[v];
		shift[1] = s->C.rate[v];
	}
	shift[0] -= s->piece.alpha0[v];
	shift[1] -= s->piece.alpha1[v];
	kith_wsvm_margin_step_begin(s->margin, v, shift);
	return kith_wsvm_move(s, v, where);
}

/* The bounds of x_v for v open and in M; x_v on a bound, or 0 in M. */
static void
set_bounds(struct kith_wsvm *s)
{
	for (size_t c = 0; c < s->event.n_open; c++) {
		const size_t v = s->event.open[c];
		const bool in = s->set.where[v] == KITH_WSVM_IN;

		s->lower[v] = in ? -INFINITY : 0;
		s->upper[v] = in ? s->C.rate[v] : INFINITY;
		if (!(kith_wsvm_weight(s, v, s->theta) > 0)) {
			s->lower[v] = 0;
			s->upper[v] = s->C.rate[v];
		}
		s->work.x[v] = in ? s->C.rate[v] : 0;
	}
	for (size_t m = 0; m < s->margin->size; m++) {
		const size_t v = s->margin->list[m];

		s->lower[v] = -INFINITY;
		s->upper[v] = INFINITY;
		s->work.x[v] = 0;
	}
}

/* - e_I' rate_I, and what of it may be rounding. */
static double
imbalance(const struct kith_wsvm *s, double *few)
{
	double residual = 0, sum = 0;

	for (size_t v = 0; v < s->N; v++)
		if (s->set.where[v] == KITH_WSVM_IN) {
			residual -= s->form.sign[v] * s->C.rate[v];
			sum += fabs(s->C.rate[v]);
		}
	*few = 1e-12 * sum;
	return residual;
}

/*
 * M is empty: open variables take up the residual of e' x = 0, the first ones
 * as much as they can; at most one is left between its bounds, and becomes M.
 */
static void
balance(struct kith_wsvm *s, double residual, double few)
{
	size_t last = SIZE_MAX;

	for (size_t c = 0; c < s->event.n_open && fabs(residual) > few; c++) {
		const size_t v = s->event.open[c];
		const double e = s->form.sign[v], x = s->work.x[v];
		double to = x + e * residual;

		to = fmin(fmax(to, s->lower[v]), s->upper[v]);
		s->work.x[v] = to;
		residual -= e * (to - x);
		s->in.pending1[s->form.plus[v]] += e * (to - x);
		if (s->lower[v] < to && to < s->upper[v])
			last = v;
	}
	kith_krows_product(
	    s->rows, s->in.pending1, s->in.pending1, s->out.f0, s->out.f1);
	for (size_t i = 0; i < s->n; i++)
		s->work.score[i] += s->out.f1[i];
	memset(s->in.pending1, 0, s->n * sizeof(*s->in.pending1));
	if (last != SIZE_MAX)
		kith_wsvm_margin_enter(s->margin, last);
}

/* Many are open and M is empty: smo goes most of the way. */
static void
approach(struct kith_wsvm *s, struct kith_wsvm_polish_job *job)
{
	double most = 0;

	if (s->margin->size > 0)
		kith_wsvm_margin_leave(s->margin, s->margin->list[0]);
	for (size_t c = 0; c < s->event.n_open; c++)
		most = fmax(most,
		    fabs(kith_smo_gradient(&s->rate_form, s->work.score,
			s->work.x, s->event.open[c])));
	kith_smo(&s->rate_form, s->event.open, s->event.n_open, SMO_TOL * most,
	    100 * s->event.n_open, s->work.x, s->work.score);
	kith_wsvm_polish_begin(s->polish, job);
}

/* Each open variable goes to the set that its rate has. */
static void
take_rates(struct kith_wsvm *s)
{
	for (size_t c = 0; c < s->event.n_open; c++) {
		const size_t v = s->event.open[c];
		enum kith_wsvm_where where = KITH_WSVM_MARGIN;

		if (s->margin->place[v] == KITH_WSVM_NOT)
			where = s->work.x[v] == s->upper[v] &&
				s->upper[v] > s->lower[v]
			    ? KITH_WSVM_IN
			    : KITH_WSVM_OUT;
		kith_wsvm_move(s, v, where);
	}
}

/* What rounding may leave of rates of gradients, of dC / dtheta = rate. */
static void
rate_tolerance(struct kith_wsvm *s, double rate)
{
	s->tol_rate.scale = 2e-14 * s->root_most * rate;
	s->tol_rate.base = s->root_least * s->tol_rate.scale;
	for (size_t c = 0; c < s->event.n_open; c++) {
		const size_t v = s->event.open[c];

		s->work.unit[v] = kith_wsvm_few_rate(s, v);
	}
}

/* The items of these variables, after those there are. */
static size_t
add_items(const struct kith_wsvm *s, const size_t *list, size_t count,
    size_t *item, size_t n)
{
	const size_t *plus = s->form.plus, *minus = s->form.minus;

	for (size_t c = 0; c < count; c++) {
		item[n++] = plus[list[c]];
		if (minus)
			item[n++] = minus[list[c]];
	}
	return n;
}

/* Step 4; only variables that are open enter M, or leave it. */
static void
find_rates(struct kith_wsvm *s, struct kith_wsvm_polish_job *job)
{
	struct kith_wsvm_margin *margin = s->margin;
	const size_t most = 2 * (margin->size + s->event.n_open);
	struct kith_pool tmp = {0};
	size_t *item = kith_new(&tmp, most, sizeof(*item)), n, kept = 0;

	n = add_items(s, margin->list, margin->size, item, 0);
	n = add_items(s, s->event.open, s->event.n_open, item, n);
	kith_sort_sizes(item, n);
	for (size_t i = 0; i < n; i++) /* each once */
		if (kept == 0 || item[i] != item[kept - 1])
			item[kept++] = item[i];
	margin->items = item;
	margin->n_items = kept;
	kith_wsvm_polish(s->polish, job);
	margin->items = NULL;
	kith_pool_free(&tmp);
}

/* The QP of the rates. */
static void
degenerate(struct kith_wsvm *s)
{
	struct kith_wsvm_polish_job job = {.form = &s->rate_form,
	    .margin = s->margin,
	    .live = s->event.open,
	    .count = s->event.n_open,
	    .x = s->work.x,
	    .s = s->work.score};
	double few;

	kith_wsvm_bounded_apply(s);
	set_bounds(s);
	memcpy(s->work.score, s->in.score1, s->n * sizeof(*s->work.score));
	job.residual = imbalance(s, &few);
	rate_tolerance(s, 1e12 * few + s->C.rate_max);
	job.tol = 1;
	job.unit = s->work.unit;
	if (s->form.bias && s->margin->size == 0) {
		balance(s, job.residual, few);
		job.residual = 0;
		if (s->event.n_open > MANY)
			approach(s, &job);
	}
	find_rates(s, &job);
	s->tol_rate.base *= job.tol;
	s->tol_rate.scale *= job.tol;
	take_rates(s);
}

/* The sets of open variables are being chosen at this theta. */
static void
mark_decided(struct kith_wsvm *s)
{
	for (size_t c = 0; c < s->event.n_open; c++) {
		const size_t v = s->event.open[c];

		s->event.decided[v] = true;
		kith_wsvm_check(s, v);
	}
}

void
kith_wsvm_pivot(struct kith_wsvm *s)
{
	s->event.due = false;
	s->tol_rate = (struct kith_wsvm_tolerance){0};
	mark_decided(s);
	if (s->event.n_open > 0)
		kith_wsvm_margin_bind(s->margin);
	if (s->event.n_open > 0 && pivot_one(s))
		return;
	for (size_t c = 0; c < s->event.n_open; c++)
		if (s->set.where[s->event.open[c]] == KITH_WSVM_MARGIN)
			kith_wsvm_move(s, s->event.open[c],
			    nearest_bound(s, s->event.open[c]));
	if (s->form.bias && s->margin->size == 0) {
		if (kith_wsvm_bias_find(s))
			return;
		mark_decided(s);
	}
	if (s->event.n_open > 0)
		degenerate(s);
}
