/* SPDX-License-Identifier: BSD-2-Clause */
/* sqpfw/path - Algorithm 2 of sqpfw/sqpfw.h: its solutions over theta. */
#ifndef KITH_SQPFW_PATH_H
#define KITH_SQPFW_PATH_H

struct kith_sqpfw;

/* What ended a step along the path. */
enum kith_sqpfw_step {
	KITH_SQPFW_BREAKPOINT, /* a breakpoint; w may have jumped there */
	KITH_SQPFW_THETA_MAX,  /* theta has become theta_max */
	KITH_SQPFW_END,        /* no breakpoint at any larger theta of a double */
	KITH_SQPFW_LIMIT       /* a breakpoint whose solve was not done */
};

/*
 * From a solved w, go on to the next theta, at most theta_max (may be
 * infinite), at which the active set changes, and solve there.  before (p)
 * receives w from below that theta, the limit before any jump.  Where rows that
 * depend on each other let only breakpoints at one theta follow each other,
 * theta leaps ahead by a little, and w is solved for there.
 */
enum kith_sqpfw_step kith_sqpfw_next(struct kith_sqpfw *s, double theta_max, double *before);

#endif
