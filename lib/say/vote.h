/* SPDX-License-Identifier: BSD-2-Clause */
/* say/vote - what knnclf tells of its run, beside predictions. */
#ifndef KITH_SAY_VOTE_H
#define KITH_SAY_VOTE_H

#include <stdbool.h>
#include <stddef.h>

struct kith_mat;
struct kith_predict_how;
struct kith_predicted;

/* Note and log m rows to predict, and those of the reference. */
void kith_say_vote_rows(size_t m, const struct kith_mat *known);

/* Note and log what bandwidth each k or radius got, where there are any. */
void kith_say_vote_sigma(const struct kith_predicted *out, const struct kith_predict_how *how);

/*
 * Warn of predictions that no row was near enough for: `rows` where each row is
 * predicted once; what becomes of them.
 */
void kith_say_vote_unreached(size_t unreached, bool rows, const char *what);

#endif
