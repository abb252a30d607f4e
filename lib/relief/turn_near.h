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

#include "near/near.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;
struct kith_relief_turn;
struct kith_relief_turn_room;

struct kith_relief_turn_near {
	size_t k;                  /* rows of a list; 0: there are none */
	struct kith_neighbour *nn; /* n x k, the nearest first, others in no order;
				      d: a lower bound of |z_i - z_j| as it was */
	size_t *held;              /* n: how many are held; */
	double *reach;             /* n: and how far away all others were */
	double *Z;                 /* n x room: z as they were */
	double *moved;             /* n: how far each has come since; */
	double most;               /* the largest of these */
	double size;               /* the largest |z|^2 as they were */
	double heaviest;           /* of log_weight */
	bool made;                 /* there are lists of all rows */
	bool making;               /* this time they are made */
	size_t served, rest, idle; /* see kith_relief_turn_near_begin() */
};

/* Get ready; room in the pool: O(n (k + r)).  Other members of turn are set. */
void kith_relief_turn_near_new(
    struct kith_relief_turn *turn, struct kith_pool *pool);

/* At new z, `size` the largest |z|^2: whether the lists may do; if not, whether to make them is set. */
bool kith_relief_turn_near_begin(struct kith_relief_turn *turn, double size);

/* What came of it: whether the lists had all rows.  Returns the same. */
bool kith_relief_turn_near_end(struct kith_relief_turn *turn, bool had_all);

/*
 * The list of row i, whose exponents are e (n, relief/turn.c, without weights of
 * rows).  Time O(n + k log n log k).
 */
void kith_relief_turn_near_make(
    const struct kith_relief_turn *turn, size_t i, const double *e,
    const struct kith_relief_turn_room *in);

/*
 * The rows that count for row i, their exponents -d_ij and weights (in->at, in->G,
 * in->left) from its list, *most being the largest; whether the list has them all.
 */
bool kith_relief_turn_near_row(const struct kith_relief_turn *turn, size_t i,
    struct kith_relief_turn_room *in, double *most);

#endif
