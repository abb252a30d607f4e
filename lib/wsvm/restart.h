/* SPDX-License-Identifier: BSD-2-Clause */
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
 * begins, within its bounds where only rounding is beyond: alpha of M at once,
 * of others when they move (wsvm/active_set.h).
 */
void kith_wsvm_restart_store(struct kith_wsvm *s, double end);

/*
 * No active set was found that holds after theta: solve at a theta a little
 * farther on (tie_end), ten times as far each time.  A piece from the solution
 * stored to that one comes next.
 */
void kith_wsvm_restart(struct kith_wsvm *s);

/* All of last is the solution at theta that was just solved for: work.x. */
void kith_wsvm_restart_store_all(struct kith_wsvm *s, double b);

/* All of last.alpha, which restart_store() keeps of M alone. */
void kith_wsvm_restart_recall(struct kith_wsvm *s);

/*
 * alpha_v of M at `end` of the leg, which is theta of the path, within its bounds
 * there, and on one where only rounding is between; most: the largest of M.
 */
double kith_wsvm_restart_kept(
    const struct kith_wsvm *s, size_t v, double end, double theta, double most);

/*
 * Solve at the weights `from` of a state that is frozen: from alpha (N, within
 * its bounds), or where that is NULL or e' alpha is not near 0 from nothing
 * (false).
 */
bool kith_wsvm_restart_here(struct kith_wsvm *s, const double *alpha);

/*
 * The piece that ends at `to` with the solution just solved for is the straight
 * line from that at last.theta: bent.
 */
void kith_wsvm_restart_bend(struct kith_wsvm *s, double to);

#endif
