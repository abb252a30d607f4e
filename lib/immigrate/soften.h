/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/soften - the softmax of rows over their hits and over their misses,
 * from the distances of each to all rows.
 */
#ifndef KITH_IMMIGRATE_SOFTEN_H
#define KITH_IMMIGRATE_SOFTEN_H

#include <stddef.h>

struct kith_immigrate_soft;

enum { KITH_IMMIGRATE_SOFTEN_ROWS = 4 }; /* that are added up side by side */

/*
 * Of the rows of tile I, whose distances to all rows are in the thread's strip:
 * all that soft->hit and soft->miss say of them, and what is kept.
 */
void kith_immigrate_soften(struct kith_immigrate_soft *soft, size_t I, size_t thread);

/* z = (least - d)/sigma, n of them. */
void kith_immigrate_soften_shift(size_t n, const double *d, double least, double sigma, double *z);

#endif
