/* SPDX-License-Identifier: BSD-2-Clause */
/* machine/read - machines out of model files. */
#ifndef KITH_MACHINE_READ_H
#define KITH_MACHINE_READ_H

#include "machine/machine.h"

/*
 * Read a model file ("-": standard input; gzip too), packed as above, or one
 * that LIBSVM has written (machine/libsvm_read.h).
 *
 * Fails, naming file and line, when it cannot be read, is no model, has
 * another version, keys that are unknown, absent, given twice or do not fit
 * each other, a number that will not do, weights that give no kernel, or is
 * not whole: other rows than it says, or no line end at its end.
 */
int kith_machine_read(
    const char *file, struct kith_machine *m, struct kith_pool *pool, struct kith_err *err);

#endif
