/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine/libsvm_read - machines out of the models of LIBSVM: machine/read.h
 * calls it for a file that begins like one.
 *
 *	c_svc, nu_svc             classify, by its labels, in their order; of two
 *	                          classes f > 0 says the first, and of several each
 *	                          two vote (machine/machine.h)
 *	one_class                 classify: 1 where f > 0, else -1
 *	epsilon_svr, nu_svr       regress
 *
 * with f = sum coef K - rho, so that svm-predict says the same of every row.  A
 * support vector is a line of its coefficients, one less than there are classes,
 * and INDEX:VALUE ..., indices from 1 that increase; what it does not name is 0.
 * Features are known by their place alone, as many as the largest index says.
 */
#ifndef KITH_MACHINE_LIBSVM_READ_H
#define KITH_MACHINE_LIBSVM_READ_H

#include <stdbool.h>

struct kith_err;
struct kith_machine;
struct kith_pool;

/* Whether a text begins like such a model. */
bool kith_libsvm_is(const char *text);

/*
 * Read the model, a text; `name` is for messages, and stays.  Fails as
 * kith_libsvm_head_read() does, and on support vectors that are no such lines,
 * or more or fewer than the model says.
 */
int kith_libsvm_read(const char *name, const char *text, struct kith_machine *m,
    struct kith_pool *pool, struct kith_err *err);

#endif
