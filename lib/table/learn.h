/*
 * table/learn - the rows that weights of features are learnt from: those of a
 * table with classes, without the features that are constant, and with them the
 * rows of a validation table and weights from files.
 */
#ifndef KITH_TABLE_LEARN_H
#define KITH_TABLE_LEARN_H

#include "table/classes.h"
#include "table/table.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_out;
struct kith_pool;

struct kith_learn {
	/*
	 * Their X have the p features that are not constant alone;
	 * known.feature names all.
	 */
	struct kith_table known, asked;
	struct kith_names feature; /* p names; not indexed */
	size_t *column;            /* p: which of known.feature they are */
	bool *constant;            /* known.feature.n: they are constant */
	struct kith_classes class; /* of known */
};

/*
 * Read the files, as `how` says, and another table with the same features,
 * validation, where that is not NULL.  Fails as kith_table_read() does, and
 * with EX_DATAERR where there is one class only, or no feature that varies.
 */
int kith_learn_read(const char *const *files, const struct kith_how *how,
    const char *validation, struct kith_learn *out, struct kith_pool *pool,
    struct kith_err *err);

/*
 * Whether each class has more than `hits` rows, and all others together at
 * least `misses` (sqpfw/sqpfw.h); else EX_DATAERR, naming the class.
 */
int kith_learn_enough(const struct kith_learn *l, size_t hits, size_t misses,
    struct kith_err *err);

/*
 * Whether squared differences of the features, and their squares, fit a double
 * beside each other: each range is at most 1e152, and at most 1e75 times that
 * of any other feature; else EX_DATAERR, naming the column.
 */
int kith_learn_bearable(const struct kith_learn *l, struct kith_err *err);

/*
 * Read weights of squared differences from a file, and put those of the p
 * features into *w, in the pool.  Fails as kith_weights_read() does, and on
 * weights of another kind.
 */
int kith_learn_weights(const struct kith_learn *l, const char *file, double **w,
    struct kith_pool *pool, struct kith_err *err);

/*
 * The same, and rescale them to sum 1; *sum is what it was.  Fails also when
 * none of them is above 0.
 */
int kith_learn_prior(const struct kith_learn *l, const char *file, double **w,
    double *sum, struct kith_pool *pool, struct kith_err *err);

/* Write p weights as a table "feature weight"; constant features have 0. */
void kith_learn_write(
    const struct kith_learn *l, const double *w, struct kith_out *out);

#endif
