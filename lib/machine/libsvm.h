/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine/libsvm - kernel machines as the models of LIBSVM (svm-train, svm_save_model()): lines of
 * a key and its values, and after a line SV a line for each support vector.
 *
 *	svm_type     c_svc, nu_svc, one_class, epsilon_svr or nu_svr
 *	kernel_type  linear, polynomial or rbf
 *	degree, gamma, coef0  of the kernel, as far as it has them
 *	nr_class c   2, too, where there are no classes
 *	total_sv n
 *	rho          a number for each pair of classes
 *	label        c whole numbers
 *	probA probB  of machine/platt.h, for each pair (may be absent)
 *	nr_sv        how many of the n are of each class
 *	SV
 *	COEF... INDEX:VALUE...
 *
 * with one coefficient less than there are classes, and indices from 1 that increase; what is not
 * named is 0.  f = sum coef K - rho; of two classes f > 0 says the first label, and with several
 * each pair votes.
 *
 * Read:    c_svc, nu_svc as classify, by the labels in their order; one_class as classify, 1 where
 *          f > 0, else -1; epsilon_svr, nu_svr as regress.  Features are known by their place, as
 *          many as the largest index says.  The predictions are those of svm-predict.
 * Written: classify as c_svc, whose labels with two classes are the second, then the first, so that
 *          svm-predict predicts the class that kpredict predicts, for f = 0, too; more classes are
 *          in kith's order (for f = 0 a pair votes for its second class in LIBSVM, for its first in
 *          kith); regress and rank as epsilon_svr.  Feature N of the model is the machine's N-th.
 *          Rows are in the order of their labels; rows without a coefficient are left out.
 */
#ifndef KITH_MACHINE_LIBSVM_H
#define KITH_MACHINE_LIBSVM_H

#include <stdbool.h>

struct kith_err;
struct kith_machine;
struct kith_out;
struct kith_pool;

/* Returns whether a text begins as a model of LIBSVM does. */
bool kith_libsvm_is(const char *text);

/*
 * Reads a model, a text; `name` is for messages, and stays.  Fails with EX_DATAERR, naming file and
 * line, on keys that are unknown, missing or there twice, on values that will not do or are too few
 * or too many, on labels that are equal, on a kernel that kith does not have, and on lines
 * of support vectors of another form, or more or fewer than total_sv says.
 */
int kith_libsvm_read(const char *name, const char *text, struct kith_machine *m,
    struct kith_pool *pool, struct kith_err *err);

/*
 * Whether a machine can be written: fails with EX_DATAERR, and a hint, where a class is no whole
 * number as LIBSVM prints it, where features have weights or are scaled by the model, and where the
 * degree is no int.  The rows and their coefficients need not be there yet.
 */
int kith_libsvm_check(const struct kith_machine *m, struct kith_err *err);

/* Writes a machine; requires that the check has passed. */
void kith_libsvm_write(const struct kith_machine *m, struct kith_out *out);

#endif
