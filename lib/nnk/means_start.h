/* SPDX-License-Identifier: BSD-2-Clause */
/* nnk/means_start - the rows that a dictionary starts with (nnk/means.h). */
#ifndef KITH_NNK_MEANS_START_H
#define KITH_NNK_MEANS_START_H

#include <stddef.h>

struct kith_mat;

/*
 * Choose K of the n >= K rows of X, all different ones, in the order chosen,
 * into row (K): the first at random, each later one with a probability in
 * proportion to its squared distance from the nearest chosen before
 * (k-means++; Arthur and Vassilvitskii 2007).  Where all rows left are copies
 * of chosen ones, they follow by row number.  Time O(n K p).
 */
void kith_means_start(const struct kith_mat *X, size_t K, size_t seed, size_t threads, size_t *row);

#endif
