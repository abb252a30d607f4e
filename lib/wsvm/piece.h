/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/piece - the solution from theta on, while no variable changes its set:
 * alpha and b of eq. (10), and from these scores and gradients.
 */
#ifndef KITH_WSVM_PIECE_H
#define KITH_WSVM_PIECE_H

#include "wsvm/state.h"

/*
 * Solve eq. (10) for alpha and b of M at all theta; sets the tolerances.  Time
 * O(|M|^2), and what wsvm/active_set.h has pending.
 */
void kith_wsvm_piece_solve(struct kith_wsvm *s);

/* f0 and f1 of all items.  Time O(n |M|), once for each piece. */
void kith_wsvm_piece_scores(struct kith_wsvm *s);

/* Those of item i, into f[0] and f[1]; nothing is kept.  Time O(|M|). */
void kith_wsvm_piece_score(const struct kith_wsvm *s, size_t i, double *f);

/*
 * The gradient of v with the bias b0 + theta b1, into piece.g0 and g1.  Time
 * O(|M|).
 */
void kith_wsvm_piece_gradient(
    struct kith_wsvm *s, size_t v, double b0, double b1);

/* Those of several variables, a fraction of the time for each. */
void kith_wsvm_piece_gradients(
    struct kith_wsvm *s, const size_t *v, size_t count, double b0, double b1);

#endif
