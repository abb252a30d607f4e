/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/verdict - the table that --check prints: check value limit ok.  A value
 * that is no number is NA, and not ok; a limit that is none is NA, and ok is
 * NA, too: not decided.
 */
#ifndef KITH_TABLE_VERDICT_H
#define KITH_TABLE_VERDICT_H

#include <stddef.h>

struct kith_dest;
struct kith_check;
struct kith_err;
struct kith_out;

/*
 * Open path (NULL: standard output) and write n checks.  Returns the status of
 * the command, 0 or, where a check says no, 1; -1 when the output cannot
 * be opened.
 */
int kith_verdict_write(const struct kith_check *check, size_t n, const struct kith_dest *to,
    struct kith_out *out, struct kith_err *err);

/* The same into a table that is open. */
int kith_verdict_put(const struct kith_check *check, size_t n, struct kith_out *out);

#endif
