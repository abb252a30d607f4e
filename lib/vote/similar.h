/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vote/similar - the vote of neighbours by similarities from outside
 * (nnk/pairs.h): each has its similarity, which is kernel of vote/own.h for a
 * kernel that is known, or none where that is below 0; all have 1 where none
 * is above 0.  Distances are similarities with their sign changed.
 */
#ifndef KITH_VOTE_SIMILAR_H
#define KITH_VOTE_SIMILAR_H

#include "vote/vote.h"

extern const struct kith_vote kith_vote_similar;

#endif
