/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/left - numbers of n distances, of which those that are left out stand
 * as the negative of a number that they are not below.
 */
#ifndef KITH_IMMIGRATE_LEFT_H
#define KITH_IMMIGRATE_LEFT_H

#include <stddef.h>

/* The least that is not left out; inf: none. */
double kith_immigrate_left_least(size_t n, const double *d);

/* z = (least - |d|)/sigma */
void kith_immigrate_left_shift(size_t n, const double *d, double least, double sigma, double *z);

/* Add n numbers e to *sum, and those of distances left out to *gone instead. */
void kith_immigrate_left_total(
    size_t n, const double *d, const double *e, double *sum, double *gone);

#endif
