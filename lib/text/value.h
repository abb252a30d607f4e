/* SPDX-License-Identifier: BSD-2-Clause */
/* text/value - numbers out of the cells of a row, or why there is none. */
#ifndef KITH_TEXT_VALUE_H
#define KITH_TEXT_VALUE_H

#include "base/num.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_cell;
struct kith_err;
struct kith_rows;

enum kith_value {
	KITH_VALUE_OK = 0,
	KITH_VALUE_BAD = -1,   /* err says why */
	KITH_VALUE_MISSING = 1 /* the cell is missing */
};

/*
 * Read the cell of this column, of the row that t stands at, into *x.  Text,
 * infinity and what is too large for a double fail, with file, line, column
 * and cell; hint, which may be "", says what may help against text.
 */
enum kith_value kith_value(const struct kith_rows *t, size_t column, double *x,
    const char *hint, struct kith_err *err);

/*
 * The same where a number is due: 0, or -1 where there is none, or the cell is
 * missing.
 */
int kith_value_due(
    const struct kith_rows *t, size_t column, double *x, struct kith_err *err);

/* The same where it must not be negative. */
int kith_value_size(
    const struct kith_rows *t, size_t column, double *x, struct kith_err *err);

/*
 * Whether a cell, of which kith_parse_real() said num, was meant to be a
 * number: it is one, if too large, or infinity, or has a decimal comma.
 */
bool kith_value_meant(const struct kith_cell *c, enum kith_num num);

/* Fail because the cell is missing; hint may be "". */
int kith_value_missing(const struct kith_rows *t, size_t column,
    const char *hint, struct kith_err *err);

#endif
