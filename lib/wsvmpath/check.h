/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/check - whether the coefficients that wsvmpath/print.h wrote are
 * solutions, from the rows alone: kernels are computed anew, nothing is solved.
 * With g and C of wsvm/wsvm.h, A the largest alpha of the step itself, and t_v =
 * |q_v| + |b| + sum_w |Q_vw| alpha_w + ridge alpha_v the terms of g_v there, at
 * each step
 *
 *	bounds     largest -alpha or alpha - C, to A
 *	sum        |sum_v sign_v alpha_v|, to A
 *	kkt        largest -g_v where alpha < C - 1e-8 A, and g_v where alpha >
 *	           1e-8 A, to t_v
 *	gap        primal less dual without these 1e-8 A, to sum_v C_v t_v
 *	interval   M empty: how far b is from where it may be, as kkt
 *
 * and, where the file is a whole path,
 *
 *	range      how far the first theta is from 0, and the last from 1
 *	piece      kkt at a quarter, a half and three quarters between two steps
 *
 * A theta has 53 bits: DBL_EPSILON theta |to - from| of a weight, and what these
 * of all weights make of sum and of g, are open, and are no violation of 1e-8
 * and 1e-9, which are the limits.  What is linear in theta fulfils bounds and
 * sum between two steps if it does at both.
 */
#ifndef KITH_WSVMPATH_CHECK_H
#define KITH_WSVMPATH_CHECK_H

#include "table/check.h"

#include <stddef.h>

struct kith_err;
struct kith_wsvm_job;

enum { KITH_CHECK_WSVM = 7 };

/*
 * Check the file ("-": standard input) into out, and their number, less where
 * the call gives --at, into *checks; the path is that of the job.  Fails,
 * naming file and line, where the file is no table of coefficients, its steps
 * are not in order, or it names what the job has not.  Time O(n (n p + s a))
 * for s steps and a rows whose alpha is ever not 0.
 */
int kith_check_wsvm(const struct kith_wsvm_job *job, const char *file,
    struct kith_check out[KITH_CHECK_WSVM], size_t *checks, struct kith_err *err);

/* The same of a table that is open, as far as its rows are the job's. */
struct kith_wsvm_steps;
int kith_check_wsvm_steps(const struct kith_wsvm_job *job, struct kith_wsvm_steps *file,
    struct kith_check out[KITH_CHECK_WSVM], size_t *checks, struct kith_err *err);

#endif
