/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The end of a piece is the least theta' >= theta of
 *
 *	-alpha0 / alpha1                      v of M gets to 0
 *	(from - alpha0) / (alpha1 - rate)     v of M gets to C
 *	-g0 / g1                              g of v in O or I gets to 0
 *	the end of the interval of b          M is empty (wsvm/bias.h)
 *
 * of those that move towards their bound, or violation, by more than rounding.
 * Each variable within rounding of its event at theta' is open there.
 *
 * Most gradients are far from 0 and are not computed.  g_v was seen last as
 * g_v(theta_0).  Along the path of f, whose length in the space of the kernel
 * is L(theta),
 *
 *	|g_v(theta) - g_v(theta_0)| <= L(theta) - L(theta_0)
 *
 * so v cannot reach 0 before L exceeds due_v = L(theta_0) + |g_v(theta_0)|.  Where
 * an item of M is near v, g_v changes by a share of L (wsvm/nearest.h), and due_v
 * is L(theta_0) + |g_v(theta_0)| / share_v, until that item leaves M.
 *
 *  1. speed(): dL / dtheta of the present piece, by Cauchy and Schwarz.
 *  2. check_due(): gradients of those with due_v <= L at a theta ahead; the
 *     first at which one of them is 0 is the new end.
 *  3. Look farther ahead, until the end is before that theta.
 *  4. set_due(): due_v of those checked, at the end of the piece.
 */
#include "wsvm/ratio_test.h"

#include "base/sort.h"
#include "la/simd.h"
#include "wsvm/bias.h"
#include "wsvm/nearest.h"
#include "wsvm/piece.h"

#include <float.h>
#include <string.h>

#define BOUND 1e-12 /* as near to a bound, over alpha, is on it */

#define VANISH (1 - 1e-9) /* from here on, 0 is at 1 */

#define LEAST 1e-250   /* squares from here .. */
#define LARGE 1e10     /* .. to DBL_MAX / LARGE are safe */
#define ROUNDING 1e-12 /* of the energy, to the largest that it was */

void
kith_wsvm_ratio_check_all(struct kith_wsvm *s)
{
	for (size_t v = 0; v < s->N; v++)
		s->candidate.due[v] = INFINITY;
	memset(s->candidate.near, 0, s->N * sizeof(*s->candidate.near));
	for (size_t c = 0; c < s->C.n_live; c++)
		kith_wsvm_check(s, s->C.live[c]);
	s->candidate.length = 0;
}

/* energy = rate_I' (Q_II - ridge) rate_I = sum_I rate_v score1_v */
static void
find_energy(struct kith_wsvm *s)
{
	s->in.energy = 0;
	for (size_t c = 0; c < s->C.n_live; c++) {
		const size_t v = s->C.live[c];

		if (s->set.where[v] == KITH_WSVM_IN)
			s->in.energy += s->C.rate[v] *
			    kith_smo_score(&s->form, s->in.score1, v);
	}
	s->in.energy_max = fabs(s->in.energy);
	s->in.energy_known = true;
}

/*
 * The norm's square is that of the rates of I and M, of which
 * Q_MM alpha1 = - (score1 + e b1)_M leaves
 *
 *	energy + alpha1' score1_M - b1 e' alpha1 - ridge alpha1' alpha1
 */
double
kith_wsvm_ratio_norm(struct kith_wsvm *s)
{
	const struct kith_smo_form *form = &s->form;
	const size_t *list = s->margin->list;
	double square, terms;

	if (!s->in.energy_known)
		find_energy(s);
	square = s->in.energy;
	terms = s->in.energy_max;
	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = list[i];
		const double a = s->piece.alpha1[v];
		const double t = a * kith_smo_score(form, s->in.score1, v);
		const double u = form->sign[v] * a * s->piece.b1;

		square += t - u - form->ridge * a * a;
		terms += fabs(t) + fabs(u);
	}
	square = kith_larger(square, 0) + ROUNDING * terms;
	if (!(LEAST < square && square < DBL_MAX / LARGE))
		return INFINITY;
	return sqrt(square);
}

/*
 * dL / dtheta = sqrt(max Q_vv) norm(df / dtheta) + |b1|
 *	+ ridge (max|rate| + max|alpha1|)
 *
 * bounds |dg_v / dtheta|, and a share of it too; most: of |alpha1|.
 */
static double
speed(struct kith_wsvm *s, double most)
{
	const double norm = kith_wsvm_ratio_norm(s);

	if (isinf(norm))
		return norm;
	return sqrt(s->Q_max) * norm + fabs(s->piece.b1) +
	    s->form.ridge * (s->C.rate_max + most) / KITH_WSVM_SHARE;
}

/* The variables with due <= length, in increasing order; their number. */
KITH_CLONES static size_t
ratio_test_find_due(size_t N, const double *due, double length, size_t *out)
{
	size_t v = 0, count = 0;

	for (; v + 32 <= N; v += 32) {
		const kith_v8d *at = (const kith_v8d *)(due + v);
		const kith_v8i any = (at[0] <= length) | (at[1] <= length) |
		    (at[2] <= length) | (at[3] <= length);

		if (!(any[0] | any[1] | any[2] | any[3] | any[4] | any[5] |
			any[6] | any[7]))
			continue;
		for (size_t w = v; w < v + 32; w++)
			if (due[w] <= length)
				out[count++] = w;
	}
	for (; v < N; v++)
		if (due[v] <= length)
			out[count++] = v;
	return count;
}

/* Check all that are due at this length; the first zero before end, or end. */
static double
check_due(struct kith_wsvm *s, double from, double length, double end)
{
	size_t c = s->candidate.n;

	length = kith_lesser(length, DBL_MAX);
	s->candidate.n += ratio_test_find_due(
	    s->N, s->candidate.due, length, s->candidate.list + c);
	kith_wsvm_piece_gradients(s, s->candidate.list + c, s->candidate.n - c,
	    s->piece.b0, s->piece.b1);
	for (; c < s->candidate.n; c++) {
		const size_t v = s->candidate.list[c];
		const double e = kith_wsvm_violating_sign(s, v);
		double g0, g1;

		g0 = e * s->piece.g0[v];
		g1 = e * s->piece.g1[v];
		if (kith_wsvm_has_weight(s, v, from))
			s->piece.violation = kith_larger(s->piece.violation,
			    (g0 + from * g1) / kith_wsvm_few(s, v));
		if (g1 > kith_wsvm_few_rate(s, v) && -g0 < end * g1)
			end = -g0 / g1;         /* g0 + theta g1 = 0 */
		s->candidate.due[v] = INFINITY; /* in this piece */
	}
	return end;
}

/* due_v = L + |g_v| / share_v of those checked, at theta = stop. */
static void
set_due(struct kith_wsvm *s, double stop)
{
	for (size_t c = 0; c < s->candidate.n; c++) {
		const size_t v = s->candidate.list[c];
		const double g = kith_wsvm_violating_sign(s, v) *
		    (s->piece.g0[v] + stop * s->piece.g1[v]);

		s->candidate.due[v] = s->candidate.length -
		    g / kith_wsvm_nearest_share(s, v);
	}
}

/*
 * The first theta, at most end, at which a gradient of O or I becomes 0; the
 * largest violation at theta `from`, into piece.violation.  candidate.list has
 * all variables whose gradient may be 0 by then.  most: of |alpha1|.
 */
static double
first_zero(struct kith_wsvm *s, double from, double end, double most)
{
	const double fast = speed(s, most) * (1 + ROUNDING);
	const double b = s->piece.b0 + s->theta * s->piece.b1;
	const double few = (s->tol.base + s->root_most * s->tol.scale) /
	    KITH_WSVM_SHARE;
	double ahead = s->candidate.horizon, stop;
	bool near;

	s->piece.violation = 0;
	s->candidate.n = 0;
	/* b may jump between pieces; f agrees but for rounding. */
	s->candidate.length += fabs(b - s->candidate.b_end) + few;
	do { /* no farther ahead than need be: most ends are near */
		stop = kith_larger(kith_lesser(end, 1), from);
		near = from + ahead < stop;
		stop = near ? from + ahead : stop;
		end = check_due(s, from,
		    s->candidate.length + fast * (stop - s->theta) + 4 * few,
		    end);
		ahead *= 4;
	} while (near && end > stop);
	end = kith_larger(end, from);
	stop = kith_lesser(end, 1);
	s->candidate.length += fast * (stop - s->theta);
	s->candidate.b_end = s->piece.b0 + stop * s->piece.b1;
	if (s->candidate.length < DBL_MAX)
		set_due(s, stop);
	else
		kith_wsvm_ratio_check_all(s);
	return end;
}

/* The theta at which v of M gets to a bound, or infinity; most: of |alpha1|. */
static double
bound_hit(const struct kith_wsvm *s, size_t v, double most)
{
	const double alpha0 = s->piece.alpha0[v], alpha1 = s->piece.alpha1[v];
	const double rate = s->C.rate[v];
	double t = INFINITY;

	if (alpha1 < -1e-12 * most)
		t = -alpha0 / alpha1; /* alpha0 + t alpha1 = 0 */
	/* alpha0 + t alpha1 = from + t rate */
	if (alpha1 - rate > 1e-12 * fmax(fabs(rate), most))
		t = kith_lesser(t, (s->C.from[v] - alpha0) / (alpha1 - rate));
	/* Where weights vanish at 1, so does alpha. */
	return t > VANISH && !(s->C.to[v] > 0) ? INFINITY : t;
}

/* The first event of M, O and I from `from` on. */
static double
first_event(struct kith_wsvm *s, double from)
{
	const size_t *list = s->margin->list;
	double end = INFINITY, most = 0;

	for (size_t i = 0; i < s->margin->size; i++)
		most = kith_larger(most, fabs(s->piece.alpha1[list[i]]));
	for (size_t i = 0; i < s->margin->size; i++) {
		s->piece.hit[list[i]] = bound_hit(s, list[i], most);
		end = kith_lesser(end, s->piece.hit[list[i]]);
	}
	end = first_zero(s, from, end, most);
	s->piece.violation *= KITH_WSVM_ROUNDING;
	return end;
}

/* Whether v of M is on a bound at the end; most: of the alpha of M. */
static bool
at_bound(const struct kith_wsvm *s, size_t v, double end, double most)
{
	const double C = kith_wsvm_weight(s, v, end);
	const double alpha = kith_wsvm_alpha(s, v, end);

	return s->piece.hit[v] <= end ||
	    alpha <= BOUND * kith_lesser(C, most) || alpha >= C - BOUND * C;
}

/* Whether g of v, which is in O or I, is 0 at the end, or about to violate. */
static bool
at_zero(const struct kith_wsvm *s, size_t v, double end)
{
	const double e = kith_wsvm_violating_sign(s, v);
	const double g0 = e * s->piece.g0[v], g1 = e * s->piece.g1[v];

	return fabs(g0 + end * g1) <= kith_wsvm_few(s, v) ||
	    (g1 > kith_wsvm_few_rate(s, v) && -g0 <= end * g1);
}

/*
 * The variables with their event at the end, and those whose set was chosen at
 * this theta already: after steps of no length all are one tie.
 */
static void
find_open(struct kith_wsvm *s, double end)
{
	const size_t *list = s->margin->list;
	const bool *decided = s->event.decided;
	double most = 0;

	for (size_t i = 0; i < s->margin->size; i++)
		most = kith_larger(most, kith_wsvm_alpha(s, list[i], end));
	s->event.n_open = 0;
	for (size_t c = 0; c < s->candidate.n; c++) {
		const size_t v = s->candidate.list[c];

		if (decided[v] || at_zero(s, v, end))
			s->event.open[s->event.n_open++] = v;
	}
	for (size_t i = 0; i < s->margin->size; i++)
		if (decided[list[i]] || at_bound(s, list[i], end, most))
			s->event.open[s->event.n_open++] = list[i];
	kith_sort_sizes(s->event.open, s->event.n_open);
}

double
kith_wsvm_ratio_test(struct kith_wsvm *s)
{
	const double from = fmax(s->theta, s->event.tie_end);
	const bool empty = s->form.bias && s->margin->size == 0;
	double end;

	kith_wsvm_piece_solve(s);
	if (empty) {
		end = kith_wsvm_bias_end(s, from);
		kith_wsvm_ratio_check_all(s);
	} else {
		end = first_event(s, from);
		s->event.due = true;
	}
	if (end >= 1) {
		s->event.due = false;
		return 1;
	}
	if (empty)
		return end;
	if (!kith_wsvm_same_theta(s->theta, end))
		memset(s->event.decided, 0, s->N * sizeof(*s->event.decided));
	find_open(s, end);
	return end;
}
