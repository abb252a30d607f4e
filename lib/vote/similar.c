/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/similar.h"

#include "near/heap.h"

#include <math.h>

static void
weigh_similar(void *begun, const struct kith_voters *by, double *v)
{
	const bool any = by->nn[0].d < 0; /* the most similar comes first */

	(void)begun;
	for (size_t i = 0; i < by->k; i++)
		v[i] = any ? fmax(by->nn[i].d / by->nn[0].d, 0) : 1;
}

const struct kith_vote kith_vote_similar = {
    .takes_negative = true,
    .weigh = weigh_similar,
};
