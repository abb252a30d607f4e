/*
 * vote/vote - how the neighbours of a row decide on its class or its number.
 *
 * Neighbour i, at distance d_i, has a vote of weight
 *
 *	majority  1
 *	distance  1 / sqrt(d_i); where some d_i are 0, those alone vote, by 1
 *	kernel    exp(-d_i / (2 sigma^2)), all multiplied by what makes the
 *	          largest of them 1, so that none is lost to underflow
 *
 * nn holds k neighbours, nearest first, k >= 1.  Distances and sigma are in
 * the units of the neighbour search (near/knn.h).
 */
#ifndef KITH_VOTE_VOTE_H
#define KITH_VOTE_VOTE_H

#include <stddef.h>

struct kith_neighbour;

enum {
	KITH_VOTE_MAJORITY,
	KITH_VOTE_DISTANCE,
	KITH_VOTE_KERNEL,
	KITH_VOTE_NNK, /* this one and the next: vote/local.h */
	KITH_VOTE_KSTAR,
	KITH_VOTE_EXPECTED /* not of neighbours: vote/expected.h */
};

/*
 * Put the weights of k votes, of one of the first three kinds, into v (k).
 * Where every distance is infinite all weights are 1.  sigma > 0 is for the
 * kernel alone.
 */
void kith_vote_weigh(int vote, const struct kith_neighbour *nn, size_t k,
    double sigma, double *v);

/*
 * The class with the largest sum of votes; on a tie, of the classes tied, that
 * of the nearest row.  y are the classes, 0..c-1, of the rows of the reference;
 * share (c) receives the sums, divided by their total.
 */
size_t kith_vote_class(const struct kith_neighbour *nn, const double *v,
    size_t k, const size_t *y, size_t c, double *share);

/* The mean of the targets t of the neighbours, weighted by their votes. */
double kith_vote_mean(const struct kith_neighbour *nn, const double *v,
    size_t k, const double *t);

#endif
