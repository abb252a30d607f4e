/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/ends.h"

#include "la/simd.h"
#include "wsvm/active_set.h"
#include "wsvm/margin_score.h"
#include "wsvm/piece.h"
#include "wsvm/restart.h"

#include <float.h>

enum { BLOCK = 32 }; /* variables that are glanced at together */

#define PRODUCT 1e-7  /* the root of what rounding leaves of d' Q d */
#define SNAPPED 1e-12 /* of a bound, over the largest alpha: may be put on it */

/* Both ends of O and I; what M has is added. */
static void
begin(const struct kith_wsvm *s, double theta, struct kith_wsvm_ends *e)
{
	*e = (struct kith_wsvm_ends){.theta = theta,
	    .b = s->form.bias ? s->piece.b0 + theta * s->piece.b1 : 0,
	    .near = INFINITY,
	    .sum = kith_wsvm_sum_value(&s->in.sum.C_sign) +
		theta * kith_wsvm_sum_value(&s->in.sum.rate_sign),
	    .size = kith_wsvm_sum_value(&s->in.sum.C) +
		theta * kith_wsvm_sum_value(&s->in.sum.rate)};
}

static void
add(const struct kith_wsvm *s, size_t v, struct kith_wsvm_ends *e)
{
	const double a = kith_wsvm_alpha(s, v, e->theta);
	const double above = kith_wsvm_weight(s, v, e->theta) - a;

	e->most = kith_larger(e->most, a);
	e->off = kith_larger(e->off, kith_larger(-a, -above));
	e->near = kith_lesser(e->near, kith_lesser(a, above));
	e->sum += s->form.sign[v] * a;
	e->size += s->root[v] * fabs(a);
}

/*
 * What of a difference of alpha_v at theta of the path is more than the bits of
 * theta leave open of C_v, which the judge allows.
 */
static double
beyond(const struct kith_wsvm *s, size_t v, double theta, double more)
{
	const double open = DBL_EPSILON * theta *
	    fabs(s->path.to[v] - s->path.from[v]);

	return more > open ? more - open : more < -open ? more + open : 0;
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

/* Whether what is off, and the sum, are small beside the largest alpha. */
static bool
is_small(const struct kith_wsvm *s, const struct kith_wsvm_ends *e, double most,
    double off, double sum, double sound)
{
	sum = s->form.bias ? fabs(sum) : 0;
	if (!(off <= sound * most && sum <= sound * most))
		most = kith_larger(most, most_in(s, e->theta));
	return off <= sound * most && sum <= sound * most;
}

bool
kith_wsvm_ends_within(
    const struct kith_wsvm *s, const struct kith_wsvm_ends *e, double sound)
{
	return is_small(s, e, e->most, e->off, e->sum, sound);
}

double
kith_wsvm_ends_begin(const struct kith_wsvm *s, size_t v)
{
	return s->last.stored[v] == s->last.number
	    ? s->last.alpha[v]
	    : kith_wsvm_alpha(s, v, s->last.theta);
}

/*
 * The variables whose alpha is stored, of the first block of them from *v on,
 * which goes on; how many they are.
 */
KITH_CLONES static size_t
ends_find_stored(
    size_t N, const size_t *stored, size_t number, size_t *v, size_t out[BLOCK])
{
	const ptrdiff_t is = (ptrdiff_t)number;
	size_t n = 0, w = *v;

	for (; w + BLOCK <= N; w += BLOCK) {
		const kith_v8z *at = (const kith_v8z *)(stored + w);
		const kith_v8z any = (at[0] == is) | (at[1] == is) |
		    (at[2] == is) | (at[3] == is);

		if (any[0] | any[1] | any[2] | any[3] | any[4] | any[5] |
		    any[6] | any[7])
			break;
	}
	for (*v = w + BLOCK; w < *v && w < N; w++)
		if (stored[w] == number)
			out[n++] = w;
	return n;
}

/*
 * Those of O and I that have moved since the last piece has ended, or all where
 * it was solved anew: what they have there and not on the line, into the sum,
 * and the largest of it.
 */
static double
add_moved(const struct kith_wsvm *s, struct kith_wsvm_ends *e, double *sum)
{
	const double theta = kith_wsvm_path_theta(s, e->theta);
	size_t found[BLOCK], n, v = 0;
	double off = 0;

	while ((n = ends_find_stored(
		    s->N, s->last.stored, s->last.number, &v, found)) > 0)
		for (size_t c = 0; c < n; c++) {
			const size_t w = found[c];
			const int8_t where = s->set.where[w];
			double more = s->last.alpha[w];

			if (where == KITH_WSVM_MARGIN)
				continue;
			if (where == KITH_WSVM_IN)
				more -= kith_wsvm_weight(s, w, e->theta);
			more = beyond(s, w, theta, more);
			e->apart += s->root[w] * fabs(more);
			*sum += s->form.sign[w] * more;
			off = kith_larger(off, fabs(more));
		}
	return off;
}

bool
kith_wsvm_ends(const struct kith_wsvm *s, double end, double sound,
    struct kith_wsvm_ends e[2])
{
	const double theta = kith_wsvm_path_theta(s, s->last.theta);
	double most = 0, off, sum;

	begin(s, s->last.theta, &e[0]);
	begin(s, end, &e[1]);
	sum = e[0].sum; /* where the last piece has ended */
	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];
		const double was = kith_wsvm_ends_begin(s, v);
		const double line = kith_wsvm_alpha(s, v, e[0].theta);
		double more;

		add(s, v, &e[0]);
		add(s, v, &e[1]);
		more = beyond(s, v, theta, was - line);
		e[0].apart += s->root[v] * fabs(more);
		most = kith_larger(most, was);
		sum += s->form.sign[v] * (line + more);
	}
	off = add_moved(s, &e[0], &sum);
	return is_small(s, &e[0], most, off, sum, sound);
}

/* What alpha_M, which is loaded, has as its g of v, without q and b. */
static double
loaded(const struct kith_wsvm *s, size_t v)
{
	const struct kith_smo_form *form = &s->form;
	double out[2], less[2] = {0};

	kith_wsvm_margin_score(s->margin, form->plus[v], out);
	if (form->minus)
		kith_wsvm_margin_score(s->margin, form->minus[v], less);
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

		d[i] = beyond(s, v, kith_wsvm_path_theta(s, theta),
		    kith_wsvm_ends_begin(s, v) - kith_wsvm_alpha(s, v, theta));
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

/* By Cauchy and Schwarz g_v jumps by root_v sqrt(d' Q_MM d) at most. */
void
kith_wsvm_ends_jump(struct kith_wsvm *s, struct kith_wsvm_ends *e)
{
	const size_t m = s->margin->size, *list = s->margin->list;
	double *d = s->work.side + 2 * m, square = 0;

	if (m == 0)
		return;
	/* What others than M add remains. */
	e->apart -= (1 - PRODUCT) * load_jump(s, e->theta, d);
	e->jump = s->work.unit;
	for (size_t i = 0; i < m; i++) {
		const double g = loaded(s, list[i]) + s->form.ridge * d[i];

		square += d[i] * g;
		e->jump[list[i]] = fabs(g) + s->root[list[i]] * e->apart;
	}
	square = kith_larger(square, 0);
	if (s->root_most * (e->apart + sqrt(square)) >
	    KITH_WSVM_UNSEEN * kith_wsvm_few_of_all(s)) {
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
	e->apart += sqrt(square);
	load_line(s);
}

void
kith_wsvm_ends_clip(const struct kith_wsvm *s, struct kith_wsvm_ends *e)
{
	const double theta = kith_wsvm_path_theta(s, e->theta);
	const double open = DBL_EPSILON * s->C.rate_max / s->path.length;

	e->apart = 0;
	if (e->near > SNAPPED * e->most + 4 * open)
		return;
	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];

		e->apart += s->root[v] *
		    fabs(beyond(s, v, theta,
			kith_wsvm_restart_kept(s, v, e->theta, theta, e->most) -
			    kith_wsvm_alpha(s, v, e->theta)));
	}
}
