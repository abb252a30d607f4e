/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limits of wsvm/judge.h, of which each part below gets its share, are over
 * t_v, the terms of g_v; these are at least
 *
 *	floor_v = |q_v| + |b| + Q_vv alpha_v
 *
 *  1. survey(): the largest alpha of M at one end of the piece, how far one is
 *     beyond its bounds, e' alpha, and sum root_v alpha_v.
 *  2. balanced(): M is within its bounds there and e' alpha = 0, over the
 *     largest alpha.
 *  3. apart_start(), apart_end(): the alpha that the caller gets at both ends
 *     are those where the last piece has ended, and those of the line within
 *     their bounds.  By Cauchy and Schwarz they change g_v by root_v sum_w
 *     root_w |alpha_w - line_w| at most.
 *  4. margin_right(): residuals of the system of M, and what 3 adds, over
 *     floor_v.
 *  5. others_right(): the gradients that the ratio test has computed
 *     (wsvm/ratio_test.c) have their signs at both ends, as 4.  Those it has
 *     not are farther from 0 than f may go.
 *  6. hidden(): what rounding leaves of scores, in all: of kernels and sums by
 *     Cauchy and Schwarz, and of the scores of I, of one change after another
 *     since they were computed from all of I.
 *
 * Where the floor is small beside 6, and rows are alike over their terms, these
 * are compared with the terms.  The piece after a line of wsvm/mend.h never
 * passes.
 */
#include "wsvm/quick.h"

#include "la/simd.h"
#include "wsvm/active_set.h"
#include "wsvm/columns.h"
#include "wsvm/piece.h"
#include "wsvm/restart.h"

#include <float.h>

#define BOUND 1e-9   /* beyond a bound, over the largest alpha */
#define BALANCE 1e-9 /* e' alpha, over the largest alpha */
#define SEEN 4e-10   /* of gradients, over their floor */
#define HIDDEN 2e-10 /* of what is not seen, over the floor of all .. */
#define ALIKE 100   /* .. or of rows that are alike over their terms, over .. */
#define TERMS 1e-11 /* .. these */
#define SOUND 4e-13 /* a violation, over its terms */
#define FEW 4       /* units of rounding that a term has */
#define LITTLE 1e-11 /* of scores, over the floor: as large is large enough */
#define UNSEEN 2     /* tolerances from 0 is what is not computed, at least */
#define PRODUCT 1e-7 /* the root of what rounding leaves of a' Q a */

/* What M has at one end of a piece. */
struct ends {
	double theta, b;
	double most, off, sum, size;
	double apart; /* sum root_v |alpha_v that the caller gets - line_v| */
	double *jump; /* N: how far that makes g_v jump; or NULL */
};

/* The least |b| on the piece, and q: what is hidden is compared with these. */
static double
floor_of(const struct kith_wsvm *s, const struct ends *l, const struct ends *r)
{
	const bool turns = (l->b > 0) != (r->b > 0);

	return s->q_max + (turns ? 0 : kith_lesser(fabs(l->b), fabs(r->b)));
}

/* What rounding may leave of any gradient. */
static double
few_of_all(const struct kith_wsvm *s)
{
	return s->tol.base + s->root_most * s->tol.scale;
}

static double
bias_at(const struct kith_wsvm *s, double theta)
{
	return s->form.bias ? s->piece.b0 + theta * s->piece.b1 : 0;
}

static struct ends
survey(const struct kith_wsvm *s, double theta)
{
	struct ends e = {.theta = theta, .b = bias_at(s, theta)};

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
balanced(const struct kith_wsvm *s, const struct ends *e)
{
	const double sum = s->form.bias ? fabs(e->sum) : 0;
	double most = e->most;

	if (!(e->off <= BOUND * most && sum <= BALANCE * most))
		most = kith_larger(most, most_in(s, e->theta));
	return e->off <= BOUND * most && sum <= BALANCE * most;
}

bool
kith_wsvm_quick_within(const struct kith_wsvm *s, double theta)
{
	const struct ends e = survey(s, theta);

	return balanced(s, &e);
}

double
kith_wsvm_quick_begin(const struct kith_wsvm *s, size_t v)
{
	return s->last.stored[v] == s->last.number
	    ? s->last.alpha[v]
	    : kith_wsvm_alpha(s, v, s->last.theta);
}

/* The first variable from v on whose alpha is stored, or N. */
KITH_CLONES static size_t
quick_next_stored(size_t N, const size_t *stored, size_t number, size_t v)
{
	for (; v < N && v % 32 > 0; v++)
		if (stored[v] == number)
			return v;
	for (; v + 32 <= N; v += 32) {
		const kith_v8i *at = (const kith_v8i *)(stored + v);
		const int64_t is = (int64_t)number;
		const kith_v8i any = (at[0] == is) | (at[1] == is) |
		    (at[2] == is) | (at[3] == is);

		if (any[0] | any[1] | any[2] | any[3] | any[4] | any[5] |
		    any[6] | any[7])
			break;
	}
	while (v < N && stored[v] != number)
		v++;
	return v;
}

static size_t
next_stored(const struct kith_wsvm *s, size_t v)
{
	return quick_next_stored(s->N, s->last.stored, s->last.number, v);
}

/*
 * Step 3 at the start, where alpha of M, and of those that have moved since, is
 * stored; whether it is on its bound for those that are in O and I now, and e'
 * alpha = 0.
 */
static bool
apart_start(const struct kith_wsvm *s, struct ends *e)
{
	const double theta = s->last.theta;
	double most = 0, off = 0;
	double sum = kith_wsvm_sum_value(&s->in.sum.C_sign) +
	    theta * kith_wsvm_sum_value(&s->in.sum.rate_sign);

	e->apart = 0;
	for (size_t v = next_stored(s, 0); v < s->N;
	     v = next_stored(s, v + 1)) {
		const int8_t where = s->set.where[v];
		double line, more;

		line = where == KITH_WSVM_OUT ? 0
		    : where == KITH_WSVM_IN   ? kith_wsvm_weight(s, v, theta)
					      : kith_wsvm_alpha(s, v, theta);
		more = s->last.alpha[v] - line;
		e->apart += s->root[v] * fabs(more);
		most = kith_larger(most, s->last.alpha[v]);
		sum += s->form.sign[v] *
		    (where == KITH_WSVM_MARGIN ? s->last.alpha[v] : more);
		if (where != KITH_WSVM_MARGIN)
			off = kith_larger(off, fabs(more));
	}
	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];
		const double a = kith_wsvm_alpha(s, v, theta);

		if (s->last.stored[v] == s->last.number)
			continue;
		most = kith_larger(most, a);
		sum += s->form.sign[v] * a;
	}
	sum = s->form.bias ? fabs(sum) : 0;
	if (!(off <= BOUND * most && sum <= BALANCE * most))
		most = kith_larger(most, most_in(s, theta));
	return off <= BOUND * most && sum <= BALANCE * most;
}

/* What alpha_M, which is loaded, has as its g of v, without q and b. */
static double
loaded(const struct kith_wsvm *s, size_t v)
{
	const struct kith_smo_form *form = &s->form;
	double out[2], less[2] = {0};

	kith_wsvm_columns_score(s->margin->columns, form->plus[v], out);
	if (form->minus)
		kith_wsvm_columns_score(
		    s->margin->columns, form->minus[v], less);
	return form->sign[v] * (out[0] - less[0]);
}

/* Load both parts of alpha_M, as they were. */
static void
load_line(const struct kith_wsvm *s)
{
	const size_t m = s->margin->size;
	double *a = s->work.side;

	for (size_t i = 0; i < m; i++) {
		a[i] = s->piece.alpha0[s->margin->list[i]];
		a[m + i] = s->piece.alpha1[s->margin->list[i]];
	}
	kith_wsvm_margin_load(s->margin, a, a + m);
}

/* How alpha of M jumps at the start, loaded too; the sum of its sizes. */
static double
load_jump(const struct kith_wsvm *s, double theta, double *d)
{
	double sum = 0;

	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];

		d[i] = kith_wsvm_quick_begin(s, v) -
		    kith_wsvm_alpha(s, v, theta);
		sum += s->root[v] * fabs(d[i]);
	}
	kith_wsvm_margin_load(s->margin, d, NULL);
	return sum;
}

/* Compute all gradients of O and I. */
static void
see_all(struct kith_wsvm *s)
{
	s->candidate.n = 0;
	for (size_t c = 0; c < s->C.n_live; c++) {
		const size_t v = s->C.live[c];

		if (s->set.where[v] == KITH_WSVM_MARGIN)
			continue;
		kith_wsvm_piece_gradient(s, v, s->piece.b0, s->piece.b1);
		s->candidate.list[s->candidate.n++] = v;
	}
}

/*
 * Where alpha of M has jumped by more than rounding, as where Q_MM is nearly
 * singular, the jump of each g_v that is seen is computed, into e->jump.  Of
 * those that are not, sum root_v |..| is sqrt(d' Q_MM d); where that may be a
 * violation all are seen.
 */
static void
refine_start(struct kith_wsvm *s, struct ends *e)
{
	const size_t m = s->margin->size, *list = s->margin->list;
	double *d = s->work.side + 2 * m, square = 0;

	if (m == 0 || s->root_most * e->apart <= LITTLE * floor_of(s, e, e))
		return;
	/* What others than M add remains. */
	e->apart -= (1 - PRODUCT) * load_jump(s, e->theta, d);
	e->jump = s->work.unit;
	for (size_t i = 0; i < m; i++) {
		const double g = loaded(s, list[i]) + s->form.ridge * d[i];

		square += d[i] * g;
		e->jump[list[i]] = fabs(g) + s->root[list[i]] * e->apart;
	}
	if (s->root_most * (e->apart + sqrt(kith_larger(square, 0))) >
	    UNSEEN * few_of_all(s)) {
		load_line(s);
		see_all(s);
		load_jump(s, e->theta, d);
		square = 0;
	}
	for (size_t c = 0; c < s->candidate.n; c++) {
		const size_t v = s->candidate.list[c];

		if (s->set.where[v] != KITH_WSVM_MARGIN)
			e->jump[v] = fabs(loaded(s, v)) + s->root[v] * e->apart;
	}
	e->apart += sqrt(kith_larger(square, 0));
	load_line(s);
}

/* Step 3 at the end. */
static void
apart_end(const struct kith_wsvm *s, struct ends *e)
{
	e->apart = 0;
	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];
		const double a = kith_wsvm_alpha(s, v, e->theta);
		const double C = kith_wsvm_weight(s, v, e->theta);
		const double got = kith_wsvm_restart_snap(
		    s, v, e->theta, C, e->most);

		e->apart += s->root[v] *
		    fabs(kith_lesser(C, kith_larger(0, got)) - a);
	}
}

/* Whether g of v, which is to be 0 or less, is so at both ends. */
static bool
is_right(const struct kith_wsvm *s, const struct ends e[2], size_t v,
    const double g[2], const double alpha[2])
{
	const bool turns = (e[0].b > 0) != (e[1].b > 0);
	const double b = turns ? 0 : kith_lesser(fabs(e[0].b), fabs(e[1].b));
	const double q = fabs(s->form.q[v]) + b;
	bool right = true;

	for (size_t k = 0; k < 2; k++) {
		const double jump = e[k].jump ? e[k].jump[v]
					      : s->root[v] * e[k].apart;

		right &= g[k] + jump <= SEEN * (q + s->diagonal[v] * alpha[k]);
	}
	return right;
}

static bool
margin_right(const struct kith_wsvm *s, const struct ends e[2])
{
	const size_t m = s->margin->size;
	const double *left = s->margin->left;

	for (size_t i = 0; i < m; i++) {
		const size_t v = s->margin->list[i];
		double g[2], alpha[2];

		for (size_t k = 0; k < 2; k++) {
			alpha[k] = kith_larger(
			    0, kith_wsvm_alpha(s, v, e[k].theta));
			g[k] = fabs(left[i] + e[k].theta * left[m + i]);
		}
		if (!is_right(s, e, v, g, alpha))
			return false;
	}
	return true;
}

static bool
other_right(const struct kith_wsvm *s, const struct ends e[2], size_t v)
{
	const bool in = s->set.where[v] == KITH_WSVM_IN;
	const double sign = kith_wsvm_violating_sign(s, v);
	const bool empty = s->form.bias && s->margin->size == 0;
	double g[2], alpha[2];

	for (size_t k = 0; k < 2; k++) {
		const double C = kith_wsvm_weight(s, v, e[k].theta);

		g[k] = s->piece.g0[v] + e[k].theta * s->piece.g1[v];
		g[k] += empty ? s->form.sign[v] * e[k].b : 0;
		g[k] *= C > BOUND * e[k].most ? sign : 0;
		alpha[k] = in ? C : 0;
	}
	return is_right(s, e, v, g, alpha);
}

/*
 * The same of all where M is empty, else of the candidates; most are right by
 * |q| alone.
 */
static bool
others_right(const struct kith_wsvm *s, const struct ends e[2])
{
	const bool all = s->form.bias && s->margin->size == 0;
	const bool look = all || e[0].jump;
	const size_t *list = all ? s->C.live : s->candidate.list;
	const size_t n = all ? s->C.n_live : s->candidate.n;
	const double apart = kith_larger(e[0].apart, e[1].apart);

	for (size_t c = 0; c < n; c++) {
		const size_t v = list[c];
		const double sign = kith_wsvm_violating_sign(s, v);
		const double g = s->piece.g0[v], rate = s->piece.g1[v];
		const double most = kith_larger(sign * (g + e[0].theta * rate),
		    sign * (g + e[1].theta * rate));

		if (s->set.where[v] != KITH_WSVM_MARGIN &&
		    (look ||
			!(most + s->root[v] * apart <=
			    SEEN * fabs(s->form.q[v]))) &&
		    !other_right(s, e, v))
			return false;
	}
	return true;
}

/* Step 6, over root_v. */
static double
hidden(const struct kith_wsvm *s, const struct ends e[2])
{
	const double size = kith_larger(e[0].size, e[1].size);
	double terms = kith_wsvm_sum_value(&s->in.sum.C) +
	    kith_wsvm_sum_value(&s->in.sum.size);

	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];

		terms += s->root[v] *
		    (fabs(s->piece.alpha0[v]) + fabs(s->piece.alpha1[v]));
	}
	return FEW * DBL_EPSILON * terms +
	    DBL_EPSILON * sqrt(1 + (double)s->in.events) *
	    kith_larger(size, s->path.rebuilt);
}

static bool
is_hidden(const struct kith_wsvm *s, const struct ends e[2])
{
	const double apart = s->root_most * kith_larger(e[0].apart, e[1].apart);
	const double less = hidden(s, e);
	const double room = HIDDEN * floor_of(s, &e[0], &e[1]) -
	    (apart <= UNSEEN * few_of_all(s) ? 0 : apart);

	if (s->root_most * less <= room)
		return true;
	return s->root_most <= ALIKE * s->root_min && room >= 0 &&
	    less <= TERMS * kith_lesser(e[0].size, e[1].size);
}

bool
kith_wsvm_quick_start(const struct kith_wsvm *s)
{
	struct ends e = survey(s, s->last.theta);

	return apart_start(s, &e);
}

bool
kith_wsvm_quick(struct kith_wsvm *s, double end)
{
	struct ends e[2] = {survey(s, s->last.theta), survey(s, end)};

	if (s->path.anew && kith_wsvm_path_theta(s, s->last.theta) > 0)
		return false;
	if (!(s->piece.violation <= SOUND))
		return false;
	if (!apart_start(s, &e[0]) || !balanced(s, &e[1]))
		return false;
	refine_start(s, &e[0]);
	apart_end(s, &e[1]);
	return is_hidden(s, e) && margin_right(s, e) && others_right(s, e);
}
