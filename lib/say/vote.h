/* SPDX-License-Identifier: BSD-2-Clause */
/* say/vote - what knnclf tells of its run, beside predictions. */
#ifndef KITH_SAY_VOTE_H
#define KITH_SAY_VOTE_H

#include <stddef.h>

struct kith_mat;
struct kith_predict_how;
struct kith_predicted;

/* Note and log m rows to predict, and those of the reference. */
void kith_say_vote_rows(size_t m, const struct kith_mat *known);

/* Note and log the bandwidth of each k, where there are any. */
void kith_say_vote_sigma(const struct kith_predicted *out, const struct kith_predict_how *how);

#endif
