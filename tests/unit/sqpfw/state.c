/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of what sqpfw/state.h says of the state of a solver, after a few
 * iterations at a time, along paths and after restarts: the factor is that of
 * the rows of the ties, the gradient that of the targets, and so on.
 */
#include "sqpfw/state.h"

#include "sqpfw/active.h"
#include "sqpfw/data.h"
#include "sqpfw/eqp.h"
#include "sqpfw/pair.h"
#include "sqpfw/path.h"
#include "sqpfw/solve.h"
#include "tap.h"

enum { SETS = 48, STOPS = 16 };

static struct kith_pool pool;

/* How far off what the state should be, and how often it was looked at. */
struct off {
	double factor, gradient, parts, ties, order, slope;
	size_t places, queued, stops, fresh;
};

static double
row_entry(const struct kith_sqpfw *s, const struct kith_sqpfw_pair *pair, size_t at)
{
	const struct kith_sqpfw_row row = kith_sqpfw_row(s, pair);
	const double j = row.j[at] - row.i[at], r = row.r[at] - row.i[at];

	return j * j - r * r;
}

/* Entry of column t of C in a position; column 0 are the ones. */
static double
column(const struct kith_sqpfw *s, size_t t, size_t at)
{
	return t == 0 ? 1 : row_entry(s, &s->pairs.pair[s->active.tie[t - 1]], at);
}

/* C = Q R, Q'Q = 1, and the parts of v - w where they are up to date. */
static void
look_at_factor(const struct kith_sqpfw *s, struct off *off)
{
	const struct kith_sqpfw_qr *qr = &s->active.qr;

	off->places += qr->n != s->positive || qr->m > s->positive;
	for (size_t k = 0; k < qr->m; k++) {
		double own = -1;

		for (size_t f = 0; f < qr->n; f++) {
			double sum = -column(s, k, f);

			for (size_t l = 0; l <= k; l++)
				sum += qr->Q[l][f] * qr->R[l * qr->room + k];
			off->factor = fmax(off->factor, fabs(sum));
			own += qr->Q[k][f] * qr->Q[k][f];
		}
		off->factor = fmax(off->factor, fabs(own));
	}
	if (s->step.stale)
		return;
	off->fresh++;
	for (size_t f = 0; f < qr->n; f++) {
		double sum = s->prior[f] - s->theta * s->gradient[f] - s->w[f];

		for (size_t k = 0; k < qr->m; k++)
			sum -= qr->Q[k][f] * qr->z[k];
		off->parts = fmax(off->parts, fabs(sum - qr->d[f]));
	}
}

static void
look_at_gradient(const struct kith_sqpfw *s, struct off *off)
{
	for (size_t at = 0; at < s->points.p; at++) {
		double sum = 0, size = 1;

		for (size_t g = 0; g < 2 * s->points.n; g++) {
			const struct kith_sqpfw_group *group = &s->group[g];
			const double share = s->points.share[g / 2];
			const double d = kith_sqpfw_point(&s->points, g / 2)[at] -
			    kith_sqpfw_point(&s->points, group->target_point)[at];

			if (group->rank == 0)
				continue;
			sum += (g % 2 ? -1 : 1) * share * d * d;
			size += share * d * d;
		}
		off->gradient = fmax(off->gradient, fabs(sum - s->gradient[at]) / size);
	}
}

/* Positions and features, and what goes with them. */
static void
look_at_places(const struct kith_sqpfw *s, const struct set *set, struct off *off)
{
	for (size_t at = 0; at < s->points.p; at++) {
		const size_t f = s->feature[at];

		off->places += s->position[f] != at || s->w[at] != s->w_by_feature[f] ||
		    s->prior[at] != set->prior[f] || (at >= s->positive && s->w[at] != 0) ||
		    !(s->w[at] >= 0) || (at >= s->positive && s->step.dw_by_feature[f] != 0);
		for (size_t i = 0; i < s->points.n; i++)
			off->places += kith_sqpfw_point(&s->points, i)[at] !=
			    kith_sqpfw_value(&s->points, i, f);
	}
}

/* Ties have no gap; other pairs are on their side, and wait in the queue. */
static void
look_at_pairs(const struct kith_sqpfw *s, struct off *off)
{
	double sum = -1;

	for (size_t f = 0; f < s->positive; f++)
		sum += s->w[f];
	off->ties = fmax(off->ties, fabs(sum));
	for (uint32_t at = 0; at < s->pairs.n; at++) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
		double gap = 0;

		if (pair->state == KITH_SQPFW_UNUSED)
			continue;
		for (size_t f = 0; f < s->positive; f++)
			gap += row_entry(s, pair, f) * s->w[f];
		if (pair->state == 0)
			off->ties = fmax(off->ties, fabs(gap));
		else
			off->order = fmax(off->order, -gap * pair->state);
		off->queued += (pair->queue_place == KITH_SQPFW_NONE) != (pair->state == 0);
	}
}

/* dw/dtheta, and the multipliers at theta; with dw = 0. */
static void
look_at_slope(struct kith_sqpfw *s, struct off *off)
{
	const size_t m = s->active.qr.m;

	kith_sqpfw_eqp_slope(s);
	kith_sqpfw_eqp_multipliers(s);
	for (size_t at = 0; at < s->points.p; at++) {
		double now = s->prior[at] - s->theta * s->gradient[at] - s->w[at];
		double ahead = -s->gradient[at];

		for (size_t t = 0; t < m; t++) {
			now -= column(s, t, at) * s->active.z[t];
			ahead -= column(s, t, at) * s->active.y[t];
		}
		if (at < s->positive) {
			off->slope = fmax(off->slope, fabs(now));
			ahead -= s->step.dw[at];
		} else {
			off->slope = fmax(off->slope, fabs(now - s->alpha[at]));
			continue;
		}
		off->slope = fmax(off->slope, fabs(ahead));
	}
	for (size_t t = 0; t < m; t++) {
		double sum = 0;

		for (size_t at = 0; at < s->positive; at++)
			sum += column(s, t, at) * s->step.dw[at];
		off->slope = fmax(off->slope, fabs(sum));
	}
	/* v - w of the slope is -g: its multipliers at 0 */
	kith_sqpfw_eqp_price_all(s, s->active.y);
	for (size_t at = s->positive; at < s->points.p; at++) {
		double ahead = -s->gradient[at] - s->residual[at];

		for (size_t t = 0; t < m; t++)
			ahead -= column(s, t, at) * s->active.y[t];
		off->slope = fmax(off->slope, fabs(ahead));
	}
	s->step.stale = true;
}

static void
try_set(size_t k, struct off *off)
{
	struct kith_sqpfw *s;
	struct set set;
	double before[FEATURES];

	draw(&set, (enum kind)(k % KINDS), &pool);
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	for (size_t stop = 0; stop < STOPS; stop++) {
		set.how.max_iter = stop < STOPS / 2 ? whole(1, 6) : 0;
		if (stop < STOPS / 2)
			kith_sqpfw_solve(s, set.theta);
		else if (stop == STOPS / 2)
			kith_sqpfw_restart(s, stop % 2 ? NULL : set.prior);
		else
			kith_sqpfw_next(s, INFINITY, before);
		off->stops++;
		look_at_factor(s, off);
		look_at_gradient(s, off);
		look_at_places(s, &set, off);
		look_at_pairs(s, off);
		if (s->done && stop != STOPS / 2)
			look_at_slope(s, off);
	}
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

/* A row over P and its length; 0 where it is nothing but rounding. */
static void
test_rows(void)
{
	/* the hits .1 and .3 of row 0 are mirror images, but for rounding */
	double x[] = {.2, 0, .1, 0, .3, 0, 5, 1, 7, 2, 4, 9};
	const size_t y[] = {0, 0, 0, 0, 1, 1};
	const struct kith_mat X = {6, 2, x};
	const struct kith_sqpfw_how how = {1, 1, .threads = 1};
	struct kith_sqpfw *s = kith_sqpfw_new(&X, y, 2, &how, &pool);
	const size_t r = s->group[0].target_point;
	const uint32_t alike = kith_sqpfw_pair_new(
	    s, &(struct kith_sqpfw_pair){.j = r == 1 ? 2 : 1, .copies = 1, .state = 1});
	const uint32_t far = kith_sqpfw_pair_new(
	    s, &(struct kith_sqpfw_pair){.j = 3, .copies = 1, .state = 1});
	const struct kith_sqpfw_pair *pair = &s->pairs.pair[far];
	double square = 0;

	ok(r == 1 || r == 2, "the nearest hit");
	is_near(kith_sqpfw_active_row(s, alike), 0, 0, "a row of rounding");
	ok(kith_sqpfw_active_depends(s, alike), "depends on any");
	kith_sqpfw_pair_measure(s, alike);
	is_near(s->pairs.pair[alike].row_norm, 0, 0, "and has no norm");
	for (size_t f = 0; f < 2; f++)
		square += row_entry(s, pair, f) * row_entry(s, pair, f);
	is_near(kith_sqpfw_active_row(s, far), sqrt(square), 1e-14, "the length of a row");
	ok(fabs(s->row[0] - row_entry(s, pair, 0)) < 1e-14 &&
		fabs(s->row[1] - row_entry(s, pair, 1)) < 1e-14,
	    "and the row");
	is_near(kith_sqpfw_pair_gap(s, far), (row_entry(s, pair, 0) + row_entry(s, pair, 1)) / 2,
	    1e-13, "its gap");
	ok(!kith_sqpfw_active_depends(s, far), "it depends on none");
	s->positive = 1;
	is_near(
	    kith_sqpfw_active_row(s, far), fabs(row_entry(s, pair, 0)), 1e-14, "over one weight");
	ok(s->row[1] == 0, "no more than that");
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

/* Very many features, of which few have weight at first. */
enum { MANY = 2000, FEW = 30, BEGIN = 200 };

static struct kith_sqpfw *
begin_many(struct kith_mat *X, size_t *y, struct kith_sqpfw_how *how)
{
	double *prior = kith_new(&pool, MANY, sizeof(*prior));
	struct kith_sqpfw *s;

	*how = (struct kith_sqpfw_how){1, 1, .prior = prior, .threads = 1, .max_iter = 400};
	*X = kith_mat_new(&pool, FEW, MANY);
	for (size_t i = 0; i < FEW; i++) {
		y[i] = i % 2;
		for (size_t f = 0; f < MANY; f++)
			kith_row(X, i)[f] = number(-1, 1) + (f % 50 ? 0 : .3 * (double)y[i]);
	}
	for (size_t f = 0; f < BEGIN; f++)
		prior[f] = 1. / BEGIN;
	s = kith_sqpfw_new(X, y, 2, how, &pool);
	kith_sqpfw_solve(s, .05);
	return s;
}

/* The position of the largest multiplier of a weight that is 0. */
static size_t
largest(const struct kith_sqpfw *s, double *most)
{
	size_t best = MANY;

	*most = 1e-9;
	for (size_t at = s->positive; at < MANY; at++) {
		double due = s->prior[at] - s->theta * s->gradient[at];

		for (size_t t = 0; t < s->active.qr.m; t++)
			due -= column(s, t, at) * s->active.y[t];
		if (due > *most) {
			*most = due;
			best = at;
		}
	}
	return best;
}

/* The same by the solver, from all or from those that are priced. */
static size_t
price(struct kith_sqpfw *s, bool all, double *alpha)
{
	s->step.stale = true;
	kith_sqpfw_eqp_direction(s);
	kith_sqpfw_eqp_multipliers(s);
	kith_sqpfw_eqp_residual(s);
	s->pricing.uses = all ? SIZE_MAX : 0;
	return kith_sqpfw_eqp_price_best(s, 1e-9, alpha);
}

/* The largest multiplier, wherever it is among those that are priced. */
static void
test_places(struct kith_sqpfw *s, size_t best, double most)
{
	double alpha;

	for (size_t k = 0; k < s->pricing.n; k += s->pricing.n - 1) {
		size_t at = 0;

		while (s->pricing.feature[at] != s->feature[best])
			at++;
		s->pricing.feature[at] = s->pricing.feature[k];
		s->pricing.feature[k] = s->feature[best];
		ok(price(s, false, &alpha) == best && fabs(alpha - most) < 1e-12,
		    "the same from place %zu", k);
	}
}

static void
test_pricing(void)
{
	struct kith_mat X;
	struct kith_sqpfw_how how;
	size_t y[FEW], best;
	double alpha = 0, most = 0;
	struct kith_sqpfw *s = begin_many(&X, y, &how);

	ok((double)kith_sqpfw_ties_n(s) * (double)(MANY - s->positive) > 1e5, "%zu ties",
	    kith_sqpfw_ties_n(s));
	best = price(s, true, &alpha);
	ok(best < MANY && best == largest(s, &most), "the largest of all");
	is_near(alpha, most, 1e-12, "its size");
	is_size(s->pricing.n, KITH_SQPFW_PARTIAL, "so many are priced");
	ok(price(s, false, &alpha) == best, "and have the same");
	is_near(alpha, most, 1e-12, "of that size");
	is_size(s->pricing.uses, 1, "once");
	test_places(s, best, most);
	is_size(kith_sqpfw_eqp_price_best(s, 2 * most, &alpha), MANY, "none is so large");
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

int
main(void)
{
	struct off off = {0};

	kith_rng_seed(&rng, 29, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < SETS; k++)
		try_set(k, &off);
	ok(off.factor <= 1e-9, "C = Q R, to %.1e", off.factor);
	ok(off.parts <= 1e-9 && off.fresh > 50, "v - w = Q z + d, to %.1e, at %zu of %zu stops",
	    off.parts, off.fresh, off.stops);
	ok(off.gradient <= 1e-12, "the gradient of the targets, to %.1e", off.gradient);
	is_size(off.places, 0, "what goes with a position is its feature's");
	ok(off.ties <= 1e-9, "ties are ties, to %.1e", off.ties);
	ok(off.order <= 1e-9, "all others are on their side, to %.1e", off.order);
	is_size(off.queued, 0, "and all of them wait");
	ok(off.slope <= 1e-9, "slopes and multipliers, to %.1e", off.slope);
	test_rows();
	test_pricing();
	return done();
}
