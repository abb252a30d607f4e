/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Neighbour i of k, at distance d_i, has a vote of weight
 *
 *	majority  1
 *	distance  1 / sqrt(d_i); where some d_i are 0, only these neighbours vote, by 1
 *	kernel    exp(-d_i / (2 sigma^2))
 *	nnk       theta_i of eq. (6), without the constant that all theta share (nnk/nnk.h); shares of
 *	          classes are those of eq. (24)
 *	kstar     lambda - beta_i, or 0 where that is negative, with beta_i = ratio sqrt(d_i) and
 *	          sum_i max(lambda - beta_i, 0)^2 = 1: k*-NN of Anava and Levy (2016), whose L / C is
 *	          the ratio; time O(k)
 *
 * The weights of majority, distance and kernel are divided by the largest, so that no underflow
 * makes all of them 0; all are 1 where every distance is infinite, and where nnk or kstar gives
 * nobody a vote.  nnk requires what kernel/kern.h does of kernel and metric.
 *
 * expected: learners decide, each by the expected distance of a row to the rows of each class
 * (immigrate/expect.h).  One learner gives the class of the smallest expected distance, and the
 * shares of kith_expect_shares(); for numbers the mean of all rows under its weights.  Of several
 * learners each gives alpha to its class, the largest sum wins, of equal sums the first class, and
 * the shares are those of the sums.  Requires classes where there are several learners.
 */
#include "vote/predict.h"

#include "base/pool.h"
#include "immigrate/expect.h"
#include "la/vec.h"
#include "near/knn.h"
#include "nnk/problem.h"
#include "table/table.h"
#include "table/weights.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static void
weigh_majority(void *unused, const struct kith_voters *by, double *v)
{
	(void)unused;
	for (size_t i = 0; i < by->k; i++)
		v[i] = 1;
}

static void
weigh_distance(void *unused, const struct kith_voters *by, double *v)
{
	const double nearest = by->nn[0].d;

	(void)unused;
	for (size_t i = 0; i < by->k; i++)
		v[i] = by->nn[i].d == nearest ? 1 : sqrt(nearest / by->nn[i].d);
}

static void
weigh_kernel(void *unused, const struct kith_voters *by, double *v)
{
	const double nearest = by->nn[0].d, sigma = by->sigma;

	(void)unused;
	for (size_t i = 0; i < by->k; i++)
		v[i] = by->nn[i].d == nearest ? 1
					      : exp(-(by->nn[i].d - nearest) / sigma / sigma / 2);
}

/* Solves the problem of one row after another. */
struct nnk_solver {
	struct kith_nnk_how how;
	struct kith_problem *problem;
};

static void *
begin_nnk(const struct kith_sample *reference, const struct kith_predict_how *how, size_t k,
    struct kith_pool *pool)
{
	struct nnk_solver *s = kith_new(pool, 1, sizeof(*s));

	s->how = (struct kith_nnk_how){.method = KITH_NNK, .kernel = how->kernel};
	s->problem = kith_problem_new(&s->how, &reference->X, how->metric, k, pool);
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
	struct nnk_solver *s = begun;

	kith_problem_build(s->problem, by->z, by->nn, by->k, SIZE_MAX, by->sigma);
	kith_problem_solve(s->problem);
	memcpy(v, s->problem->t, by->k * sizeof(*v));
	vote_at_least_once(v, by->k);
}

/*
 * Algorithm 1 of Anava and Levy, with beta_1 taken off all beta and lambda:
 * those that count are then in 0..1, and nothing overflows.
 */
static void
weigh_kstar(void *unused, const struct kith_voters *by, double *v)
{
	const struct kith_neighbour *nn = by->nn;
	const size_t k = by->k;
	const double first = sqrt(nn[0].d);
	double lambda = 1, sum = 0, squares = 0;
	size_t n = 0;

	(void)unused;
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

static void
vote_of_learners(const struct kith_sample *reference, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out)
{
	struct kith_pool tmp = {0};
	const struct kith_mat *rows = Z ? Z : &reference->X;
	const size_t m = rows->n, c = reference->y ? reference->c : 1;
	const bool alone = how->learners == 1;
	size_t *self = Z ? NULL : kith_new(&tmp, m, sizeof(*self));
	double *V, *votes; /* m x c: of the last learner; of all, or the means of numbers */

	assert(out->nk == 1 && how->learners >= 1 && (reference->y || alone));
	KITH_NEW_REALS(&tmp, m, c, &V, &votes);
	for (size_t i = 0; self && i < m; i++)
		self[i] = i;
	for (size_t h = 0; h < how->learners; h++) {
		const struct kith_learner *l = &how->learner[h];
		const struct kith_expect e = {&reference->X, reference->y, c, &l->metric, l->sigma};

		if (!reference->y)
			kith_expect_means(&e, reference->t, rows, self, how->threads, votes);
		else
			kith_expect_distances(&e, rows, self, how->threads, V);
		for (size_t i = 0; reference->y && i < m; i++)
			if (alone)
				kith_expect_shares(V + i * c, c, votes + i * c);
			else
				votes[i * c + kith_vec_argmin(c, V + i * c)] += l->alpha;
	}
	for (size_t i = 0; i < m; i++) {
		const size_t at = to ? to[i] : i;
		const double *v = votes + i * c, sum = kith_vec_sum(c, v);

		if (!reference->y)
			out->t[at] = *v;
		else /* shares may be equal where distances differ in a digit */
			out->y[at] = alone ? kith_vec_argmin(c, V + i * c) : kith_vec_argmax(c, v);
		for (size_t h = 0; out->share && h < c; h++)
			out->share[at * c + h] = v[h] / sum;
	}
	kith_pool_free(&tmp);
}

const struct kith_vote kith_votes[KITH_VOTES] = {
    [KITH_VOTE_MAJORITY] = {.word = "majority", .takes_negative = true, .weigh = weigh_majority},
    [KITH_VOTE_DISTANCE] = {.word = "distance", .weigh = weigh_distance},
    [KITH_VOTE_KERNEL] = {.word = "kernel", .takes_sigma = true, .weigh = weigh_kernel},
    [KITH_VOTE_NNK] = {.word = "nnk",
	.takes_sigma = true,
	.takes_kernel = true,
	.begin = begin_nnk,
	.weigh = weigh_nnk},
    [KITH_VOTE_KSTAR] = {.word = "kstar", .takes_ratio = true, .weigh = weigh_kstar},
    [KITH_VOTE_EXPECTED] = {.word = "expected",
	.takes_negative = true,
	.takes_sigma = true,
	.of_all = vote_of_learners},
};
