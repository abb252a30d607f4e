/*
 * wsvm/restart - solutions that do not come from a path: from nothing, from a
 * solution given, or after a breakpoint at which the active set cycles.
 */
#ifndef KITH_WSVM_RESTART_H
#define KITH_WSVM_RESTART_H

#include "wsvm/state.h"

/* Solve at the weights at theta, from alpha = 0. */
void kith_wsvm_cold_start(struct kith_wsvm *s);

/*
 * Solve at the weights weight.from, from a solution that is exact but for
 * rounding.  False, and nothing was solved, where e' alpha is not near 0.
 */
bool kith_wsvm_warm_start(
    struct kith_wsvm *s, const struct kith_wsvm_solution *start);

/* restart.step, of theta, for the first restart at a breakpoint. */
#define KITH_WSVM_RESTART_STEP 1e-12

/*
 * Store the solution at the end of a piece, from which a restart's piece
 * begins: alpha of M at once, of others when they move (wsvm/active_set.h).
 */
void kith_wsvm_restart_store(struct kith_wsvm *s, double end);

/*
 * No active set was found that holds after theta: solve at a theta a little
 * farther on (tie_end), ten times as far each time.  A piece from the solution
 * stored to that one comes next.
 */
void kith_wsvm_restart(struct kith_wsvm *s);

/*
 * The piece that spans the tied breakpoints, from last.theta to tie_end: the
 * straight line between the solutions at both.
 */
void kith_wsvm_restart_piece(
    struct kith_wsvm *s, struct kith_wsvm_piece *piece);

#endif
