/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/tiles - what knife/knife.h needs of K where K is not held: its tiles are made
 * of Z (knife/state.h) whenever they are due.  Each takes time n^2 (k + c) for k features of weight > 0, or as told,
 * and gives the same bytes for any number of threads.
 */
#ifndef KITH_KNIFE_TILES_H
#define KITH_KNIFE_TILES_H

#include "knife/state.h"

/* to = K V: c columns of n. */
void kith_knife_tiles_times(
    const struct kith_knife_state *state, size_t c, const double *V, double *to);

/* As kith_knife_forms() (knife/forms.h), of K and alpha.  Time n^2 (k + p). */
void kith_knife_tiles_forms(const struct kith_knife_state *state, double *q);

/* The largest modulus of K off its diagonal. */
double kith_knife_tiles_coupling(const struct kith_knife_state *state);

/* C (n x m) = the columns of K of the m rows listed.  Time n m k. */
void kith_knife_tiles_columns(
    const struct kith_knife_state *state, size_t m, const size_t *row, double *C);

/* K_ii */
double kith_knife_tiles_own(const struct kith_knife_state *state, size_t i);

#endif
