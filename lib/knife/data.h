/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/data - a table as a problem of knife/knife.h, and its solution as weights and a model.
 *
 *	task      targets Y, c columns                       predicted
 *	regress   the number less the mean of all rows       the output plus this mean
 *	classify  two classes: 1 for the second, else -1     by the sign of the output
 *	          more: a column per class, 1 for its rows,  by the largest output
 *	          else 0
 */
#ifndef KITH_KNIFE_DATA_H
#define KITH_KNIFE_DATA_H

#include "base/names.h"
#include "knife/knife.h"
#include "table/unit.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_out;
struct kith_pool;
struct kith_table;

struct kith_knife_data {
	const struct kith_table *t;
	struct kith_names class; /* classify: the classes, indexed */
	size_t *y;               /* classify: n of them; else NULL */
	struct kith_mat X;       /* the features of the table, scaled if so asked */
	struct kith_unit unit;   /* of X; p = 0: not scaled */
	double *mean;            /* c: added to the outputs by the model */
	struct kith_knife_problem problem;
};

/*
 * Sets X, Y and c of data->problem, whose other members the caller has set.  scale is a method of
 * table/unit.h, by which the features of the table are scaled in place.  Fails with EX_DATAERR
 * where targets are of one class or all one number, and where scaled features do not fit a double.
 */
int kith_knife_data(const struct kith_table *t, int scale, struct kith_knife_data *data,
    struct kith_pool *pool, struct kith_err *err);

/* Weights to start from: "random", a number, which should be from 0 to 1, or else a file. */
struct kith_knife_start {
	bool random;
	const char *file; /* or NULL */
	double weight;    /* of all features; 0 for random and for a file */
};
struct kith_knife_start kith_knife_parse_start(const char *text);

/* Reads weights (p) of unscaled features, and brings them to the units of X. */
int kith_knife_read_weights(
    const struct kith_knife_data *data, const char *file, double *w, struct kith_err *err);

/*
 * The weights (p) of a start; random ones are drawn from [0, 1) by the seed.  Fails where a weight
 * of a file is above 1.
 */
int kith_knife_read_start(const struct kith_knife_data *data, const struct kith_knife_start *start,
    size_t seed, double *w, struct kith_err *err);

/* The number of weights above 0, not counting those of scaled constant columns. */
size_t kith_knife_count_features(const struct kith_knife_data *data, const double *w);

/* Writes the machine of a solution as a model (machine/machine.h), and closes the file. */
int kith_knife_save(const struct kith_knife_data *data, const struct kith_knife_solution *sol,
    struct kith_out *out, struct kith_err *err);

#endif
