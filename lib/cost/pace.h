/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/pace - how fast this machine is in plain loops (cost/speed.h). */
#ifndef KITH_COST_PACE_H
#define KITH_COST_PACE_H

/* The median of the seconds of a portion of work, done for .04 s. */
double kith_cost_median(void (*portion)(void *with), void *with);

/*
 * How long distances of rows take here over how long they take on the stated
 * machine; for commands without BLAS.  Takes .04 s.
 */
double kith_cost_pace(void);

#endif
