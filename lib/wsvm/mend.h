/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/mend - pieces that the quick judgement does not pass, or that a restart
 * leaves: judged from the rows (wsvm/judge.h), and solved anew where they are
 * off.
 */
#ifndef KITH_WSVM_MEND_H
#define KITH_WSVM_MEND_H

#include "wsvm/state.h"

/*
 * alpha (N), within its bounds, on the engine's line at t of the leg, which is
 * theta of the path.  Time O(N).
 */
void kith_wsvm_mend_line(
    const struct kith_wsvm *s, double t, double theta, double *alpha);

/*
 * Judge the piece of the engine up to `end` of the leg.  True: it is the line
 * between two solutions now, of which kith_wsvm_mend_piece() makes the piece up
 * to path.end; also where only its start is another than the engine's line has.
 * Time that of wsvm/judge.h, and of a solution for each that is solved anew.
 */
bool kith_wsvm_mend(struct kith_wsvm *s, double end);

/* The same of the piece of a restart, which always is such a line. */
void kith_wsvm_mend_bridge(struct kith_wsvm *s, double end);

/*
 * The piece that is such a line, from theta of the path to theta: judged once
 * more, and counted where it is off.
 */
void kith_wsvm_mend_piece(
    struct kith_wsvm *s, double from, double to, struct kith_wsvm_piece *piece);

#endif
