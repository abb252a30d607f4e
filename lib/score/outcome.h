/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * score/outcome - a table of predictions, read for what was predicted and was
 * true.
 *
 *	[id] predicted [predicted_K ...] actual [score:CLASS ...] ...
 *
 * in any order, other columns aside: what vote/report.h writes.  The
 * predictions are the columns "predicted" and all that start with "predicted_".
 */
#ifndef KITH_SCORE_OUTCOME_H
#define KITH_SCORE_OUTCOME_H

#include "base/names.h"
#include "score/chance.h"
#include "text/rows.h"

#include <stdbool.h>

struct kith_err;

struct kith_outcome_how {
	struct kith_format format;
	int task;   /* of table/table.h: what predicted and actual are */
	bool omit;  /* leave out rows with a missing cell */
	bool id;    /* read column id, for kith_outcome_match() */
	bool score; /* classes: read the scores of one of them, and probabilities of all */
	const char *positive; /* the class, or NULL: the second of two */
	const char *query;    /* numbers: COL of the queries, or NULL */
	const char *weight;   /* COL of the weights of rows, or NULL */
};

/* A column of predictions: n classes p or numbers v, and scores of a class. */
struct kith_outcome_column {
	char *name;
	size_t *p;
	double *v;
	const char *positive; /* whose scores there are, or NULL */
	double *score;
	struct kith_chance chance; /* how->score; c is 0 where there are no probabilities */
};

/* Where a row stands in its file, and which of the n rows it is. */
struct kith_outcome_row {
	const char *file;
	size_t line;
	size_t at; /* or SIZE_MAX: it was left out */
};

struct kith_outcome {
	const char *file; /* first file, for messages */
	size_t head;      /* line of its header */
	size_t n;         /* rows, but those left out */
	size_t read;      /* rows of the file */

	struct kith_outcome_column *column;
	size_t m; /* columns of predictions */

	/* What was true: n classes, or n numbers. */
	struct kith_names class; /* their labels, in byte order */
	size_t *y;
	double *t;

	size_t *query; /* n of them, numbered from 0 */

	double *weight;    /* n of them, from 0; NULL: each row counts once */
	long double total; /* their sum, above 0; without weights n */

	struct kith_names id;         /* `read` of them */
	struct kith_outcome_row *row; /* the same number */
};

/*
 * Read the files as one table, into the pool.
 *
 * Scores of "predicted" are the columns probability:CLASS, or score:CLASS, of "predicted_K"
 * probability_K:CLASS, or score_K:CLASS.  Read are those of how->positive, or without it, where
 * a prediction has two such columns, of the second class in byte order.  With
 * how->query what was true is a relevance, from 0 to KITH_RELEVANCE_MOST.
 *
 * Fails, naming file, line and column, on what is no table (text/rows.h),
 * without a column of predictions or "actual", on missing cells in columns that
 * are read unless how->omit, on text where a number is due, on an id that is
 * there twice, on a weight below 0 and weights that are all 0, when no row is left, when
 * no prediction has scores of
 * how->positive, and on probabilities as score/chance.h does.
 */
int kith_outcome_read(const char *const *files, const struct kith_outcome_how *how,
    struct kith_outcome *o, struct kith_pool *pool, struct kith_err *err);

/* Rows of two tables with one id. */
struct kith_outcome_pair {
	size_t a, b;
};

#endif
