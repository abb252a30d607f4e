/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * say/relief - what relief prints of weights, and what it says of a search.
 */
#ifndef KITH_SAY_RELIEF_H
#define KITH_SAY_RELIEF_H

#include "near/metric.h"
#include "relief/resample.h"

#include <stdbool.h>

struct kith_err;
struct kith_names;
struct kith_out;
struct kith_pool;
struct kith_table;
struct kith_unit;

/* What is to be printed of the features of a table. */
struct kith_relief_print {
	const struct kith_table *table;
	const struct kith_relief_how *how;
	const struct kith_unit *unit; /* of the rows; NULL: as they came */
	const struct kith_relief_spread *spread; /* --bootstrap, --permute */
	bool clip, rank;
	double drop; /* percent of the features that get 0 */
};

/* What the weights of a method multiply. */
enum kith_metric_kind kith_relief_kind(const struct kith_relief_how *how);

/*
 * Open and write the table of weights w, in the units of the input: w becomes
 * them.  Ranks are those of the units that the weights were found in; with TuRF
 * (got->round) features that stayed longer come first.  Fails, naming the file,
 * where a weight does not fit a double.
 */
int kith_relief_print(const struct kith_relief_print *print,
    const struct kith_relief *got, double *w, struct kith_pool *pool,
    struct kith_out *out, struct kith_err *err);

/* Notes and log of a fit. */
void kith_relief_tell(const struct kith_table *t,
    const struct kith_relief_how *how, const struct kith_relief *got);

/* Warn where no weight of w is positive. */
void kith_relief_warn_none(
    size_t p, const struct kith_relief_how *how, const double *w);

/* Warn why a search has not converged. */
void kith_relief_warn(const struct kith_relief *got);

#endif
