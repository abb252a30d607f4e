/*
 * vote/expected - let learners decide, each by the expected distance of a row
 * to the rows of each class (near/expect.h).
 */
#ifndef KITH_VOTE_EXPECTED_H
#define KITH_VOTE_EXPECTED_H

#include "vote/vote.h"

/*
 * One learner alone gives the class of the smallest expected distance, and the
 * shares of kith_expect_shares(); for numbers the mean of all rows under its
 * weights.  Of several each gives alpha to its class, the largest sum wins, of
 * equal ones the first class, and shares are those of the sums.
 * Requires classes where there are several, and rows to learn from.
 */
extern const struct kith_vote kith_vote_expected;

#endif
