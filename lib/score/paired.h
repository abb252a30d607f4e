/* SPDX-License-Identifier: BSD-2-Clause */
/* score/paired - whether two methods differ. */
#ifndef KITH_SCORE_PAIRED_H
#define KITH_SCORE_PAIRED_H

#include "score/score.h"

void kith_score_paired(
    const long double *d, const double *w, size_t n, struct kith_score_paired *score);

#endif
