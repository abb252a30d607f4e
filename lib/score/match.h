/* SPDX-License-Identifier: BSD-2-Clause */
/* score/match - outcomes of the same rows by two methods. */
#ifndef KITH_SCORE_MATCH_H
#define KITH_SCORE_MATCH_H

#include "score/outcome.h"

/*
 * Pair the rows of two tables, read with their ids, that neither leaves out, in
 * the order of a; into *pair (in the pool), their number into *n.  Fails, with
 * file and line, when an id of one is not in the other, when what was true of
 * it differs, and when no pair is left.
 */
int kith_outcome_match(const struct kith_outcome *a, const struct kith_outcome *b,
    struct kith_outcome_pair **pair, size_t *n, struct kith_pool *pool, struct kith_err *err);

/*
 * Losses on n pairs of rows: of a column of a less that of a column of b, into
 * d (n).  The loss of a class is 1 where it is wrong, of a number the square of
 * its error.
 */
void kith_outcome_differ(const struct kith_outcome *a, size_t column_a,
    const struct kith_outcome *b, size_t column_b, const struct kith_outcome_pair *pair, size_t n,
    long double *d);

#endif
