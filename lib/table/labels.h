/* SPDX-License-Identifier: BSD-2-Clause */
/* table/labels - the classes of two tables, which are texts, compared as numbers. */
#ifndef KITH_TABLE_LABELS_H
#define KITH_TABLE_LABELS_H

#include "base/names.h"

/*
 * Warns, by a remark about the file, where a class that is none of the known ones is a number equal
 * to a known one, as 0.0 and 0: classes are compared as texts.  known is indexed.
 */
void kith_labels_compare(
    const struct kith_names *known, const struct kith_names *other, const char *file);

#endif
