/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine/votes - one against one: with c classes a machine for each pair, in
 * the order 1 2, 1 3, ..., 1 c, 2 3, ..., and a vote of each for one class of its
 * pair: the second where f > 0, else the first.  The class with the most votes
 * wins, of equal ones the first.
 */
#ifndef KITH_MACHINE_VOTES_H
#define KITH_MACHINE_VOTES_H

#include <stddef.h>

/* The classes first < second, from 0, of pair o < c (c - 1) / 2. */
void kith_machine_pair(size_t c, size_t o, size_t *first, size_t *second);

/*
 * The class that wins with these f of the pairs; votes (c of them) are counted
 * where they are not NULL.  Time O(c^2).
 */
size_t kith_machine_vote(size_t c, const double *f, double *votes);

/* The same where f > 0 is a vote for the first of the pair, as LIBSVM has it. */
size_t kith_machine_vote_first(size_t c, const double *f, double *votes);

#endif
