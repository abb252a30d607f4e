/* SPDX-License-Identifier: BSD-2-Clause */
/* la/transpose - a matrix whose rows become columns. */
#ifndef KITH_LA_TRANSPOSE_H
#define KITH_LA_TRANSPOSE_H

#include <stddef.h>

/*
 * to (columns x rows) = from', of rows x columns; rows of from are ld apart, those
 * of to to_ld, and they do not overlap.  In blocks that stay in the cache.
 */
void kith_transpose(
    size_t rows, size_t columns, const double *from, size_t ld, double *to, size_t to_ld);

#endif
