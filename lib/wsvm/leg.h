/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/leg - a leg of a path: from one set of weights to another between which
 * their sizes differ by a few decades only, with a theta of its own from 0 to
 * 1.  wsvm/leg.c has the algorithm; wsvm/legs.c chains the legs.
 */
#ifndef KITH_WSVM_LEG_H
#define KITH_WSVM_LEG_H

#include "wsvm/state.h"

/* Make the present solution one that has no rates, at weights `from`. */
void kith_wsvm_leg_freeze(struct kith_wsvm *s);

/*
 * Begin a leg from the present weights, where the state is frozen, to these;
 * first: of a path, whose first sets are no events.
 */
void kith_wsvm_leg_aim(struct kith_wsvm *s, const double *to, bool first);

enum kith_wsvm_got {
	KITH_WSVM_NO_MORE, /* theta is 1 */
	KITH_WSVM_LINE,    /* the piece from last.theta to *end is solved for */
	KITH_WSVM_BRIDGE   /* a restart's piece is due (wsvm/restart.h) */
};

/* Go on to the next piece; moves are reported as wsvm/wsvm.h says. */
enum kith_wsvm_got kith_wsvm_leg_next(
    struct kith_wsvm *s, double *end, kith_wsvm_on_event *on_event, void *to);

/* The piece up to the end is done with: theta is there now. */
void kith_wsvm_leg_pass(struct kith_wsvm *s, double end);

#endif
