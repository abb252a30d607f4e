/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/turn_near - lists of the rows near each row, so that at matrices nearby
 * few distances are calculated (for relief/turn.c).
 *
 * As Verlet (1967) did with molecules: what stands in no list was at least as far
 * away as the last row that does; since then both rows have moved, so that it is
 * at least so far away less what they moved.  Where exp(-d) of so large a distance
 * is below rounding, the list has all that counts.
 */
#ifndef KITH_RELIEF_TURN_NEAR_H
#define KITH_RELIEF_TURN_NEAR_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;
struct kith_relief_turn;
struct kith_relief_turn_room;

/* Get ready; room in the pool: O(n (k + r)).  Other members of turn are set. */
void kith_relief_turn_near_new(
    struct kith_relief_turn *turn, struct kith_pool *pool);

/*
 * At new z, the largest |z|^2 being size (far: too large for lists): whether lists
 * are used.  If not, they may have to be made.
 */
bool kith_relief_turn_near_begin(
    struct kith_relief_turn *turn, bool far, double size);

/* Whether the lists used or made were good enough; returns the same. */
bool kith_relief_turn_near_end(struct kith_relief_turn *turn, bool had_all);

/*
 * Make the list of row i, whose exponents are e (n, relief/turn_exps.h).  Time O(n).
 */
void kith_relief_turn_near_make(const struct kith_relief_turn *turn, size_t i,
    const double *e, const struct kith_relief_turn_room *in);

/*
 * From its list the rows j that count for row i, in->left of them (in->at), and by
 * how much their log s_j - d_ij misses the largest, *most (in->G); whether the list
 * has all of them.  Requires zeros behind the r numbers of a row of Z.
 */
bool kith_relief_turn_near_row(const struct kith_relief_turn *turn, size_t i,
    struct kith_relief_turn_room *in, double *most);

#endif
