/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/speed - how fast this machine is, beside the one of cost/cost.h. */
#ifndef KITH_COST_SPEED_H
#define KITH_COST_SPEED_H

/*
 * How long work takes here over how long it takes there: of products of
 * matrices and of distances of rows, the geometric mean.  Takes about .1 s.
 */
double kith_cost_speed(void);

#endif
