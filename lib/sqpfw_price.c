#include "sqpfw_price.h"

#include "near.h"

/* Entries of rows that are worth leaving out. */
#define WORTH 1e5

/* How often the same features may be looked at again. */
enum { AGAIN = 32 };

void
kith_sqpfw_price_all(struct kith_sqpfw *s, const double *y)
{
	const size_t from = s->positive / 8 * 8;
	const size_t n = s->points.ld - from;

	for (size_t f = s->positive; f < s->points.p; f++)
		s->r[f] -= y[0];
	for (size_t t = 0; t < kith_sqpfw_ties_n(s); t++) {
		struct kith_sqpfw_pair pair = kith_sqpfw_pair(
		    s, &s->item[s->tie[t]]);

		pair.i += from;
		pair.j += from;
		pair.r += from;
		kith_sqpfw_rows_add(n, &pair, -y[t + 1], s->r + from);
	}
}

/* alpha of one position. */
static double
price(const struct kith_sqpfw *s, size_t at)
{
	double alpha = s->r[at] - s->y[0];

	for (size_t t = 0; t < kith_sqpfw_ties_n(s); t++) {
		const struct kith_sqpfw_pair pair = kith_sqpfw_pair(
		    s, &s->item[s->tie[t]]);

		alpha -= s->y[t + 1] *
		    ((pair.j[at] - pair.r[at]) *
			((pair.j[at] - pair.i[at]) +
			    (pair.r[at] - pair.i[at])));
	}
	return alpha;
}

/* The largest of the features noted, if it is above `least`. */
static size_t
among_noted(struct kith_sqpfw *s, double least, double *alpha)
{
	size_t best = s->points.p;

	for (size_t k = 0; k < s->noted; k++) {
		const size_t at = s->place[s->note[k]];
		double a;

		if (at < s->positive)
			continue;
		a = price(s, at);
		if (a > least && (best == s->points.p || a > *alpha)) {
			best = at;
			*alpha = a;
		}
	}
	return best;
}

size_t
kith_sqpfw_price_best(struct kith_sqpfw *s, double least, double *alpha)
{
	const double work = (double)kith_sqpfw_ties_n(s) *
	    (double)(s->points.p - s->positive);
	struct kith_neighbour nn[KITH_SQPFW_NOTES];
	struct kith_near near = {nn, KITH_SQPFW_NOTES, 0};
	size_t best = s->points.p;

	if (work > WORTH && s->noted > 0 && s->notes_used++ < AGAIN) {
		best = among_noted(s, least, alpha);
		if (best < s->points.p)
			return best;
	}
	kith_sqpfw_price_all(s, s->y);
	for (size_t at = s->positive; at < s->points.p; at++) {
		if (!(s->r[at] > least))
			continue;
		if (best == s->points.p || s->r[at] > *alpha) {
			best = at;
			*alpha = s->r[at];
		}
		if (work > WORTH && kith_near_wants(&near, -s->r[at]))
			kith_near_push(&near, s->feature[at], -s->r[at]);
	}
	s->notes_used = 0;
	for (s->noted = 0; s->noted < near.held; s->noted++)
		s->note[s->noted] = nn[s->noted].row;
	return best;
}
