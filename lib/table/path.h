/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/path - solution paths as tables: the solutions, "step theta feature weight
 * scaled_weight" (of another parameter or kind of weights: lambda2, weight_abs), with
 * the entries that are not 0; or what changed on the way, step theta event row was becomes
 * [other].
 *
 * Steps count from 1.  A solution that jumps has two steps at one value of the
 * parameter: the limit from before, and what follows.
 */
#ifndef KITH_TABLE_PATH_H
#define KITH_TABLE_PATH_H

#include "near/metric.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_names;
struct kith_out;
struct kith_table;

/* A path of weights of features. */
struct kith_path_form {
	const char *parameter;      /* its column, say "theta" */
	enum kith_metric_kind kind; /* of the weights: KITH_SQUARED or KITH_ABSOLUTE */
	const struct kith_names *feature;
	const double *sd; /* of the features (kith_weights_deviations()) */
};

/* Write the header. */
void kith_path_header(const struct kith_path_form *form, struct kith_out *out);

/*
 * Write one step: the weights w that are not 0, with their features; where
 * all are 0, one row NA, 0, 0, so that the table tells of the step.  The output is
 * flushed: somebody may wait for it.
 */
void kith_path_step(const struct kith_path_form *form, size_t step, double parameter,
    const double *w, struct kith_out *out);

/* A change at a row, or at what has a name. */
struct kith_path_event {
	const char *event; /* the word for it */
	const char *name;  /* NULL: it is this row */
	size_t row;
	const char *was, *becomes;
	const size_t *other; /* a second row, or NULL */
	const double *last;  /* a number in a column behind all, or NULL */
};

/*
 * Writes the header of events along theta, with a column other or without, and a last column of
 * this name, unless it is NULL.
 */
void kith_path_event_header(bool with_other, const char *last, struct kith_out *out);

/*
 * Write an event; rows are called by their numbers in the table t, or by their
 * ids.  Where there is a column other, it is NA for an event without.
 */
void kith_path_event(size_t step, double parameter, const struct kith_path_event *event,
    bool with_other, const struct kith_table *t, struct kith_out *out);

#endif
