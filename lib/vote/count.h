/* SPDX-License-Identifier: BSD-2-Clause */
/* vote/count - count the votes of neighbours that are known. */
#ifndef KITH_VOTE_COUNT_H
#define KITH_VOTE_COUNT_H

#include <stddef.h>

struct kith_ballot;
struct kith_neighbour;
struct kith_predicted;

/*
 * Put the outcome for each row of the ballot and each k into out, which has
 * room for it.
 */
void kith_count_votes(const struct kith_ballot *in, struct kith_predicted *out);

/*
 * The class with the largest sum of votes; on a tie, of the classes tied, that
 * of the nearest row.  y are the classes, 0..c-1, of the rows of the reference;
 * share (c) receives the sums, divided by their total.
 */
size_t kith_vote_class(const struct kith_neighbour *nn, const double *v, size_t k, const size_t *y,
    size_t c, double *share);

/* The mean of the targets t of the neighbours, weighted by their votes. */
double kith_vote_mean(const struct kith_neighbour *nn, const double *v, size_t k, const double *t);

#endif
