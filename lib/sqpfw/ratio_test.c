/*
 * The ratio test, in the order of its parts; each can only shorten tau.
 *
 *	1. Weights: tau <= w_f / -dw_f.                         test_weights()
 *	2. Pairs that are followed, in the order in which they are
 *	   due, up to the length tau |dw|: tau <= gap / nearing.  test_pairs()
 *	3. Lists of candidates whose radius w + tau dw would leave:
 *	   new ones are found at w, and their pairs tested;
 *	   tau ends at the new radius where that is left too.     test_lists()
 */
#include "sqpfw/ratio_test.h"

#include "sqpfw/active.h"
#include "sqpfw/candidates.h"
#include "sqpfw/pair.h"

#include <math.h>

/* a'dw that is rounding, relative to |a| |dw|. */
#define STILL 1e-11

/* The weight that becomes 0 first. */
static double
test_weights(
    const struct kith_sqpfw *s, double most, struct kith_sqpfw_block *block)
{
	const double still = 1e-15 * kith_sqpfw_larger(1, s->step.norm);
	const double sure = kith_sqpfw_active_independent(s);

	for (size_t f = 0; f < s->positive; f++) {
		const double d = -s->step.dw[f];

		if (!(d > still) || !(s->w[f] < most * d))
			continue;
		if (d <= sure && kith_sqpfw_active_weight_depends(s, f))
			continue;
		/* tau = w_f / -dw_f */
		most = kith_sqpfw_larger(s->w[f] / d, 0);
		*block = (struct kith_sqpfw_block){
		    KITH_SQPFW_BLOCK_WEIGHT, (uint32_t)f};
	}
	return most;
}

/*
 * Evaluate a pair; where it blocks before tau, it becomes the block, and its
 * ratio is returned, else tau.
 */
static double
test_pair(struct kith_sqpfw *s, uint32_t at, double tau,
    struct kith_sqpfw_block *block)
{
	const struct kith_sqpfw_seen *seen = kith_sqpfw_pair_evaluate(s, at);
	const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
	/* |a'w|, and by how much it falls for each unit of tau. */
	const double gap = kith_sqpfw_larger(seen->gap * pair->state, 0);
	const double nearing = -seen->change * pair->state;
	double length;

	if (!(nearing > 0) || !(gap < tau * nearing))
		return tau;
	length = kith_sqpfw_active_row(s, at);
	if (nearing <= STILL * s->step.norm * length ||
	    (nearing <= kith_sqpfw_active_independent(s) * length &&
		kith_sqpfw_active_depends(s, at)))
		return tau;
	*block = (struct kith_sqpfw_block){KITH_SQPFW_BLOCK_PAIR, at};
	/* tau = |a'w| / (-+ a'dw) */
	return gap / nearing;
}

/* Buckets of the queue are passed until one lies behind the shrinking tau. */
static double
test_pairs(struct kith_sqpfw *s, double tau, struct kith_sqpfw_block *block)
{
	const double length = s->step.pair_length;
	struct kith_sqpfw_queue *queue = &s->pairs.queue;
	uint32_t *due = s->pairs.due;
	int64_t b = queue->now;

	for (; b <= kith_sqpfw_queue_bucket(queue, tau * length); b++) {
		const size_t n = kith_sqpfw_queue_due(
		    queue, b, tau * length, due);

		for (size_t k = 0; k < n; k++)
			tau = test_pair(s, due[k], tau, block);
	}
	return tau;
}

static double
test_lists(struct kith_sqpfw *s, double tau, struct kith_sqpfw_block *block)
{
	const size_t n = kith_sqpfw_candidates_test(s,
	    tau * s->step.candidate_length, tau, 0,
	    block->by == KITH_SQPFW_BLOCK_PAIR ? block->which
					       : KITH_SQPFW_NONE);

	for (size_t k = 0; k < s->candidates.n_fresh; k++)
		tau = test_pair(s, s->candidates.fresh[k], tau, block);
	for (size_t k = 0; k < n; k++) {
		const double reach = kith_sqpfw_candidates_reach(
		    s, s->candidates.due[k]);

		if (reach < tau) {
			tau = reach;
			block->by = KITH_SQPFW_BLOCK_NONE;
		}
	}
	return tau;
}

double
kith_sqpfw_ratio_test(
    struct kith_sqpfw *s, double most, struct kith_sqpfw_block *block)
{
	double tau = most;

	*block = (struct kith_sqpfw_block){KITH_SQPFW_BLOCK_NONE, 0};
	s->pairs.n_seen = 0;
	tau = test_weights(s, tau, block);
	tau = test_pairs(s, tau, block);
	return test_lists(s, tau, block);
}
