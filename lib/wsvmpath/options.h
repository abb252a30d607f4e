/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/options - rows of option tables (cli/opt.h) that wsvmpath, svmtransduce and svmonline
 * share; each stores into a struct kith_wsvm_call.
 */
#ifndef KITH_WSVMPATH_OPTIONS_H
#define KITH_WSVMPATH_OPTIONS_H

#include "cli/options.h"
#include "wsvmpath/task.h"

#include <float.h>

/* clang-format off */
#define KITH_WSVM_KERNEL_OPTIONS(call) \
	{0, "kernel", KITH_CHOICE(&(call)->kernel, "gaussian|linear|polynomial"), "the kernel of two rows [gaussian]", "The machine"}, \
	{0, "gamma", KITH_REAL(&(call)->gamma, DBL_TRUE_MIN, DBL_MAX), "gaussian: exp(-X distance^2); polynomial: (X x'z + coef0)^degree [1 / sum of variances]", NULL}, \
	{0, "degree", KITH_SIZE(&(call)->degree, 1, 0x1p53), "polynomial: the degree of (gamma x'z + coef0)^degree [2]", NULL}, \
	{0, "coef0", KITH_REAL(&(call)->coef0, 0, DBL_MAX), "polynomial: coef0 of (gamma x'z + coef0)^degree [1]", NULL}, \
	{0, "ridge", KITH_REAL(&(call)->ridge, 0, DBL_MAX), "add X times the mean K(x, x) to the diagonal [1e-6]", NULL}
/* clang-format on */

/* What the options of a struct kith_wsvm_call are where they are not given. */
#define KITH_WSVM_USUAL .coef0 = 1, .degree = 2, .ridge = 1e-6, .seed = 1, .threads = 1

/* Warn of parameters that the kernel has not. */
void kith_wsvm_unused_kernel(struct kith_wsvm_call *call);

#endif
