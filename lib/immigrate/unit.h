/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/unit - the weights of scaled features (table/unit.h), and the same
 * in the units of the input: of all features, or of some columns of them.
 *
 * What belongs to rows that were not scaled has a unit of p = 0, and stays as it
 * is.
 */
#ifndef KITH_IMMIGRATE_UNIT_H
#define KITH_IMMIGRATE_UNIT_H

#include "near/metric.h"
#include "table/unit.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_ensemble;
struct kith_err;
struct kith_mat;
struct kith_names;
struct kith_pool;

struct kith_immigrate_unit {
	const struct kith_names *feature; /* p names */
	struct kith_unit unit;
};

/*
 * Rows as they are fitted: X as it is, or with a method of --scale a copy in the
 * pool that is scaled by itself.  Fails as kith_unit_scale() does.
 */
int kith_immigrate_unit_new(int method, const struct kith_origin *from, const struct kith_mat *X,
    struct kith_immigrate_unit *unit, struct kith_mat *scaled, struct kith_pool *pool,
    struct kith_err *err);

/*
 * A weight of a constant feature belongs to no unit: it becomes 0 in a copy of
 * the metric, in the pool.  Whether one was not 0.
 */
bool kith_immigrate_unit_drop(const struct kith_immigrate_unit *unit, const size_t *column,
    struct kith_metric *metric, struct kith_pool *pool);

/*
 * Bring the weights w of a metric of p columns (NULL: all) from the units of the
 * input to those of the scaled features, in place; the weights of a metric, and
 * of the learners of an ensemble, which are copied, the other way.  Fails with
 * EX_DATAERR, naming the column, where one does not fit a double.
 */
int kith_immigrate_unit_from_input(const struct kith_immigrate_unit *unit, const size_t *column,
    enum kith_metric_kind kind, size_t p, double *w, struct kith_err *err);
int kith_immigrate_unit_metric(const struct kith_immigrate_unit *unit, const size_t *column,
    struct kith_metric *metric, struct kith_pool *pool, struct kith_err *err);
int kith_immigrate_unit_ensemble(const struct kith_immigrate_unit *unit,
    struct kith_ensemble *ensemble, struct kith_pool *pool, struct kith_err *err);

#endif
