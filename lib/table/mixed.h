/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/mixed - features that are numbers or texts (table/kind.h); the texts of a
 * column are numbered as they come.
 */
#ifndef KITH_TABLE_MIXED_H
#define KITH_TABLE_MIXED_H

#include "table/kind.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_names;
struct kith_pool;
struct kith_rows;

struct kith_mixed {
	enum kith_kind *kind;     /* p: as cells were so far */
	bool *holes;              /* p: a cell was missing */
	struct kith_names *level; /* p: texts as they come */
	int na;                   /* --na */
	struct kith_pool *pool;
};

/* For p features, in the pool. */
void kith_mixed_init(struct kith_mixed *m, size_t p, int na, struct kith_pool *pool);

/*
 * Read the cell of this column, which is feature j: 1 and its number, or that
 * of its text, or 0 and NaN where it is missing: an error, with --na error,
 * that the caller makes of it.  Fails (-1) on a number in a column of texts, on a text in one of numbers,
 * and on texts where cells are missing and --na is mean.
 */
int kith_mixed_read(struct kith_mixed *m, const struct kith_rows *rows, size_t column, size_t j,
    double *x, struct kith_err *err);

/* Which of p features are texts: flags in the pool. */
bool *kith_mixed_texts(const struct kith_mixed *m, size_t p);

#endif
