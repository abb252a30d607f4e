#include "vote/local.h"

#include "base/pool.h"
#include "near/knn.h"
#include "nnk/local.h"
#include "nnk/row.h"

#include <math.h>
#include <string.h>

struct kith_vote_nnk {
	struct kith_local_pack pack;
	struct kith_nnk_row *row;
};

struct kith_vote_nnk *
kith_vote_nnk_new(enum kith_kern_kind kernel, const struct kith_mat *X,
    const struct kith_metric *metric, double unit, size_t k,
    struct kith_pool *pool)
{
	struct kith_vote_nnk *vote = kith_new(pool, 1, sizeof(*vote));

	vote->pack = kith_local_pack_new(metric, unit, pool);
	vote->row = kith_nnk_row_new(
	    KITH_NNK_KERNEL, kernel, X, &vote->pack, k, pool);
	return vote;
}

/* Where nobody has a vote, all have 1. */
static void
mend(double *v, size_t k)
{
	for (size_t i = 0; i < k; i++)
		if (v[i] > 0)
			return;
	for (size_t i = 0; i < k; i++)
		v[i] = 1;
}

void
kith_vote_nnk(struct kith_vote_nnk *vote, const double *z,
    const struct kith_neighbour *nn, size_t k, double sigma, double *v)
{
	kith_nnk_row_pose(vote->row, z, nn, k, sigma);
	kith_nnk_row_solve(vote->row, 0);
	memcpy(v, vote->row->t, k * sizeof(*v));
	mend(v, k);
}

/*
 * Algorithm 1 of Anava and Levy, with beta_1 taken off all beta and lambda:
 * those that count are then in 0..1, and nothing overflows.
 */
void
kith_vote_kstar(
    const struct kith_neighbour *nn, size_t k, double ratio, double *v)
{
	const double first = sqrt(nn[0].d);
	double lambda = 1, sum = 0, squares = 0;
	size_t n = 0;

	for (size_t i = 0; i < k; i++)
		v[i] = nn[i].d == nn[0].d ? 0 : ratio * (sqrt(nn[i].d) - first);
	while (n < k && v[n] < lambda) {
		const double b = v[n++];

		sum += b;
		squares += b * b;
		lambda = (sum +
			     sqrt(
				 (double)n + sum * sum - (double)n * squares)) /
		    (double)n;
	}
	for (size_t i = 0; i < k; i++)
		v[i] = i < n && v[i] < lambda ? lambda - v[i] : 0;
	mend(v, k);
}
