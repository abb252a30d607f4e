/* SPDX-License-Identifier: BSD-2-Clause */
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
#include "vote/votes.h"

#include "near/knn.h"

#include <math.h>

static void
weigh_majority(void *begun, const struct kith_voters *by, double *v)
{
	(void)begun;
	for (size_t i = 0; i < by->k; i++)
		v[i] = 1;
}

static void
weigh_distance(void *begun, const struct kith_voters *by, double *v)
{
	const double nearest = by->nn[0].d;

	(void)begun;
	for (size_t i = 0; i < by->k; i++)
		v[i] = by->nn[i].d == nearest ? 1 : sqrt(nearest / by->nn[i].d);
}

static void
weigh_kernel(void *begun, const struct kith_voters *by, double *v)
{
	const double nearest = by->nn[0].d, sigma = by->sigma;

	(void)begun;
	for (size_t i = 0; i < by->k; i++)
		v[i] = by->nn[i].d == nearest ? 1
					      : exp(-(by->nn[i].d - nearest) / sigma / sigma / 2);
}

const struct kith_vote kith_vote_majority = {
    .takes_negative = true,
    .weigh = weigh_majority,
};

const struct kith_vote kith_vote_distance = {
    .weigh = weigh_distance,
};

const struct kith_vote kith_vote_kernel = {
    .takes_sigma = true,
    .weigh = weigh_kernel,
};
