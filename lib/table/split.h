/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/split - the rows of a table that a part of --cv is learnt from, and
 * those that it has: what tabfold makes two tables of.
 */
#ifndef KITH_TABLE_SPLIT_H
#define KITH_TABLE_SPLIT_H

#include "table/table.h"
#include "table/unit.h"

#include <stddef.h>

struct kith_err;
struct kith_pool;

struct kith_split {
	/*
	 * Features, targets, texts, weights of the rows, and the names of
	 * columns and classes; rows have no numbers or ids there.
	 */
	struct kith_table known, asked;
	struct kith_unit unit; /* of known; p = 0: rows are not scaled */
};

/*
 * Split a table into the rows of part f, asked, and all others, known; part[i]
 * is that of row i (table/parts.h).  Both are scaled by a method of --scale
 * (table/unit.h), in units found on the known ones.  Fails with EX_DATAERR
 * where none is left to learn from, and as kith_unit_fit() and
 * kith_unit_apply() do.  Memory: that of the table's numbers.
 */
int kith_split(const struct kith_table *t, const size_t *part, size_t f, int scale,
    struct kith_split *out, struct kith_pool *pool, struct kith_err *err);

#endif
