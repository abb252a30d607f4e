/*
 * dist - the distance of two rows, computed in one fixed order.
 *
 * The sum over features runs in eight lanes (feature j in lane j % 8), which
 * are added as ((0+4)+(2+6))+((1+5)+(3+7)).  Every instruction set that the
 * code was compiled for gives the same bits, and d(x, z) = d(z, x).
 */
#ifndef KITH_DIST_H
#define KITH_DIST_H

struct kith_metric;

/* d(x, z) of metric.h, for rows of metric->p features.  Time O(p), O(p^2). */
double kith_dist(
    const struct kith_metric *metric, const double *x, const double *z);

#endif
