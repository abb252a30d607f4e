/* SPDX-License-Identifier: BSD-2-Clause */
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
 * Where that gives nobody a vote, all have 1.  nnk requires what kernel/kern.h
 * does of kernel and metric; kstar takes time O(k).
 */
#include "vote/votes.h"

#include "base/pool.h"
#include "near/knn.h"
#include "nnk/problem.h"
#include "vote/ballot.h"

#include <math.h>
#include <string.h>

/* What solves the problem of one row after another. */
struct solver {
	struct kith_nnk_how how;
	struct kith_pack pack;
	struct kith_problem *problem;
};

static void *
begin_nnk(const struct kith_ballot *in, struct kith_pool *pool)
{
	struct solver *s = kith_new(pool, 1, sizeof(*s));

	s->how = (struct kith_nnk_how){.method = KITH_NNK, .kernel = in->how->kernel};
	s->pack = kith_pack_new(in->how->metric, pool);
	s->problem = kith_problem_new(&s->how, &in->known->X, &s->pack, in->most, pool);
	return s;
}

/* Where nobody has a vote, all have 1. */
static void
vote_at_least_once(double *v, size_t k)
{
	for (size_t i = 0; i < k; i++)
		if (v[i] > 0)
			return;
	for (size_t i = 0; i < k; i++)
		v[i] = 1;
}

static void
weigh_nnk(void *begun, const struct kith_voters *by, double *v)
{
	struct solver *s = begun;

	kith_problem_build(s->problem, by->z, by->nn, by->k, by->sigma);
	kith_problem_solve(s->problem);
	memcpy(v, s->problem->t, by->k * sizeof(*v));
	vote_at_least_once(v, by->k);
}

/*
 * Algorithm 1 of Anava and Levy, with beta_1 taken off all beta and lambda:
 * those that count are then in 0..1, and nothing overflows.
 */
static void
weigh_kstar(void *begun, const struct kith_voters *by, double *v)
{
	const struct kith_neighbour *nn = by->nn;
	const size_t k = by->k;
	const double first = sqrt(nn[0].d);
	double lambda = 1, sum = 0, squares = 0;
	size_t n = 0;

	(void)begun;
	for (size_t i = 0; i < k; i++)
		v[i] = nn[i].d == nn[0].d ? 0 : by->ratio * (sqrt(nn[i].d) - first);
	while (n < k && v[n] < lambda) {
		const double b = v[n++];

		sum += b;
		squares += b * b;
		lambda = (sum + sqrt((double)n + sum * sum - (double)n * squares)) / (double)n;
	}
	for (size_t i = 0; i < k; i++)
		v[i] = i < n && v[i] < lambda ? lambda - v[i] : 0;
	vote_at_least_once(v, k);
}

const struct kith_vote kith_vote_nnk = {
    .takes_sigma = true,
    .takes_kernel = true,
    .begin = begin_nnk,
    .weigh = weigh_nnk,
};

const struct kith_vote kith_vote_kstar = {
    .takes_ratio = true,
    .weigh = weigh_kstar,
};
