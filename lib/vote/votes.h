/*
 * vote/votes - the table of all votes.  A new vote is a file with a struct
 * kith_vote (vote/vote.h) called kith_vote_WORD, and a row in votes.c.
 */
#ifndef KITH_VOTE_VOTES_H
#define KITH_VOTE_VOTES_H

struct kith_vote;

/* The words of the table, as KITH_CHOICE (cli/opt.h) wants them: "a|b|c". */
extern const char kith_vote_words[];

/* A row for each word, in their order. */
extern const struct kith_vote_row {
	const char *word;
	const struct kith_vote *vote;
} kith_votes[];

#endif
