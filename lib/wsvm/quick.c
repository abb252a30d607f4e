/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limits of wsvm/judge.h, of which each step below gets its share, are over
 * t_v, the terms of g_v; these are at least
 *
 *	floor_v = |q_v| + |b| + Q_vv alpha_v
 *
 *  1. kith_wsvm_ends(): both ends of the line are within their bounds, and e'
 *     alpha = 0, over the largest alpha; so is where the last piece has ended.
 *  2. kith_wsvm_ends_jump(), kith_wsvm_ends_clip(): by how much g_v are others
 *     than those of the line, as the caller gets where the last piece has ended,
 *     and what is within its bounds.
 *  3. is_hidden(): what rounding leaves of scores, in all: of kernels and sums
 *     by Cauchy and Schwarz, and of the scores of I, of one change after another
 *     since they were computed from all of I; and of b0 + theta b1, over the
 *     floor, for a row that is like no other has no other terms.
 *  4. margin_right(): residuals of the system of M, and what 2 adds, over
 *     floor_v, or over t_v for some v.
 *  5. others_right(): the gradients that the ratio test has computed
 *     (wsvm/ratio_test.c) have their signs at both ends, as 4.  Those it has
 *     not are farther from 0 than f may go.
 *
 * Where the floor is small beside 3, and rows are alike over their terms, these
 * are compared with the terms.  The piece after a line of wsvm/mend.h never
 * passes.
 */
#include "wsvm/quick.h"

#include "wsvm/active_set.h"
#include "wsvm/ends.h"
#include "wsvm/krows.h"

#include <float.h>

enum { ROWS = 128 }; /* of the kernel, for the terms of some gradients */

#define BOUND 1e-9   /* alpha and e' alpha, over the largest alpha */
#define SEEN 4e-10   /* of gradients, over their floor */
#define HIDDEN 2e-10 /* of what is not seen, over the floor of all .. */
#define ALIKE 100   /* .. or of rows that are alike over their terms, over .. */
#define TERMS 1e-11 /* .. these */
#define LITTLE 1e-11 /* of a jump of scores, over the floor of all */
#define SOUND 4e-13  /* a violation, over its terms */
#define FEW 4        /* units of rounding that a term has */

bool
kith_wsvm_quick_within(const struct kith_wsvm *s, double theta)
{
	struct kith_wsvm_ends e[2];

	kith_wsvm_ends(s, theta, BOUND, e);
	return kith_wsvm_ends_within(s, &e[1], BOUND);
}

bool
kith_wsvm_quick_start(const struct kith_wsvm *s)
{
	struct kith_wsvm_ends e[2];

	return kith_wsvm_ends(s, s->last.theta, BOUND, e);
}

/* A piece that is looked at. */
struct look {
	const struct kith_wsvm *s;
	const struct kith_wsvm_ends *e; /* 2 */
	double b;                       /* the least |b| on the piece */
	size_t rows;                    /* of the kernel, that may be used */
};

static double
least_b(const struct kith_wsvm_ends e[2])
{
	const bool turns = (e[0].b > 0) != (e[1].b > 0);

	return turns ? 0 : kith_lesser(fabs(e[0].b), fabs(e[1].b));
}

/* alpha_w of the line, within its bounds. */
static double
alpha_at(const struct kith_wsvm *s, size_t w, double theta)
{
	const int8_t where = s->set.where[w];

	return where == KITH_WSVM_OUT ? 0
	    : where == KITH_WSVM_IN
	    ? kith_wsvm_weight(s, w, theta)
	    : kith_larger(0, kith_wsvm_alpha(s, w, theta));
}

/* t_v at both ends, from the kernel. */
static void
terms_of(const struct look *at, size_t v, double t[2])
{
	const struct kith_wsvm *s = at->s;
	const size_t *plus = s->form.plus, *minus = s->form.minus;
	const double *first = kith_krows_get(s->rows, plus[v]);
	const double *second = minus ? kith_krows_get(s->rows, minus[v]) : NULL;

	t[0] = t[1] = fabs(s->form.q[v]) + at->b;
	for (size_t c = 0; c < s->C.n_live; c++) {
		const size_t w = s->C.live[c];
		double K = fabs(first[plus[w]]);

		if (minus)
			K += fabs(first[minus[w]]) + fabs(second[plus[w]]) +
			    fabs(second[minus[w]]);
		t[0] += K * alpha_at(s, w, at->e[0].theta);
		t[1] += K * alpha_at(s, w, at->e[1].theta);
	}
}

/*
 * Whether g_v, which is to be 0 or less at both ends, is so: over floor_v, or
 * else over t_v.
 */
static bool
is_right(struct look *at, size_t v, const double g[2])
{
	const struct kith_wsvm *s = at->s;
	double t[2], off[2];
	bool right = true;

	for (size_t k = 0; k < 2; k++) {
		const struct kith_wsvm_ends *e = &at->e[k];

		off[k] = g[k] + (e->jump ? e->jump[v] : s->root[v] * e->apart);
		t[k] = fabs(s->form.q[v]) + at->b +
		    s->diagonal[v] * alpha_at(s, v, e->theta);
		right &= off[k] <= SEEN * t[k];
	}
	if (right || at->rows == 0)
		return right;
	at->rows--;
	terms_of(at, v, t);
	return off[0] <= SEEN * t[0] && off[1] <= SEEN * t[1];
}

/* The same without a closer look, which most pass. */
static bool
is_clear(const struct look *at, size_t v, double l, double r)
{
	const struct kith_wsvm_ends *e = at->e;
	const double apart = kith_larger(e[0].apart, e[1].apart);

	return !e[0].jump &&
	    kith_larger(l, r) + at->s->root[v] * apart <=
	    SEEN * fabs(at->s->form.q[v]);
}

static bool
margin_right(struct look *at)
{
	const struct kith_wsvm_margin *margin = at->s->margin;
	const size_t m = margin->size;
	const double *left = margin->left;

	for (size_t i = 0; i < m; i++) {
		const size_t v = margin->list[i];
		const double g[] = {
		    fabs(left[i] + at->e[0].theta * left[m + i]),
		    fabs(left[i] + at->e[1].theta * left[m + i])};

		if (!is_clear(at, v, g[0], g[1]) && !is_right(at, v, g))
			return false;
	}
	return true;
}

/* Without a weight g is free. */
static bool
other_right(struct look *at, size_t v, bool empty)
{
	const struct kith_wsvm *s = at->s;
	const double sign = kith_wsvm_violating_sign(s, v);
	double g[2];

	for (size_t k = 0; k < 2; k++) {
		const struct kith_wsvm_ends *e = &at->e[k];
		const double C = kith_wsvm_weight(s, v, e->theta);

		g[k] = s->piece.g0[v] + e->theta * s->piece.g1[v];
		g[k] += empty ? s->form.sign[v] * e->b : 0;
		g[k] *= C > BOUND * e->most ? sign : 0;
	}
	return is_clear(at, v, g[0], g[1]) || is_right(at, v, g);
}

/* Of all where M is empty, for these were computed; else of the candidates. */
static bool
others_right(struct look *at)
{
	const struct kith_wsvm *s = at->s;
	const bool empty = s->form.bias && s->margin->size == 0;
	const size_t *list = empty ? s->C.live : s->candidate.list;
	const size_t n = empty ? s->C.n_live : s->candidate.n;

	for (size_t c = 0; c < n; c++) {
		const size_t v = list[c];
		const double sign = kith_wsvm_violating_sign(s, v);
		const double g = s->piece.g0[v], rate = s->piece.g1[v];

		if (s->set.where[v] == KITH_WSVM_MARGIN ||
		    (!empty &&
			is_clear(at, v, sign * (g + at->e[0].theta * rate),
			    sign * (g + at->e[1].theta * rate))))
			continue;
		if (!other_right(at, v, empty))
			return false;
	}
	return true;
}

/* Step 3, over root_v. */
static double
hidden(const struct kith_wsvm *s, const struct kith_wsvm_ends e[2])
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
is_hidden(const struct look *at)
{
	const struct kith_wsvm *s = at->s;
	const struct kith_wsvm_ends *e = at->e;
	const double apart = s->root_most * kith_larger(e[0].apart, e[1].apart);
	const double unseen = KITH_WSVM_UNSEEN * kith_wsvm_few_of_all(s);
	const double room = HIDDEN * (s->q_max + at->b) -
	    (apart <= unseen ? 0 : apart);
	const double less = hidden(s, e);
	/* b0 + theta b1 is no part of the terms of scores. */
	const double bias = s->form.bias
	    ? FEW * DBL_EPSILON * (fabs(s->piece.b0) + fabs(s->piece.b1))
	    : 0;

	if (s->root_most * less + bias <= room)
		return true;
	if (bias > room)
		return false;
	return s->root_most <= ALIKE * s->root_min && room >= 0 &&
	    less <= TERMS * kith_lesser(e[0].size, e[1].size);
}

bool
kith_wsvm_quick(struct kith_wsvm *s, double end, bool *within)
{
	struct kith_wsvm_ends e[2];
	const bool meets = kith_wsvm_ends(s, end, BOUND, e);
	struct look at = {s, e, least_b(e), ROWS};

	*within = kith_wsvm_ends_within(s, &e[0], BOUND);
	if (s->path.anew && kith_wsvm_path_theta(s, s->last.theta) > 0)
		return false;
	if (!meets || !(s->piece.violation <= SOUND) ||
	    !kith_wsvm_ends_within(s, &e[1], BOUND))
		return false;
	if (s->root_most * e[0].apart > LITTLE * (s->q_max + at.b))
		kith_wsvm_ends_jump(s, &e[0]);
	kith_wsvm_ends_clip(s, &e[1]);
	return is_hidden(&at) && margin_right(&at) && others_right(&at);
}
