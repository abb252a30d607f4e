/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/table - labelled rows: features as numbers, target or classes, weights, ids, kept cells.
 *
 * A table that is read with a reference (the rows that were learnt from) has
 * the features of the reference, found by name in any order.
 */
#ifndef KITH_TABLE_TABLE_H
#define KITH_TABLE_TABLE_H

#include "base/names.h"
#include "la/mat.h"
#include "near/knn.h"
#include "table/roles.h"
#include "table/unit.h"
#include "text/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_out;

/* The class of a row whose target is missing. */
#define KITH_NO_CLASS SIZE_MAX

struct kith_table {
	const char *file;         /* first file, for messages */
	size_t head;              /* line of its header */
	struct kith_names column; /* all columns of the file */
	const char *target;       /* name of the target, or NULL */
	bool fractions;           /* KITH_ASIDE: the target has a number that is not whole */
	const char *id_name;      /* name of the --id column, "" for names of the rows, or NULL */

	struct kith_mat X;         /* n x p, the features */
	struct kith_names feature; /* their p names */
	bool *text;                /* p: the feature is a text (how.texts), or NULL */
	struct kith_places place;  /* of the n rows in the files */

	/* The target, as the task has it; NULL where there is none. */
	size_t *y;               /* classify: n classes, or KITH_NO_CLASS */
	struct kith_names class; /* class labels, in byte order */
	double *t;               /* regress: n numbers, NaN where missing */

	double *weight; /* n weights of the rows, >= 0, or NULL */

	size_t *number; /* numbers of the rows, from 1; NULL: 1..n */
	size_t read;    /* number of the rows of the file, rows that were left out among them */
	size_t *read_y; /* read: the class of each row of the file, where there is y */
	struct kith_texts id;              /* n ids, where id_name is */
	const char *kept[KITH_KEEP];       /* names of the columns that how.keep selects, or NULL */
	struct kith_texts keep[KITH_KEEP]; /* their n cells */
	struct kith_texts cells;           /* n x column.n cells, where how.cells is */
	double *mean;                      /* p means of the cells read, with KITH_NA_MEAN */
};

/*
 * Read the files ("-": standard input), one table together, into the pool.
 *
 * Without a reference the roles of the columns are as `how` says.  With one
 * (the result of an earlier call) features and target are those of the
 * reference; the target may be absent (y and t are then NULL), or missing in
 * some rows; other columns are left out.  With --no-header the columns are
 * those of the reference by their place, or the same without the target.
 * Weights of rows are not read with a reference, and ids only where how.id is set.
 * Columns to keep are named by the table itself.  Missing features get the
 * mean that the reference has, or without one that of the table.
 *
 * Features must be in range (table/unit.h), unless `how` says that they change
 * first.
 *
 * Fails, naming file, line and column, on input that is no table (text/rows.h),
 * on columns that are not there, a missing target without a reference, cells
 * that are no finite number where one is due, missing ones unless `how` says
 * what to do, weights of rows that are missing, negative or all 0, when no row
 * is left (none at all will do with format.allow_no_rows), and with KITH_EX_USAGE when --features
 * names a column that has another role. Memory: 8 bytes a feature cell, the texts, and that of
 * text/rows.h.
 */
int kith_table_read(const char *const *files, const struct kith_how *how,
    const struct kith_table *ref, struct kith_table *table, struct kith_pool *pool,
    struct kith_err *err);

/*
 * Keeps p features of a table, in increasing order, and drops the cells, names and means of all
 * others.  No feature may be texts.
 */
void kith_table_take(
    struct kith_table *table, const size_t *column, size_t p, struct kith_pool *pool);

/* The origin of the features of the table, under a metric or NULL (table/unit.h). */
static inline struct kith_origin
kith_table_origin(const struct kith_table *table, const struct kith_metric *metric)
{
	return (struct kith_origin){
	    metric, table->file, &table->feature, &table->place, NULL, false};
}

/* The number, from 1, of row i in the file. */
static inline size_t
kith_table_number(const struct kith_table *table, size_t i)
{
	return table->number ? table->number[i] : i + 1;
}

/* Writes the id of row i, or its number where rows have none. */
void kith_table_write_id(const struct kith_table *table, size_t i, struct kith_out *out);

/* ---- Classes ---- */

struct kith_classes {
	struct kith_names name; /* c = name.n, indexed, in byte order */
	size_t *y;              /* n classes 0..c-1 */
	size_t *rows;           /* c: how many rows each has, at least one */
};

/* Fail with EX_DATAERR where all rows of a table are of one class. */
int kith_classes_several(const struct kith_table *t, struct kith_err *err);

/*
 * Number the classes that have rows: not all have where rows were left out.
 * Fails as kith_classes_several() does.
 */
int kith_classes_number(const struct kith_table *t, struct kith_classes *out,
    struct kith_pool *pool, struct kith_err *err);

/*
 * Warns, by a remark about the file, where a class that is none of the known ones is a number equal
 * to a known one, as 0.0 and 0: classes are compared as texts.  known is indexed.
 */
void kith_classes_compare(
    const struct kith_names *known, const struct kith_names *other, const char *file);

/* ---- Predictions ---- */

/* What is predicted of m rows, for nk values of k. */
struct kith_predicted {
	size_t nk;
	size_t *y;        /* m x nk classes, KITH_NO_CLASS: none, or */
	double *t;        /* m x nk numbers, NaN: none */
	double *share;    /* m x nk x c, NaN where there is none; or NULL */
	double *pair;     /* m x pairs: f of pairs of classes; or NULL */
	char **pair_name; /* pairs: the names of the columns of pair */
	size_t pairs;
	bool *none;                    /* m: nothing is said of the row; or NULL */
	struct kith_knn_choice search; /* of the last one; NULL: none */
	double *sigma;                 /* nk bandwidths, in units of the data; 0: not used */
	bool flat;                     /* some bandwidth was 0, and became 1 */
};

#endif
