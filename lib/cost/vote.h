/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/vote - what knnclf costs. */
#ifndef KITH_COST_VOTE_H
#define KITH_COST_VOTE_H

#include "cost/cost.h"
#include "vote/ballot.h"

#include <stddef.h>

struct kith_err;
struct kith_out;

struct kith_cost_vote {
	const struct kith_sample *known;
	const struct kith_predict_how *how;
	size_t asked;       /* other rows, */
	size_t asked_times; /* how often they are predicted */
	size_t times;       /* and how often the rows that are known, */
	size_t parts;       /* in so many parts; 0: each from all others */
};

/* The sizes, seconds and bytes. */
struct kith_cost kith_cost_of_vote(const struct kith_cost_vote *of);

/* Tell it, in place of the command's table. */
int kith_cost_vote(const struct kith_cost_vote *of, struct kith_out *out, struct kith_err *err);

#endif
