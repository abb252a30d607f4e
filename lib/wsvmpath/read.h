/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/read - the tables that wsvmpath reads, made ready for a task
 * (wsvmpath/task.h): roles of columns, weights of features, kernel, units.
 */
#ifndef KITH_WSVMPATH_READ_H
#define KITH_WSVMPATH_READ_H

#include "wsvmpath/task.h"

struct kith_mat;

/*
 * Read the rows, those of --validate and the weights of features, as the call
 * says, into the pool, which outlives the job; with --scale all items are in
 * the units of the rows.  Fails as kith_table_read(), kith_weights_read(),
 * kith_kern_check(), kith_unit_fit() and kith_unit_apply() do, and where a
 * kernel or a sum of kernels would be too large for a double, or doubles do not
 * resolve the kernels of the rows (wsvmpath/resolve.h).
 */
int kith_wsvm_read(const struct kith_wsvm_call *call, struct kith_wsvm_job *job,
    struct kith_pool *pool, struct kith_err *err);

/*
 * The features that --weights says, of the rows and asked (their X.n may be 0):
 * their names, metric and packed items into m, the kernel into *kern; gamma is
 * 0 where the call has none.  Fails as kith_weights_read() and
 * kith_kern_check().
 */
int kith_wsvm_features(const struct kith_wsvm_call *call, struct kith_table *rows,
    struct kith_table *asked, struct kith_machine *m, struct kith_kern *kern,
    struct kith_pool *pool, struct kith_err *err);

#endif
