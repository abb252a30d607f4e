/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/learn - the rows that weights of features are learnt from: those of a table with classes,
 * without the features that are constant.  They may be scaled (table/unit.h); files of weights are
 * in the units of the input.
 */
#ifndef KITH_TABLE_LEARN_H
#define KITH_TABLE_LEARN_H

#include "table/classes.h"
#include "table/table.h"
#include "table/unit.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_out;
struct kith_pool;

struct kith_learn {
	/* The rows: X has the p features that are not constant alone, feature names all. */
	struct kith_table known;
	struct kith_names feature; /* p names; not indexed */
	size_t *column;            /* p: which of known.feature they are */
	bool *constant;            /* known.feature.n: they are constant */
	double *sd;                /* p: their standard deviations, in the units of the input */
	struct kith_classes class; /* of known */
	struct kith_unit unit;     /* of the features; p = 0: not scaled */
};

/*
 * Reads the files, as `how` says.  Fails as kith_table_read() does, and with EX_DATAERR where there
 * is one class only, or no feature that varies.
 */
int kith_learn_read(const char *const *files, const struct kith_how *how, struct kith_learn *out,
    struct kith_pool *pool, struct kith_err *err);

/*
 * Scales the rows by a method of --scale (table/unit.h; none: nothing happens).  Fails as
 * kith_unit_scale() does, and where the weights would not fit a double in the units of the input.
 */
int kith_learn_scale(struct kith_learn *l, int scale, struct kith_pool *pool, struct kith_err *err);

/*
 * Whether each class has more than `hits` rows, and all others together at
 * least `misses` (sqpfw/sqpfw.h); else EX_DATAERR, naming the class.
 */
int kith_learn_enough(const struct kith_learn *l, size_t hits, size_t misses, struct kith_err *err);

/*
 * Whether squares of squared differences of the features fit a double beside
 * each other: the range of each is at most 1e75 times that of any other
 * feature; else EX_DATAERR, naming the column.
 */
int kith_learn_bearable(const struct kith_learn *l, struct kith_err *err);

/*
 * Read weights of squared differences from a file: those of all features
 * (known.feature.n), in the pool.  Fails as kith_weights_read() does, and on
 * weights of another kind.
 */
int kith_learn_weights(const struct kith_learn *l, const char *file, double **all,
    struct kith_pool *pool, struct kith_err *err);

/*
 * Weights of the p features, in the units of the rows, w, of those of all
 * features in the units of the input.  Fails as kith_unit_from_input() does.
 */
int kith_learn_from_input(
    const struct kith_learn *l, const double *all, double *w, struct kith_err *err);

/*
 * The same, and rescale them to sum 1; *sum is what it was.  Fails also,
 * naming the file, when none of them is above 0.
 */
int kith_learn_prior(const struct kith_learn *l, const char *file, const double *all, double *w,
    double *sum, struct kith_err *err);

/*
 * Bring p weights w of the rows to the units of the input, v (p, may be w);
 * spread p weights over all features (known.feature.n), 0 for constant ones;
 * and write w so, as a table "feature weight scaled_weight".  Fail as kith_unit_to_input().
 */
int kith_learn_to_input(
    const struct kith_learn *l, const double *w, double *v, struct kith_err *err);
void kith_learn_spread(const struct kith_learn *l, const double *w, double *all);
int kith_learn_write(
    const struct kith_learn *l, const double *w, struct kith_out *out, struct kith_err *err);

#endif
