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
 */
#include "wsvm/ratio_test.h"

#include "base/sort.h"
#include "wsvm/bias.h"
#include "wsvm/candidates.h"
#include "wsvm/piece.h"

#include <string.h>

#define BOUND 1e-12 /* as near to a bound, over the weight, is on it */

/* The theta at which v of M gets to a bound, or infinity. */
static double
bound_hit(const struct kith_wsvm *s, size_t v)
{
	const double alpha0 = s->piece.alpha0[v], alpha1 = s->piece.alpha1[v];
	const double rate = s->C.rate[v];
	const double few = 1e-12 * (fabs(alpha1) + fabs(rate));
	double t = INFINITY;

	if (alpha1 < -few)
		t = -alpha0 / alpha1; /* alpha0 + t alpha1 = 0 */
	if (alpha1 - rate > few)      /* alpha0 + t alpha1 = from + t rate */
		t = kith_wsvm_min(t, (s->C.from[v] - alpha0) / (alpha1 - rate));
	return t;
}

/* The first event of M, O and I from `from` on. */
static double
first_event(struct kith_wsvm *s, double from)
{
	const size_t *list = s->margin->list;
	double end = INFINITY;

	for (size_t i = 0; i < s->margin->size; i++) {
		s->piece.hit[list[i]] = bound_hit(s, list[i]);
		end = kith_wsvm_min(end, s->piece.hit[list[i]]);
	}
	end = kith_wsvm_candidates_first_zero(s, from, end);
	s->piece.violation = s->piece.violation / s->tol.g * KITH_WSVM_ROUNDING;
	return end;
}

/* Whether v of M is on a bound at the end. */
static bool
at_bound(const struct kith_wsvm *s, size_t v, double end)
{
	const double C = kith_wsvm_weight(s, v, end);
	const double alpha = kith_wsvm_alpha(s, v, end);

	return s->piece.hit[v] <= end || alpha <= BOUND * C ||
	    alpha >= C - BOUND * C;
}

/* Whether g of v, which is in O or I, is 0 at the end, or about to violate. */
static bool
at_zero(const struct kith_wsvm *s, size_t v, double end)
{
	const double e = kith_wsvm_violating_sign(s, v);
	const double g0 = e * s->piece.g0[v], g1 = e * s->piece.g1[v];

	return fabs(g0 + end * g1) <= s->tol.g ||
	    (g1 > s->tol.g_rate && -g0 <= end * g1);
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

	s->event.n_open = 0;
	for (size_t c = 0; c < s->candidate.n; c++) {
		const size_t v = s->candidate.list[c];

		if (decided[v] || at_zero(s, v, end))
			s->event.open[s->event.n_open++] = v;
	}
	for (size_t i = 0; i < s->margin->size; i++)
		if (decided[list[i]] || at_bound(s, list[i], end))
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
		kith_wsvm_candidates_check_all(s);
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
