/* SPDX-License-Identifier: BSD-2-Clause */
/* scale/file - what was done to columns, as a file. */
#ifndef KITH_SCALE_FILE_H
#define KITH_SCALE_FILE_H

#include "scale/scale.h"

/* Write scalings as a table: column method center scale fill level. */
void kith_scale_write(const struct kith_scale *scale, struct kith_out *out);

/*
 * Read such a table.  Fails, with file and line, on what kith_scale_write()
 * does not write: unknown methods, a column or level twice, a scale below 0.
 */
int kith_scale_read(
    const char *file, struct kith_scale *scale, struct kith_pool *pool, struct kith_err *err);

#endif
