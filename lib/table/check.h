/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/check - what --check says: values that must not exceed their limits, and the table of them,
 * check value limit ok.  A value that is no number is NA, and not ok; a limit that is none is NA,
 * and ok is NA, too: not decided.
 */
#ifndef KITH_TABLE_CHECK_H
#define KITH_TABLE_CHECK_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct kith_dest;
struct kith_err;
struct kith_out;

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

/* Whether all n checks hold. */
static inline bool
kith_check_all_ok(const struct kith_check *check, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!kith_check_ok(&check[i]))
			return false;
	return true;
}

/* Whether nothing is said: neither that it holds, nor that it does not. */
static inline bool
kith_check_open(const struct kith_check *check)
{
	return isnan(check->limit);
}

/*
 * Opens the output and writes n checks.  Returns the status of the command, 0 or, where a check
 * says no, 1; -1 when the output cannot be opened.
 */
int kith_check_write(const struct kith_check *check, size_t n, const struct kith_dest *to,
    struct kith_out *out, struct kith_err *err);

/* Writes n checks into a table that is open; returns 0 or 1. */
int kith_check_put(const struct kith_check *check, size_t n, struct kith_out *out);

#endif
