/* SPDX-License-Identifier: BSD-2-Clause */
/* machine/write - machines into model files. */
#ifndef KITH_MACHINE_WRITE_H
#define KITH_MACHINE_WRITE_H

#include "machine/machine.h"

struct kith_out;

/*
 * Write a machine as a model file; features that do not count are left out.
 * Fails with EX_DATAERR when two columns would have one name.
 */
int kith_machine_write(const struct kith_machine *m, struct kith_out *out, struct kith_err *err);

#endif
