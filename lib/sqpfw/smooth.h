/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/smooth - weights to start sqpfw/sqpfw.h from: a local minimum of the
 * objective with its targets smoothed, which is found in few evaluations where
 * features are many, and is often lower than what an active set comes to from
 * the prior.
 *
 * In place of the k-th smallest distance of a group stands S_k - S_(k-1), where
 * S_k is the smoothed sum of the k smallest,
 *
 *	S_k = min over q in [0, 1]^m, 1'q = k of
 *	      sum q_j d_j + T sum q_j log q_j + (1 - q_j) log(1 - q_j),
 *
 * with q_j = 1 / (1 + exp((d_j - mu) / T)) there, mu by 1'q = k; for k = 1 it
 * is the usual -T log sum exp(-d_j / T).  The temperature T is lowered from
 * 2e-2 to 4e-4 of the mean distance under the prior, and at each of four
 * temperatures w = v^2 / |v|^2 is sought by L-BFGS over v, from the last.
 */
#ifndef KITH_SQPFW_SMOOTH_H
#define KITH_SQPFW_SMOOTH_H

#include <stdbool.h>

struct kith_sqpfw;

/*
 * Restart a solver at such weights for theta (>= 0, finite).  They are next to
 * a minimum, nothing more: solve from there.  Of more than 2000 points every
 * second, third, ... of each class is looked at.  False, and nothing is changed,
 * where theta is 0, numbers overflow or classes are too small.  The last digits
 * depend on the processor (la/blas.h), not on how->threads.
 *
 * Some 50 to 200 evaluations of time O(n^2 p), two matrix products each; memory
 * O(n^2 / 64 + n p).
 */
bool kith_sqpfw_smooth(struct kith_sqpfw *s, double theta);

#endif
