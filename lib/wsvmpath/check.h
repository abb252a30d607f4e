/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/check - whether coefficients that wsvmpath/print.h wrote are solutions, from the rows
 * alone: kernels are computed anew, and nothing is solved.  With g and C of wsvm/problem.h, A the
 * largest alpha of the step, and t_v = |q_v| + |b| + sum_w |Q_vw| alpha_w + ridge alpha_v the terms
 * of g_v, at each step
 *
 *	bounds     largest -alpha or alpha - C, over A
 *	sum        |sum_v sign_v alpha_v|, over A
 *	kkt        largest -g_v where alpha < C - 1e-8 A, and g_v where alpha > 1e-8 A, over t_v
 *	gap        primal less dual without these 1e-8 A, over sum_v C_v t_v
 *	interval   M empty: the distance of b from its interval, as kkt
 *
 * and, where the file is a whole path,
 *
 *	range      the distance of the first theta from 0, and of the last from 1
 *	piece      kkt at a quarter, a half and three quarters between two steps
 *
 * A theta has 53 bits: DBL_EPSILON theta |to - from| of a weight is unknown, and so is what it
 * contributes to sum and g; this is no violation of the limits, 1e-8 of bounds and sum and 1e-9 of
 * the others.  Between two steps bounds and sum hold if they hold at both.
 */
#ifndef KITH_WSVMPATH_CHECK_H
#define KITH_WSVMPATH_CHECK_H

#include "table/check.h"

#include <stddef.h>

struct kith_err;
struct kith_svm_task;

enum { KITH_SVM_CHECKS = 7 };

/*
 * Checks the table of coefficients in a file ("-": standard input) into out, machines x
 * KITH_SVM_CHECKS.  *checks is the number of checks of each machine, which leaves out the checks of
 * whole paths if options->at has thetas.  Several machines follow each other in their order, with
 * columns class1 and class2.  Fails, naming file and line, where the file is no table of
 * coefficients, its steps are not in order, a name is no row of the task, or a machine has no rows.
 * Time O(n (n p + s a)) for s steps and a rows whose alpha is not 0 in some step.
 */
int kith_svm_check(const struct kith_svm_task *task, const char *file, struct kith_check *out,
    size_t *checks, struct kith_err *err);

#endif
