#include "sqpfw/price.h"

#include "near/near.h"

/* Entries of rows that are worth leaving out. */
#define WORTH 1e5

enum {
	AGAIN = 32, /* times that the same features may be looked at */
	BLOCK = 256 /* positions at a time: of all points, they stay near */
};

/* Take what the ties reach off r, in some positions. */
static void
take_off(struct kith_sqpfw *s, const double *y, size_t from, size_t n)
{
	for (size_t t = 0; t < kith_sqpfw_ties_n(s); t++) {
		struct kith_sqpfw_pair pair = kith_sqpfw_pair(
		    s, &s->item[s->tie[t]]);

		pair.i += from;
		pair.j += from;
		pair.r += from;
		kith_sqpfw_rows_add(n, &pair, -y[t + 1], s->r + from);
	}
}

void
kith_sqpfw_price_all(struct kith_sqpfw *s, const double *y)
{
	const size_t end = s->points.ld;

	for (size_t f = s->positive; f < s->points.p; f++)
		s->r[f] -= y[0];
	for (size_t f = s->positive / 8 * 8; f < end; f += BLOCK)
		take_off(s, y, f, end - f < BLOCK ? end - f : BLOCK);
}

/* alpha of the features noted that are of weight 0. */
static void
price(const struct kith_sqpfw *s, double *alpha)
{
	const struct kith_sqpfw_points *points = &s->points;

	for (size_t k = 0; k < s->noted; k++)
		alpha[k] = s->r[s->place[s->note[k]]] - s->y[0];
	for (size_t t = 0; t < kith_sqpfw_ties_n(s); t++) {
		const struct kith_sqpfw_item *item = &s->item[s->tie[t]];
		const size_t i = item->group / 2;
		const size_t r = s->group[item->group].r;

		for (size_t k = 0; k < s->noted; k++) {
			const size_t f = s->note[k];
			const double xi = kith_sqpfw_value(points, i, f);
			const double xj = kith_sqpfw_value(points, item->j, f);
			const double xr = kith_sqpfw_value(points, r, f);

			alpha[k] -= s->y[t + 1] *
			    ((xj - xr) * ((xj - xi) + (xr - xi)));
		}
	}
}

/* The largest of the features noted, if it is above `least`. */
static size_t
among_noted(struct kith_sqpfw *s, double least, double *alpha)
{
	double all[KITH_SQPFW_NOTES];
	size_t best = s->points.p;

	price(s, all);
	for (size_t k = 0; k < s->noted; k++) {
		const size_t at = s->place[s->note[k]];

		if (at < s->positive)
			continue;
		if (all[k] > least &&
		    (best == s->points.p || all[k] > *alpha)) {
			best = at;
			*alpha = all[k];
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
