/*
 * table/kind - whether a column is numbers or texts, as its cells turn out: the
 * one place where that is inferred.
 */
#ifndef KITH_TABLE_KIND_H
#define KITH_TABLE_KIND_H

#include <stddef.h>

struct kith_err;
struct kith_rows;

enum kith_kind {
	KITH_AS_AUTO,  /* not known yet: no cell was there */
	KITH_AS_TEXT,  /* text, kept as it is, missing cells too */
	KITH_AS_LEVEL, /* text; what is said of missing cells holds for it */
	KITH_AS_NUMBER /* numbers */
};

/*
 * Take in a cell that is not missing, of a column that is not KITH_AS_LEVEL.
 * The first one decides: it is a number, or was meant to be one
 * (text/value.h), or else a text.  *x becomes the number.  Fails on a text
 * among numbers, with the hint, and on a number among texts: a column that
 * mixes both is a mistake more often than not.
 */
int kith_kind_take(enum kith_kind *kind, const struct kith_rows *rows,
    size_t column, const char *hint, double *x, struct kith_err *err);

#endif
