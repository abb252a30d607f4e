/*
 * vote/local - votes of neighbours that look at more than their own distance
 * (vote/vote.h).  Neighbour i, at distance d_i, has a vote of weight
 *
 *	nnk    theta_i of eq. (6), without the constant that is the same for
 *	       all (nnk/nnk.h); their shares are those of eq. (24)
 *	kstar  lambda - beta_i, or 0 where that is negative, with
 *	       beta_i = ratio sqrt(d_i) and sum_i max(lambda - beta_i, 0)^2 = 1:
 *	       k*-NN of Anava and Levy (2016), whose L / C is the ratio
 *
 * Where that gives nobody a vote, all have 1.
 */
#ifndef KITH_VOTE_LOCAL_H
#define KITH_VOTE_LOCAL_H

#include "vote/vote.h"

/* The kernel and the metric: kernel/kern.h, as it requires. */
extern const struct kith_vote kith_vote_nnk;

/* Time O(k). */
extern const struct kith_vote kith_vote_kstar;

#endif
