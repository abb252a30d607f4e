/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vote/expected - let learners decide, each by the expected distance of a row
 * to the rows of each class (immigrate/expect.h).
 *
 * One learner alone gives the class of the smallest expected distance, and the
 * shares of kith_expect_shares(); for numbers the mean of all rows under its
 * weights.  Of several each gives alpha to its class, the largest sum wins, of
 * equal ones the first class, and shares are those of the sums.
 * Requires classes where there are several, and rows to learn from.
 */
#include "vote/votes.h"

#include "base/pool.h"
#include "immigrate/expect.h"
#include "la/vec.h"
#include "table/predicted.h"
#include "table/weights.h"
#include "vote/ballot.h"

#include <assert.h>
#include <string.h>

/* What the learners said so far. */
struct count {
	const struct kith_sample *known;
	const struct kith_predict_how *how;
	const struct kith_mat *Z;
	const size_t *self; /* or NULL */
	double *V;          /* m x c: of the last learner */
	double *votes;      /* m x c: of all of them */
};

static void
mean(const struct count *c, const struct kith_expect *e, const size_t *to,
    struct kith_predicted *out)
{
	struct kith_pool tmp = {0};
	const size_t m = c->Z->n;
	double *t = kith_new(&tmp, m, sizeof(*t));

	kith_expect_means(e, c->known->t, c->Z, c->self, c->how->threads, t);
	for (size_t i = 0; i < m; i++)
		out->t[to ? to[i] : i] = t[i];
	kith_pool_free(&tmp);
}

/* Add the votes of a learner; a single one shares its vote. */
static void
add(const struct count *c, const struct kith_learner *l, const struct kith_expect *e)
{
	const size_t k = c->known->c;

	kith_expect_distances(e, c->Z, c->self, c->how->threads, c->V);
	for (size_t i = 0; i < c->Z->n; i++) {
		const double *V = c->V + i * k;

		if (c->how->learners == 1)
			kith_expect_shares(V, k, c->votes + i * k);
		else
			c->votes[i * k + kith_expect_class(V, k)] += l->alpha;
	}
}

static void
finish(const struct count *c, const size_t *to, struct kith_predicted *out)
{
	const size_t k = c->known->c;
	const int alone = c->how->learners == 1;

	for (size_t i = 0; i < c->Z->n; i++) {
		const size_t at = to ? to[i] : i;
		double *votes = c->votes + i * k;
		const double sum = kith_vec_sum(k, votes);

		/* Shares may be equal where distances differ in a digit. */
		out->y[at] = alone ? kith_expect_class(c->V + i * k, k) : kith_vec_argmax(k, votes);
		for (size_t h = 0; out->share && h < k; h++)
			out->share[at * k + h] = votes[h] / sum;
	}
}

static void
ask_learners(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out)
{
	struct kith_pool tmp = {0};
	struct count count = {known, how, Z ? Z : &known->X, NULL, NULL, NULL};
	const size_t m = count.Z->n, c = known->y ? known->c : 1;
	size_t *self = Z ? NULL : kith_new(&tmp, m, sizeof(*self));

	assert(out->nk == 1 && how->learners >= 1);
	assert(known->y || how->learners == 1);
	for (size_t i = 0; self && i < m; i++)
		self[i] = i;
	count.self = self;
	count.V = kith_new(&tmp, m, c * sizeof(*count.V));
	count.votes = kith_new(&tmp, m, c * sizeof(*count.votes));
	for (size_t h = 0; h < how->learners; h++) {
		const struct kith_learner *l = &how->learner[h];
		const struct kith_expect e = {&known->X, known->y, c, &l->metric, l->sigma};

		if (known->y)
			add(&count, l, &e);
		else
			mean(&count, &e, to, out);
	}
	if (known->y)
		finish(&count, to, out);
	kith_pool_free(&tmp);
}

const struct kith_vote kith_vote_expected = {
    .takes_negative = true,
    .takes_sigma = true,
    .of_all = ask_learners,
};
