/* SPDX-License-Identifier: BSD-2-Clause */
/* vote/ballot - what votes are asked: rows, their neighbours, and how. */
#ifndef KITH_VOTE_BALLOT_H
#define KITH_VOTE_BALLOT_H

#include "kernel/kern.h"
#include "kernel/sigma.h"
#include "la/mat.h"
#include "near/heap.h"
#include "near/metric.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_learner;
struct kith_neighbour;
struct kith_origin;
struct kith_predicted;
struct kith_vote;

/* Rows whose targets are known: classes, or numbers where y is NULL. */
struct kith_sample {
	struct kith_mat X; /* n x p */
	const size_t *y;   /* n classes in 0..c-1 */
	size_t c;
	const double *t;                /* n numbers */
	const struct kith_origin *from; /* of X; NULL: not scaled */
};

struct kith_predict_how {
	const struct kith_metric *metric;
	const size_t *k; /* nk numbers of neighbours, each >= 1 */
	size_t nk;
	const struct kith_vote *vote;
	/* What a vote takes (vote/vote.h): */
	struct kith_sigma sigma;
	enum kith_kern_kind kernel;         /* kernel/kern.h, as it requires */
	double ratio;                       /* L / C of vote/local.c, > 0 */
	const struct kith_learner *learner; /* table/weights.h */
	size_t learners;
	bool share; /* give the shares of the classes too */
	int scale;  /* kith_predict_cv(): a method of table/unit.h */
	size_t threads;
};

struct kith_ballot {
	const struct kith_sample *known;
	const struct kith_predict_how *how;
	const struct kith_mat *Z;        /* m x p: rows to predict */
	const struct kith_neighbour *nn; /* m x most: their neighbours, nearest first */
	size_t most;                     /* the largest k */
	const size_t *to;                /* m: their rows in the result; NULL: 0..m-1 */
	const double *sigma;             /* nk bandwidths; 0: each row its own */
};

#endif
