/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/turn_row - one row and its random neighbours (for relief/turn.c).
 */
#ifndef KITH_RELIEF_TURN_ROW_H
#define KITH_RELIEF_TURN_ROW_H

#include <stdbool.h>
#include <stddef.h>

struct kith_relief_turn;
struct kith_relief_turn_room;

/*
 * G of row i from its exponents e (n, of any constant; far: they are found here),
 * and what it adds to f.  e is spoilt.
 */
double kith_relief_turn_row(const struct kith_relief_turn *turn, size_t i,
    bool far, double *e, struct kith_relief_turn_room *in);

/*
 * The same from the list of row i, unless that lacks a row; *value is what is
 * added to f.
 */
bool kith_relief_turn_row_near(const struct kith_relief_turn *turn, size_t i,
    struct kith_relief_turn_room *in, double *value);

/* m_i += G_ij (z_i - z_j), m_j -= the same, one row j after the other. */
void kith_relief_turn_few(const struct kith_relief_turn *turn, size_t i,
    const struct kith_relief_turn_room *in, double *M);

#endif
