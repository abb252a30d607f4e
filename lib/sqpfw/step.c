/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ratio test, in the order of its parts; each can only shorten tau.
 *
 *	1. Weights: tau <= w_f / -dw_f.                         test_weights()
 *	2. Pairs that are followed, in the order in which they are
 *	   due, up to the length tau |dw|: tau <= gap / nearing.  test_pairs()
 *	3. Pairs that rest (sqpfw/rest.h), where w + tau dw is
 *	   outside of the box: those that another box wakes.      test_box()
 *	4. Lists of candidates whose radius w + tau dw would leave:
 *	   new ones are found at w, and their pairs tested;
 *	   tau ends at the new radius where that is left too.     test_lists()
 */
#include "sqpfw/step.h"

#include "sqpfw/active.h"
#include "sqpfw/awake.h"
#include "sqpfw/box.h"
#include "sqpfw/boxed.h"
#include "sqpfw/candidates.h"
#include "sqpfw/pair.h"
#include "sqpfw/rest.h"

/* Steps after which drift is removed, and factor and gradient are anew. */
enum { DRIFT = 64, ANEW = 4096 };

/* a'dw that is rounding, relative to |a| |dw|. */
#define STILL 1e-11

/* The largest entry of x that is drift; more comes from a singular C. */
#define LARGEST 1e-9

void
kith_sqpfw_step_measure(struct kith_sqpfw *s)
{
	double all = 0, pairs = 0, lists = 0;

	for (size_t f = 0; f < s->positive; f++) {
		const double square = s->step.dw[f] * s->step.dw[f];

		/* |dw|^2; sum dw_f^2 / h_f by either scale */
		all += square;
		pairs += square / s->pairs.scale[f];
		lists += square / s->candidates.scale[s->feature[f]];
		s->step.dw_by_feature[s->feature[f]] = s->step.dw[f];
	}
	s->step.norm = sqrt(all);
	s->step.pair_length = sqrt(pairs);
	s->step.candidate_length = sqrt(lists);
}

/* The weight that becomes 0 first. */
static double
test_weights(const struct kith_sqpfw *s, double most, struct kith_sqpfw_block *block)
{
	const double still = 1e-15 * kith_larger(1, s->step.norm);
	const double sure = kith_sqpfw_active_independent(s);

	for (size_t f = 0; f < s->positive; f++) {
		const double d = -s->step.dw[f];

		if (!(d > still) || !(s->w[f] < most * d))
			continue;
		if (d <= sure && kith_sqpfw_active_weight_depends(s, f))
			continue;
		/* tau = w_f / -dw_f */
		most = kith_larger(s->w[f] / d, 0);
		*block = (struct kith_sqpfw_block){KITH_SQPFW_BLOCK_WEIGHT, (uint32_t)f};
	}
	return most;
}

/*
 * Evaluate a pair; where it blocks before tau, it becomes the block, and its
 * ratio is returned, else tau.
 */
static double
test_pair(struct kith_sqpfw *s, uint32_t at, double tau, struct kith_sqpfw_block *block)
{
	const struct kith_sqpfw_seen *seen = kith_sqpfw_pair_evaluate(s, at);
	const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
	/* |a'w|, and by how much it falls for each unit of tau. */
	const double gap = kith_larger(seen->gap * pair->state, 0);
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
		const size_t n = kith_sqpfw_queue_due(queue, b, tau * length, due);

		for (size_t k = 0; k < n; k++)
			tau = test_pair(s, due[k], tau, block);
	}
	return tau;
}

/* All pairs that do not rest. */
static double
test_awake(struct kith_sqpfw *s, double tau, struct kith_sqpfw_block *block)
{
	const size_t panels = kith_sqpfw_awake_panels(s);
	const uint32_t first = kith_sqpfw_awake_first(s, tau);
	uint32_t *due = s->pairs.due;

	if (first != KITH_SQPFW_NONE)
		tau = test_pair(s, first, tau, block);
	for (size_t k = 0; k < panels; k++) {
		const size_t n = kith_sqpfw_awake_due(s, k, tau, due);

		for (size_t l = 0; l < n; l++)
			if (due[l] != first)
				tau = test_pair(s, due[l], tau, block);
	}
	return tau;
}

/*
 * Where the step would leave the box in which pairs rest, there are others,
 * until w + tau dw is in one: most steps end long before tau = 1.
 */
static double
test_box(struct kith_sqpfw *s, double tau, struct kith_sqpfw_block *block)
{
	for (int round = 0; kith_sqpfw_rest_ends(s, tau); round++) {
		const size_t n = kith_sqpfw_rest_renew(s, tau, round);

		for (size_t k = 0; k < n; k++) {
			kith_sqpfw_pair_measure(s, s->pairs.due[k]);
			tau = test_pair(s, s->pairs.due[k], tau, block);
		}
	}
	return tau;
}

static double
test_lists(struct kith_sqpfw *s, double tau, struct kith_sqpfw_block *block)
{
	const uint32_t keep = block->by == KITH_SQPFW_BLOCK_PAIR ? block->which : KITH_SQPFW_NONE;
	const bool boxed = s->candidates.box.on;
	size_t n = 0;

	if (boxed)
		kith_sqpfw_boxed_test(s, tau, keep);
	else
		n = kith_sqpfw_candidates_test(s, tau * s->step.candidate_length, tau, 0, keep);
	for (size_t k = 0; k < s->candidates.n_fresh; k++) {
		const uint32_t at = s->candidates.fresh[k];

		/* w + tau dw is in the box by now. */
		s->pairs.pair[at].rests = kith_sqpfw_rest_holds(s, at);
		if (!s->pairs.pair[at].rests)
			tau = test_pair(s, at, tau, block);
	}
	for (size_t k = 0; k < n; k++) {
		const double reach = kith_sqpfw_candidates_reach(s, s->candidates.due[k]);

		if (reach < tau) {
			tau = reach;
			block->by = KITH_SQPFW_BLOCK_NONE;
		}
	}
	if (boxed) {
		const double reach = kith_sqpfw_box_leaving(s, &s->candidates.box, tau);

		if (reach < tau) {
			tau = reach;
			block->by = KITH_SQPFW_BLOCK_NONE;
		}
	}
	return tau;
}

double
kith_sqpfw_step_test(struct kith_sqpfw *s, double most, struct kith_sqpfw_block *block)
{
	double tau = most;

	*block = (struct kith_sqpfw_block){KITH_SQPFW_BLOCK_NONE, 0};
	s->pairs.n_seen = 0;
	tau = test_weights(s, tau, block);
	tau = s->box.on ? test_awake(s, tau, block) : test_pairs(s, tau, block);
	tau = test_box(s, tau, block);
	return test_lists(s, tau, block);
}

/*
 * Queue what the step took out of the queue, by its gap at the new w.  Where a
 * pair was dropped and found again in the step, its last evaluation counts.
 */
static void
queue_seen(struct kith_sqpfw *s, double tau)
{
	for (size_t k = s->pairs.n_seen; k-- > 0;) {
		const struct kith_sqpfw_seen *seen = &s->pairs.seen[k];
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[seen->pair];

		if (pair->state == KITH_SQPFW_UNUSED || pair->rests ||
		    pair->queue_place != KITH_SQPFW_NONE)
			continue;
		/* a'(w + tau dw) = a'w + tau a'dw */
		kith_sqpfw_pair_queue(s, seen->pair, seen->gap + tau * seen->change);
	}
	s->pairs.n_seen = 0;
	for (size_t k = 0; k < s->candidates.n_due; k++)
		kith_sqpfw_candidates_queue(s, s->candidates.due[k]);
	s->candidates.n_due = 0;
}

void
kith_sqpfw_step_take(struct kith_sqpfw *s, double tau)
{
	double *dw = s->step.dw;

	for (size_t f = 0; f < s->positive; f++) {
		s->w[f] = kith_larger(s->w[f] + tau * dw[f], 0);
		s->w_by_feature[s->feature[f]] = s->w[f];
		/* V_f += D_f^2 / length, D = tau dw */
		s->pairs.movement[f] += dw[f] * (tau * dw[f] / s->step.pair_length);
		dw[f] *= 1 - tau;
	}
	if (s->box.on)
		kith_sqpfw_awake_move(s, tau);
	else
		kith_sqpfw_queue_move(&s->pairs.queue, tau * s->step.pair_length);
	kith_sqpfw_queue_move(&s->candidates.queue, tau * s->step.candidate_length);
	s->pairs.evaluated += (double)s->pairs.n_seen * (double)s->positive;
	kith_sqpfw_rest_count(s);
	if (s->candidates.box.on)
		kith_sqpfw_box_go(s, &s->candidates.box, 0);
	s->candidates.evaluated += s->candidates.n_due;
	queue_seen(s, tau);
}

/* The paths become longer by so much; what is due until then is put again. */
static void
lengthen(struct kith_sqpfw *s, double pairs, double lists)
{
	uint32_t *pair = s->pairs.due, *list = s->candidates.due;
	const size_t n = s->box.on ? 0 : kith_sqpfw_queue_all(&s->pairs.queue, pairs, pair);
	const size_t m = kith_sqpfw_queue_all(&s->candidates.queue, lists, list);

	if (s->box.on)
		kith_sqpfw_awake_refresh(s);
	else
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

/*
 * Over many steps rounding adds to the equations 1'w = 1 and a'w = 0 of the
 * ties: w -= x, the least x with 1'x = 1'w - 1 and a'x = a'w for all ties.
 * Where some |x_f| > 1e-9 the ties all but depend on each other; then x is the
 * same for all weights, and only the sum is mended.
 */
static void
remove_drift(struct kith_sqpfw *s)
{
	double pairs = 0, lists = 0;

	s->step.stale = true;
	find_drift(s);
	for (size_t f = 0; f < s->positive; f++) {
		const double w = kith_larger(s->w[f] - s->row[f], 0);
		const double square = (w - s->w[f]) * (w - s->w[f]);

		pairs += square / s->pairs.scale[f];
		lists += square / s->candidates.scale[s->feature[f]];
		s->w[f] = w;
		s->w_by_feature[s->feature[f]] = w;
	}
	lengthen(s, sqrt(pairs), sqrt(lists));
}

void
kith_sqpfw_step_activate(struct kith_sqpfw *s, const struct kith_sqpfw_block *block)
{
	if (block->by == KITH_SQPFW_BLOCK_WEIGHT)
		kith_sqpfw_active_fix_weight(s, block->which);
	else if (block->by == KITH_SQPFW_BLOCK_PAIR) {
		const int was = (int)s->pairs.pair[block->which].state;

		kith_sqpfw_pair_take(s, block->which);
		kith_sqpfw_active_tie(s, block->which);
		kith_sqpfw_active_report(s, block->which, was, KITH_SQPFW_TIED);
	}
	if (++s->steps % ANEW == 0) {
		kith_sqpfw_active_factor(s);
		kith_sqpfw_active_gradient(s);
	}
	if (s->steps % DRIFT == 0)
		remove_drift(s);
}
