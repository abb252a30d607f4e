/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * say/knn_run - what knnclf does when its options and tables are read: predict,
 * choose, print, and tell of it.
 */
#ifndef KITH_SAY_KNN_RUN_H
#define KITH_SAY_KNN_RUN_H

#include "base/pool.h"
#include "cli/opt.h"
#include "table/ensemble.h"
#include "table/predicted.h"
#include "table/table.h"
#include "table/weights.h"
#include "vote/ballot.h"

#include <stdbool.h>
#include <stdint.h>

struct kith_err;
struct kith_out;

enum kith_knn_print { KITH_KNN_PREDICTIONS, KITH_KNN_ERRORS };

struct kith_knn_run {
	struct kith_table known, asked; /* asked: with `train` alone */
	bool train;                     /* the rows to predict are those asked, not known */

	/* How rows known are predicted: each from the others, or in parts; with
	   `train` to choose by, if at all. */
	bool loo;
	size_t parts;
	uint64_t seed;

	struct kith_sizes k; /* numbers of neighbours */
	bool k_clipped;      /* k is the default, which is clipped to the rows there are */
	struct kith_reals shares;
	int best;  /* of table/trial.h */
	int scale; /* a method of table/unit.h */
	enum kith_knn_print print;
	struct kith_shard shard; /* of the rows to predict */

	const char *weights_file; /* or NULL; for messages */
	struct kith_weights weights;
	struct kith_ensemble ensemble; /* --vote expected -w; else empty */
	struct kith_predict_how how;   /* but metric, k, learner, scale */

	/* The rest is say/knn_run.c's. */
	struct kith_learner alone; /* the only one, if they are not more */
	struct kith_origin from;   /* of the rows known */
	struct kith_sample sample;
	struct kith_metric metric; /* of the features that are not dropped */
	struct kith_predicted out;
	size_t *part; /* of the rows known, or NULL */
	struct kith_pool pool;
};

/* The rows that are predicted. */
static inline const struct kith_table *
kith_knn_run_rows(const struct kith_knn_run *r)
{
	return r->train ? &r->asked : &r->known;
}

/* Where the features of a table of the run come from; the metric is not set. */
static inline struct kith_origin
kith_knn_run_origin(const struct kith_knn_run *r, const struct kith_table *table)
{
	struct kith_origin from = kith_table_origin(table);

	from.column = r->ensemble.column ? r->ensemble.column : r->weights.column;
	return from;
}

/* Predict and print; fails as kith_predict() and kith_out_open() do. */
int kith_knn_run(struct kith_knn_run *run, struct kith_out *out, struct kith_err *err);

#endif
