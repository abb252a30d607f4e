/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/kind - whether a column is numbers or texts, as its cells turn out: the
 * one place where that is inferred.
 */
#ifndef KITH_TABLE_KIND_H
#define KITH_TABLE_KIND_H

#include "text/value.h"

enum kith_kind {
	KITH_AS_AUTO,  /* not known yet: no cell was there */
	KITH_AS_TEXT,  /* text, kept as it is, missing cells too */
	KITH_AS_LEVEL, /* text; what is said of missing cells holds for it */
	KITH_AS_NUMBER /* numbers */
};

/* The same for a column that is not known to be numbers. */
enum kith_value kith_kind_decide(enum kith_kind *kind,
    const struct kith_rows *rows, size_t column, const char *hint, double *x,
    struct kith_err *err);

/*
 * Take in a cell of a column that is not KITH_AS_LEVEL.  The first one that is
 * not missing decides: it is a number, or was meant to be one (text/value.h),
 * or else a text.  *x becomes the number.  Bad are a text among numbers, which
 * the hint is for, and a number among texts: a column that mixes both is a
 * mistake more often than not.
 */
static inline enum kith_value
kith_kind_take(enum kith_kind *kind, const struct kith_rows *rows,
    size_t column, const char *hint, double *x, struct kith_err *err)
{
	return *kind == KITH_AS_NUMBER
	    ? kith_value(rows, column, x, hint, err)
	    : kith_kind_decide(kind, rows, column, hint, x, err);
}

#endif
