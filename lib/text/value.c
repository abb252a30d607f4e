/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/value.h"

#include "base/err.h"
#include "base/num.h"
#include "text/rows.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Whether s is digits, one comma, digits: a number in many countries. */
static bool
has_decimal_comma(const char *s)
{
	const char *comma = strchr(s, ',');
	double x;

	return comma && comma[1] && comma[1] != '-' &&
	    kith_parse_real(comma + 1, strlen(comma + 1), &x) == KITH_NUM_OK &&
	    s[strspn(s, "+-0123456789")] == ',';
}

static bool
is_infinite(const char *s)
{
	s += *s == '+' || *s == '-';
	return strcasecmp(s, "inf") == 0 || strcasecmp(s, "infinity") == 0;
}

bool
kith_value_meant(const struct kith_cell *c, enum kith_num num)
{
	return num != KITH_NUM_TEXT || is_infinite(c->s) ||
	    has_decimal_comma(c->s);
}

/* The same for a number that is there already, but none that is finite. */
static enum kith_value
take_number(const struct kith_rows *t, size_t column, struct kith_err *err)
{
	const double number = t->rec.number[column];

	if (isnan(number))
		return KITH_VALUE_MISSING;
	kith_rows_fail(t, column, err, "not a finite number: " KITH_CELL,
	    number > 0 ? "inf" : "-inf");
	return KITH_VALUE_BAD;
}

enum kith_value
kith_value(const struct kith_rows *t, size_t column, double *x,
    const char *hint, struct kith_err *err)
{
	const struct kith_cell *c;
	const char *why = "not a number";
	enum kith_num num;

	if (t->rec.number && isfinite(t->rec.number[column])) {
		*x = t->rec.number[column];
		return KITH_VALUE_OK;
	}
	if (!kith_rec_is_text(&t->rec, column))
		return take_number(t, column, err);
	c = &t->rec.text[column];
	num = kith_parse_real(c->s, c->len, x);
	if (num == KITH_NUM_OK)
		return KITH_VALUE_OK;
	if (kith_cell_missing(c))
		return KITH_VALUE_MISSING;
	if (num == KITH_NUM_HUGE) {
		why = "too large for a double";
		hint = "";
	} else if (is_infinite(c->s)) {
		why = "not a finite number";
		hint = "";
	} else if (has_decimal_comma(c->s))
		hint = " (decimal comma?)";
	else if (*hint)
		hint = kith_rows_hint(t, hint);
	kith_rows_fail(t, column, err, "%s: " KITH_CELL "%s", why, c->s, hint);
	return KITH_VALUE_BAD;
}

int
kith_value_missing(const struct kith_rows *t, size_t column, const char *hint,
    struct kith_err *err)
{
	return kith_rows_fail(t, column, err, "missing: " KITH_CELL "%s",
	    kith_rec_cell(&t->rec, column)->s, hint);
}

int
kith_value_due(
    const struct kith_rows *t, size_t column, double *x, struct kith_err *err)
{
	switch (kith_value(t, column, x, "", err)) {
	case KITH_VALUE_OK:
		return 0;
	case KITH_VALUE_MISSING:
		return kith_value_missing(t, column, "", err);
	default:
		return -1;
	}
}

int
kith_value_size(
    const struct kith_rows *t, size_t column, double *x, struct kith_err *err)
{
	if (kith_value_due(t, column, x, err))
		return -1;
	if (*x >= 0)
		return 0;
	return kith_rows_fail(t, column, err, "negative: " KITH_CELL,
	    kith_rec_cell(&t->rec, column)->s);
}
