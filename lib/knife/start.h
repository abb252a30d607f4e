/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/start - the weights that knife starts from, and those of its files. */
#ifndef KITH_KNIFE_START_H
#define KITH_KNIFE_START_H

#include "near/metric.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_names;
struct kith_pool;
struct kith_unit;

/* What --start says: the name of a file, or a number for all; NULL: .5. */
bool kith_knife_start_is_file(const char *start);

/* Whether a start is a number in [0, 1], or a file. */
bool kith_knife_start_is_good(const char *start);

/* What the weights of a file are for. */
struct kith_knife_start {
	const struct kith_names *feature; /* p names */
	enum kith_metric_kind kind;
	const struct kith_unit *unit; /* of p features, or of 0: not scaled */
};

/*
 * Read a vector of weights into *w, in the pool: those of the file belong to the
 * units of the input, these to the scaled features.  A weight that is above 1 by
 * rounding alone is 1.  Fails as kith_weights_read() does, on weights of another
 * kind, and where one does not fit a double.
 */
int kith_knife_start_weights(const char *file, const struct kith_knife_start *what, double **w,
    struct kith_pool *pool, struct kith_err *err);

/*
 * The p weights of a good start or a file.  Fails as above, and where a weight
 * is above 1.
 */
int kith_knife_start(const char *start, const struct kith_knife_start *what, double **w,
    struct kith_pool *pool, struct kith_err *err);

#endif
