/* SPDX-License-Identifier: BSD-2-Clause */
/* table/write - what a row of a table brings to a row that is written. */
#ifndef KITH_TABLE_WRITE_H
#define KITH_TABLE_WRITE_H

#include <stddef.h>

struct kith_out;
struct kith_table;

/* Write the id of row i, or its number where rows have none. */
void kith_table_write_id(const struct kith_table *table, size_t i, struct kith_out *out);

#endif
