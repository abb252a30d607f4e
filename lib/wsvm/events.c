/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The solution of the problem of wsvm/engine.h while the sets stay the same, its next event, and
 * the sets after the event (Karasuyama, Harada, Sugiyama and Takeuchi, 2012; Q includes the ridge).
 * With F the variables at a bound,
 *
 *	[ Q_MM  e_M ] [ alpha_M ]   [ -q_M - Q_MF alpha_F ]
 *	[ e_M'   0  ] [    b    ] = [   -e_F' alpha_F     ]                             (10)
 *
 *	g_v = (Q alpha)_v + q_v + e_v b
 *
 * and all is affine in theta: it is kept as value + (theta' - theta) rate from the present theta,
 * so that nothing cancels and no rounding accumulates.
 *
 *  1. kith_wsvm_choose_sets(): at a breakpoint each tied variable gets its set.  One variable
 *     alone moves between M and a bound.  For several, the rates x = d alpha / d theta solve a QP,
 *
 *	min 1/2 x' Q x    e' x = 0
 *	x_v = rate of its bound, for v at a bound; free for v in M; for v tied at its lower bound at
 *	least that rate, at its upper bound at most that rate.
 *
 *     Where M is empty, choose_bias() finds first which b the rates need.
 *  2. solve_direction(): (10) for the values at theta and for the rates.
 *  3. kith_wsvm_find_event(), by next_event(): the least theta' at which alpha of M gets to a bound,
 *     or a gradient to 0; where M is empty and there is a bias, by bias_end(): at which another
 *     variable bounds b, or no b is left.
 */
#include "base/pool.h"
#include "base/progress.h"
#include "base/sort.h"
#include "la/mat.h"
#include "wsvm/engine.h"

#include <string.h>

#define SAME 1e-15    /* events at a distance of at most SAME theta are at one theta */
#define STILL 1e-12   /* of the largest rates: alpha nears a bound by rounding alone */
#define SAFE 1e-12    /* added to 1 where a bound of a slope has to be no less for rounding */
#define AT_END 1e-9   /* of what is left of the path, and of the largest alpha of M: rounding */
#define BALANCE 1e-12 /* a sum below BALANCE times its terms is 0 */
#define SHRUNK .125   /* of the largest terms since fixed.f was computed: smaller ones lose bits */
#define LARGE 1e250   /* lazy.length from which on all gradients are computed: no overflow */

/* Sets and scores. */

/* Makes v a candidate of the next piece, unless v is in M, which has no gradient. */
static void
check_next(struct kith_wsvm *s, size_t v)
{
	s->lazy.slack[v] = s->where[v] == MARGIN ? INFINITY : -INFINITY;
}

/* Sets fixed.value and fixed.rate of v, and adds the change to fixed.f and fixed.f_rate. */
static void
set_fixed(struct kith_wsvm *s, size_t v, double value, double rate)
{
	const struct kith_wsvm_problem *p = s->problem;
	const double dv = value - s->fixed.value[v], dr = rate - s->fixed.rate[v], e = p->sign[v];

	s->fixed.value[v] = value;
	s->fixed.rate[v] = rate;
	if (s->fixed.stale || (dv == 0 && dr == 0))
		return;
	s->fixed.changes++;
	kith_wsvm_kernels_at_level()->add(s->n, kith_krows_get(s->rows, p->plus[v]), e * dv, e * dr,
	    false, s->fixed.f, s->fixed.f_rate);
	if (p->minus)
		kith_wsvm_kernels_at_level()->add(s->n, kith_krows_get(s->rows, p->minus[v]),
		    -e * dv, -e * dr, false, s->fixed.f, s->fixed.f_rate);
}

bool
kith_wsvm_move(struct kith_wsvm *s, size_t v, int where)
{
	const int8_t was = s->where[v];

	if (was == where)
		return true;
	if (where == MARGIN && s->margin->place[v] == KITH_MARGIN_NONE &&
	    !kith_margin_enter(s->margin, v))
		return false;
	if (s->was[v] == UNMOVED) {
		s->was[v] = was;
		s->moved[s->n_moved++] = v;
		if (was != MARGIN)
			s->end.alpha[v] = bound(s, was, v, s->at);
	}
	if (where == MARGIN) {
		s->now.alpha[v] = bound(s, was, v, s->at);
		s->now.rate[v] = bound_slope(s, was, v);
		set_fixed(s, v, 0, 0);
	} else {
		set_fixed(s, v, bound(s, where, v, s->fixed.base), bound_slope(s, where, v));
	}
	if (was == MARGIN && s->margin->place[v] != KITH_MARGIN_NONE) {
		const double shift[2] = {bound(s, where, v, s->at) - s->now.alpha[v],
		    bound_slope(s, where, v) - s->now.rate[v]};

		kith_margin_leave(s->margin, v, shift);
	}
	s->where[v] = (int8_t)where;
	check_next(s, v);
	return true;
}

/* Moves fixed.base to s->at; adapts value and f. */
void
kith_wsvm_advance_base(struct kith_wsvm *s)
{
	const double h = distance(s->fixed.base, s->at);

	for (size_t i = 0; i < s->n; i++)
		s->fixed.f[i] += h * s->fixed.f_rate[i];
	for (size_t v = 0; v < s->N; v++)
		s->fixed.value[v] = bound(s, s->where[v], v, s->at);
	s->fixed.base = s->at;
}

void
kith_wsvm_sum_scores(struct kith_wsvm *s, const double *a, double *f)
{
	memset(s->work.coef, 0, s->n * sizeof(*s->work.coef));
	for (size_t v = 0; v < s->N; v++)
		add_coef(s, v, a[v], s->work.coef);
	kith_krows_product(s->rows, s->work.coef, NULL, f, NULL);
}

void
kith_wsvm_rebase(struct kith_wsvm *s, bool all)
{
	all |= s->fixed.stale;
	kith_wsvm_advance_base(s);
	for (size_t v = 0; v < s->N; v++)
		s->fixed.rate[v] = bound_slope(s, s->where[v], v);
	if (all) {
		s->fixed.alphas = s->fixed.size = s->fixed.size_rate = 0;
		s->fixed.changes = 0;
		kith_wsvm_sum_scores(s, s->fixed.value, s->fixed.f);
	}
	kith_wsvm_sum_scores(s, s->fixed.rate, s->fixed.f_rate);
	s->fixed.stale = false;
}

void
kith_wsvm_scores_here(const struct kith_wsvm *s, const double *alpha, double *f)
{
	const double h = distance(s->fixed.base, s->at);

	for (size_t i = 0; i < s->n; i++)
		f[i] = s->fixed.f[i] + h * s->fixed.f_rate[i];
	for (size_t i = 0; i < s->margin->size; i++)
		s->work.side[i] = alpha[s->margin->list[i]];
	kith_margin_add_scores(s->margin, s->work.side, NULL, 0, f);
}

void
kith_wsvm_tolerance(struct kith_wsvm *s, double size, double norm_least)
{
	s->tol.scale = ROUNDING * size;
	s->tol.base = ROUNDING * s->q_max + norm_least * s->tol.scale;
}

/* The direction. */

/*
 * Unless the score of item i is current: begins it, and appends i to work.item, whose length is n.
 * Returns the new length.
 */
static size_t
begin_score(struct kith_wsvm *s, size_t i, size_t n)
{
	if (s->now.known_at[i] == s->now.solutions)
		return n;
	s->now.f[i] = s->fixed.f[i] + s->now.h * s->fixed.f_rate[i];
	s->now.f_rate[i] = s->fixed.f_rate[i];
	s->now.known_at[i] = s->now.solutions;
	s->work.item[n] = i;
	return n + 1;
}

/* Likewise for the items of `count` variables listed. */
static size_t
begin_scores(struct kith_wsvm *s, const size_t *list, size_t count, size_t n)
{
	for (size_t c = 0; c < count; c++) {
		n = begin_score(s, s->problem->plus[list[c]], n);
		if (s->problem->minus)
			n = begin_score(s, s->problem->minus[list[c]], n);
	}
	return n;
}

void
kith_wsvm_find_score(struct kith_wsvm *s, size_t i)
{
	kith_margin_item_scores(
	    s->margin, s->work.item, begin_score(s, i, 0), s->now.f, s->now.f_rate);
}

void
kith_wsvm_find_gradients(struct kith_wsvm *s, const size_t *list, size_t count)
{
	const double ridge = s->problem->ridge;
	const bool with_b = s->problem->bias && s->margin->size > 0;

	kith_margin_item_scores(
	    s->margin, s->work.item, begin_scores(s, list, count, 0), s->now.f, s->now.f_rate);
	for (size_t c = 0; c < count; c++) {
		const size_t v = list[c];
		const double e = with_b ? s->problem->sign[v] : 0;
		const bool is_free = s->where[v] == MARGIN;
		const double rate = is_free ? s->now.rate[v] : s->fixed.rate[v];
		const double alpha = is_free ? s->now.alpha[v]
					     : s->fixed.value[v] + s->now.h * rate;

		s->now.g[v] = score(s->problem, s->now.f, v) + ridge * alpha + s->problem->q[v] +
		    e * s->now.b;
		s->now.g_rate[v] = score(s->problem, s->now.f_rate, v) + ridge * rate +
		    e * s->now.b_rate;
	}
}

void
kith_wsvm_check_all(struct kith_wsvm *s)
{
	for (size_t v = 0; v < s->N; v++)
		s->lazy.slack[v] = INFINITY;
	for (size_t c = 0; c < s->n_live; c++)
		check_next(s, s->live[c]);
	s->lazy.length = s->lazy.shift = 0;
}

/* Returns a factor for rates with which their squares neither overflow nor underflow. */
static double
speed_unit(const struct kith_wsvm *s)
{
	return s->rate_max > TINY && s->rate_max < 1 / TINY ? 1 / s->rate_max : 1;
}

/*
 * Returns the sums over the variables at bounds, with e[0] = -e_F' alpha_F, a right side of (10),
 * at s->at, and with e[1], the slope of e[0].
 */
static struct kith_wsvm_sums
sum_fixed(const struct kith_wsvm *s)
{
	const struct kith_wsvm_problem *p = s->problem;
	const double unit = speed_unit(s);
	struct kith_wsvm_sums of = kith_wsvm_kernels_at_level()->sum(s->N,
	    distance(s->fixed.base, s->at), unit, s->fixed.value, s->fixed.rate, p->sign, s->norm,
	    s->fixed.f_rate, p->plus);

	for (size_t v = 0; v < s->N && p->minus; v++) {
		const double term = (unit * s->fixed.rate[v]) * p->sign[v] *
		    (unit * s->fixed.f_rate[p->minus[v]]);

		of.energy -= term;
		of.energies += fabs(term);
	}
	of.e[0] = -(s->fixed.add_lost ? of.e[0] + of.lost : of.e[0]);
	of.e[1] = -of.e[1];
	return of;
}

/* Step 2: solves (10) for alpha_M and b at s->at and for their slopes; no score is current then. */
static void
solve_direction(struct kith_wsvm *s)
{
	const size_t m = s->margin->size, *list = s->margin->list;
	double *c = s->work.side, *x = c + 2 * m, b[2] = {s->now.b, s->now.b_rate};
	double least = s->norm_max;
	struct kith_wsvm_sums of = sum_fixed(s);

	if (s->fixed.stale || s->fixed.changes > REBUILD + s->n_live / 2 ||
	    of.alphas < SHRUNK * s->fixed.alphas || of.size < SHRUNK * s->fixed.size ||
	    of.rates < SHRUNK * s->fixed.size_rate ||
	    weight_at(s, s->at) < SHRUNK * weight_at(s, s->fixed.base)) {
		kith_wsvm_rebase(s, true);
		kith_wsvm_check_all(s);
		of = sum_fixed(s);
	}
	s->fixed.alphas = kith_larger(s->fixed.alphas, of.alphas);
	s->fixed.size = kith_larger(s->fixed.size, of.size);
	s->fixed.size_rate = kith_larger(s->fixed.size_rate, of.rates);
	s->now.h = distance(s->fixed.base, s->at);
	for (size_t i = 0; i < m; i++) {
		const double rate = score(s->problem, s->fixed.f_rate, list[i]);

		c[i] = -s->problem->q[list[i]] - score(s->problem, s->fixed.f, list[i]) -
		    s->now.h * rate;
		c[m + i] = -rate;
		x[i] = s->now.alpha[list[i]];
		x[m + i] = s->now.rate[list[i]];
	}
	if (m > 0)
		kith_margin_solve(s->margin, 2, c, of.e, x, b);
	kith_margin_set_weights(s->margin, x, x + m);
	for (size_t i = 0; i < m; i++) {
		const double norm = s->norm[list[i]];

		s->now.alpha[list[i]] = x[i];
		s->now.rate[list[i]] = x[m + i];
		of.alphas += fabs(x[i]);
		of.size += norm * fabs(x[i]);
		of.rates += norm * fabs(x[m + i]);
		least = kith_lesser(least, norm);
	}
	s->now.lack[0] = s->problem->bias && m == 0 ? of.e[0] : 0;
	s->now.lack[1] = s->problem->bias && m == 0 ? of.e[1] : 0;
	s->now.b = b[0];
	s->now.b_rate = b[1];
	s->now.sums = of;
	kith_wsvm_tolerance(s, of.size, least);
	s->tol_rate.scale = kith_larger(s->tol_rate.scale, ROUNDING_RATE * of.rates);
	s->tol_rate.base = kith_larger(s->tol_rate.base, least * s->tol_rate.scale);
	s->now.solutions++;
}

/* Step 3: the next event. */

/* How far ahead alpha_v of M gets to a bound; most, largest: the largest rate and alpha of M. */
static double
bound_hit(const struct kith_wsvm *s, size_t v, double most, double largest)
{
	const double alpha = s->now.alpha[v], rest = s->at.rest * (1 - AT_END);
	const double rate = s->now.rate[v], closing = rate - slope(s, v);
	double h = INFINITY;

	if (rate < -STILL * most) /* alpha + h rate = 0 */
		h = kith_larger(0, -alpha / rate);
	if (closing > STILL * kith_larger(fabs(slope(s, v)), most)) /* = C + h slope */
		h = kith_lesser(h, kith_larger(0, (C_at(s, v, s->at) - alpha) / closing));
	/* Where the weight vanishes at the end, alpha does then, too, but for rounding. */
	return h > rest && !(s->to[v] > 0) && fabs(alpha + h * rate) <= AT_END * largest ? INFINITY
											 : h;
}

/* Returns the sign of g_v that violates its condition: 1 at an upper bound, -1 at a lower one. */
static double
violating(const struct kith_wsvm *s, size_t v)
{
	return s->where[v] == UPPER ? 1 : -1;
}

/*
 * Sets a bound of the slopes of gradients, |d g_v / d theta| <= reach_v *speed + *drift, with
 *
 *	speed = |d w / d theta|, w = sum_v alpha_v phi_v
 *	drift = |d (b + t f_c) / d theta| + ridge |d alpha / d theta|
 *
 * where (10) gives the part of M in the square of speed without Q_MM.  most: the largest |rate_v|
 * of M.
 */
static void
find_speed(const struct kith_wsvm *s, double most, double *speed, double *drift)
{
	const struct kith_margin *m = s->margin;
	const double ridge = s->problem->ridge, unit = speed_unit(s);
	const double b_rate = s->problem->bias ? unit * s->now.b_rate : 0;
	const double rate = s->now.b_rate + s->lazy.t * s->now.f_rate[s->lazy.centre];
	double square = s->now.sums.energy, terms = s->now.sums.energies;

	for (size_t i = 0; i < m->size; i++) {
		const size_t v = m->list[i];
		const double x = unit * s->now.rate[v];
		const double f = x * (unit * score(s->problem, s->fixed.f_rate, v));
		const double b = s->problem->sign[v] * b_rate * x;

		square += f - b - ridge * x * x;
		terms += fabs(f) + fabs(b);
	}
	square = kith_larger(square, 0) + BALANCE * terms;
	*speed = (1 + SAFE) * sqrt(square) / unit;
	*drift = (1 + SAFE) * (fabs(rate) + ridge * (s->rate_max + most));
}

/*
 * Adds the variables whose gradients may be 0 where lazy.length and lazy.shift are `length` and
 * `shift` to the candidates.  Returns the least distance at which a gradient is 0, or h if less.
 */
static double
add_candidates(struct kith_wsvm *s, double length, double shift, double h)
{
	const size_t *list = s->lazy.list + s->lazy.n;
	const size_t found = kith_wsvm_kernels_at_level()->find_due(
	    s->N, s->lazy.slack, s->reach, length, shift, s->lazy.list + s->lazy.n);

	kith_wsvm_find_gradients(s, list, found);
	s->lazy.n += found;
	for (size_t c = 0; c < found; c++) {
		const size_t v = list[c];
		const double g = violating(s, v) * s->now.g[v];
		const double rate = violating(s, v) * s->now.g_rate[v];

		s->lazy.slack[v] = INFINITY; /* in this piece */
		if (g > 0 && has_width(s, v))
			s->now.violation = kith_larger(
			    s->now.violation, g / tolerance(s, &s->tol, v));
		if (-g < h * rate && rate > tolerance(s, &s->tol_rate, v))
			h = kith_larger(0, -g / rate); /* g + h rate = 0 */
	}
	return h;
}

/*
 * Step 3 where M is not empty: returns the distance of the next event, and moves `lazy` there.  The
 * variables whose gradient may be 0 before the event become candidates: they are added for ever
 * larger distances, until an event lies within the distance.
 */
static double
next_event(struct kith_wsvm *s)
{
	const struct kith_margin *m = s->margin;
	/* Rounding of a gradient and of b + t f_c, and of the bounds. */
	const double few = 2 * (s->tol.base + s->norm_max * s->tol.scale) +
	    DBL_EPSILON * (s->norm_max * s->lazy.length + s->lazy.shift);
	double h = INFINITY, most = 0, largest = 0, speed, drift, far = s->lazy.horizon, stop,
	       level;
	bool is_large;

	for (size_t i = 0; i < m->size; i++) {
		most = kith_larger(most, fabs(s->now.rate[m->list[i]]));
		largest = kith_larger(largest, fabs(s->now.alpha[m->list[i]]));
	}
	for (size_t i = 0; i < m->size; i++) {
		s->work.hit[m->list[i]] = bound_hit(s, m->list[i], most, largest);
		h = kith_lesser(h, s->work.hit[m->list[i]]);
	}
	kith_wsvm_find_score(s, s->lazy.centre);
	level = s->now.b + s->lazy.t * s->now.f[s->lazy.centre];
	find_speed(s, most, &speed, &drift);
	s->lazy.shift += fabs(level - s->lazy.level) + few; /* b may jump */
	is_large = !(s->norm_max * (speed + s->lazy.length) + drift + s->lazy.shift < LARGE);
	if (is_large) {
		kith_wsvm_check_all(s);
		speed = drift = 0;
	}
	s->now.violation = 0;
	s->lazy.n = 0;
	do { /* no farther ahead than need be */
		stop = kith_lesser(kith_lesser(h, s->at.rest), far);
		h = add_candidates(
		    s, s->lazy.length + speed * stop, s->lazy.shift + drift * stop + 4 * few, h);
		far *= 4;
	} while (stop < h && stop < s->at.rest);
	stop = kith_lesser(h, s->at.rest);
	s->lazy.length += speed * stop;
	s->lazy.shift += drift * stop;
	s->lazy.level = level + stop * (s->now.b_rate + s->lazy.t * s->now.f_rate[s->lazy.centre]);
	if (stop > 0)
		s->lazy.horizon = stop;
	for (size_t c = 0; c < s->lazy.n; c++) {
		const size_t v = s->lazy.list[c];

		s->lazy.slack[v] = s->reach[v] * s->lazy.length + s->lazy.shift -
		    violating(s, v) * (s->now.g[v] + stop * s->now.g_rate[v]);
	}
	if (is_large)
		kith_wsvm_check_all(s);
	return h;
}

/* Whether e_v alpha_v can grow from the bound of v, so that v bounds b from below. */
static bool
grows(const struct kith_wsvm *s, size_t v)
{
	return (s->where[v] == UPPER) == (s->problem->sign[v] < 0);
}

/* An end of the interval of b: the b = zero + h rate, at the distance h, with which g_v = 0. */
struct edge {
	size_t v; /* SIZE_MAX: this end is infinite, no variable bounds b */
	double zero, rate;
};

/*
 * Returns the lower end (side 1) or the upper end (side -1) of the interval of b; of variables with
 * equal zeros the one that bounds b most just after s->at.  *end becomes the distance, if that is
 * less, at which another variable is the end.
 */
static struct edge
find_edge(const struct kith_wsvm *s, double side, double *end)
{
	struct edge edge = {SIZE_MAX, -side * INFINITY, 0};
	double most = -INFINITY;

	for (int pass = 0; pass < 2; pass++)
		for (size_t c = 0; c < s->n_live; c++) {
			const size_t v = s->live[c];
			const double e = -s->problem->sign[v];
			const double zero = e * s->now.g[v], rate = e * s->now.g_rate[v];
			const double few = tolerance(s, &s->tol, v), by = side * (rate - edge.rate);

			if (grows(s, v) != (side > 0) || !has_width(s, v))
				continue;
			if (pass > 0 && by > tolerance(s, &s->tol_rate, v))
				*end = kith_lesser(
				    *end, kith_larger(0, side * (edge.zero - zero) / by));
			if (pass == 0 &&
			    (side * zero > most + few || (side * zero >= most - few && by > 0))) {
				edge = (struct edge){v, zero, rate};
				most = kith_larger(most, side * zero);
			}
		}
	return edge;
}

/* Makes all variables with a weight candidates, and computes their gradients. */
static void
look_at_all(struct kith_wsvm *s)
{
	s->lazy.n = s->n_live;
	memcpy(s->lazy.list, s->live, s->n_live * sizeof(*s->live));
	kith_wsvm_find_gradients(s, s->live, s->n_live);
	kith_wsvm_check_all(s);
}

/*
 * Step 3 where M is empty: sets b to the middle of its interval and b_rate to its slope.  Returns
 * the distance at which another variable is an end of the interval, or both ends meet (tied.due).
 */
static double
bias_end(struct kith_wsvm *s)
{
	double h = INFINITY, meet = INFINITY;
	struct edge lo, hi;

	look_at_all(s);
	lo = find_edge(s, 1, &h);
	hi = find_edge(s, -1, &h);
	s->now.violation = 0;
	s->now.b = interval_middle(lo.zero, hi.zero);
	s->now.b_rate = isinf(lo.zero) ? hi.rate
	    : isinf(hi.zero)           ? lo.rate
				       : (lo.rate + hi.rate) / 2;
	if (!isinf(lo.zero) && !isinf(hi.zero)) {
		const double few = kith_larger(
		    tolerance(s, &s->tol, lo.v), tolerance(s, &s->tol, hi.v));

		if (lo.rate - hi.rate > tolerance(s, &s->tol_rate, lo.v))
			meet = kith_larger(0, (hi.zero - lo.zero) / (lo.rate - hi.rate));
		s->now.violation = (lo.zero - hi.zero) / few;
	}
	s->tied.due = meet <= h;
	return kith_lesser(meet, h);
}

/*
 * Lists as tied the variables with an event at the distance h, and the variables that were tied
 * before at this breakpoint.
 */
static void
find_tied(struct kith_wsvm *s, double h)
{
	const struct place end = ahead(s->at, h);
	double most = 0;

	s->tied.n = 0;
	if (s->problem->bias && s->margin->size == 0) /* choose_bias() lists them */
		return;
	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];

		/*
		 * The rounding of alpha is that of its larger end: all of M may come to 0 together.
		 */
		most = kith_larger(most, fabs(s->now.alpha[v]));
		most = kith_larger(most, fabs(s->now.alpha[v] + h * s->now.rate[v]));
	}
	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];
		const double C = C_at(s, v, end), alpha = s->now.alpha[v] + h * s->now.rate[v];

		if (s->tied.decided[v] || s->work.hit[v] <= h ||
		    alpha <= AT_BOUND * kith_lesser(C, most) || C - alpha <= AT_BOUND * C)
			s->tied.list[s->tied.n++] = v;
	}
	for (size_t c = 0; c < s->lazy.n; c++) {
		const size_t v = s->lazy.list[c];
		const double g = violating(s, v) * s->now.g[v];
		const double rate = violating(s, v) * s->now.g_rate[v];

		if (s->tied.decided[v] || fabs(g + h * rate) <= tolerance(s, &s->tol, v) ||
		    (-g <= h * rate && rate > tolerance(s, &s->tol_rate, v)))
			s->tied.list[s->tied.n++] = v;
	}
	kith_sort_sizes(s->tied.list, s->tied.n);
}

/* Steps 2 and 3: returns the distance of the next event, 0 at s->at, and lists tied variables. */
double
kith_wsvm_find_event(struct kith_wsvm *s)
{
	bool is_here;
	double h;

	solve_direction(s);
	s->tied.due = true;
	h = s->problem->bias && s->margin->size == 0 ? bias_end(s) : next_event(s);
	if (!(h < s->at.rest)) {
		s->tied.due = false;
		return s->at.rest;
	}
	is_here = !(h > SAME * kith_lesser(s->at.theta, s->at.rest));
	if (!is_here)
		memset(s->tied.decided, 0, s->N * sizeof(bool));
	find_tied(s, h);
	return is_here ? 0 : h;
}

/* Step 1: the sets after theta. */

/* Returns the bound that alpha_v of M is nearer to. */
static int
nearest_bound(const struct kith_wsvm *s, size_t v)
{
	return s->now.alpha[v] > C_at(s, v, s->at) / 2 ? UPPER : LOWER;
}

/*
 * Moves the tied variable between M and a bound, if it is the only one, has a weight and, with
 * a bias, M is not empty then; else returns false.
 */
static bool
choose_one(struct kith_wsvm *s)
{
	const size_t v = s->tied.list[0], m = s->margin->size;
	const bool leaves = s->where[v] == MARGIN;

	if (s->tied.n != 1 || (s->problem->bias && m - leaves == 0) || !(C_at(s, v, s->at) > 0))
		return false;
	return kith_wsvm_move(s, v, leaves ? nearest_bound(s, v) : MARGIN);
}

/*
 * Chooses b and sets where M is empty.  A gate is a variable without a weight at s->at, which gets
 * one: it takes the rate of one bound where b is below its zero (the b with g_v = 0), and the rate
 * of the other bound where b is above.  All other variables leave b an interval [lo, hi];
 * a variable whose zero is lo or hi can leave its bound there.  b in [lo, hi] has to satisfy
 *
 *	sum_v e_v rate_v = 0.
 *
 * 1. Go up from lo through the zeros of the gates, each of which changes the left side.
 * 2. Where the equation holds between two zeros, b is the middle between them, the gates get the
 *    sets of this b, M stays empty, and the result is true.
 * 3. Else the left side jumps past the right side at a zero, lo or hi, which becomes b; all
 *    variables with g_v = 0 at this b are tied, and the result is false.
 */
static bool
choose_bias(struct kith_wsvm *s)
{
	struct kith_pool tmp = {0};
	struct kith_ranked *gate = kith_new(&tmp, s->n_live, sizeof(*gate));
	struct interval range = {-INFINITY, INFINITY, 0, 0};
	double excess = 0, terms = 0, from, to = 0;
	size_t gates = 0, passed = 0;
	bool found = false;

	solve_direction(s);
	look_at_all(s);
	for (size_t v = 0; v < s->N; v++) {
		excess += s->problem->sign[v] * s->fixed.rate[v];
		terms += fabs(s->fixed.rate[v]);
	}
	for (size_t c = 0; c < s->n_live; c++) {
		const size_t v = s->live[c];
		const double e = s->problem->sign[v], zero = -e * s->now.g[v];
		const double width = slope(s, v);
		const int below = e > 0 ? UPPER : LOWER; /* the set of v where b < zero */

		s->work.hit[v] = zero;
		if (C_at(s, v, s->at) > 0) {
			interval_add(&range, v, zero, grows(s, v), !grows(s, v));
			continue;
		}
		gate[gates++] = (struct kith_ranked){-zero, v};
		terms += width;
		excess += s->where[v] == below ? 0 : width;
	}
	if (range.lo > range.hi)
		range.lo = range.hi = (range.lo + range.hi) / 2;
	kith_sort_ranked(gate, gates);
	from = range.lo;
	for (;; passed++) { /* up from lo, through the gates */
		const bool last = passed == gates;
		const double next = last ? INFINITY : -gate[passed].by;
		const double few = last ? s->tol.base : tolerance(s, &s->tol, gate[passed].of);

		if (last || next > from + few) { /* no gate is at `from` */
			to = kith_lesser(next, range.hi);
			if (excess < -BALANCE * terms)
				break;
			found = excess <= BALANCE * terms && to > from + few;
			if (found || last || to >= range.hi)
				break;
			from = to;
		}
		excess -= slope(s, gate[passed].of);
	}
	if (!found && !(excess < -BALANCE * terms))
		from = range.hi;
	s->now.b = found ? interval_middle(from, to) : from;
	if (isinf(s->now.b))
		s->now.b = interval_middle(range.lo, range.hi);
	s->tied.n = 0;
	for (size_t c = 0; c < s->n_live && !found; c++)
		if (fabs(s->work.hit[s->live[c]] - s->now.b) <= tolerance(s, &s->tol, s->live[c]))
			s->tied.list[s->tied.n++] = s->live[c];
	for (size_t i = 0; i < gates; i++) {
		const size_t v = gate[i].of;
		const bool near = fabs(s->work.hit[v] - s->now.b) <= tolerance(s, &s->tol, v);
		const bool is_above = found ? i >= passed : s->work.hit[v] > s->now.b;
		const bool upper = (s->problem->sign[v] > 0) == is_above && (found || !near);

		/* From some gates on one product takes less time than a kernel row for each. */
		s->fixed.stale |= gates > 8;
		kith_wsvm_move(s, v, upper ? UPPER : LOWER);
	}
	kith_pool_free(&tmp);
	return found;
}

/* Moves the tied variables into the sets that the QP of the rates (step 1) gives them. */
static void
choose_by_rates(struct kith_wsvm *s)
{
	struct qp *qp = &s->qp;
	double terms = 0;
	const bool empty = s->problem->bias && s->margin->size == 0;

	if (s->fixed.stale)
		kith_wsvm_rebase(s, true);
	qp->q = NULL;
	qp->rounding = &s->tol_rate;
	qp->list = s->tied.list;
	qp->count = s->tied.n;
	qp->residual = 0;
	for (size_t v = 0; v < s->N; v++) {
		qp->residual -= s->problem->sign[v] * s->fixed.rate[v];
		terms += fabs(s->fixed.rate[v]);
		qp->x[v] = s->fixed.rate[v];
		qp->lo[v] = -INFINITY; /* M */
		qp->hi[v] = INFINITY;
	}
	s->tol_rate.scale = ROUNDING * s->norm_max * (terms + s->rate_max);
	s->tol_rate.base = s->norm_min * s->tol_rate.scale;
	for (size_t c = 0; c < s->tied.n; c++) {
		const size_t v = s->tied.list[c];
		const bool wide = C_at(s, v, s->at) > 0;

		if (s->where[v] != UPPER || !wide)
			qp->lo[v] = 0;
		if (s->where[v] != LOWER || !wide)
			qp->hi[v] = slope(s, v);
	}
	memcpy(qp->f, s->fixed.f_rate, s->n * sizeof(*qp->f));
	if (empty) {
		kith_qp_balance(s, s->tied.list, s->tied.n, 1, BALANCE * terms);
		qp->residual = 0;
	}
	s->now.solutions++; /* no score is current, each item is listed once */
	qp->n_items = begin_scores(s, s->margin->list, s->margin->size, 0);
	qp->n_items = begin_scores(s, s->tied.list, s->tied.n, qp->n_items);
	qp->item = s->work.item;
	kith_qp_active_set(s);
	s->tol_rate.base *= qp->tol;
	s->tol_rate.scale *= qp->tol;
	for (size_t c = 0; c < s->tied.n; c++)
		kith_wsvm_move(s, s->tied.list[c], kith_qp_set(s, s->tied.list[c]));
}

/* Marks the tied variables as decided: they stay tied at this breakpoint, and are candidates. */
static void
decide_tied(struct kith_wsvm *s)
{
	for (size_t c = 0; c < s->tied.n; c++) {
		s->tied.decided[s->tied.list[c]] = true;
		check_next(s, s->tied.list[c]);
	}
}

void
kith_wsvm_choose_sets(struct kith_wsvm *s)
{
	s->tied.due = false;
	s->tol_rate = (struct tolerance){0};
	decide_tied(s);
	if (s->tied.n > 0 && choose_one(s))
		return;
	for (size_t c = 0; c < s->tied.n; c++)
		if (s->where[s->tied.list[c]] == MARGIN)
			kith_wsvm_move(s, s->tied.list[c], nearest_bound(s, s->tied.list[c]));
	if (s->problem->bias && s->margin->size == 0) {
		if (choose_bias(s))
			return;
		decide_tied(s);
	}
	if (s->tied.n > 0)
		choose_by_rates(s);
}
