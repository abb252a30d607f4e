/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/rescale - the items of a part of --cv in the units of the rows that
 * it learns from: --scale.
 */
#ifndef KITH_WSVMPATH_RESCALE_H
#define KITH_WSVMPATH_RESCALE_H

#include <stddef.h>

struct kith_err;
struct kith_mat;
struct kith_wsvm_job;
struct kith_wsvm_problem;

struct kith_wsvm_rescale {
	const struct kith_wsvm_job *job;
	const size_t *row;       /* of each item; NULL: the same */
	const size_t *learnt;    /* items learnt from */
	size_t n;                /* so many */
	const double *from, *to; /* weights of the variables */
};

/*
 * Scale the items of X, which are those of the problem, and set the ridge.
 * Fails as kith_unit_fit() and kith_unit_apply() do, where kernels, or sums of
 * weights and kernels, are too large for a double, and where doubles do not
 * resolve the kernels of the rows learnt from (wsvmpath/resolve.h).
 */
int kith_wsvm_rescale(const struct kith_wsvm_rescale *how, struct kith_wsvm_problem *problem,
    struct kith_mat *X, struct kith_err *err);

#endif
