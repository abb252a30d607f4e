/* SPDX-License-Identifier: BSD-2-Clause */
/* text/npy_cell - the cells of a .npy file (text/npy.c), wherever they stand. */
#ifndef KITH_TEXT_NPY_CELL_H
#define KITH_TEXT_NPY_CELL_H

#include <stddef.h>

struct kith_npy_column;

/* The number that the cell at `from` is. */
double kith_npy_number(
    const struct kith_npy_column *column, const unsigned char *from);

/*
 * Write the text that the cell is, as UTF-8 where it is characters, and a null
 * byte: column->size + 1 bytes at most.  Its length goes to *len.  NULL, or why
 * it cannot be a text.
 */
const char *kith_npy_text(const struct kith_npy_column *column,
    const unsigned char *from, char *to, size_t *len);

#endif
