/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/minimum - a solution of sqpfw/sqpfw.h and its judgement (sqpfw/check.h)
 * together: where the judgement shows a way down, the search goes on.
 */
#ifndef KITH_SQPFW_MINIMUM_H
#define KITH_SQPFW_MINIMUM_H

#include "sqpfw/check.h"

struct kith_sqpfw;

/*
 * Judge the weights that the solver has come to.  Where they are no minimum,
 * as with ties that depend on each other or features of scales far apart:
 *
 *	1. take the direction `down` of the judgement (sqpfw/certify.h);
 *	2. go along it while the objective, computed from all rows, falls;
 *	3. make the active set anew there, solve at the same theta, and judge;
 *
 * until they are one, the objective falls no more, 40 such rounds were made, or
 * a solve was ended by max_iter.  The solver is left at the weights of the last
 * judgement, which goes to out.  Time: one judgement where it says yes.
 *
 * quick: the multipliers of the solver alone are tried; where they do not prove
 * a minimum, no round is made.
 */
void kith_sqpfw_minimum(struct kith_sqpfw *s, struct kith_sqpfw_judge *judge, bool quick,
    struct kith_sqpfw_verdict *out);

/*
 * What the solver knows of the weights that it is at, until its next call; and
 * of weights that differ from them by rounding.
 */
struct kith_sqpfw_known kith_sqpfw_minimum_known(struct kith_sqpfw *s);

/*
 * A hint (ask() of struct kith_targets_hint) of the struct kith_sqpfw `of`, for
 * its w: the rows of the pairs of row i that it follows, and by how much all
 * others are farther than the target.
 */
size_t kith_sqpfw_minimum_hint(const void *of, size_t i, bool miss, uint32_t *rows, double *margin);

#endif
