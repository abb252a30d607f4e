/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/scale.h"

#include "sqpfw/boxed.h"
#include "sqpfw/candidates.h"
#include "sqpfw/pair.h"
#include "sqpfw/rest.h"
#include "sqpfw/used.h"

enum {
	PER_PAIR = 8,  /* evaluations of each pair, */
	PER_LIST = 16, /* of each list, until the scale is chosen anew */
	HORIZON = 4,   /* of a calendar queue, in typical times ahead */
	EACH = 16,     /* things in a bucket, */
	FEWEST = 64,   /* and the fewest buckets */
	MANY = 512     /* evaluations in a step from which on pairs rest */
};

/* The least horizon. */
#define SHORTEST 1e-3
/* Added to V and S, in units of their means. */
#define LEAST .01
/* What is kept of V when the scale is chosen anew. */
#define KEEP .1
/* Added to the gap of a pair, in units of its row's norm. */
#define NEAR 1e-3

/* The gaps of all pairs that are not tied, into pairs.seen; how many. */
static size_t
find_gaps(struct kith_sqpfw *s)
{
	const size_t used = kith_sqpfw_used(s);
	size_t held = 0;

	for (size_t k = 0; k < used; k++) {
		const uint32_t at = s->pairs.used[k];
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];

		if (pair->state == 1 || pair->state == -1)
			s->pairs.seen[held++] = (struct kith_sqpfw_seen){
			    kith_sqpfw_pair_gap(s, at), 0, at};
	}
	return held;
}

/* S by position, of the pairs in pairs.seen. */
static void
spread(const struct kith_sqpfw *s, size_t held, double *S)
{
	for (size_t f = 0; f < s->points.ld; f++)
		S[f] = 0;
	for (size_t k = 0; k < held; k++) {
		const struct kith_sqpfw_seen *seen = &s->pairs.seen[k];
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[seen->pair];
		const struct kith_sqpfw_row row = kith_sqpfw_row(s, pair);
		const double gap = fabs(seen->gap) + NEAR * pair->row_norm;

		if (pair->row_norm > 0)
			kith_sqpfw_rows_add_variance(
			    s->points.ld, &row, s->pairs.scale, 1 / pair->row_norm / gap, S);
	}
}

/* h = sqrt(V / S), V and S in units of their means; the largest h is 1. */
static void
choose(struct kith_sqpfw *s, const double *S)
{
	const size_t p = s->points.p;
	double *V = s->pairs.movement, *h = s->pairs.scale;
	double v = 0, w = 0, most = 0;

	for (size_t f = 0; f < p; f++) {
		v += V[f] / (double)p;
		w += S[f] / (double)p;
	}
	if (!(v > 0 && w > 0 && v < INFINITY && w < INFINITY))
		return;
	for (size_t f = 0; f < p; f++) {
		h[f] = sqrt((V[f] / v + LEAST) / (S[f] / w + LEAST));
		V[f] *= KEEP;
		most = kith_larger(most, h[f]);
	}
	for (size_t f = 0; f < p; f++)
		h[f] /= most;
}

/* The buckets of a queue of so many things. */
static size_t
buckets(size_t things)
{
	size_t b = FEWEST;

	while (b < things / EACH)
		b *= 2;
	return b;
}

/* The horizon of a queue of n things: `roots` is the sum of the square roots of
 * the lengths after which they are due. */
static double
horizon(double roots, size_t n)
{
	const double mean = n > 0 ? roots / (double)n : 0;

	return mean > 0 ? fmax(HORIZON * mean * mean, SHORTEST) : 1;
}

/* Queue the pairs in pairs.seen. */
static void
queue_pairs(struct kith_sqpfw *s, size_t held)
{
	double roots = 0;
	size_t n = 0;

	for (size_t k = 0; k < held; k++) {
		const struct kith_sqpfw_seen *seen = &s->pairs.seen[k];
		struct kith_sqpfw_pair *pair = &s->pairs.pair[seen->pair];

		pair->queue_place = KITH_SQPFW_NONE;
		kith_sqpfw_pair_measure(s, seen->pair);
		if (!(pair->row_norm > 0))
			continue;
		roots += sqrt(fabs(seen->gap) / pair->row_norm);
		n++;
	}
	kith_sqpfw_queue_shape(&s->pairs.queue, buckets(n), horizon(roots, n));
	for (size_t k = 0; k < held; k++)
		kith_sqpfw_pair_queue(s, s->pairs.seen[k].pair, s->pairs.seen[k].gap);
	s->pairs.evaluated = 0;
	s->pairs.from = s->steps;
}

/* Queue all lists, by h = w + floor. */
static void
queue_lists(struct kith_sqpfw *s)
{
	const size_t groups = 2 * s->points.n;
	double roots = 0;
	size_t n = 0;

	for (size_t f = 0; f < s->points.p; f++)
		s->candidates.scale[f] = s->w_by_feature[f] + s->candidates.floor;
	for (uint32_t g = 0; g < groups; g++) {
		const double ahead = kith_sqpfw_candidates_ahead(s, g);

		s->group[g].queue_place = KITH_SQPFW_NONE;
		if (!(ahead < INFINITY))
			continue;
		roots += sqrt(ahead);
		n++;
	}
	kith_sqpfw_queue_shape(&s->candidates.queue, buckets(n), horizon(roots, n));
	for (uint32_t g = 0; g < groups; g++)
		kith_sqpfw_candidates_queue(s, g);
	s->candidates.evaluated = 0;
}

static void
find_scale_min(struct kith_sqpfw *s)
{
	s->scale_min = INFINITY;
	for (size_t f = 0; f < s->points.p; f++)
		s->scale_min = fmin(
		    s->scale_min, fmin(s->pairs.scale[f], s->candidates.scale[s->feature[f]]));
}

void
kith_sqpfw_scale_begin(struct kith_sqpfw *s)
{
	queue_pairs(s, find_gaps(s));
	queue_lists(s);
	find_scale_min(s);
}

/* The work of a step since the scale was chosen. */
static double
work_of(const struct kith_sqpfw *s)
{
	return KITH_SQPFW_SEE * s->pairs.evaluated /
	    ((double)s->points.p * (double)(s->steps - s->pairs.from));
}

/* Whether so many pairs are evaluated in a step that others should rest. */
static bool
is_costly(const struct kith_sqpfw *s)
{
	const double many = s->problem.how->many ? (double)s->problem.how->many : MANY;

	return work_of(s) > fmax(KITH_SQPFW_SEE * many, s->box.dear);
}

void
kith_sqpfw_scale_renew(struct kith_sqpfw *s)
{
	const bool ends = kith_sqpfw_rest_dear(s);
	const bool pairs = ends ||
	    (!s->box.on &&
		s->pairs.evaluated >= PER_PAIR * (double)s->pairs.n * (double)s->points.p);
	const bool lists = s->candidates.evaluated >= (size_t)PER_LIST * 2 * s->points.n;

	kith_sqpfw_boxed_consider(s);
	if (ends)
		kith_sqpfw_rest_end(s);
	if (pairs && !ends && is_costly(s))
		kith_sqpfw_rest_begin(s, work_of(s));
	else if (pairs) {
		const size_t held = find_gaps(s);

		spread(s, held, s->alpha);
		choose(s, s->alpha);
		queue_pairs(s, held);
	}
	if (lists)
		queue_lists(s);
	if (pairs || lists)
		find_scale_min(s);
}
