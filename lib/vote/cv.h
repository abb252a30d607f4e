/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vote/cv - learners of feature weights, judged by cross-validation: each part
 * of a table is predicted by the nearest of all other rows, under the weights
 * that were learnt from these (vote/validate.h).
 *
 * A learner is called for each batch of its parameters and each part, and gives
 * weights for several values of one parameter that it goes through in turn: the
 * batch's trials, each of which counts once for each number k of neighbours.
 */
#ifndef KITH_VOTE_CV_H
#define KITH_VOTE_CV_H

#include "table/split.h"

#include <stddef.h>

struct kith_err;
struct kith_pool;
struct kith_trial;

/* What a learner makes of a part. */
struct kith_cv_found {
	double *loss;     /* trials x nk: what kith_validate() sums up */
	size_t *features; /* trials: of positive weight */
	size_t n;         /* rows of the part that count */
	size_t doubts;    /* solutions that cannot be vouched for */
};

/*
 * Learn from rows->known with the parameters of this batch, and judge by
 * rows->asked, which has a row at least; *found is zero.  Called by several
 * threads at once.  What fails is said in err, without the part.
 */
typedef int kith_cv_learn(void *to, size_t batch, struct kith_split *rows,
    struct kith_cv_found *found, struct kith_pool *pool, struct kith_err *err);

struct kith_cv {
	const struct kith_table *table;
	const size_t *part; /* 0..parts-1 for each row (table/parts.h) */
	size_t parts;
	int scale; /* --scale (table/unit.h): inside each part */
	size_t nk;
	size_t batches, trials; /* trials of each batch */
	size_t threads;
	kith_cv_learn *learn;
	void *to;
};

/*
 * The trials, batches x trials x nk of them, into the pool, but for their key:
 * error, se, n and errors over all parts (table/trial.h), and the largest
 * number of features that a part has.  *doubts becomes the sum over all.
 * The same for any number of threads.
 *
 * Fails as the learner does, for the first batch and part, naming that part
 * from 1, and as kith_split().  Memory: the rows, once for each thread.
 */
int kith_cv(const struct kith_cv *cv, struct kith_trial **trial, size_t *doubts,
    struct kith_pool *pool, struct kith_err *err);

/* Begin the message of err, about part f from 0, with the part. */
void kith_cv_name_part(size_t f, struct kith_err *err);

#endif
