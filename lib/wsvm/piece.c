#include "wsvm/margin.h"
#include "wsvm/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CANCEL 1e-15 /* rounding of v0 + theta v1, to its terms */
#define SLOW 1e-13   /* rounding of rates, to their terms */
#define BOUND 1e-12  /* so close to a bound, of its weight, is on it */

static double
value(const struct kith_wsvm_sum *sum)
{
	return sum->high + sum->low;
}

/*
 * The right-hand sides of e' alpha = 0, and the sizes that rounding goes with:
 * of slopes, of their rates.
 */
static void
sum_up(struct kith_wsvm *s, double r[2])
{
	const double C = value(&s->in.C), rates = value(&s->in.size);
	const double now = C + s->theta * value(&s->in.d);

	r[0] = -value(&s->in.C_sign);
	r[1] = -value(&s->in.d_sign);
	s->noise = KITH_WSVM_ROUGH * s->q_most +
	    s->kappa * (KITH_WSVM_ROUGH * now + CANCEL * (C + rates));
	s->slow = kith_wsvm_most(s->slow, SLOW * s->kappa * rates);
}

/* Solve for M, at all theta: eq. (10), twice. */
static void
solve(struct kith_wsvm *s, const double r[2])
{
	const size_t m = kith_wsvm_margin_size(s->margin);
	const size_t *list = kith_wsvm_margin_list(s->margin);
	double *c = s->c, *a = s->c + 2 * m, b[2], sum = 0, rates = s->d_most;

	for (size_t i = 0; i < m; i++) {
		c[i] = -kith_smo_score(&s->form, s->s0, list[i]) -
		    s->form.q[list[i]];
		c[m + i] = -kith_smo_score(&s->form, s->s1, list[i]);
	}
	kith_wsvm_margin_solve(s->margin, 2, c, r, a, b);
	for (size_t i = 0; i < m; i++) {
		s->A0[list[i]] = a[i];
		s->A1[list[i]] = a[m + i];
		sum += KITH_WSVM_ROUGH * fabs(a[i] + s->theta * a[m + i]) +
		    CANCEL * (fabs(a[i]) + fabs(a[m + i]));
		rates += fabs(a[m + i]);
	}
	s->noise += s->kappa * sum;
	s->slow += SLOW * s->kappa * rates;
	s->b0 = b[0];
	s->b1 = b[1];
}

/* The piece from theta on, but for where it ends. */
static void
solve_piece(struct kith_wsvm *s)
{
	const size_t m = kith_wsvm_margin_size(s->margin);
	double r[2];

	kith_wsvm_flush(s);
	sum_up(s, r);
	if (m > 0) {
		solve(s, r);
		kith_wsvm_margin_load(s->margin, s->c + 2 * m, s->c + 3 * m);
	}
	s->piece++;
	s->whole = false;
	s->watched = 0;
}

/* When v of M reaches a bound. */
static double
time_of_margin(const struct kith_wsvm *s, size_t v)
{
	const double A0 = s->A0[v], A1 = s->A1[v], d = s->d[v];
	const double few = 1e-12 * (fabs(A1) + fabs(d));
	double t = INFINITY;

	if (A1 < -few)
		t = -A0 / A1;
	if (A1 - d > few)
		t = kith_wsvm_least(t, (s->from[v] - A0) / (A1 - d));
	return t;
}

/* The first event, and the largest violation at theta. */
static double
scan(struct kith_wsvm *s, double from)
{
	const size_t *list = kith_wsvm_margin_list(s->margin);
	double end = INFINITY;

	for (size_t i = 0; i < kith_wsvm_margin_size(s->margin); i++) {
		s->time[list[i]] = time_of_margin(s, list[i]);
		end = kith_wsvm_least(end, s->time[list[i]]);
	}
	end = kith_wsvm_watch(s, from, end);
	s->worst = s->worst / s->noise * KITH_WSVM_ROUGH;
	return end;
}

/* Whether v of M is on a bound at the end. */
static bool
arrives(const struct kith_wsvm *s, size_t v, double end)
{
	const double C = s->from[v] + end * s->d[v];
	const double alpha = s->A0[v] + end * s->A1[v];

	return s->time[v] <= end || alpha <= BOUND * C ||
	    alpha >= C - BOUND * C;
}

static int
by_number(const void *a, const void *b)
{
	const size_t *v = a, *w = b;

	return (*v > *w) - (*v < *w);
}

/*
 * Those to decide at the end: that have their event there or are there anyway,
 * within rounding, and those of steps of no length before.
 */
static void
collect(struct kith_wsvm *s, double end)
{
	const size_t *list = kith_wsvm_margin_list(s->margin);

	s->weak = 0;
	for (size_t c = 0; c < s->watched; c++) {
		const size_t v = s->watch[c];
		const double e = kith_wsvm_side(s, v);
		const double h0 = e * s->h0[v], h1 = e * s->h1[v];

		if (s->kept[v] || fabs(h0 + end * h1) <= s->noise ||
		    (h1 > s->slow && -h0 <= end * h1))
			s->W[s->weak++] = v;
	}
	for (size_t i = 0; i < kith_wsvm_margin_size(s->margin); i++)
		if (s->kept[list[i]] || arrives(s, list[i], end))
			s->W[s->weak++] = list[i];
	qsort(s->W, s->weak, sizeof(*s->W), by_number);
}

/* The line that bounds b at theta, and stays the bound behind it. */
struct edge {
	size_t v;
	double v0, v1;
};

/* Of those that bound b from below (side 1) or above (-1). */
static struct edge
find_edge(const struct kith_wsvm *s, double side, double from)
{
	struct edge edge = {SIZE_MAX, -side * INFINITY, 0};
	double most = -INFINITY;

	for (size_t c = 0; c < s->lives; c++) {
		const size_t v = s->live[c];
		const double e = s->form.sign[v];
		const bool in = s->where[v] == KITH_WSVM_IN;
		const double v0 = -e * s->h0[v], v1 = -e * s->h1[v];
		const double own = side * (v0 + from * v1);

		if ((in == (e > 0) ? -1 : 1) != side ||
		    !kith_wsvm_matters(s, v, from))
			continue;
		if (own > most + s->noise ||
		    (own >= most - s->noise && side * v1 > side * edge.v1)) {
			edge = (struct edge){v, v0, v1};
			most = fmax(most, own);
		}
	}
	return edge;
}

/* When another takes over. */
static double
edge_end(const struct kith_wsvm *s, const struct edge *edge, double side,
    double from)
{
	double end = INFINITY;

	if (edge->v == SIZE_MAX)
		return end;
	for (size_t c = 0; c < s->lives; c++) {
		const size_t v = s->live[c];
		const double e = s->form.sign[v];
		const bool in = s->where[v] == KITH_WSVM_IN;
		const double v0 = -e * s->h0[v], v1 = -e * s->h1[v];

		if ((in == (e > 0) ? -1 : 1) != side || v == edge->v ||
		    !(side * (v1 - edge->v1) > s->slow))
			continue;
		end = fmin(end, (edge->v0 - v0) / (v1 - edge->v1));
	}
	return fmax(end, from);
}

/* M is empty: b lies between two edges, until they meet or change. */
static double
empty_end(struct kith_wsvm *s, double from)
{
	struct edge lo, hi;
	double end, meet = INFINITY;

	s->worst = 0;
	kith_wsvm_whole(s);
	for (size_t c = 0; c < s->lives; c++)
		kith_wsvm_slope(s, s->live[c], 0, 0);
	lo = find_edge(s, 1, from);
	hi = find_edge(s, -1, from);
	end = fmin(edge_end(s, &lo, 1, from), edge_end(s, &hi, -1, from));
	if (lo.v != SIZE_MAX && hi.v != SIZE_MAX) {
		s->b0 = (lo.v0 + hi.v0) / 2;
		s->b1 = (lo.v1 + hi.v1) / 2;
		if (lo.v1 - hi.v1 > s->slow)
			meet = fmax(from, (hi.v0 - lo.v0) / (lo.v1 - hi.v1));
		s->worst = (lo.v0 - hi.v0 + from * (lo.v1 - hi.v1)) / s->noise *
		    1e-13;
	} else {
		const struct edge *one = lo.v != SIZE_MAX ? &lo : &hi;

		s->b0 = one->v == SIZE_MAX ? 0 : one->v0;
		s->b1 = one->v1;
	}
	s->weak = 0;
	s->turn = meet <= end;
	return s->turn ? meet : end;
}

double
kith_wsvm_piece_end(struct kith_wsvm *s)
{
	const double from = fmax(s->theta, s->blind);
	const bool empty = s->form.bias &&
	    kith_wsvm_margin_size(s->margin) == 0;
	double end;

	solve_piece(s);
	if (empty) {
		end = empty_end(s, from);
		kith_wsvm_stale(s);
	} else {
		end = scan(s, from);
		s->turn = true;
	}
	if (end >= 1) {
		s->turn = false;
		return 1;
	}
	if (!empty && !kith_wsvm_same(s->theta, end))
		memset(s->kept, 0, s->N * sizeof(*s->kept));
	if (!empty)
		collect(s, end);
	return end;
}
