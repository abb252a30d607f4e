/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/turn_exps - the exponents e_ij = 2 z_i'z_j - |z_j|^2 of turned rows by
 * products of matrices (for relief/turn.c).
 */
#ifndef KITH_RELIEF_TURN_EXPS_H
#define KITH_RELIEF_TURN_EXPS_H

#include <stddef.h>

struct kith_relief_turn;
struct kith_relief_turn_room;

enum { KITH_RELIEF_BLOCK = 128 }; /* rows of one product */

/* Of the rows from..from+m-1, a block at most, with all: E (m x n). */
void kith_relief_turn_exps(const struct kith_relief_turn *turn,
    const struct kith_relief_turn_room *in, size_t from, size_t m, double *E);

/* Of all rows, into turn->E: half of them by products. */
void kith_relief_turn_exps_all(struct kith_relief_turn *turn);

#endif
