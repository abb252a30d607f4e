/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/classes - the classes of rows: those that have rows, and those of
 * further rows in terms of them.
 */
#ifndef KITH_TABLE_CLASSES_H
#define KITH_TABLE_CLASSES_H

#include "base/names.h"

#include <stddef.h>

struct kith_err;
struct kith_pool;
struct kith_table;

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

#endif
