/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the numbers of lib/sqpfw/candidates.h - radius, slack, excess, who is
 * in a list, and how long - and of the margins of sqpfw/minimum.h, each by its
 * definition.
 */
#include "sqpfw/candidates.h"
#include "sqpfw/groups.h"
#include "sqpfw/long.h"
#include "sqpfw/pair.h"
#include "sqpfw/renewal.h"
#include "sqpfw/scale.h"
#include "sqpfw/state.h"
#include "tap.h"

/* How far off numbers are, and how often they were looked at. */
struct off {
	double radius, margin, way;
	size_t ways, inside, tested, left, all;
	size_t lists, listed, hints, hinted, skipped;
};

/* The pair of a group that stands for a point, or NULL. */
static const struct kith_sqpfw_pair *
pair_of(const struct kith_sqpfw *s, uint32_t g, size_t j)
{
	for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];

		if (pair->j == j || (pair->merged && kith_sqpfw_pair_same(s, g / 2, pair->j, j)))
			return pair;
	}
	return NULL;
}

/* (d_ij - d_ir) / (|a_j| + max |a_q| + slack), the least over those outside, is
 * the radius but for a millionth. */
static void
look_at_list(const struct kith_sqpfw *s, uint32_t g, struct off *off)
{
	const struct kith_sqpfw_group *group = &s->group[g];
	const size_t i = g / 2, r = group->target_point;
	double h[FEATURES], inner = 0, excess = 0, slack = 0, least = INFINITY;

	for (size_t f = 0; f < s->points.p; f++) {
		const double d = kith_sqpfw_value(&s->points, i, f) -
		    kith_sqpfw_value(&s->points, r, f);

		h[f] = s->w_by_feature[f] + .1 / (double)s->points.p;
		slack += 1e-3 * s->w_by_feature[f] * d * d;
	}
	for (uint32_t at = group->first_pair; at != KITH_SQPFW_NONE; at = s->pairs.pair[at].next) {
		const struct kith_sqpfw_pair *q = &s->pairs.pair[at];
		const bool short_of = group->nearer + s->pairs.pair[group->target].copies <
		    group->rank;

		off->listed += q->state > 0;
		if (q->state > 0 || (q->state == 0 && !short_of))
			continue;
		inner = fmax(inner, norm(s, i, q->j, r, h));
		excess = fmax(excess, gap(s, i, q->j, r));
	}
	for (size_t j = 0; j < s->points.n; j++)
		if (belongs(s, g, j) && !pair_of(s, g, j))
			least = fmin(
			    least, gap(s, i, j, r) / (norm(s, i, j, r, h) + inner + slack));
	off->lists++;
	if (isinf(least) || isinf(group->radius))
		off->radius = isinf(least) && isinf(group->radius) ? off->radius : INFINITY;
	else
		off->radius = fmax(off->radius, fabs(group->radius / (least * (1 - 1e-6)) - 1));
	off->radius = fmax(off->radius, fabs(group->slack / slack - 1));
	off->radius = fmax(off->radius, fabs(group->excess - excess));
	for (size_t f = 0; f < s->points.p; f++)
		if (s->candidates.made_at[g * s->points.ld + f] != s->w_by_feature[f])
			off->radius = INFINITY;
}

/* How far w + tau dw is from where a list was made, by its scales. */
static double
moved(const struct kith_sqpfw *s, uint32_t g, double tau, double *ratio)
{
	const double *from = s->candidates.made_at + g * s->points.ld;
	double sum = 0, most = 0;

	for (size_t f = 0; f < s->points.p; f++) {
		const double h = from[f] + .1 / (double)s->points.p;
		const double d = s->w_by_feature[f] + tau * s->step.dw_by_feature[f] - from[f];

		sum += d * d / h;
		most = fmax(most, s->candidates.scale[f] / h);
	}
	*ratio = 1 / sqrt(most);
	return sqrt(sum);
}

/* Where a step leaves a list, and how long a path is safe. */
static void
look_at_way(struct kith_sqpfw *s, uint32_t g, struct off *off)
{
	const double radius = s->group[g].radius;
	double ratio, reach, ahead;

	if (!(radius < INFINITY))
		return;
	reach = kith_sqpfw_candidates_reach(s, g);
	ahead = (radius - moved(s, g, 0, &ratio)) * ratio;
	off->ways++;
	off->inside += reach > 0;
	off->way = fmax(
	    off->way, ahead > 0 ? fabs(moved(s, g, reach, &ratio) / radius - 1) : fabs(reach));
	off->way = fmax(off->way, fabs(kith_sqpfw_candidates_ahead(s, g) - fmax(ahead, 0)));
	off->way = fmax(
	    off->way, fabs(kith_sqpfw_candidates_moved(s, g, .3) - moved(s, g, .3, &ratio)));
}

/* Lists that a step to w + tau dw leaves are renewed, others are not. */
static void
look_at_test(struct kith_sqpfw *s, double tau, double margin, struct off *off)
{
	size_t left = 0, all = 0;
	double ratio;

	for (uint32_t g = 0; g < 2 * s->points.n; g++) {
		all += s->group[g].queue_place != KITH_SQPFW_NONE;
		s->group[g].renewed_at = 0;
		left += s->group[g].radius < INFINITY &&
		    moved(s, g, tau, &ratio) + margin >= s->group[g].radius;
	}
	off->tested += kith_sqpfw_candidates_test(s, INFINITY, tau, margin, KITH_SQPFW_NONE) !=
		left ||
	    s->candidates.n_due != all;
	off->left += left;
	off->all += all;
	for (size_t k = 0; k < s->candidates.n_due; k++)
		off->tested += (s->group[s->candidates.due[k]].renewed_at == s->iterations) !=
		    (k < left);
	for (size_t k = 0; k < s->candidates.n_due; k++)
		kith_sqpfw_candidates_queue(s, s->candidates.due[k]);
}

static void
test_lists(struct off *off)
{
	for (size_t k = 1; k < 4; k++) {
		struct set set;
		struct kith_sqpfw *s = begin_long(&set, k, 4 - k);

		for (uint32_t g = 0; g < 2 * s->points.n; g += 3) {
			s->group[g].excess = 1; /* that of the last list */
			kith_sqpfw_renewal_make(s, &g, 1, KITH_SQPFW_NONE);
			look_at_list(s, g, off);
		}
		for (size_t f = 0; f < 5; f++)
			s->step.dw_by_feature[f] = number(-1, 1);
		for (size_t f = 0; f < 5; f++)
			s->w_by_feature[f] += number(0, .1 * (double)k);
		for (uint32_t g = 0; g < 2 * s->points.n; g++)
			look_at_way(s, g, off);
		kith_sqpfw_scale_begin(s);
		look_at_test(s, .03, 0, off);
		look_at_test(s, 0, .02, off);
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
}

/* How many candidates a group has. */
static size_t
length(const struct kith_sqpfw *s, uint32_t g)
{
	size_t n = 0;

	for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next)
		n += s->pairs.pair[at].state > 0;
	return n;
}

/* Lists at first, of groups of so many; and one that is made again after some
 * iterations. */
static void
test_lengths(size_t n, size_t p, size_t due, bool whole_group)
{
	const struct kith_sqpfw_how how = {1, 1, .threads = 1};
	struct kith_mat X = kith_mat_new(&pool, 2 * n, p);
	size_t *y = kith_new(&pool, 2 * n, sizeof(*y)), wrong = 0;
	const uint32_t g = 1;
	struct kith_sqpfw *s;

	for (size_t v = 0; v < 2 * n * p; v++)
		X.v[v] = number(-1, 1);
	for (size_t i = 0; i < 2 * n; i++)
		y[i] = i >= n;
	s = kith_sqpfw_new(&X, y, 2, &how, &pool);
	for (size_t i = 1; i < 4 * n; i += 2)
		/* one may be as near as that behind it */
		wrong += due - length(s, (uint32_t)i) > 1 ||
		    isinf(s->group[i].radius) != whole_group;
	is_size(wrong, 0, "lists are as long as they should be at first");
	s->iterations = 10;
	kith_sqpfw_renewal_make(s, &g, 1, KITH_SQPFW_NONE);
	is_size(length(s, g), due, "as long again");
	s->iterations = 159;
	kith_sqpfw_renewal_make(s, &g, 1, KITH_SQPFW_NONE);
	is_size(length(s, g), whole_group ? due : 2 * due, "twice as long so soon after that");
	s->iterations = 309;
	kith_sqpfw_renewal_make(s, &g, 1, KITH_SQPFW_NONE);
	is_size(length(s, g), whole_group ? due : 2 * due, "not later");
	kith_pool_free(&pool);
}

/* (radius - moved) slack - excess, by which rows that a hint lacks are farther,
 * in units of the data; and that they are. */
static void
look_at_hint(const struct kith_sqpfw *s, size_t i, bool miss, struct off *off)
{
	const struct kith_sqpfw_group *group = &s->group[2 * s->points.point[i] + miss];
	const double *from = s->candidates.made_at + (2 * s->points.point[i] + miss) * s->points.ld;
	uint32_t rows[LONG];
	double margin, moved = 0, due;
	const size_t n = kith_sqpfw_minimum_hint(s, i, miss, rows, &margin);

	for (size_t f = 0; f < s->points.p; f++) {
		const double d = s->w_by_feature[f] - from[f];

		moved += d * d / (from[f] + .1 / (double)s->points.p);
	}
	due = scalbn(
	    (group->radius - sqrt(moved)) * group->slack - group->excess, -2 * s->points.exponent);
	off->hints++;
	off->hinted += n;
	off->margin = fmax(
	    off->margin, isinf(group->radius) ? !isinf(margin) : fabs(margin / due - 1));
	for (size_t k = 0; k < n; k++)
		off->skipped += rows[k] == i ||
		    (s->problem.y[rows[k]] != s->problem.y[i]) != miss ||
		    !pair_of(s, 2 * (uint32_t)s->points.point[i] + miss, s->points.point[rows[k]]);
	for (uint32_t at = group->first_pair; at != KITH_SQPFW_NONE; at = s->pairs.pair[at].next) {
		size_t k = 0;

		while (k < n && s->points.point[rows[k]] != s->pairs.pair[at].j)
			k++;
		off->skipped += k == n;
	}
}

static void
test_hints(struct off *off)
{
	for (size_t k = 1; k < 4; k++) {
		struct set set;
		struct kith_sqpfw *s = begin_long(&set, k, k);

		for (size_t i = 0; i < LONG; i += 2)
			look_at_hint(s, i + k % 2, i % 4, off);
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
}

int
main(void)
{
	struct off off = {0};

	kith_rng_seed(&rng, 31, KITH_RNG_SAMPLE, 0);
	test_lists(&off);
	ok(off.radius <= 1e-9, "radii, slack and excess of %zu lists, to %.1e", off.lists,
	    off.radius);
	ok(off.listed > 10 * off.lists && off.listed < 80 * off.lists, "lists of %zu pairs each",
	    off.listed / off.lists);
	ok(off.way <= 1e-9 && off.inside > off.ways / 10 && off.inside < off.ways,
	    "how far steps may go, to %.1e; in %zu of %zu", off.way, off.inside, off.ways);
	ok(off.tested == 0 && off.left > 20 && off.left < off.all,
	    "%zu of %zu lists are left, and renewed", off.left, off.all);
	test_lengths(100, 3, 16, false);
	test_lengths(70, 257, 32, false);
	test_lengths(65, 256, 16, false);
	test_lengths(64, 3, 63, true);
	test_hints(&off);
	ok(off.margin <= 1e-9, "the margins of hints, to %.1e", off.margin);
	ok(off.skipped == 0 && off.hinted > off.hints, "hints name the rows of pairs, %zu on %zu",
	    off.hinted, off.hints);
	return done();
}
