/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/online - predict the rows of a stream with what the rows before them
 * have taught (wsvmpath/window.h).
 *
 * Row t is predicted from the rows up to t - 1 - delay: after it was predicted,
 * the target of row t - delay becomes known.  Known rows wait until there is a
 * batch of them, which is then learnt.  Rows without a target are predicted
 * and never learnt.  Of two classes the second in byte order is +1; until both
 * were learnt nothing is predicted.
 *
 *	id predicted actual margin
 *
 * Each row of the output is written when its row has come.
 */
#ifndef KITH_WSVMPATH_ONLINE_H
#define KITH_WSVMPATH_ONLINE_H

struct kith_err;
struct kith_out;
struct kith_pool;
struct kith_wsvm_call;

/*
 * Open the output, and predict the rows of call->files, or of standard input.
 * The status of the command, or -1: fails as kith_rows_open(), kith_rows_next(),
 * kith_roles_assign(), kith_weights_read() and kith_kern_check() do; with
 * EX_DATAERR on a cell that is no finite number, or missing, where one is due,
 * on a third class, and on rows whose kernels are too large for a double; and
 * with KITH_EX_USAGE for --na mean, which would need all rows.  Requires a batch
 * of at most as many rows as the window.  Memory: that of the window, and
 * delay + batch rows, in the pool; what err points to lives there, too.
 */
int kith_wsvm_online(const struct kith_wsvm_call *call, struct kith_out *out,
    struct kith_pool *pool, struct kith_err *err);

#endif
