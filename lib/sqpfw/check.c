/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/check.h"

#include "base/pool.h"
#include "la/mat.h"
#include "near/alike.h"

#include <assert.h>
#include <math.h>

struct kith_sqpfw_judge {
	const struct kith_mat *X;
	struct kith_certify_how how;
	struct kith_targets *targets;
	struct kith_tie *group; /* n x 2, where rows have weights: ties that
				   count */
};

struct kith_sqpfw_judge *
kith_sqpfw_judge_new(const struct kith_mat *X, const size_t *y, size_t c,
    const struct kith_sqpfw_judge_how *how, struct kith_pool *pool)
{
	struct kith_sqpfw_judge *judge = kith_new(pool, 1, sizeof(*judge));

	judge->X = X;
	judge->how = (struct kith_certify_how){.hits = how->hits,
	    .misses = how->misses,
	    .prior = how->prior,
	    .weight = how->weight,
	    .rounding = kith_alike_rounding(X, pool)};
	if (how->weight)
		judge->group = kith_new(pool, X->n, 2 * sizeof(*judge->group));
	judge->targets = kith_targets_new(
	    X, y, c, how->hits, how->misses, how->threads, pool);
	return judge;
}

void
kith_sqpfw_judge_free(struct kith_sqpfw_judge *judge)
{
	kith_targets_free(judge->targets);
}

/* F at the weights and targets of the last search. */
static double
objective(const struct kith_sqpfw_judge *judge, const double *w, double theta)
{
	const size_t p = judge->X->p;
	double square = 0;

	for (size_t j = 0; j < p; j++) {
		const double prior = judge->how.prior ? judge->how.prior[j]
						      : 1 / (double)p;

		square += (w[j] - prior) * (w[j] - prior);
	}
	/* theta/n sum (d - e) + 1/2 |w - prior|^2 */
	return theta / (double)judge->X->n *
	    kith_targets_margin(judge->targets, judge->how.weight) +
	    square / 2;
}

double
kith_sqpfw_judge_objective(
    struct kith_sqpfw_judge *judge, const double *w, double theta)
{
	kith_targets_at(judge->targets, w, NULL);
	return objective(judge, w, theta);
}

/* The ties without those of rows of weight 0, whose kinks are none of F. */
static struct kith_ties
that_count(struct kith_sqpfw_judge *judge, const struct kith_ties *all)
{
	const double *weight = judge->how.weight;
	struct kith_ties ties = *all;

	if (!weight)
		return ties;
	ties.n = 0;
	ties.group = judge->group;
	for (size_t g = 0; g < all->n; g++)
		if (weight[all->group[g].row] > 0)
			ties.group[ties.n++] = all->group[g];
	return ties;
}

void
kith_sqpfw_judge(struct kith_sqpfw_judge *judge, const double *w, double theta,
    const struct kith_sqpfw_known *known, struct kith_sqpfw_verdict *out,
    double *down)
{
	const struct kith_ties ties = that_count(judge,
	    kith_targets_at(judge->targets, w, known ? &known->rows : NULL));
	long double sum = 0;

	for (size_t j = 0; j < judge->X->p; j++) {
		assert(w[j] >= 0);
		sum += w[j];
	}
	judge->how.theta = theta;
	judge->how.known = known ? &known->shares : NULL;
	judge->how.only_known = known && known->only;
	out->simplex = (double)fabsl(sum - 1);
	out->objective = objective(judge, w, theta);
	kith_certify(judge->X, &ties, w, &judge->how, &out->seen, down);
	out->certified = out->simplex <= KITH_SQPFW_SUM && out->seen.certified;
}

void
kith_check_sqpfw(const struct kith_sqpfw_verdict *verdict,
    struct kith_check out[KITH_CHECK_SQPFW])
{
	const struct kith_certificate *seen = &verdict->seen;

	out[0] = (struct kith_check){
	    "simplex", verdict->simplex, KITH_SQPFW_SUM};
	out[1] = (struct kith_check){"concave", (double)seen->open, 0};
	out[2] = (struct kith_check){
	    "residual", seen->residual, KITH_CERTIFY_LIMIT};
}
