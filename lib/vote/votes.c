/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/votes.h"

#define VOTES(FIRST, ROW) \
	FIRST(majority) \
	ROW(distance) \
	ROW(kernel) \
	ROW(nnk) \
	ROW(kstar) \
	ROW(expected)

#define WORD(word) #word
#define NEXT_WORD(word) "|" #word
#define ROW(word) {#word, &kith_vote_##word},

const char kith_vote_words[] = VOTES(WORD, NEXT_WORD);

const struct kith_vote_row kith_votes[] = {VOTES(ROW, ROW)};
