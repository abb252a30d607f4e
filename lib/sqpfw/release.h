/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/release - which constraint leaves the active set (Lemma 6 of the
 * paper).
 *
 * A weight may leave 0 where its multiplier alpha > 0.  With beta the
 * multiplier of a tied pair that stands for mu rows, in a group whose target
 * has the rank kappa, and H< and H= the rows nearer and tied,
 *
 *	beta < 0 and |H<| + mu <= kappa - 1      it may become nearer,
 *	beta > 0 and |H<| + |H=| - mu >= kappa   it may become farther,
 *
 * for hits and for misses (of rank lambda): where a'dw != 0 for its row a, the
 * objective falls by beta a'dw.
 */
#ifndef KITH_SQPFW_RELEASE_H
#define KITH_SQPFW_RELEASE_H

#include "sqpfw/state.h"

struct kith_sqpfw_release {
	enum {
		KITH_SQPFW_RELEASE_NONE,
		KITH_SQPFW_RELEASE_WEIGHT,
		KITH_SQPFW_RELEASE_PAIR,
		KITH_SQPFW_RELEASE_STEP /* none, for dw is not 0 */
	} what;
	uint32_t which; /* the position of the weight, or the pair */
	int state;      /* that the pair goes to: -1 nearer, 1 farther */
	double size;    /* |multiplier|; on a path, how far theta goes */
};

/* The largest multiplier; with dw = 0, after kith_sqpfw_eqp_direction(). */
void kith_sqpfw_release_choose(struct kith_sqpfw *s, struct kith_sqpfw_release *release);

/*
 * The multiplier that reaches 0 first as theta grows, and how far theta goes
 * until then; after kith_sqpfw_eqp_slope().
 */
void kith_sqpfw_release_next(struct kith_sqpfw *s, struct kith_sqpfw_release *release);

/* Let the weight or the pair leave the active set. */
void kith_sqpfw_release_apply(struct kith_sqpfw *s, const struct kith_sqpfw_release *release);

#endif
