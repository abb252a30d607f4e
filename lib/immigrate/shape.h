/*
 * immigrate/shape - weights as plain numbers: a vector, or all entries of a
 * matrix.
 */
#ifndef KITH_IMMIGRATE_SHAPE_H
#define KITH_IMMIGRATE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Divide by the norm: Frobenius of a matrix, the sum of a vector; where that is
 * 0 nothing changes.  Requires numbers whose squares fit a double.
 */
void kith_immigrate_normalise(size_t len, bool matrix, double *W);

/* Set negative numbers to 0. */
void kith_immigrate_clip(size_t len, double *W);

/*
 * Set numbers below the threshold to 0, but not those that are equal to it up
 * to rounding; false where nothing is left.
 */
bool kith_immigrate_cut(size_t len, double threshold, double *W);

/* The largest |W_k - V_k|. */
double kith_immigrate_farthest(size_t len, const double *W, const double *V);

#endif
