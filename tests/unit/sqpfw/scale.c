/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/scale.h: the scales are those of its definition, when they
 * are chosen anew, and how queues are shaped.
 */
#include "sqpfw/scale.h"

#include "sqpfw/candidates.h"
#include "sqpfw/groups.h"
#include "sqpfw/long.h"
#include "sqpfw/state.h"
#include "tap.h"

/* How far off scales are. */
struct off {
	double scale;
};

/* h = sqrt(V / S), V and S in units of their means and a hundredth more. */
static void
look_at_scale(struct kith_sqpfw *s, struct off *off)
{
	const size_t p = s->points.p;
	double h[FEATURES], V[FEATURES], S[FEATURES] = {0}, v = 0, w = 0;
	double most = 0;

	for (size_t at = 0; at < p; at++) {
		h[s->feature[at]] = s->pairs.scale[at];
		v += V[s->feature[at]] = s->pairs.movement[at];
	}
	for (uint32_t at = 0; at < s->pairs.n; at++) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
		const size_t i = pair->group / 2;
		const size_t r = s->group[pair->group].target_point;
		double size, all = 0, mean = 0;

		if (pair->state != 1 && pair->state != -1)
			continue;
		size = norm(s, i, pair->j, r, h);
		for (size_t f = 0; f < p; f++) {
			all += h[f];
			mean += h[f] * row_entry(s, i, pair->j, r, f);
		}
		for (size_t f = 0; f < p && size > 1e-9; f++)
			S[f] += pow(row_entry(s, i, pair->j, r, f) - mean / all, 2) /
			    (size * (fabs(gap(s, i, pair->j, r)) + 1e-3 * size));
	}
	for (size_t f = 0; f < p; f++)
		w += S[f];
	for (size_t f = 0; f < p; f++) {
		h[f] = sqrt((V[f] * (double)p / v + .01) / (S[f] * (double)p / w + .01));
		most = fmax(most, h[f]);
	}
	s->pairs.evaluated = 1e9;
	kith_sqpfw_scale_renew(s);
	for (size_t at = 0; at < p; at++) {
		const size_t f = s->feature[at];

		off->scale = fmax(off->scale, fabs(s->pairs.scale[at] - h[f] / most));
		off->scale = fmax(off->scale, fabs(s->pairs.movement[at] - .1 * V[f]));
	}
}

/* The buckets and the horizon of a queue of things, by the times ahead. */
static bool
is_shaped(const struct kith_sqpfw_queue *queue, double roots, size_t n)
{
	const double mean = roots / (double)n;
	size_t buckets = 64;

	while (buckets < n / 16)
		buckets *= 2;
	return queue->buckets == buckets && queue->length == 0 &&
	    fabs(queue->width * (double)buckets / fmax(4 * mean * mean, 1e-3) - 1) < 1e-6;
}

/* Queues of pairs and of lists, made for what is in them. */
static void
test_queues(void)
{
	struct set set;
	struct kith_sqpfw *s = begin_long(&set, 2, 1);
	double roots = 0, lists = 0, least = INFINITY;
	size_t n = 0, m = 0;

	kith_sqpfw_scale_begin(s);
	for (uint32_t at = 0; at < s->pairs.n; at++) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];

		if (pair->state != 1 && pair->state != -1)
			continue;
		n++;
		roots += sqrt(
		    fabs(gap(s, pair->group / 2, pair->j, s->group[pair->group].target_point)) /
		    pair->row_norm);
	}
	for (uint32_t g = 0; g < 2 * s->points.n; g++)
		if (s->group[g].radius < INFINITY) {
			m++;
			lists += sqrt(kith_sqpfw_candidates_ahead(s, g));
		}
	ok(is_shaped(&s->pairs.queue, roots, n), "a queue for %zu pairs", n);
	ok(is_shaped(&s->candidates.queue, lists, m), "one for %zu lists", m);
	for (size_t f = 0; f < s->points.p; f++)
		least = fmin(least, fmin(s->pairs.scale[s->position[f]], s->candidates.scale[f]));
	is_near(s->scale_min, least, 0, "the least scale of either");
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

/* Scales are chosen anew after 8 evaluations of each pair, or 16 of each list;
 * lists by the weights there are. */
static void
test_when(void)
{
	struct set set;
	struct kith_sqpfw *s = begin_long(&set, 1, 1);
	const double pairs = 8 * (double)s->pairs.n * (double)s->points.p;
	const size_t lists = s->points.n * 2 * 16;
	double was, weight;

	set.how.many = SIZE_MAX;
	was = s->pairs.scale[0] = 7;
	weight = s->candidates.scale[0] = 9;
	s->steps += 3;
	s->pairs.evaluated = pairs - 1;
	s->candidates.evaluated = lists - 1;
	kith_sqpfw_scale_renew(s);
	ok(s->pairs.scale[0] == was && s->candidates.scale[0] == weight, "not before that");
	s->candidates.evaluated = lists;
	kith_sqpfw_scale_renew(s);
	ok(s->pairs.scale[0] == was && s->candidates.evaluated == 0, "then lists,");
	is_near(s->candidates.scale[0], s->w_by_feature[0] + .1 / (double)s->points.p, 1e-16,
	    "by their weights and a little");
	s->pairs.evaluated = pairs;
	s->candidates.scale[0] = weight;
	kith_sqpfw_scale_renew(s);
	ok(s->pairs.scale[0] <= 1 && s->pairs.evaluated == 0 && s->pairs.from == s->steps,
	    "or pairs");
	is_near(s->candidates.scale[0], weight, 0, "alone");
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

/* Pairs rest where more than so many are evaluated in a step. */
static void
test_rest(void)
{
	struct set set;
	struct kith_sqpfw *s = begin_long(&set, 1, 1);
	const double p = (double)s->points.p;
	const double pairs = 8 * (double)s->pairs.n * p;

	for (size_t k = 0; k < 2; k++) {
		const double many = k ? 512 : 20;

		set.how.many = k ? 0 : 20;
		s->pairs.evaluated = pairs;
		s->steps = s->pairs.from + (size_t)(pairs / (p * many)) + 1;
		kith_sqpfw_scale_renew(s);
		ok(!s->box.on, "not for less than %g", many);
		s->pairs.evaluated = pairs;
		s->steps = s->pairs.from + (size_t)(pairs / (p * many)) - 1;
		kith_sqpfw_scale_renew(s);
		ok(s->box.on, "but for more");
		is_near(s->box.before, 6 * pairs / (p * (double)(s->steps - s->pairs.from)), 1e-12,
		    "which is the work before");
		/* dear for 256 steps: then no pair rests */
		s->box.work = 1e9;
		s->steps += 256;
		kith_sqpfw_scale_renew(s);
		ok(!s->box.on && s->pairs.from == s->steps, "until it is dear");
		s->pairs.evaluated = pairs;
		s->steps++;
		kith_sqpfw_scale_renew(s);
		ok(!s->box.on, "then no more for what costs less");
		s->box.dear = 0;
	}
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

int
main(void)
{
	struct off off = {0};

	kith_rng_seed(&rng, 71, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < 6; k++) {
		struct set set;
		struct kith_sqpfw *s = begin_long(&set, 1 + k % 2, 1);

		set.how.many = SIZE_MAX;
		look_at_scale(s, &off);
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	ok(off.scale <= 1e-9, "scales are those that evaluate least, to %.1e", off.scale);
	test_queues();
	test_when();
	test_rest();
	return done();
}
