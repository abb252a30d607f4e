/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/margin_kkt - the margin M of a box form (wsvm/smo.h), the variables
 * between their bounds, and their linear systems.
 *
 * With a bias these are bordered, eq. (10):
 *
 *	[ Q_MM  e_M ] [ x ]   [ c ]
 *	[ e_M'   0  ] [ b ] = [ r ]
 *
 * As e_M' x = r, Q_MM + rho e e' and c + rho r e give the same x and b.  What
 * is kept is the Cholesky factor of Q_MM + rho e e', which exists wherever the
 * bordered system has one solution.
 */
#ifndef KITH_WSVM_MARGIN_KKT_H
#define KITH_WSVM_MARGIN_KKT_H

#include "wsvm/margin.h"

/* M is empty; the form stays where it is, its rows and signs as they are. */
struct kith_wsvm_margin *kith_wsvm_margin_new(
    const struct kith_smo_form *form, struct kith_pool *pool);

/*
 * v enters M, at the end.  False, and v stays outside, where the system would
 * be singular.  Time O(n + |M|^2), and a kernel row for each of its items.
 */
bool kith_wsvm_margin_enter(struct kith_wsvm_margin *margin, size_t v);

/*
 * The variables v[0..count-1] enter M in this order, all before the first that
 * enter() refuses; returns their number.  Time as theirs, but a fraction of it
 * for the factor.
 */
size_t kith_wsvm_margin_enter_all(
    struct kith_wsvm_margin *margin, const size_t *v, size_t count);

/*
 * M gets its columns and factor, unless it has them; coefficients loaded are lost
 * then.  Time O(|M|^3).
 */
void kith_wsvm_margin_bind(struct kith_wsvm_margin *margin);

/* v leaves M.  Time O(|M|^2). */
void kith_wsvm_margin_leave(struct kith_wsvm_margin *margin, size_t v);

/*
 * Factor Q_MM + rho e e' anew.  A variable that depends on others, but for
 * rounding, gets a larger diagonal; refinement corrects the solutions.  Time
 * O(|M|^3).
 */
void kith_wsvm_margin_factor(struct kith_wsvm_margin *margin);

/* a_w = Q_vw for all w of M, and v outside.  Time O(n), and kernel rows. */
void kith_wsvm_margin_column(
    struct kith_wsvm_margin *margin, size_t v, double *a);

#endif
