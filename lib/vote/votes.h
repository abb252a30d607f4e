/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vote/votes - all votes, and the table of them.  A new vote is a file with a
 * struct kith_vote (vote/vote.h) called kith_vote_WORD, whose head says what it
 * does, a word here, and a row in votes.c.
 */
#ifndef KITH_VOTE_VOTES_H
#define KITH_VOTE_VOTES_H

#include "vote/vote.h"

/* The first three are in own.c, the next two in local.c. */
extern const struct kith_vote kith_vote_majority, kith_vote_distance, kith_vote_kernel,
    kith_vote_nnk, kith_vote_kstar, kith_vote_expected;

/* The words of the table, as KITH_CHOICE (cli/opt.h) wants them: "a|b|c". */
extern const char kith_vote_words[];

/* A row for each word, in their order. */
extern const struct kith_vote_row {
	const char *word;
	const struct kith_vote *vote;
} kith_votes[];

#endif
