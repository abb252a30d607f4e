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
 * Where that gives nobody a vote, all have 1.
 */
#ifndef KITH_VOTE_LOCAL_H
#define KITH_VOTE_LOCAL_H

#include "kernel/kern.h"

#include <stddef.h>

struct kith_mat;
struct kith_neighbour;
struct kith_pool;
struct kith_vote_nnk;

/*
 * Scratch space, in the pool, for votes of at most k rows of X under a kernel
 * and a metric (kernel/kern.h: what they require); unit is that of the search.
 */
struct kith_vote_nnk *kith_vote_nnk_new(enum kith_kern_kind kernel,
    const struct kith_mat *X, const struct kith_metric *metric, double unit,
    size_t k, struct kith_pool *pool);

/*
 * The votes of k neighbours of the row z, nearest first, into v (k); sigma > 0,
 * in the units of the search, is for the gaussian kernel alone.
 */
void kith_vote_nnk(struct kith_vote_nnk *vote, const double *z,
    const struct kith_neighbour *nn, size_t k, double sigma, double *v);

/*
 * The same; ratio > 0, for distances in the units of the search.  Time O(k).
 */
void kith_vote_kstar(
    const struct kith_neighbour *nn, size_t k, double ratio, double *v);

#endif
