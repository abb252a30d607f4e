/*
 * vote/own - votes of neighbours by their own distances (vote/vote.h).
 * Neighbour i, at distance d_i, has a vote of weight
 *
 *	majority  1
 *	distance  1 / sqrt(d_i); where some d_i are 0, those alone vote, by 1
 *	kernel    exp(-d_i / (2 sigma^2))
 *
 * all multiplied by what makes the largest of them 1, so that none is lost to
 * underflow.  Where every distance is infinite all weights are 1.
 */
#ifndef KITH_VOTE_OWN_H
#define KITH_VOTE_OWN_H

#include "vote/vote.h"

extern const struct kith_vote kith_vote_majority, kith_vote_distance,
    kith_vote_kernel;

#endif
