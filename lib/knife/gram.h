/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/gram - the matrices of some weights: Z, K and H. */
#ifndef KITH_KNIFE_GRAM_H
#define KITH_KNIFE_GRAM_H

#include "knife/state.h"

/*
 * Z, K and H at w.  Fails with EX_DATAERR where they are too large for a
 * double.
 */
int kith_knife_gram(struct kith_knife_state *state, const double *w, struct kith_err *err);

/* to (n) = K v */
void kith_knife_times(const struct kith_knife_state *state, const double *v, double *to);

/* K_ii */
double kith_knife_own(const struct kith_knife_state *state, size_t i);

/* C (n x m) = the columns of m rows of K, which is held. */
void kith_knife_columns(
    const struct kith_knife_state *state, size_t m, const size_t *row, double *C);

#endif
