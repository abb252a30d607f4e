/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine/libsvm_write - machines as models of LIBSVM, which svm-predict reads:
 *
 *	classify   c_svc; of two classes `label` is the second, then the first, so
 *	           that svm-predict says our class, of f = 0 too; of more, one
 *	           against one, they are in our order (f = 0 of a pair is then
 *	           a vote for its second class there, here for its first)
 *	regress    epsilon_svr
 *	rank       epsilon_svr, which predicts the score
 *
 * Feature N of the model is the N-th of ours.  The rows are in the order of their
 * labels; those without a coefficient are left out.
 */
#ifndef KITH_MACHINE_LIBSVM_WRITE_H
#define KITH_MACHINE_LIBSVM_WRITE_H

struct kith_err;
struct kith_machine;
struct kith_out;

/*
 * Whether a machine can be written: fails with EX_DATAERR, and a hint, where a
 * class is no whole number as LIBSVM prints it, where features have weights or
 * are scaled by the model, and where the degree is no int.  The rows and their
 * coefficients need not be there yet.
 */
int kith_libsvm_check(const struct kith_machine *m, struct kith_err *err);

/* Write it; requires that the check has passed. */
void kith_libsvm_write(const struct kith_machine *m, struct kith_out *out);

#endif
