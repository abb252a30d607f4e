/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/check - whether weights are a fixed point of immigrate/immigrate.h,
 * or of its vector form im4e, from the rows and the weights alone: distances,
 * alpha, beta and Sigma are computed anew over all ordered pairs of rows, in
 * full rank, and nothing is left out.
 *
 *	stationarity  the Frank-Wolfe gap tr(Sigma (W - V)) / |Sigma|, V being
 *	              the closed form; at a fixed point it is 0
 *	norm          ||W| - 1|, Frobenius norm
 *	symmetry      largest |W_ij - W_ji|
 *	definiteness  -(smallest eigenvalue of W)
 *
 * A point of a 2-cycle has a gap.  Where Sigma has no negative eigenvalue, V
 * is the projection on its smallest.  Under the package's rules, and with a
 * threshold, V is clipped, and cut, and does not minimise tr(Sigma V): then
 * stationarity is |W - V|^2 / 2, which is what the gap would be for Sigma =
 * -V; the last line is `sign`, -(smallest entry of W); and the package, that
 * does not normalise what it cuts, has norm | |W| - |V| |.  |W - V| bounds
 * that: the limit of norm is the root of twice the limit of stationarity (a
 * vector: p times as much) more.
 *
 * For a vector the same with u: u'(w/|w| - v/|v|) / |u| in Euclidean norms, for
 * v has length 1 in the sum, and is no minimum there; norm is |sum w - 1|;
 * sign.
 */
#ifndef KITH_IMMIGRATE_CHECK_H
#define KITH_IMMIGRATE_CHECK_H

#include "table/check.h"

#include <stddef.h>

struct kith_immigrate_how;
struct kith_immigrate_rows;

enum { KITH_CHECK_IMMIGRATE = 4, KITH_CHECK_IM4E = 3 };

/*
 * W: p x p.  rows and how are what the weights were made with; of how, sigma,
 * threshold, tol and package are looked at, and threads.  Limits: of stationarity what follows from tol, 100 tol or, with
 * the rules of the package, tol / 100, 1e-12 at least (kith_immigrate_limit(),
 * which says why); 1e-9 norm, 1e-12 symmetry, 1e-9 definiteness, 0 sign.  A
 * value that cannot be had is inf. Time O(n^2 p^2).
 */
void kith_check_immigrate(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, const double *W,
    struct kith_check out[KITH_CHECK_IMMIGRATE]);

/* w: p.  The same without symmetry.  Time O(n^2 p). */
void kith_check_im4e(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how,
    const double *w, struct kith_check out[KITH_CHECK_IM4E]);

#endif
