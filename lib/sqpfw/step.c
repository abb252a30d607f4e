#include "sqpfw/step.h"

#include "sqpfw/active.h"
#include "sqpfw/candidates.h"
#include "sqpfw/drift.h"
#include "sqpfw/pair.h"

#include <math.h>

/* Steps after which drift is removed, and factor and gradient are anew. */
enum { DRIFT = 64, ANEW = 4096 };

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

		/* a'(w + tau dw) = a'w + tau a'dw */
		if (pair->state != KITH_SQPFW_UNUSED &&
		    pair->queue_place == KITH_SQPFW_NONE)
			kith_sqpfw_pair_queue(
			    s, seen->pair, seen->gap + tau * seen->change);
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
		s->w[f] = kith_sqpfw_larger(s->w[f] + tau * dw[f], 0);
		s->w_by_feature[s->feature[f]] = s->w[f];
		/* V_f += D_f^2 / length, D = tau dw */
		s->pairs.movement[f] += dw[f] *
		    (tau * dw[f] / s->step.pair_length);
		dw[f] *= 1 - tau;
	}
	kith_sqpfw_queue_move(&s->pairs.queue, tau * s->step.pair_length);
	kith_sqpfw_queue_move(
	    &s->candidates.queue, tau * s->step.candidate_length);
	s->pairs.evaluated += (double)s->pairs.n_seen * (double)s->positive;
	s->candidates.evaluated += s->candidates.n_due;
	queue_seen(s, tau);
}

void
kith_sqpfw_step_activate(
    struct kith_sqpfw *s, const struct kith_sqpfw_block *block)
{
	if (block->by == KITH_SQPFW_BLOCK_WEIGHT)
		kith_sqpfw_active_fix_weight(s, block->which);
	else if (block->by == KITH_SQPFW_BLOCK_PAIR) {
		const int was = (int)s->pairs.pair[block->which].state;

		kith_sqpfw_queue_take(&s->pairs.queue, block->which);
		kith_sqpfw_active_tie(s, block->which);
		kith_sqpfw_active_report(s, block->which, was, KITH_SQPFW_TIED);
	}
	if (++s->steps % ANEW == 0) {
		kith_sqpfw_active_factor(s);
		kith_sqpfw_active_gradient(s);
	}
	if (s->steps % DRIFT == 0)
		kith_sqpfw_drift_remove(s);
}
