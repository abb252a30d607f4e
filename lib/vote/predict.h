/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vote/predict - predicts rows by a vote of the nearest rows of a reference, or of all of them, or
 * to judge that, the rows of the reference itself.
 */
#ifndef KITH_VOTE_PREDICT_H
#define KITH_VOTE_PREDICT_H

#include "kernel/kern.h"
#include "kernel/sigma.h"
#include "la/mat.h"
#include "near/metric.h"
#include "table/table.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_learner;
struct kith_neighbour;
struct kith_origin;
struct kith_pool;

/* The reference: rows with classes, or with numbers where y is NULL. */
struct kith_sample {
	struct kith_mat X; /* n x p */
	const size_t *y;   /* n classes in 0..c-1 */
	size_t c;
	const double *t;                /* n numbers */
	const struct kith_origin *from; /* of X; NULL: not scaled */
};

/* How rows are predicted. */
struct kith_predict_how {
	const struct kith_metric *metric;
	const size_t *k; /* nk numbers of neighbours, each >= 1 */
	size_t nk;
	const struct kith_vote *vote;
	struct kith_sigma sigma;
	const double *fitted;       /* nk bandwidths that sigma gives; NULL: not yet known */
	enum kith_kern_kind kernel; /* kernel/kern.h, as it requires */
	double ratio;               /* of the vote kstar, > 0 */
	const struct kith_learner
	    *learner; /* learners >= 1 of the vote expected: table/weights.h */
	size_t learners;
	int scale; /* kith_predict_cv(): a method of table/unit.h */
	size_t threads;
};

/* The neighbours of one row. */
struct kith_voters {
	const double *z;                 /* p: the row */
	const struct kith_neighbour *nn; /* k of them, nearest first, k >= 1 */
	size_t k;
	double sigma; /* > 0; of votes with takes_sigma */
	double ratio; /* > 0; of votes with takes_ratio */
};

/*
 * A vote of --vote: how the neighbours of a row, or all rows, decide on its class or its number.  A
 * new vote is a function and a row of the table in votes.c, and a word here.
 */
struct kith_vote {
	const char *word;    /* of --vote */
	bool takes_negative; /* distances may be below 0 */
	bool takes_sigma;    /* a bandwidth; with takes_kernel a Gaussian's */
	bool takes_kernel;   /* a kernel of struct kith_predict_how */
	bool takes_ratio;    /* its ratio */

	/*
	 * Returns what weigh() works with in a thread, in the pool, for up to k neighbours; NULL:
	 * nothing.  The features of weight 0 are left out.
	 */
	void *(*begin)(const struct kith_sample *reference, const struct kith_predict_how *how,
	    size_t k, struct kith_pool *pool);

	/* Sets v (k) to the weights of the k votes, not all of them 0. */
	void (*weigh)(void *begun, const struct kith_voters *voters, double *v);

	/*
	 * In place of begin() and weigh(), for a vote of all rows: predicts the rows of Z, or with
	 * Z NULL each row of the reference from the others; row i becomes row to[i] of out (to
	 * NULL: i).
	 */
	void (*of_all)(const struct kith_sample *reference, const struct kith_predict_how *how,
	    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out);
};

#define KITH_VOTE_WORDS "majority|distance|kernel|nnk|kstar|expected"
enum {
	KITH_VOTE_MAJORITY,
	KITH_VOTE_DISTANCE,
	KITH_VOTE_KERNEL,
	KITH_VOTE_NNK,
	KITH_VOTE_KSTAR,
	KITH_VOTE_EXPECTED,
	KITH_VOTES
};
extern const struct kith_vote kith_votes[KITH_VOTES];

/* ---- Predictions ---- */

/* Checks the range of X under the metrics of all learners (table/unit.h), not from->metric. */
int kith_predict_range(const struct kith_predict_how *how, const struct kith_mat *X,
    const struct kith_origin *from, struct kith_err *err);

/* The number of rows of a reference of n rows that bandwidths are found from. */
size_t kith_predict_asks(const struct kith_predict_how *how, size_t n);

/*
 * Predict the targets of the rows of Z (m x p) from the k nearest rows of
 * reference, or with Z NULL each row of the reference from the other rows, for
 * every k.  Row i becomes row to[i] of out (to NULL: row i).
 *
 * Fails with EX_DATAERR when a k exceeds the rows of the reference, and when a distance
 * is below 0 and the vote is not by majority or expected distance.  The vote by
 * expected distance uses all rows: nk is 1, and k does not matter.
 */
int kith_predict(const struct kith_sample *reference, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out, struct kith_err *err);

/*
 * Predict the rows of each part (part[i] in 0..parts-1, for the n rows; NULL:
 * each row is a part, parts = n) from the rows of all other parts, its reference.  Each part has
 * the bandwidths of its reference; out->sigma has the bandwidths of the last part.  With how->scale
 * both are scaled by the units of the reference (table/unit.h); needs reference->from.
 * Stands in vote/loo.c.
 */
int kith_predict_cv(const struct kith_sample *reference, const struct kith_predict_how *how,
    const size_t *part, size_t parts, struct kith_predicted *out, struct kith_err *err);

#endif
