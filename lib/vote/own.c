#include "vote/own.h"

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
		v[i] = by->nn[i].d == nearest
		    ? 1
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
