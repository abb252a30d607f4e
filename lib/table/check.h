/* SPDX-License-Identifier: BSD-2-Clause */
/* table/check - what --check says: values that must not exceed their limits. */
#ifndef KITH_TABLE_CHECK_H
#define KITH_TABLE_CHECK_H

#include <math.h>
#include <stdbool.h>

struct kith_check {
	const char *check;   /* what is checked */
	double value, limit; /* a limit that is no number: not decided */
};

/* Whether a check holds; a value that is no number does not. */
static inline bool
kith_check_ok(const struct kith_check *check)
{
	return check->value <= check->limit;
}

/* Whether nothing is said: neither that it holds, nor that it does not. */
static inline bool
kith_check_open(const struct kith_check *check)
{
	return isnan(check->limit);
}

#endif
