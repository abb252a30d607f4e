/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * score/methods - a table of results, read for how good each method is on each data set.
 *
 *	method set MEASURE ...
 *
 * in any order, other columns aside.  MEASURE is the first of these columns that the table
 * has: error rmse mae squared log_loss brier, of which less is better; accuracy
 * balanced_accuracy macro_f1 mcc auc r2 ndcg, of which more is.
 */
#ifndef KITH_SCORE_METHODS_H
#define KITH_SCORE_METHODS_H

#include "base/names.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_format;
struct kith_pool;

struct kith_methods {
	const char *measure;
	struct kith_names method; /* k of them, as they come first */
	size_t n;                 /* sets that have a result of each method */
	size_t left_out;          /* other sets; how->omit */
	double *x; /* n x k: means of equal rows, their sign such that less is better */
};

/*
 * Reads the files as one table, into the pool.  Several rows of a method and set are repetitions,
 * whose mean counts.  With omit, sets are left out that lack a result of a method, or for which
 * one is missing.
 *
 * Fails, naming file, line and column, on what is no table (text/rows.h), without the columns, on
 * text where a number is due, without omit on a missing cell and on a set that lacks a method,
 * and where fewer than two methods or two sets remain.
 */
int kith_methods_read(const char *const *files, const struct kith_format *format, bool omit,
    struct kith_methods *m, struct kith_pool *pool, struct kith_err *err);

#endif
