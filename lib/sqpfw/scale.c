#include "sqpfw/scale.h"

#include "sqpfw/item.h"
#include "sqpfw/list.h"

#include <math.h>

/* Looks at each pair, at each list, until the scale is made anew. */
enum { LOOKS = 8, LIST_LOOKS = 16 };
/* The circle of a queue reaches so many times the typical length ahead, */
#define REACH 4
/* and has a bucket for so many things. */
enum { THINGS = 16, FEWEST = 64 };
/* No circle is shorter. */
#define SHORTEST 1e-3
/* What is added to V and S, in units of their means. */
#define LEAST .01
/* What is left of V then. */
#define KEEP .1
/* A gap of nothing counts as so much of the size. */
#define NEAR 1e-3

/* The gaps of all pairs that are not tied, into seen[]; how many. */
static size_t
find_gaps(struct kith_sqpfw *s)
{
	const size_t n = kith_sqpfw_room(s->positive);
	size_t held = 0;

	for (uint32_t at = 0; at < s->items; at++) {
		struct kith_sqpfw_pair pair;
		double gap[2];

		if (s->item[at].state != 1 && s->item[at].state != -1)
			continue;
		pair = kith_sqpfw_pair(s, &s->item[at]);
		kith_sqpfw_rows_at(n, &pair, s->w, s->w, gap);
		s->seen[held++] = (struct kith_sqpfw_seen){gap[0], 0, at};
	}
	return held;
}

/* S of the features, by position, of the pairs in seen[]. */
static void
spread(const struct kith_sqpfw *s, size_t held, double *S)
{
	for (size_t f = 0; f < s->points.ld; f++)
		S[f] = 0;
	for (size_t k = 0; k < held; k++) {
		const struct kith_sqpfw_item *item = &s->item[s->seen[k].item];
		const struct kith_sqpfw_pair pair = kith_sqpfw_pair(s, item);
		const double gap = fabs(s->seen[k].gap) + NEAR * item->size;

		if (item->size > 0)
			kith_sqpfw_rows_spread(s->points.ld, &pair, s->scale,
			    1 / item->size / gap, S);
	}
}

/* The scale that suits the steps there were, and these S. */
static void
choose(struct kith_sqpfw *s, const double *S)
{
	const size_t p = s->points.p;
	double v = 0, w = 0, most = 0;

	for (size_t f = 0; f < p; f++) {
		v += s->spent[f] / (double)p;
		w += S[f] / (double)p;
	}
	if (!(v > 0 && w > 0 && v < INFINITY && w < INFINITY))
		return;
	for (size_t f = 0; f < p; f++) {
		s->scale[f] = sqrt(
		    (s->spent[f] / v + LEAST) / (S[f] / w + LEAST));
		s->spent[f] *= KEEP;
		most = kith_sqpfw_larger(most, s->scale[f]);
	}
	for (size_t f = 0; f < p; f++)
		s->scale[f] /= most;
}

/* The buckets for so many things. */
static size_t
buckets(size_t things)
{
	size_t b = FEWEST;

	while (b < things / THINGS)
		b *= 2;
	return b;
}

/* A circle for things of which roots of lengths ahead are known. */
static double
reach(double roots, size_t n)
{
	const double mean = n > 0 ? roots / (double)n : 0;

	return mean > 0 ? fmax(REACH * mean * mean, SHORTEST) : 1;
}

/* Queue the pairs in seen[]. */
static void
queue_pairs(struct kith_sqpfw *s, size_t held)
{
	double roots = 0;
	size_t n = 0;

	for (size_t k = 0; k < held; k++) {
		const uint32_t at = s->seen[k].item;

		s->item[at].place = KITH_SQPFW_NONE;
		kith_sqpfw_item_measure(s, at);
		if (!(s->item[at].size > 0))
			continue;
		roots += sqrt(fabs(s->seen[k].gap) / s->item[at].size);
		n++;
	}
	kith_sqpfw_queue_shape(&s->pairs, buckets(n), reach(roots, n));
	for (size_t k = 0; k < held; k++)
		kith_sqpfw_item_put(s, s->seen[k].item, s->seen[k].gap);
	s->looks = 0;
}

/* Queue all lists, by a new scale. */
static void
queue_lists(struct kith_sqpfw *s)
{
	const size_t groups = 2 * s->points.n;
	double roots = 0;
	size_t n = 0;

	for (size_t f = 0; f < s->points.p; f++)
		s->list_scale[f] = s->wf[f] + s->floor;
	for (uint32_t g = 0; g < groups; g++) {
		const double ahead = kith_sqpfw_list_ahead(s, g);

		s->group[g].place = KITH_SQPFW_NONE;
		if (!(ahead < INFINITY))
			continue;
		roots += sqrt(ahead);
		n++;
	}
	kith_sqpfw_queue_shape(&s->lists, buckets(n), reach(roots, n));
	for (uint32_t g = 0; g < groups; g++)
		kith_sqpfw_list_put(s, g);
	s->list_looks = 0;
}

static void
know_least(struct kith_sqpfw *s)
{
	s->least = INFINITY;
	for (size_t f = 0; f < s->points.p; f++)
		s->least = fmin(
		    s->least, fmin(s->scale[f], s->list_scale[s->feature[f]]));
}

void
kith_sqpfw_scale_start(struct kith_sqpfw *s)
{
	queue_pairs(s, find_gaps(s));
	queue_lists(s);
	know_least(s);
}

void
kith_sqpfw_scale_renew(struct kith_sqpfw *s)
{
	const bool pairs = s->looks >=
	    LOOKS * (double)s->items * (double)s->points.p;
	const bool lists = s->list_looks >=
	    (size_t)LIST_LOOKS * 2 * s->points.n;

	if (pairs) {
		const size_t held = find_gaps(s);

		spread(s, held, s->alpha);
		choose(s, s->alpha);
		queue_pairs(s, held);
	}
	if (lists)
		queue_lists(s);
	if (pairs || lists)
		know_least(s);
}
