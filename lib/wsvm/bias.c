/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where M is empty, v bounds b by the value at which g_v = 0,
 *
 *	b_v = -e_v (e_v s_v + q_v + ridge alpha_v)
 *
 * from below for e_v > 0 in O and e_v < 0 in I, else from above.
 *
 * bias_end(), along a piece: both ends of the interval are lines in theta.
 *
 *  1. find_edge(): the line that bounds b at theta, for either side.
 *  2. edge_end(): the theta at which another line takes over.
 *  3. The piece ends there, or where the two lines meet.
 *
 * bias_find(), at a breakpoint: variables without a weight, whose rate is
 * above 0, enter I if their g_v < 0 (a gate at b_v).  With b growing from lo to
 * hi, the imbalance e_I' rate_I loses rate_v at each gate.
 *
 *  1. survey(): lo, hi, the gates in order, the imbalance below all gates.
 *  2. search(): go up through the gates until the imbalance is 0 or less.
 *  3. place_gates(): each gate's variable goes to O or I.
 *  4. No interval: those with g_v = 0 at the point found are open.
 */
#include "wsvm/bias.h"

#include "base/pool.h"
#include "base/sort.h"
#include "wsvm/active_set.h"
#include "wsvm/piece.h"

/* The line v0 + theta v1 that bounds b, and the variable that has it. */
struct edge {
	size_t v;
	double v0, v1;
};

/* Whether v bounds b from below (1) or above (-1). */
static double
bound_side(const struct kith_wsvm *s, size_t v)
{
	const bool in = s->set.where[v] == KITH_WSVM_IN;

	return in == (s->form.sign[v] > 0) ? -1 : 1;
}

/* The line of v. */
static struct edge
edge_of(const struct kith_wsvm *s, size_t v)
{
	const double e = s->form.sign[v];

	return (struct edge){v, -e * s->piece.g0[v], -e * s->piece.g1[v]};
}

/*
 * The innermost line of a side (1: from below, -1: above) at `from`; of lines
 * that are the same there, the innermost after it.
 */
static struct edge
find_edge(const struct kith_wsvm *s, double side, double from)
{
	struct edge edge = {SIZE_MAX, -side * INFINITY, 0};
	double most = -INFINITY;

	for (size_t c = 0; c < s->C.n_live; c++) {
		const size_t v = s->C.live[c];
		const struct edge of_v = edge_of(s, v);
		const double own = side * (of_v.v0 + from * of_v.v1);
		const double few = kith_wsvm_few(s, v);

		if (bound_side(s, v) != side ||
		    !kith_wsvm_has_weight(s, v, from))
			continue;
		if (own > most + few ||
		    (own >= most - few && side * of_v.v1 > side * edge.v1)) {
			edge = of_v;
			most = fmax(most, own);
		}
	}
	return edge;
}

/* What rounding may leave of the difference of two rates. */
static double
rate_few(const struct kith_wsvm *s, size_t v, size_t w)
{
	return fmax(kith_wsvm_few_rate(s, v), kith_wsvm_few_rate(s, w));
}

/* The theta at which another line of the side crosses the edge. */
static double
edge_end(const struct kith_wsvm *s, const struct edge *edge, double side,
    double from)
{
	double end = INFINITY;

	if (edge->v == SIZE_MAX)
		return end;
	for (size_t c = 0; c < s->C.n_live; c++) {
		const size_t v = s->C.live[c];
		const struct edge of_v = edge_of(s, v);

		if (bound_side(s, v) != side || v == edge->v ||
		    !(side * (of_v.v1 - edge->v1) > rate_few(s, v, edge->v)))
			continue;
		end = fmin(end, (edge->v0 - of_v.v0) / (of_v.v1 - edge->v1));
	}
	return fmax(end, from);
}

double
kith_wsvm_bias_end(struct kith_wsvm *s, double from)
{
	struct edge lo, hi;
	double end, meet = INFINITY;

	s->piece.violation = 0;
	kith_wsvm_piece_scores(s);
	for (size_t c = 0; c < s->C.n_live; c++)
		kith_wsvm_piece_gradient(s, s->C.live[c], 0, 0);
	lo = find_edge(s, 1, from);
	hi = find_edge(s, -1, from);
	end = fmin(edge_end(s, &lo, 1, from), edge_end(s, &hi, -1, from));
	if (lo.v != SIZE_MAX && hi.v != SIZE_MAX) {
		s->piece.b0 = (lo.v0 + hi.v0) / 2;
		s->piece.b1 = (lo.v1 + hi.v1) / 2;
		if (lo.v1 - hi.v1 > rate_few(s, lo.v, hi.v)) /* lo = hi */
			meet = fmax(from, (hi.v0 - lo.v0) / (lo.v1 - hi.v1));
		s->piece.violation = (lo.v0 - hi.v0 + from * (lo.v1 - hi.v1)) /
		    fmax(kith_wsvm_few(s, lo.v), kith_wsvm_few(s, hi.v)) *
		    1e-13;
	} else {
		const struct edge *one = lo.v != SIZE_MAX ? &lo : &hi;

		s->piece.b0 = one->v == SIZE_MAX ? 0 : one->v0;
		s->piece.b1 = one->v1;
	}
	s->event.n_open = 0;
	s->event.due = meet <= end;
	return s->event.due ? meet : end;
}

/* The imbalance e_I' rate_I for b between lo and hi, above the gates passed. */
struct search {
	/* By -b, of v: one without weight, but with a rate, changes sets at b. */
	struct kith_ranked *gate;
	size_t gates, passed;
	double lo, hi, imbalance, few;
};

/* b_v at theta. */
static double
zero_of(const struct kith_wsvm *s, size_t v)
{
	const double alpha = kith_wsvm_alpha(s, v, s->theta);
	const double score = kith_smo_score(&s->form, s->in.score0, v) +
	    s->theta * kith_smo_score(&s->form, s->in.score1, v);

	return -s->form.sign[v] *
	    (score + s->form.q[v] + s->form.ridge * alpha);
}

static void
survey(struct kith_wsvm *s, struct search *at)
{
	double sum = 0;

	for (size_t c = 0; c < s->C.n_live; c++) {
		const size_t v = s->C.live[c];
		const double b = zero_of(s, v), e = s->form.sign[v];
		const double rate = s->C.rate[v];
		const bool in = s->set.where[v] == KITH_WSVM_IN;

		s->piece.hit[v] = b;
		sum += fabs(rate);
		if (!(kith_wsvm_weight(s, v, s->theta) > 0)) {
			at->gate[at->gates++] = (struct kith_ranked){-b, v};
			at->imbalance += e > 0 ? rate : 0;
			continue;
		}
		at->imbalance += in ? e * rate : 0;
		if (bound_side(s, v) < 0)
			at->hi = fmin(at->hi, b);
		else
			at->lo = fmax(at->lo, b);
	}
	at->few = 1e-12 * sum;
	if (at->lo > at->hi)
		at->lo = at->hi = (at->lo + at->hi) / 2;
	kith_sort_ranked(at->gate, at->gates);
}

static void
pass(struct kith_wsvm *s, struct search *at)
{
	at->imbalance -= s->C.rate[at->gate[at->passed++].of];
}

/* What rounding may leave of the next gate's b. */
static double
few_of(const struct kith_wsvm *s, const struct search *at)
{
	return at->passed < at->gates
	    ? kith_wsvm_few(s, at->gate[at->passed].of)
	    : s->tol.base;
}

/* Go up from lo; the ends of the interval found (true), or of the point. */
static bool
search(struct kith_wsvm *s, struct search *at, double *from, double *to)
{
	*from = at->lo;
	while (at->passed < at->gates &&
	    -at->gate[at->passed].by <= *from + few_of(s, at))
		pass(s, at);
	for (;;) {
		const bool more = at->passed < at->gates &&
		    -at->gate[at->passed].by < at->hi;

		*to = more ? -at->gate[at->passed].by : at->hi;
		if (at->imbalance < -at->few) {
			*to = *from;
			return false;
		}
		if (at->imbalance <= at->few && *to > *from + few_of(s, at))
			return true;
		*from = *to;
		if (!more)
			return false;
		pass(s, at);
	}
}

/* In an interval, b lies above the gates passed, which may be its ends. */
static void
place_gates(struct kith_wsvm *s, const struct search *at, bool interval)
{
	for (size_t i = 0; i < at->gates; i++) {
		const double b = -at->gate[i].by;
		const size_t v = at->gate[i].of;
		const bool below = interval ? i < at->passed : b < s->piece.b0;
		bool in = (s->form.sign[v] > 0) == !below;

		if (!interval && fabs(b - s->piece.b0) <= kith_wsvm_few(s, v))
			in = false;
		kith_wsvm_move(s, v, in ? KITH_WSVM_IN : KITH_WSVM_OUT);
	}
}

bool
kith_wsvm_bias_find(struct kith_wsvm *s)
{
	struct kith_pool tmp = {0};
	struct search at = {.lo = -INFINITY, .hi = INFINITY};
	double from, to;
	bool interval;

	kith_wsvm_bounded_apply(s);
	at.gate = kith_new(&tmp, s->C.n_live, sizeof(*at.gate));
	survey(s, &at);
	interval = search(s, &at, &from, &to);
	s->piece.b0 = isinf(from) ? (isinf(to) ? 0 : to)
				  : (isinf(to) ? from : (from + to) / 2);
	s->piece.b1 = 0;
	place_gates(s, &at, interval);
	s->event.n_open = 0;
	for (size_t c = 0; c < s->C.n_live && !interval; c++) {
		const size_t v = s->C.live[c];

		if (fabs(s->piece.hit[v] - s->piece.b0) <= kith_wsvm_few(s, v))
			s->event.open[s->event.n_open++] = v;
	}
	kith_pool_free(&tmp);
	return interval;
}

double
kith_wsvm_bias_nearest(const struct kith_wsvm *s, double b)
{
	double lo = -INFINITY, hi = INFINITY;

	if (!s->form.bias || s->margin->size > 0)
		return s->piece.b0 + s->theta * s->piece.b1;
	for (size_t c = 0; c < s->C.n_live; c++) {
		const size_t v = s->C.live[c];

		if (!(kith_wsvm_weight(s, v, s->theta) > 0))
			continue;
		if (bound_side(s, v) < 0)
			hi = fmin(hi, zero_of(s, v));
		else
			lo = fmax(lo, zero_of(s, v));
	}
	return lo > hi ? (lo + hi) / 2 : b < lo ? lo : b > hi ? hi : b;
}
