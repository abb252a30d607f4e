/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/out_npy - tables written as .npy: NumPy's 1-d arrays of records, a field a
 * column, for text/out.h (text/npy.c reads them).
 *
 * A column is of doubles (<f8, NaN where a cell is missing) when each of its
 * cells is a number or missing; else of texts (S) as wide as the longest, 1 at
 * least, a missing one as it was read, or empty.  A text is a number where
 * base/num.h says so, but for those with a zero before another digit, and
 * integers that a double does not hold.
 *
 * What the columns are is known in the end: until then the cells are in memory, 9
 * bytes a number, 9 and its length a text.
 */
#ifndef KITH_TEXT_OUT_NPY_H
#define KITH_TEXT_OUT_NPY_H

#include <stdbool.h>
#include <stddef.h>

struct kith_cell;
struct kith_out;
struct kith_pool;

/*
 * A name as a literal of Python, in the pool; *other is set where bytes that are
 * no UTF-8 became U+FFFD.
 */
char *kith_npy_literal(const char *name, bool *other, struct kith_pool *pool);

/*
 * Put the next cell of the row: a number, rounded to so many digits (0: as it
 * is), or a text, which may be missing.
 */
void kith_npy_put_real(struct kith_out *o, double x, size_t digits);
void kith_npy_put_text(struct kith_out *o, const struct kith_cell *c);

/* Write the table of these cells, whose columns are o->key. */
void kith_npy_write(struct kith_out *o);

#endif
