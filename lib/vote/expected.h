/*
 * vote/expected - let learners decide, each by the expected distance of a row
 * to the rows of each class (near/expect.h).
 */
#ifndef KITH_VOTE_EXPECTED_H
#define KITH_VOTE_EXPECTED_H

#include <stddef.h>

struct kith_mat;
struct kith_predict_how;
struct kith_predicted;
struct kith_sample;

/*
 * Put the outcome for each row of Z, or where Z is NULL for each row of known,
 * itself left out, into out at row to[i] (to NULL: i), as how->learner says.
 *
 * One learner alone gives the class of the smallest expected distance, and the
 * shares of kith_expect_shares(); for numbers the mean of all rows under its
 * weights.  Of several each gives alpha to its class, the largest sum wins, of
 * equal ones the first class, and shares are those of the sums.
 * Requires classes where there are several, and rows to learn from.
 */
void kith_vote_expected(const struct kith_sample *known,
    const struct kith_predict_how *how, const struct kith_mat *Z,
    const size_t *to, struct kith_predicted *out);

#endif
