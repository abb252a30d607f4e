/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/turn - how well rows that are turned by a matrix are predicted by
 * their random neighbours, and the gradient of it (for relief/metric.c).
 *
 * With z_i = A x_i, d_ij = |z_i - z_j|^2, row weights s and
 * p_ij = s_j exp(-d_ij) / sum_(k != i) s_k exp(-d_ik),
 *
 *	f = - sum_i s_i sum_H p_ij / sum s			  classes (NCA)
 *	f = sum_i s_i (sum_j p_ij t_j - t_i)^2 / (var t sum s)	  numbers (MLKR)
 */
#ifndef KITH_RELIEF_TURN_H
#define KITH_RELIEF_TURN_H

#include "relief/turned.h"

struct kith_pool;

/* Get ready; room in the pool: O(n (p + 16 r + 128)) doubles. */
void kith_relief_turn_new(
    struct kith_relief_turn *turn, struct kith_pool *pool);

/*
 * The value f of a turn at A (r x p), and its gradient into g (r x p); where
 * squares of z do not fit a double more than any value, and g = 0.  Sums run in
 * parts that depend on n alone.  Time O(n^2 r + n p r), less where A has changed
 * little since the last calls (relief/turn_near.h): O(n p r); memory 128 n doubles a
 * thread.
 */
double kith_relief_turn_value(void *to, const double *A, double *g);

#endif
