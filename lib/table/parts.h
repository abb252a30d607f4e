/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/parts - the parts of --cv: those that tabfold deals of the same table.
 */
#ifndef KITH_TABLE_PARTS_H
#define KITH_TABLE_PARTS_H

#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_table;

/*
 * Deal the rows of a table into equal parts (table/fold.h): part[i] becomes
 * 0..parts-1.  Rows that were left out when it was read are dealt too, so that
 * the others are where they are in the whole table.  Fails with EX_DATAERR
 * where there are more parts than rows.
 */
int kith_parts_deal(
    const struct kith_table *t, size_t parts, uint64_t seed, size_t *part, struct kith_err *err);

/*
 * The rows of part f, asked, and all others, known, both in order (n each, at
 * most); returns how many are known.
 */
size_t kith_parts_split(const size_t *part, size_t n, size_t f, size_t *known, size_t *asked);

#endif
