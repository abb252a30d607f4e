/* SPDX-License-Identifier: BSD-2-Clause */
/* say/vote - what knnclf tells of its run, beside predictions. */
#ifndef KITH_SAY_VOTE_H
#define KITH_SAY_VOTE_H

#include <stddef.h>

struct kith_mat;
struct kith_predicted;

/* Logs the numbers of rows to predict, of rows of the reference, and of features. */
void kith_say_vote_rows(size_t m, const struct kith_mat *known);

/* Logs the bandwidth of each k that has one; warns where it is 1 because all distances are 0. */
void kith_say_vote_sigma(const struct kith_predicted *out);

#endif
