/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/point_solve - solve a point (wsvm/points.h) to a relative duality gap.
 */
#ifndef KITH_WSVM_POINT_SOLVE_H
#define KITH_WSVM_POINT_SOLVE_H

#include "wsvm/points.h"

/*
 * Solve until own <= gap dual, or as well as rounding lets it; in any case b, g,
 * dual and own are those of alpha.  Time: smo (wsvm/smo.h) on the variables whose
 * gradient is near 0 or wrong; where that takes too many steps, the exact
 * solution of wsvm/wsvm.h.
 */
void kith_wsvm_point_solve(
    struct kith_wsvm_points *at, struct kith_wsvm_point *p, double gap);

#endif
