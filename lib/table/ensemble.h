/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/ensemble - learners that vote, each with a metric of its own: the table
 *
 *	learner alpha sigma feature1 feature2 weight_abs
 *
 * that immigrate --boost prints, or any table of table/weights.h, as one
 * learner.
 */
#ifndef KITH_TABLE_ENSEMBLE_H
#define KITH_TABLE_ENSEMBLE_H

#include "near/metric.h"
#include "table/needs.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_dest;
struct kith_err;
struct kith_names;
struct kith_out;
struct kith_pool;

/* A learner: the class of the smallest expected distance gets alpha votes. */
struct kith_learner {
	size_t number; /* in the table that is printed */
	double alpha, sigma;
	struct kith_metric metric;
};

struct kith_ensemble {
	bool boosted; /* else one learner, whose alpha and sigma are 1 */
	struct kith_learner *learner;
	size_t n;
	size_t *column; /* the metrics are of these features; NULL: all */
	size_t p;
	struct kith_needs needs; /* of a table that is not boosted */
};

/*
 * Read weights of these features from a file ("-": standard input): boosted
 * where the table has the columns learner, alpha and sigma.
 *
 * Fails as kith_weights_read() does, within each learner, and where an alpha
 * or sigma is not above 0 or not the same in all rows of the learner.
 */
int kith_ensemble_read(const char *file, const struct kith_names *feature,
    struct kith_ensemble *ensemble, struct kith_pool *pool, struct kith_err *err);

/*
 * Open path (NULL: standard output) and write a boosted ensemble of
 * KITH_ABSOLUTE_MATRIX metrics; feature are the names that column points into.
 */
int kith_ensemble_write(const struct kith_ensemble *ensemble, const struct kith_names *feature,
    const struct kith_dest *to, struct kith_out *out, struct kith_err *err);

#endif
