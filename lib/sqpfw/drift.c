#include "sqpfw/drift.h"

#include "sqpfw/candidates.h"
#include "sqpfw/pair.h"

#include <math.h>

/* The largest entry of x that is drift; more comes from a singular C. */
#define LARGEST 1e-9

/* The paths become longer by so much; what is due until then is put again. */
static void
lengthen(struct kith_sqpfw *s, double pairs, double lists)
{
	uint32_t *pair = s->pairs.due, *list = s->candidates.due;
	const size_t n = kith_sqpfw_queue_all(&s->pairs.queue, pairs, pair);
	const size_t m = kith_sqpfw_queue_all(
	    &s->candidates.queue, lists, list);

	kith_sqpfw_queue_move(&s->pairs.queue, pairs);
	kith_sqpfw_queue_move(&s->candidates.queue, lists);
	for (size_t k = 0; k < n; k++)
		kith_sqpfw_pair_requeue(s, pair[k]);
	for (size_t k = 0; k < m; k++)
		kith_sqpfw_candidates_queue(s, list[k]);
}

/* Let s->row be x. */
static void
find_drift(struct kith_sqpfw *s)
{
	double *b = s->active.z, *x = s->row, largest, over;

	/* b = C'w - (1, 0, ...) */
	b[0] = -1;
	for (size_t f = 0; f < s->positive; f++)
		b[0] += s->w[f];
	for (size_t t = 0; t < kith_sqpfw_ties_n(s); t++)
		b[t + 1] = kith_sqpfw_pair_gap(s, s->active.tie[t]);
	over = b[0];
	/* min |x| subject to C'x = b */
	kith_sqpfw_qr_least_norm(&s->active.qr, b, x);
	largest = kith_sqpfw_largest(x, s->positive);
	for (size_t f = 0; f < s->positive && largest > LARGEST; f++)
		x[f] = over / (double)s->positive;
}

void
kith_sqpfw_drift_remove(struct kith_sqpfw *s)
{
	double pairs = 0, lists = 0;

	s->step.stale = true;
	find_drift(s);
	for (size_t f = 0; f < s->positive; f++) {
		const double w = kith_sqpfw_larger(s->w[f] - s->row[f], 0);
		const double square = (w - s->w[f]) * (w - s->w[f]);

		pairs += square / s->pairs.scale[f];
		lists += square / s->candidates.scale[s->feature[f]];
		s->w[f] = w;
		s->w_by_feature[s->feature[f]] = w;
	}
	lengthen(s, sqrt(pairs), sqrt(lists));
}
