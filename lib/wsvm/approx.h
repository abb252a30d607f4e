/*
 * wsvm/approx - a path of solutions that are right to a relative duality gap
 * (Giesen, Mueller, Laue and Swiercy, Approximating parameterized convex
 * optimization problems, 2012), where the exact one of wsvm/wsvm.h would have
 * more events than matter.
 *
 * For alpha within its bounds, e' alpha = 0, and any b, with g of
 * wsvm/problem.h, the primal objective exceeds the dual one, D, by
 *
 *	G = sum_v alpha_v max(0, g_v) + (C_v - alpha_v) max(0, -g_v)
 *
 * and so the least one by no more.  Here G <= gap D, at all theta.
 *
 * The problem is solved at some points of theta, which are found on the way;
 * between two, alpha, b, f and g are straight lines.  With t from 0 at one point
 * to 1 at the other, max(0, g) is convex and D concave, so
 *
 *	G(t) <= (1 - t)^2 G_00 + t^2 G_11 + t (1 - t) G_01
 *	D(t) >= (1 - t) D_0 + t D_1
 *
 * where G_01 = sum_v alpha_v max(0, g_v) + (C_v - alpha_v) max(0, -g_v) with
 * alpha and C of one point and g of the other, both ways.  G_01 falls as the
 * square of the distance, so about 1 / sqrt(gap) points do.
 */
#ifndef KITH_WSVM_APPROX_H
#define KITH_WSVM_APPROX_H

#include "wsvm/problem.h"

struct kith_pool;
struct kith_wsvm_approx;
struct kith_wsvm_point;

/*
 * A path from the weights `from` to `to` (N each); all must stay.  It is begun
 * from start, the first solution of another path whose weights may be others
 * but whose rows are the same; NULL: from nothing.
 */
struct kith_wsvm_approx *kith_wsvm_approx_new(
    const struct kith_wsvm_problem *problem, const double *from,
    const double *to, double gap, const struct kith_wsvm_point *start,
    struct kith_pool *pool);

/* The first solution, at theta = 0; it stays until the second piece is made. */
const struct kith_wsvm_point *kith_wsvm_approx_first(
    struct kith_wsvm_approx *path);

/*
 * The next piece of the path (true), or false where theta is 1: all of it but
 * `where` and `solver`, which are NULL, and margin.  Valid until the next call.
 * Time: smo (wsvm/smo.h), and O(N + n) for each piece.
 */
bool kith_wsvm_approx_next(
    struct kith_wsvm_approx *path, struct kith_wsvm_piece *piece);

/* Points, steps, gap and kernel rows; gap is one that is known to be enough. */
void kith_wsvm_approx_count(
    const struct kith_wsvm_approx *path, struct kith_wsvm_count *count);

#endif
