/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SQP-FW: Algorithms 1 and 2 of Takeuchi and Sugiyama (2011).
 *
 * Algorithm 1, a local minimum of F at one theta.  An iteration is
 *
 *	1. dw = (v - w)_P projected on the null space of C', v = prior - theta g
 *	   (active.c).
 *	2. dw != 0: tau = the largest step <= 1 at which no weight is negative and no pair
 *	   passes its target (Lemma 5, pairs.c); w += tau dw; what blocks joins the active set.
 *	3. dw = 0: of the multipliers of the wrong sign that Lemma 6 lets go the largest leaves
 *	   the active set.
 *	4. Where there is none, all pairs of gap 0 are tied, for one of them may block a descent
 *	   at once; where that opens no way either, w is the solution.
 *
 * Algorithm 2, the path over theta, from a solution to the next breakpoint:
 *
 *	1. dw/dtheta and the slopes of the multipliers.
 *	2. theta grows until a multiplier changes its sign (16f-j), a weight or a gap becomes 0
 *	   (16a-e), or theta_max is reached.
 *	3. The active set changes, and Algorithm 1 is run at this theta: after a release at a
 *	   concave kink w jumps (the paper's Algorithm 2 lacks this).
 *
 * Where dependent ties let breakpoints at one theta follow each other, theta leaps ahead.
 */
#include "base/pool.h"
#include "base/progress.h"
#include "la/mat.h"
#include "la/vec.h"
#include "sqpfw/check.h"
#include "sqpfw/solver.h"

#include <assert.h>
#include <float.h>
#include <string.h>

/* The largest theta in units of the points: more changes nothing. */
#define THETA_MAX 1e100
/* F falls if it falls by more, relative to itself. */
#define FALLS 1e-15
/* The largest gap that is 0, and how far w may be from tying a pair for it to be tried. */
#define GAP_ZERO 1e-11
#define GAP_RANGE 1e-9
/* The largest correction of a weight that is drift; more comes from a singular C. */
#define DRIFT_MOST 1e-9
/* Growth of theta, relative to itself: none; enough for the end of a stall. */
#define THETA_STILL 1e-12
#define THETA_GROWS 1e-4
/* The first leap of theta over a stall, relative to it, and the factor of the next. */
#define LEAP 1e-9
#define LEAP_FACTOR 4
#define LEAP_THETA 1e-6
/* Weights that may be 0 but for rounding. */
#define WEIGHT_TINY 1e-13
/* The work, in features of pairs, that makes iterations dear. */
#define DEAR 1e8
/* The relative difference of objectives that may be rounding. */
#define SAME 1e-12

enum {
	DRIFT_STEPS = 64,     /* steps after which drift is removed */
	FACTOR_STEPS = 4096,  /* steps after which C is factored anew */
	TARGET_CHANGES = 256, /* after which g is computed anew */
	IDLE = 200,           /* releases in a row that do not lower F, and 4 for each unknown, */
	IDLE_DEAR = 20,       /* or so many dear iterations, end Algorithm 1 */
	STUCK = 100,          /* steps in a row that change nothing */
	STALLS = 50,          /* breakpoints at one theta before it leaps, */
	STALLS_AGAIN = 5,     /* and before it leaps again */
	ROUNDS = 40,          /* of kith_sqpfw_minimum(), */
	ROUND_WORK = 4,       /* which end after ROUND_WORK times the iterations of the first, */
	ROUND_FREE = 1000,    /* and ROUND_FREE iterations more */
	LINE_STEPS = 22       /* its line search tries 4^-22 to 1 times the longest step */
};

static void
set_weights(struct kith_sqpfw *s, const double *w)
{
	const size_t p = s->points.p, ld = s->points.ld;

	KITH_NEW_REALS(s->pool, ld, 1, &s->w, &s->prior, &s->g, &s->w_by_feature, &s->dw_by_feature,
	    &s->v, &s->alpha, &s->row, &s->h, &s->y_now, &s->y_slope, &s->movement);
	KITH_NEW_REALS(s->pool, p, 2, &s->beta, &s->beta_slope);
	KITH_NEW_SIZES(s->pool, p, 1, &s->feature, &s->position);
	s->tie = kith_new(s->pool, p, sizeof(*s->tie));
	for (size_t f = 0; f < p; f++) {
		s->prior[f] = s->how->prior ? s->how->prior[f] : 1 / (double)p;
		s->w[f] = s->w_by_feature[f] = w ? w[f] : s->prior[f];
		s->h[f] = 1;
		s->feature[f] = s->position[f] = f;
	}
	for (size_t f = 0; f < p; f++)
		if (s->w_by_feature[f] > 0)
			kith_sqpfw_swap(s, f, s->positive++);
}

static void
set_ranks(struct kith_sqpfw *s)
{
	s->group = kith_new(s->pool, 2 * s->points.n, sizeof(*s->group));
	for (size_t i = 0; i < s->points.n; i++) {
		/* Copies of a point are hits at distance 0. */
		const size_t own = s->points.copies[i] - 1;

		if (s->points.share[i] == 0)
			continue;
		s->group[2 * i].rank = (uint32_t)(own < s->how->hits ? s->how->hits - own : 0);
		s->group[2 * i + 1].rank = (uint32_t)s->how->misses;
	}
}

static void
begin(struct kith_sqpfw *s, const double *w)
{
	kith_sqpfw_points_new(s);
	set_weights(s, w);
	set_ranks(s);
	kith_sqpfw_pairs_begin(s);
	kith_sqpfw_qr_new(&s->qr, s->points.ld, s->pool);
	s->dw = s->qr.d;
	kith_sqpfw_active_gradient(s);
	kith_sqpfw_active_factor(s);
}

struct kith_sqpfw *
kith_sqpfw_new(const struct kith_mat *X, const size_t *y, size_t c,
    const struct kith_sqpfw_how *how, struct kith_pool *pool)
{
	struct kith_sqpfw *s = kith_new(pool, 1, sizeof(*s));

	assert(how->hits >= 1 && how->misses >= 1 && how->threads >= 1);
	*s = (struct kith_sqpfw){.rows = X, .y = y, .classes = c, .how = how, .pool = pool};
	begin(s, NULL);
	return s;
}

/* The pair of a group with point j; NONE if it is not followed. */
static uint32_t
find_pair(const struct kith_sqpfw *s, uint32_t g, uint32_t j)
{
	uint32_t at = s->group[g].pairs;

	while (at != KITH_SQPFW_NONE && s->pair[at].j != j)
		at = s->pair[at].next;
	return at;
}

/* Reports what distinguishes the active set from an old one; pairs not followed are farther. */
static void
report_restart(const struct kith_sqpfw *s, const struct kith_sqpfw *old)
{
	const uint32_t first = (uint32_t)(2 * s->points.n);

	for (uint32_t at = first; at < old->pairs; at++) {
		const struct kith_sqpfw_pair *was = &old->pair[at];
		uint32_t now;
		int state;

		if (was->group == KITH_SQPFW_NONE)
			continue;
		now = find_pair(s, was->group, was->j);
		state = now == KITH_SQPFW_NONE ? KITH_SQPFW_FARTHER : s->pair[now].state;
		if (state != was->state)
			kith_sqpfw_report_tie(s, was, was->state, state);
	}
	for (uint32_t at = first; at < s->pairs; at++) {
		const struct kith_sqpfw_pair *now = &s->pair[at];

		if (now->group != KITH_SQPFW_NONE && now->state != KITH_SQPFW_FARTHER &&
		    find_pair(old, now->group, now->j) == KITH_SQPFW_NONE)
			kith_sqpfw_report_tie(s, now, KITH_SQPFW_FARTHER, now->state);
	}
	for (size_t f = 0; f < s->points.p; f++)
		if ((s->position[f] < s->positive) != (old->position[f] < old->positive))
			kith_sqpfw_report_weight(s, f, s->position[f] < s->positive);
}

void
kith_sqpfw_restart(struct kith_sqpfw *s, const double *w)
{
	struct kith_sqpfw old = *s;

	*s = (struct kith_sqpfw){.rows = old.rows,
	    .y = old.y,
	    .classes = old.classes,
	    .how = old.how,
	    .theta = old.theta,
	    .theta_given = old.theta_given,
	    .iterations = old.iterations,
	    .stalls = old.stalls,
	    .leap = old.leap,
	    .pool = &s->own};
	begin(s, w);
	if (s->how->report)
		report_restart(s, &old);
	kith_pool_free(&old.own);
}

void
kith_sqpfw_free(struct kith_sqpfw *s)
{
	kith_pool_free(&s->own);
}

/* Algorithm 1. */

/*
 * Rounding adds up in 1'w = 1 and a'w = 0: w -= x, the shortest x with C'x = C'w - (1, 0, ...).
 * Where an |x_f| is too large the ties are next to dependent, and the sum alone is mended.
 */
static void
remove_drift(struct kith_sqpfw *s)
{
	double *b = s->y_now, *x = s->row, over = -1;

	for (size_t f = 0; f < s->positive; f++)
		over += s->w[f];
	b[0] = over;
	for (size_t t = 0; t + 1 < s->qr.m; t++)
		b[t + 1] = kith_sqpfw_gap(s, s->tie[t]);
	kith_sqpfw_qr_least_norm(&s->qr, b, x);
	if (!(kith_vec_largest(s->positive, x) <= DRIFT_MOST))
		for (size_t f = 0; f < s->positive; f++)
			x[f] = over / (double)s->positive;
	for (size_t f = 0; f < s->positive; f++)
		x[f] = -kith_lesser(x[f], s->w[f]);
	kith_sqpfw_jump(s, x);
	s->dw_stale = true;
}

/* Makes a step along dw, and activates what blocks it. */
static void
activate(struct kith_sqpfw *s, const struct kith_sqpfw_change *block)
{
	kith_sqpfw_apply(s, block);
	if (++s->steps % FACTOR_STEPS == 0) {
		kith_sqpfw_active_factor(s);
		kith_sqpfw_active_gradient(s);
	}
	if (s->steps % DRIFT_STEPS == 0)
		remove_drift(s);
}

/*
 * Ties the pairs of gap 0 whose rows are independent.  Where there is a direction or a
 * release then, *release is it; else the ties are undone, and false is returned.
 */
static bool
release_zero_gaps(struct kith_sqpfw *s, struct kith_sqpfw_change *release)
{
	const double due = kith_sqpfw_due_within(s, GAP_RANGE);
	const size_t ties = s->qr.m - 1;

	for (uint32_t at = (uint32_t)(2 * s->points.n); at < s->pairs; at++)
		if (s->qr.m < s->positive && kith_sqpfw_is_due(s, at, due) &&
		    fabs(kith_sqpfw_gap(s, at)) <= GAP_ZERO && !kith_sqpfw_depends(s, at, -1) &&
		    kith_sqpfw_tie(s, at))
			kith_sqpfw_unqueue(s, at);
	release->what = KITH_SQPFW_NOTHING;
	if (s->qr.m - 1 == ties)
		return false;
	if (kith_sqpfw_direction(s))
		release->what = KITH_SQPFW_RETRY;
	else
		kith_sqpfw_release_largest(s, release);
	if (release->what == KITH_SQPFW_NOTHING) {
		kith_sqpfw_untie_last(s, ties);
		return false;
	}
	for (size_t t = ties; t < s->qr.m - 1; t++)
		kith_sqpfw_report_tie(
		    s, &s->pair[s->tie[t]], s->pair[s->tie[t]].before, KITH_SQPFW_TIED);
	return true;
}

static bool
solve_warm(struct kith_sqpfw *s)
{
	const size_t most = s->how->max_iter, from = s->iterations;
	struct kith_sqpfw_change change;
	double lowest = DBL_MAX, fell_work = 0; /* of F; s->evaluated when F fell last */
	size_t fell = 0, idle = 0, stuck = 0;   /* fell: the iteration; idle: releases since */

	if (s->target_changes > TARGET_CHANGES)
		kith_sqpfw_active_gradient(s);
	s->limited = false;
	s->dw_stale = true;
	while (most == 0 || s->iterations - from < most) {
		const double F = kith_sqpfw_objective(s);

		if (F < lowest - FALLS * fabs(lowest)) {
			fell = s->iterations;
			fell_work = s->evaluated;
			idle = 0;
		}
		lowest = kith_lesser(lowest, F);
		/* Where F does not fall for long the active set goes in circles. */
		if (s->broken || idle > IDLE + 4 * (s->positive + s->qr.m) ||
		    (s->iterations - fell > IDLE_DEAR && s->evaluated - fell_work > DEAR))
			return false;
		s->iterations++;
		kith_progress_value("iteration", (double)s->iterations);
		if (kith_sqpfw_direction(s)) {
			const double tau = kith_sqpfw_ratio_test(s, 1, &change);

			stuck = tau > 0 || change.what != KITH_SQPFW_NOTHING ? 0 : stuck + 1;
			kith_sqpfw_move(s, tau);
			activate(s, &change);
			s->broken |= stuck > STUCK;
			continue;
		}
		kith_sqpfw_release_largest(s, &change);
		if (change.what == KITH_SQPFW_NOTHING && !release_zero_gaps(s, &change))
			return true;
		kith_progress_value("objective", F);
		idle++;
		kith_sqpfw_apply(s, &change);
	}
	s->limited = true;
	return false;
}

bool
kith_sqpfw_solve(struct kith_sqpfw *s, double theta)
{
	assert(theta >= 0 && theta < INFINITY);
	s->theta = fmin(scalbn(theta, -2 * s->points.exponent), THETA_MAX);
	s->theta_given = theta;
	kith_progress_value("theta", theta);
	return solve_warm(s);
}

void
kith_sqpfw_at(const struct kith_sqpfw *s, struct kith_sqpfw_now *out)
{
	*out = (struct kith_sqpfw_now){.theta = kith_sqpfw_theta(s),
	    .w = s->w_by_feature,
	    .objective = kith_sqpfw_objective(s),
	    .iterations = s->iterations,
	    .ties = s->qr.m - 1,
	    .limited = s->limited};
	/* A weight of P may be 0 where rows are dependent. */
	for (size_t f = 0; f < s->points.p; f++)
		out->positive += s->w_by_feature[f] > 0;
}

/* Algorithm 2. */

/* Lets theta leap where so many breakpoints came at one theta that the active set cycles. */
static bool
leap(struct kith_sqpfw *s, double last, double *before)
{
	const size_t most = STALLS + 2 * (s->qr.m + s->positive);

	if (s->stalls <= most)
		return false;
	s->stalls = most - STALLS_AGAIN;
	s->leap = s->leap > 0 ? LEAP_FACTOR * s->leap : LEAP;
	memcpy(before, s->w_by_feature, s->points.p * sizeof(*before));
	s->theta = fmin(last, s->theta + s->leap * fmax(s->theta, LEAP_THETA));
	return true;
}

enum kith_sqpfw_step
kith_sqpfw_next(struct kith_sqpfw *s, double theta_max, double *before)
{
	const int unit = -2 * s->points.exponent;
	const double last = scalbn(theta_max, unit), largest = scalbn(DBL_MAX, unit);

	s->theta_given = NAN;
	while (!leap(s, last, before)) {
		struct kith_sqpfw_change release, block = {.what = KITH_SQPFW_NOTHING};
		const bool moves = kith_sqpfw_slope(s);
		double far;

		kith_sqpfw_release_next(s, &release);
		far = fmin(last - s->theta, release.size);
		if (moves)
			far = kith_sqpfw_ratio_test(s, far, &block);
		if (far == INFINITY || s->theta + far > largest) {
			memcpy(before, s->w_by_feature, s->points.p * sizeof(*before));
			return KITH_SQPFW_END;
		}
		if (far > THETA_GROWS * s->theta)
			s->stalls = 0, s->leap = 0;
		else
			s->stalls += far <= THETA_STILL * s->theta;
		s->theta += far;
		if (moves)
			kith_sqpfw_move(s, far);
		if (block.what == KITH_SQPFW_FIX)
			s->w_by_feature[s->feature[block.which]] = 0;
		memcpy(before, s->w_by_feature, s->points.p * sizeof(*before));
		if (block.what != KITH_SQPFW_NOTHING)
			activate(s, &block);
		else if (far >= release.size)
			kith_sqpfw_apply(s, &release);
		else if (s->theta < last)
			continue;
		else {
			s->theta = last;
			s->theta_given = theta_max;
			return KITH_SQPFW_THETA_MAX;
		}
		break;
	}
	s->iterations++;
	return solve_warm(s) ? KITH_SQPFW_BREAKPOINT : KITH_SQPFW_LIMIT;
}

/* The minimum and its proof. */

/* Returns the share that the multipliers y_now give a pair; judge() brings y_now up to date. */
double
kith_sqpfw_share(const void *solver, size_t i, bool miss, size_t j)
{
	const struct kith_sqpfw *s = solver;
	const uint32_t g = (uint32_t)(2 * s->points.point[i] + miss);
	const size_t other = s->points.point[j];
	const double unit = s->theta * kith_sqpfw_factor(s, g);
	double share = NAN, ties = 0;

	for (size_t t = 0; t + 1 < s->qr.m; t++) {
		const struct kith_sqpfw_pair *pair = &s->pair[s->tie[t]];

		if (pair->group != g)
			continue;
		ties += s->y_now[t + 1] / unit;
		if (pair->j == other)
			share = s->y_now[t + 1] / unit;
	}
	return s->group[g].rank > 0 && s->group[g].r == other ? 1 - ties : share;
}

struct search {
	struct kith_sqpfw *s;
	struct kith_sqpfw_judge *judge;
	double theta;
	double *down, *at; /* p: a direction; weights to go on from */
	double *best; /* p: certified weights with the least F so far; without any, the least F */
	double best_F;
	bool best_certified;
};

/* Sets at = w + tau down, divided by its sum; returns false where the sum is not above 0. */
static bool
move_to(const struct search *it, double tau)
{
	const double *w = it->s->w_by_feature;
	long double sum = 0;

	for (size_t f = 0; f < it->s->points.p; f++) {
		it->at[f] = fmax(w[f] + tau * it->down[f], 0);
		sum += it->at[f];
	}
	if (!(sum > 0 && sum < INFINITY))
		return false;
	for (size_t f = 0; f < it->s->points.p; f++)
		it->at[f] = (double)(it->at[f] / sum);
	return true;
}

/* Searches weights `at` along down with F < F0; returns whether there are some. */
static bool
descend(const struct search *it, double F0)
{
	const double *w = it->s->w_by_feature;
	double longest = INFINITY, found = 0;

	for (size_t f = 0; f < it->s->points.p; f++)
		if (it->down[f] < 0)
			longest = fmin(longest, w[f] / -it->down[f]);
	if (!(longest > 0 && longest < INFINITY))
		return false;
	for (int k = -LINE_STEPS; k <= 0; k++) {
		const double tau = ldexp(longest, 2 * k);
		double F;

		if (!move_to(it, tau))
			break;
		F = kith_sqpfw_judge_objective(it->judge, it->at, it->theta);
		if (F < F0) {
			F0 = F;
			found = tau;
		} else if (found > 0)
			break;
	}
	return found > 0 && move_to(it, found);
}

/* Sets at = w without tiny weights; false: there are none. */
static bool
drop_tiny(const struct search *it)
{
	const double *w = it->s->w_by_feature;
	bool any = false;

	for (size_t f = 0; f < it->s->points.p; f++) {
		it->down[f] = w[f] < WEIGHT_TINY ? -w[f] : 0;
		any |= it->down[f] < 0;
	}
	return any && move_to(it, 1);
}

static bool
is_worse(const struct search *it, const struct kith_sqpfw_verdict *out)
{
	if (out->certified != it->best_certified)
		return it->best_certified;
	return !(out->simplex <= KITH_SQPFW_SUM &&
	    out->objective <= it->best_F + SAME * fabs(it->best_F));
}

static void
judge(struct search *it, struct kith_sqpfw_verdict *out)
{
	struct kith_sqpfw *s = it->s;
	const struct kith_sqpfw_shares shares = {kith_sqpfw_share, s};

	s->dw_stale = true;
	kith_sqpfw_direction(s);
	kith_sqpfw_qr_solve(&s->qr, s->y_now);
	kith_sqpfw_judge(it->judge, s->w_by_feature, it->theta, &shares, out, it->down);
	if (is_worse(it, out))
		return;
	memcpy(it->best, s->w_by_feature, s->points.p * sizeof(*it->best));
	it->best_F = out->objective;
	it->best_certified = out->certified;
}

/*
 * Judges the present weights.  Where most rows are tied rounding leaves tiny weights, which the
 * proof takes for positive ones: where w is no minimum they become 0, and it is judged again.
 */
static void
settle(struct search *it, struct kith_sqpfw_verdict *out)
{
	struct kith_sqpfw *s = it->s;
	bool any = false;

	judge(it, out);
	if (s->limited || out->certified)
		return;
	for (size_t f = 0; f < s->positive; f++) {
		s->row[f] = s->w[f] < WEIGHT_TINY ? -s->w[f] : 0;
		any |= s->row[f] < 0;
	}
	if (any) {
		kith_sqpfw_jump(s, s->row);
		judge(it, out);
	}
}

void
kith_sqpfw_minimum(
    struct kith_sqpfw *s, struct kith_sqpfw_judge *of, struct kith_sqpfw_verdict *out)
{
	struct kith_pool tmp = {0};
	struct search it = {.s = s, .judge = of, .theta = kith_sqpfw_theta(s), .best_F = INFINITY};
	bool same = false; /* the last restart was at the weights of the one before */
	size_t most;

	KITH_NEW_REALS(&tmp, s->points.p, 1, &it.down, &it.at, &it.best);
	settle(&it, out);
	most = ROUND_WORK * s->iterations + ROUND_FREE;
	for (size_t round = 0; round < ROUNDS && !s->limited && !out->certified; round++) {
		if (s->iterations > most || isnan(out->residual))
			break;
		/* Without a descent once from the same weights: what is 0 leaves P. */
		if (descend(&it, out->objective))
			same = false;
		else if (same || !move_to(&it, 0))
			break;
		else
			same = true;
		kith_sqpfw_restart(s, it.at);
		solve_warm(s);
		settle(&it, out);
	}
	if (out->certified && !s->limited && drop_tiny(&it)) {
		/* Tiny weights make a minimum next to the one without them. */
		kith_sqpfw_restart(s, it.at);
		solve_warm(s);
		judge(&it, out);
	}
	if (is_worse(&it, out)) {
		kith_sqpfw_restart(s, it.best_F < INFINITY ? it.best : NULL);
		solve_warm(s);
		judge(&it, out);
	}
	kith_pool_free(&tmp);
}
