/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/kind.h"

#include "base/err.h"
#include "base/num.h"
#include "text/cell.h"
#include "text/rows.h"
#include "text/value.h"

enum kith_value
kith_kind_decide(enum kith_kind *kind, const struct kith_rows *rows,
    size_t column, const char *hint, double *x, struct kith_err *err)
{
	const struct kith_cell *c = kith_rec_cell(&rows->rec, column);
	enum kith_num num;

	if (kith_cell_missing(c))
		return KITH_VALUE_MISSING;
	num = kith_parse_real(c->s, c->len, x);
	if (*kind == KITH_AS_AUTO) {
		*kind = kith_value_meant(c, num) ? KITH_AS_NUMBER
						 : KITH_AS_TEXT;
		return *kind == KITH_AS_NUMBER
		    ? kith_value(rows, column, x, hint, err)
		    : KITH_VALUE_OK;
	}
	if (num != KITH_NUM_OK)
		return KITH_VALUE_OK;
	kith_rows_fail(rows, column, err,
	    "a number in a column of text: " KITH_CELL " (--ignore?)", c->s);
	return KITH_VALUE_BAD;
}
