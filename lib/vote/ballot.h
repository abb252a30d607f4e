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
#include <stdint.h>

struct kith_ends;
struct kith_knn;
struct kith_learner;
struct kith_neighbour;
struct kith_origin;
struct kith_pairs;
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

/* Neighbours of the rows to predict that are known before. */
struct kith_predict_near {
	/* Nearest first. */
	struct kith_knn_lists list;

	/* For messages: the file, and what rows are called, first + i there. */
	const char *file;
	const struct kith_ends *from;
	size_t first;

	/* What gave them values, and so their bandwidths; NULL: features did. */
	const struct kith_pairs *pairs;
};

/* The k of a radius without another limit. */
#define KITH_ALL_WITHIN SIZE_MAX

struct kith_predict_how {
	const struct kith_metric *metric;
	const size_t *k; /* nk numbers of neighbours, each >= 1 */
	/* nk distances (roots of d, >= 0): those within it vote, at most k of
	   them (KITH_ALL_WITHIN: all); or NULL: the k nearest. */
	const double *radius;
	bool prior; /* rows without a voter are as the reference is */
	size_t nk;
	const struct kith_vote *vote;
	/* What a vote takes (vote/vote.h): */
	struct kith_sigma sigma;
	enum kith_kern_kind kernel;         /* kernel/kern.h, as it requires */
	double ratio;                       /* L / C of vote/local.c, > 0 */
	const struct kith_learner *learner; /* table/ensemble.h */
	size_t learners;
	const struct kith_predict_near *near; /* or NULL: search for them */
	bool share;                           /* give the shares of the classes too */
	bool voted;                           /* and who voted: nk is 1, and the vote not of_all */
	int scale;                            /* kith_predict_cv(): a method of table/unit.h */
	size_t threads;
};

struct kith_ballot {
	const struct kith_sample *known;
	const struct kith_predict_how *how;
	const struct kith_knn *knn; /* of the rows of known; NULL: pairs */
	const struct kith_mat *Z;   /* m rows to predict, */
	bool own;                   /* those of known, each from the others */
	struct kith_knn_lists near; /* their neighbours, nearest first, */
	size_t most;                /* at most so many of a row */
	const size_t *to;           /* their rows in the result; NULL: the same */
	const double *sigma;        /* nk; 0: each row its own */
};

#endif
