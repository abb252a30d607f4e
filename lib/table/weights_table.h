/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/weights_table - the rows of a table of weights, or of several in one,
 * as table/weights.h and table/ensemble.h make metrics of them.
 */
#ifndef KITH_TABLE_WEIGHTS_TABLE_H
#define KITH_TABLE_WEIGHTS_TABLE_H

#include "base/names.h"
#include "near/metric.h"
#include "table/needs.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_pool;

/* What a table may hold. */
struct kith_weights_rules {
	bool ensemble; /* several learners, each with its alpha and sigma */
	bool full;     /* pairs in both orders; any sign on the diagonal */
	bool clip;     /* negative weights of a vector are read as 0, and counted */
};

/* A row: the weight of a feature (i = j), or of a pair. */
struct kith_weights_entry {
	size_t learner, i, j;
	double w;
	size_t line;
};

struct kith_weights_table {
	const char *file;
	enum kith_metric_kind kind;
	bool boosted; /* it has the columns learner, alpha and sigma */

	struct kith_weights_entry *entry; /* sorted, each once */
	size_t n;

	struct kith_names learner; /* boosted: in the order they come */
	double *alpha, *sigma;     /* > 0, one each */

	/* The features with an entry, in order, where it is a matrix. */
	size_t *column, p;

	struct kith_needs needs;
};

/*
 * Read a table of weights of these features, into the pool.  Without `full` a
 * pair has i <= j and is named in one order.  Fails as kith_weights_read() and
 * kith_ensemble_read() say.
 */
int kith_weights_table_read(const char *file, const struct kith_names *feature,
    const struct kith_weights_rules *rules, struct kith_weights_table *table,
    struct kith_pool *pool, struct kith_err *err);

/*
 * The metric of entries from..to-1: of all features for a vector, else of
 * those of table->column.  W_ij = W_ji = the entry (i, j); with both orders
 * there each has its own.
 */
struct kith_metric kith_weights_table_metric(const struct kith_weights_table *table, size_t from,
    size_t to, size_t features, struct kith_pool *pool);

#endif
