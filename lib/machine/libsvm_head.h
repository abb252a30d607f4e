/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine/libsvm_head - the keys above the support vectors of a model that
 * LIBSVM has written (svm-train, svm_save_model()), a key and its values a line:
 *
 *	svm_type     c_svc, nu_svc, one_class, epsilon_svr or nu_svr
 *	kernel_type  linear, polynomial or rbf
 *	degree, gamma, coef0  of the kernel, as far as it has them
 *	nr_class c   2, too, where there are no classes
 *	total_sv n
 *	rho          a number for each pair of classes
 *	label        c whole numbers
 *	probA probB  Platt's numbers, one for each pair (may be absent)
 *	nr_sv        how many of the n are of each class
 *	SV           the last line before the support vectors
 */
#ifndef KITH_MACHINE_LIBSVM_HEAD_H
#define KITH_MACHINE_LIBSVM_HEAD_H

#include "kernel/kern.h"
#include "text/lines.h"

#include <stdbool.h>

struct kith_pool;

enum kith_libsvm_type {
	KITH_LIBSVM_C_SVC,
	KITH_LIBSVM_NU_SVC,
	KITH_LIBSVM_ONE_CLASS,
	KITH_LIBSVM_EPSILON_SVR,
	KITH_LIBSVM_NU_SVR
};

enum kith_libsvm_key {
	KITH_LIBSVM_TYPE,
	KITH_LIBSVM_KERNEL,
	KITH_LIBSVM_DEGREE,
	KITH_LIBSVM_GAMMA,
	KITH_LIBSVM_COEF0,
	KITH_LIBSVM_CLASSES,
	KITH_LIBSVM_ROWS,
	KITH_LIBSVM_RHO,
	KITH_LIBSVM_LABEL,
	KITH_LIBSVM_A,
	KITH_LIBSVM_B,
	KITH_LIBSVM_MARKS, /* of densities, for one_class: passed over */
	KITH_LIBSVM_COUNT,
	KITH_LIBSVM_KEYS
};

struct kith_libsvm_head {
	enum kith_libsvm_type type;
	struct kith_kern kern;         /* without a metric */
	size_t classes, pairs, rows;   /* pairs: of classes, or 1 */
	size_t *count;                 /* rows of each class */
	char **label;                  /* of the classes */
	double *rho, *A, *B;           /* pairs; A and B together, or NULL */
	size_t line[KITH_LIBSVM_KEYS]; /* where a key stands; 0: nowhere */
};

/* Whether a machine of this type tells classes that have labels. */
static inline bool
kith_libsvm_is_labelled(const struct kith_libsvm_head *head)
{
	return head->type <= KITH_LIBSVM_NU_SVC;
}

/*
 * Read the lines up to SV, into the pool.  Fails with EX_DATAERR, naming file
 * and line, on keys that are unknown, absent, or there twice, on values that
 * will not do or are too few or too many, on labels that are equal, and with
 * the reason on a kernel that is not one of kernel/kern.h.
 */
int kith_libsvm_head_read(struct kith_lines *lines,
    struct kith_libsvm_head *head, struct kith_pool *pool,
    struct kith_err *err);

#endif
