/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/piece.h"

#include "wsvm/active_set.h"
#include "wsvm/margin_score.h"
#include "wsvm/margin_solve.h"

#include <string.h>

#define CANCEL 1e-15        /* rounding of v0 + theta v1, to its terms */
#define RATE_ROUNDING 1e-13 /* of a gradient's rate, to its terms */

/*
 * r, the right-hand side of e_M' alpha_M = - e_I' C_I, in its two parts; what
 * I adds to the tolerances.
 */
static void
sum_bounded(struct kith_wsvm *s, double r[2])
{
	const double C = kith_wsvm_sum_value(&s->in.sum.C);
	const double rates = kith_wsvm_sum_value(&s->in.sum.size);
	const double now = C + s->theta * kith_wsvm_sum_value(&s->in.sum.rate);

	r[0] = -kith_wsvm_sum_value(&s->in.sum.C_sign);
	r[1] = -kith_wsvm_sum_value(&s->in.sum.rate_sign);
	s->tol.scale = KITH_WSVM_ROUNDING * now + CANCEL * (C + rates);
	s->tol_rate.scale = kith_larger(
	    s->tol_rate.scale, RATE_ROUNDING * rates);
}

/*
 * [ Q_MM  e_M ] [ alpha0  alpha1 ]     [ score0_M + q_M   score1_M ]
 * [ e_M'   0  ] [   b0      b1   ] = - [ e_I' from_I    e_I' rate_I ]
 *
 * where r is the last line; what M adds to the tolerances.
 */
static void
solve_margin(struct kith_wsvm *s, const double r[2])
{
	const size_t m = s->margin->size;
	const size_t *list = s->margin->list;
	double *c = s->work.side, *a = s->work.side + 2 * m;
	double b[2] = {s->piece.b0, s->piece.b1};
	double sum = 0, rates = 0;

	s->root_least = s->root_most;

	for (size_t i = 0; i < m; i++) {
		c[i] = -kith_smo_score(&s->form, s->in.score0, list[i]) -
		    s->form.q[list[i]];
		c[m + i] = -kith_smo_score(&s->form, s->in.score1, list[i]);
		a[i] = s->piece.alpha0[list[i]];
		a[m + i] = s->piece.alpha1[list[i]];
	}
	kith_wsvm_margin_solve_next(s->margin, c, r, a, b);
	for (size_t i = 0; i < m; i++) {
		s->piece.alpha0[list[i]] = a[i];
		s->piece.alpha1[list[i]] = a[m + i];
		s->root_least = kith_lesser(s->root_least, s->root[list[i]]);
		sum += s->root[list[i]] *
		    (KITH_WSVM_ROUNDING * fabs(a[i] + s->theta * a[m + i]) +
			CANCEL * (fabs(a[i]) + fabs(a[m + i])));
		rates += s->root[list[i]] * fabs(a[m + i]);
	}
	s->tol.scale += sum;
	s->tol_rate.scale += RATE_ROUNDING * rates;
	s->piece.b0 = b[0];
	s->piece.b1 = b[1];
	kith_wsvm_margin_load(s->margin, a, a + m);
}

void
kith_wsvm_piece_solve(struct kith_wsvm *s)
{
	double r[2];

	kith_wsvm_bounded_apply(s);
	sum_bounded(s, r);
	if (s->margin->size > 0)
		solve_margin(s, r);
	/* b is as right as the rows of M with the least terms make it. */
	s->tol.base = KITH_WSVM_ROUNDING * s->q_max +
	    s->root_least * s->tol.scale;
	s->tol_rate.base = kith_larger(
	    s->tol_rate.base, s->root_least * s->tol_rate.scale);
	s->piece.number++;
	s->piece.f_complete = false;
}

void
kith_wsvm_piece_scores(struct kith_wsvm *s)
{
	if (s->piece.f_complete)
		return;
	memcpy(s->piece.f0, s->in.score0, s->n * sizeof(*s->piece.f0));
	memcpy(s->piece.f1, s->in.score1, s->n * sizeof(*s->piece.f1));
	if (s->margin->size > 0)
		kith_wsvm_margin_score_all(s->margin, s->piece.f0, s->piece.f1);
	s->piece.f_complete = true;
}

/* f = s + K_M (e alpha)_M of item i. */
void
kith_wsvm_piece_score(const struct kith_wsvm *s, size_t i, double *f)
{
	f[0] = f[1] = 0;
	if (s->margin->size > 0)
		kith_wsvm_margin_score(s->margin, i, f);
	f[0] += s->in.score0[i];
	f[1] += s->in.score1[i];
}

/* Item i is to be scored for this piece, unless it is known: from those of I. */
static void
ask(struct kith_wsvm *s, size_t i, size_t *n)
{
	if (s->piece.f_of[i] == s->piece.number)
		return;
	s->piece.f0[i] = s->in.score0[i];
	s->piece.f1[i] = s->in.score1[i];
	s->piece.f_of[i] = s->piece.number;
	s->piece.asked[(*n)++] = i;
}

void
kith_wsvm_piece_gradients(
    struct kith_wsvm *s, const size_t *v, size_t count, double b0, double b1)
{
	const struct kith_smo_form *form = &s->form;
	size_t n = 0;

	for (size_t c = 0; c < count && !s->piece.f_complete; c++) {
		ask(s, form->plus[v[c]], &n);
		if (form->minus)
			ask(s, form->minus[v[c]], &n);
	}
	if (s->margin->size > 0)
		kith_wsvm_margin_score_some(
		    s->margin, s->piece.asked, n, s->piece.f0, s->piece.f1);
	for (size_t c = 0; c < count; c++) {
		const size_t w = v[c];
		const double e = form->sign[w];

		/* g_v = e_v (f_v + b) + q_v + ridge alpha_v */
		s->piece.g0[w] = kith_smo_score(form, s->piece.f0, w) +
		    form->q[w] + form->ridge * s->piece.alpha0[w] + e * b0;
		s->piece.g1[w] = kith_smo_score(form, s->piece.f1, w) +
		    form->ridge * s->piece.alpha1[w] + e * b1;
	}
}

void
kith_wsvm_piece_gradient(struct kith_wsvm *s, size_t v, double b0, double b1)
{
	kith_wsvm_piece_gradients(s, &v, 1, b0, b1);
}
