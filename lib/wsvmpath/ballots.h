/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/ballots - which rows several machines predict wrongly together, along
 * theta, by their votes (machine/votes.h).
 *
 * A vote depends on theta through the signs of f alone, so the prediction of a
 * row changes only where some f of it is 0; those thetas are computed from the
 * pieces of each path, and all of them merged.
 */
#ifndef KITH_WSVMPATH_BALLOTS_H
#define KITH_WSVMPATH_BALLOTS_H

#include "wsvmpath/validate_rank.h"

#include <stdbool.h>
#include <stddef.h>

/* From theta on, f of a row has the other sign. */
struct kith_wsvm_turn {
	double theta;
	size_t row;
};

/* The signs of f of m rows along a path, by one machine. */
struct kith_wsvm_signs {
	struct kith_pool *pool;
	size_t m;
	bool *first, *now; /* m: f > 0 where theta leaves 0, and so far */
	bool begun;
	struct kith_wsvm_turn *turn; /* n of them, in order of pieces */
	size_t n, room;
};

void kith_wsvm_signs_new(struct kith_wsvm_signs *s, size_t m, struct kith_pool *pool);

/* The next piece of the path: f = f0 + theta f1 of the m rows. */
void kith_wsvm_signs_piece(
    struct kith_wsvm_signs *s, double from, double to, const double *f0, const double *f1);

/* The rows that are predicted. */
struct kith_wsvm_ballots {
	size_t m, c;         /* rows; classes */
	const size_t *class; /* m: what they are, SIZE_MAX: does not count */
	const double *cost;  /* m, or NULL: all 1 */
};

/*
 * Add to `changes`, in order of theta, where rows become wrong or right by the
 * votes of c (c - 1) / 2 machines; one without rows (begun is false) has no
 * vote.  Time O(T log T + T c) for T turns, and O(m c^2).
 */
void kith_wsvm_ballots_count(const struct kith_wsvm_ballots *of,
    const struct kith_wsvm_signs *signs, struct kith_wsvm_changes *changes);

#endif
