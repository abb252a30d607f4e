/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/smo - sequential minimal optimisation of
 *
 *	min 1/2 x' Q x + q' x	lo <= x <= hi, and e' x as it is at the start
 *
 * where there is a bias; Q_vw = phi_v' phi_w + ridge [v = w], and variable v
 * stands for phi_v = sign_v (Phi(x_plus[v]) - Phi(x_minus[v])) of the rows of
 * a kernel, e = sign.  In each step two variables move (Fan, Chen and Lin,
 * 2005): the one of the largest violation, and the one with which the objective
 * falls most; where there is no bias, the one with which it falls most alone.
 */
#ifndef KITH_WSVM_SMO_H
#define KITH_WSVM_SMO_H

#include "wsvm/smo_form.h"

#include <stddef.h>

/*
 * From x within its bounds, improve x until no violation exceeds tol or `most`
 * steps were done; returns the steps.  Only the variables live[0..count-1]
 * move.  s (n) holds sum_v x_v phi_v' Phi(x_i) for x, before and after.
 * Time O(n + count) per step, and two kernel rows.
 */
size_t kith_smo(const struct kith_smo_form *form, const size_t *live,
    size_t count, double tol, size_t most, double *x, double *s);

#endif
