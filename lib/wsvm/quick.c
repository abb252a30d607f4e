/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *  1. survey(): the largest alpha of M at one end of the piece, how far one is
 *     beyond its bounds, e' alpha, and sum root_v alpha_v.
 *  2. balanced(): M is within its bounds there and e' alpha = 0, over the
 *     largest alpha; at the start, which is the end before, as START says.
 *  3. meets(): with what M has where the last piece has ended, those of O and I
 *     are on their bounds there.
 *  4. kith_wsvm_quick(): 2 and 3 hold, residuals of the system of M and of the
 *     gradients of O and I (wsvm/ratio_test.c) are rounding, and no term is so
 *     large that rounding hides the others.
 *     The piece after a line of wsvm/mend.h never passes.
 *
 * What is allowed is below the limits of wsvm/judge.h.
 */
#include "wsvm/quick.h"

#include "wsvm/active_set.h"

#define BOUND 1e-10    /* beyond a bound at the end, over the largest alpha */
#define START 1e-6     /* the same at the start, which is the end before */
#define BALANCE 1e-10  /* e' alpha, over the largest alpha */
#define HIDDEN 1e-9    /* rounding at most, over |q|, or of rows that are .. */
#define ALIKE 100      /* .. alike over their terms, where no .. */
#define SEEN 1e-10     /* .. larger violation was seen, over |q| */
#define RESIDUAL 1e-11 /* of the system of M, over its terms */
#define SOUND 4e-13    /* a violation, over its terms */

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

bool
kith_wsvm_quick_within(const struct kith_wsvm *s, double theta)
{
	const struct ends e = survey(s, theta);

	return balanced(s, &e, theta, BOUND);
}

double
kith_wsvm_quick_begin(const struct kith_wsvm *s, size_t v)
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
		const double a = kith_wsvm_quick_begin(s, v);

		most = kith_larger(most, a);
		sum += s->form.sign[v] * a;
	}
	if (s->form.bias && !(fabs(sum) <= BALANCE * most))
		return fabs(sum) <= BALANCE * most_in(s, theta);
	for (size_t v = 0; v < s->N && (s->path.anew || !s->form.bias); v++) {
		const bool in = s->set.where[v] == KITH_WSVM_IN;
		const double C = kith_wsvm_weight(s, v, theta);

		if (s->set.where[v] != KITH_WSVM_MARGIN &&
		    !(fabs(kith_wsvm_quick_begin(s, v) - (in ? C : 0)) <=
			BOUND * most))
			return false;
	}
	return true;
}

bool
kith_wsvm_quick_start(const struct kith_wsvm *s)
{
	const struct ends e = survey(s, s->theta);

	return meets(s) && balanced(s, &e, s->theta, START);
}

bool
kith_wsvm_quick(const struct kith_wsvm *s, double end)
{
	const double hidden = s->root_most * s->tol.scale;
	const double wrong = s->piece.violation / KITH_WSVM_ROUNDING *
	    (s->tol.base + hidden);
	const struct ends l = survey(s, s->theta), r = survey(s, end);

	if (s->path.anew && kith_wsvm_path_theta(s, s->last.theta) > 0)
		return false;
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
