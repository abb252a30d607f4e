/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/axes - rows on a few axes, in single precision, whose distances there
 * bound those of near/dist.h from below.
 *
 * A row x becomes a = (x - centre) factor (near/float.h), times the root of a
 * matrix of weights, so that scale d(x, z) = |a - b|^2 in exact arithmetic; for
 * KITH_ABSOLUTE scale d = |a - b|_1.  Of a there are kept its coordinates on
 * the principal axes of a sample of rows (KITH_ABSOLUTE: on the features that
 * spread most), V'a, and where these are not all, the length r of the rest,
 * a - V V'a:
 *
 *	|a - b|^2 >= |V'a - V'b|^2 + (r_a - r_b)^2
 *
 * by the triangle inequality for the rest; the same with |.|_1.  The floats y
 * differ from these coordinates by at most `off` in the same norm, which is in
 * proportion to |a|.  So with B the distance of two such y, or of y and a box
 * that holds the other,
 *
 *	sqrt(scale d) >= B (1 - slack) - off_a - off_b		(d as it is in
 *	scale d       >= B (1 - slack) - off_a - off_b		 KITH_ABSOLUTE)
 *
 * for d as kith_dist() computes it and B as summed in floats: slack covers the
 * rounding of both sums and that the axes are orthogonal but for rounding.
 */
#ifndef KITH_NEAR_AXES_H
#define KITH_NEAR_AXES_H

#include <stdbool.h>
#include <stddef.h>

enum { KITH_KNN_AXES = 64 }; /* coordinates of a row at most */

struct kith_knn_axes;
struct kith_knn_pack;
struct kith_pool;

/*
 * Axes for a packed reference of n >= 1 rows, for which kith_knn_float_serves();
 * NULL where there are none: too many features, a matrix with an eigenvalue
 * below -1e-12 of its largest, or one whose eigenvalues LAPACK does not find;
 * or, but with `always`, where the rows spread over so many axes that boxes
 * would leave out little.  The pack must stay where it is.  Time O(p^3) and a sample of rows.
 */
struct kith_knn_axes *kith_knn_axes_new(
    const struct kith_knn_pack *pack, bool always, struct kith_pool *pool);

/* Coordinates of a row. */
size_t kith_knn_axes_count(const struct kith_knn_axes *axes);

/* scale: a power of two; slack, of B. */
double kith_knn_axes_scale(const struct kith_knn_axes *axes);
double kith_knn_axes_slack(const struct kith_knn_axes *axes);

/* Whether distances are sums of absolute differences, not of squares. */
bool kith_knn_axes_absolute(const struct kith_knn_axes *axes);

/*
 * The coordinates of n packed rows z into y (n x count), and what these are off
 * into off (n), which is INFINITY for a row too far away: its y are 0.  Time
 * O(n p count), or O(n p^2) with a matrix.
 */
void kith_knn_axes_fill(const struct kith_knn_axes *axes,
    const double *const *z, size_t n, float *y, float *off);

#endif
