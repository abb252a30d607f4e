/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef KITH_TABSCORE_H
#define KITH_TABSCORE_H

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "score/score.h"
#include "text/rows.h"

/* What the options say. */
extern struct how {
	struct kith_format format;
	int task;           /* of table/roles.h: what predicted and actual are */
	int omit;           /* leave out rows with a missing cell */
	const char *paired; /* FILE with other predictions of the rows; column id is read */
	bool scores;        /* classes: read the scores of one of them, and probabilities of all */
	const char *positive; /* the class, or NULL: the second of two */
	const char *query;    /* numbers: COL of the queries, or NULL */
	const char *weight;   /* COL of the weights of rows, or NULL */
} how;

/* A column of predictions, or of what was true: n classes p or numbers v, and scores of a class. */
struct column {
	const char *name;
	size_t from; /* column of the table */
	size_t *p;
	double *v;
	const char *positive; /* the class that has scores, or NULL */
	size_t score_from;    /* column of the table */
	double *score;
	struct kith_scores scores;   /* how.scores; probabilities are measured */
	long double log_loss, brier; /* sums over the rows, weighted */
};

/* Where a row stands in its file, and which of the n rows it is. */
struct place {
	const char *file;
	size_t line;
	size_t at; /* or SIZE_MAX: it was left out */
};

/* A table of predictions (score/score.h). */
struct predictions {
	struct kith_rows rows;
	size_t n;    /* rows, without the rows that --na omit leaves out */
	size_t read; /* rows of the files */

	struct column *column; /* m + 1 */
	size_t m;              /* columns of predictions */
	struct column *actual; /* column[m]: what was true */

	struct kith_names class; /* in byte order once all rows are read */
	struct kith_names asked; /* queries */
	size_t *query;           /* n: indices of queries */
	double *weight;          /* n; NULL: each row counts once */
	long double total;       /* sum of the weights, above 0; without weights n */

	struct kith_names id; /* how.paired: read */
	struct place *row;    /* how.paired: read */

	/* For predictions.c: columns of the table, or KITH_NO_COLUMN. */
	size_t id_from, query_from, weight_from;
	size_t *used, n_used; /* all columns that are read but id; a column may be listed twice */
	size_t used_room, room, row_room; /* elements of used, of arrays of rows, of row */
	struct kith_pool *pool;
};

/*
 * Reads the files as one table, into the pool; weight is a COL or NULL.
 *
 * Scores are read of how.positive, or without it, where a prediction has two columns of scores, of
 * the second class in byte order.  With how.query what was true is a relevance, from 0 to
 * KITH_RELEVANCE_MOST.
 *
 * Fails, naming file, line and column, on what is no table (text/rows.h), without a column of
 * predictions or "actual", on missing cells in columns that are read unless how.omit, on text
 * where a number is due, on an id that is there twice, on a weight below 0 and weights that are
 * all 0, when no row is left, when no prediction has scores of how.positive, and on probabilities
 * as score/score.h does.
 */
int read_predictions(const char *const *files, const char *weight, struct predictions *o,
    struct kith_pool *pool, struct kith_err *err);

#endif
