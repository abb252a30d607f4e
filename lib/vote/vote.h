/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vote/vote - what a vote is: how the neighbours of a row, or all rows, decide
 * on its class or its number.  The table of all votes is vote/votes.h.
 */
#ifndef KITH_VOTE_VOTE_H
#define KITH_VOTE_VOTE_H

#include <stdbool.h>
#include <stddef.h>

struct kith_ballot;
struct kith_mat;
struct kith_neighbour;
struct kith_pool;
struct kith_predict_how;
struct kith_predicted;
struct kith_sample;

/* The neighbours of one row. */
struct kith_voters {
	const double *z;                 /* p: the row */
	const struct kith_neighbour *nn; /* k of them, nearest first, k >= 1 */
	size_t k;
	double sigma; /* > 0; of votes with takes_sigma */
	double ratio; /* > 0; of votes with takes_ratio */
};

struct kith_vote {
	bool takes_negative; /* distances below 0 will do */
	bool takes_sigma;    /* a bandwidth; with takes_kernel a Gaussian's */
	bool takes_kernel;   /* a kernel of struct kith_predict_how */
	bool takes_ratio;    /* its ratio */

	/*
	 * What weigh() works with, in the pool, one for each thread; or NULL:
	 * nothing.
	 */
	void *(*begin)(const struct kith_ballot *ballot, struct kith_pool *pool);

	/* Put the weights of the k votes into v (k), not all of them 0. */
	void (*weigh)(void *begun, const struct kith_voters *voters, double *v);

	/*
	 * In place of these two, for a vote of all rows and not of neighbours:
	 * what kith_predict() does, for rows of Z or, where Z is NULL, those of
	 * known; the outcome for row i goes into out at row to[i] (to NULL: i).
	 */
	void (*of_all)(const struct kith_sample *known, const struct kith_predict_how *how,
	    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out);
};

#endif
