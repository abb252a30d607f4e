/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/roles - which columns of a table are features, what the others are, whether features are
 * numbers or texts, and messages about missing cells and texts in all of them.
 */
#ifndef KITH_TABLE_ROLES_H
#define KITH_TABLE_ROLES_H

#include "base/names.h"
#include "text/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KITH_CLASSIFY, KITH_REGRESS, KITH_ASIDE }; /* --task */

/* --na; model: missing features stay, as NaN, for the method to deal with. */
enum { KITH_NA_ERROR, KITH_NA_OMIT, KITH_NA_MEAN, KITH_NA_MODEL };

enum { KITH_KEEP = 4 };

/* How to read a table: what the options say.  All zero is the default. */
struct kith_how {
	struct kith_format format;
	const char *target;          /* COL; NULL: the last column */
	bool no_target;              /* without one named there is none */
	bool targetless;             /* "none" says that there is none */
	const char *id;              /* COL, or NULL: rows have their numbers */
	bool id_elsewhere;           /* the id may be in the query alone */
	const char *feature;         /* LIST, or NULL: all that are nothing else */
	const char *instance_weight; /* COL, or NULL: rows have no weights */
	const char *keep[KITH_KEEP]; /* COLs to keep as text, no features; or NULL */
	int task, na;                /* of the enums above */
	bool texts;       /* features may be texts: x is the number of the text in its column */
	bool cells;       /* cells of all columns are kept as text */
	bool changed;     /* features are scaled or weighted, and checked then */
	bool query;       /* without a reference: a target may be missing */
	bool featureless; /* no column is a feature */
};

#define KITH_NO_COLUMN SIZE_MAX

/* Whether COL is "none", and no column has this name: there is no target. */
bool kith_roles_none(const struct kith_names *column, const char *col);

struct kith_roles {
	size_t *from;              /* the columns of p features */
	struct kith_names feature; /* their names */
	size_t target, id, weight; /* columns, or KITH_NO_COLUMN */
	size_t keep[KITH_KEEP];    /* likewise */
};

/*
 * Give the columns of the open rows their roles, as `how` says, into the pool.
 *
 * Fails, naming file and line, on columns that are not there or are named
 * twice, on names in parentheses that have a meaning of their own, when no
 * feature is left, and with KITH_EX_USAGE when --features names a column that
 * has another role, or the target is also the weight.
 */
int kith_roles_assign(struct kith_roles *roles, const struct kith_rows *rows,
    const struct kith_how *how, struct kith_pool *pool, struct kith_err *err);

/* Fail where a name is one with a meaning of its own: (bias), (id), (coef). */
int kith_roles_refuse(const struct kith_rows *rows, struct kith_err *err);

/*
 * Finds the column COL of the open rows: a name or a number (text/columns.h); KITH_NO_COLUMN where
 * COL is NULL.  Fails where there is none, with the hint (kith_rows_hint()).
 */
int kith_roles_find(const struct kith_rows *rows, const char *col, const char *hint, size_t *column,
    struct kith_err *err);

/* ---- Numbers and texts ---- */

/* Whether a column is numbers or texts, as its cells turn out. */
enum kith_kind {
	KITH_AS_AUTO,  /* not known yet: no cell was there */
	KITH_AS_TEXT,  /* text, kept as it is, missing cells too; a number is a mistake */
	KITH_AS_COPY,  /* whatever it is, kept as it is */
	KITH_AS_LEVEL, /* text; what is said of missing cells holds for it */
	KITH_AS_NUMBER /* numbers */
};

/*
 * Reads a cell.  The first one of an AUTO column that is not missing decides: it is a number, or
 * was meant to be one (kith_value_looks_numeric()), or else a text.  *x becomes the number; of
 * other cells it is not defined.  Bad are a text among numbers and a number among texts (not
 * levels), and the hint is for both: a column that mixes them is a mistake more often than not.
 */
enum kith_value kith_kind_take(enum kith_kind *kind, const struct kith_rows *rows, size_t column,
    const char *hint, double *x, struct kith_err *err);

/* ---- Messages about all columns with missing cells, or with texts. ---- */

/* A column that had no cell in the n >= 1 rows before this one, of which the first is at line. */
struct kith_holes_before {
	size_t column, n;
	const char *file;
	size_t line;
};

/*
 * Fails where the present row lacks a cell of the p columns.  If it is the only cell that is
 * missing, the message has its file, line and column; else the number of missing cells in each
 * column and where the first one is, counted to the end of the rows or to the row before one that
 * cannot be read.  The rows are read to that point.  hint, which may be "", says what may help.
 *
 * With `before` (else NULL) cells of one of the columns were missing above this row, which has one;
 * *err then says what is wrong if there was one row above.
 *
 * With `texts` called at a row that was refused, with *err set.  Counts the texts that are no
 * numbers in place of missing cells; *err stays where one column alone has texts.
 */
int kith_cells_fail(struct kith_rows *rows, bool texts, const size_t *column, size_t p,
    const struct kith_holes_before *before, const char *hint, struct kith_err *err);

#endif
