/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/version - what this build is: the answer to --version.
 */
#ifndef KITH_CLI_VERSION_H
#define KITH_CLI_VERSION_H

#include "text/out.h"

#ifndef KITH_VERSION
#define KITH_VERSION "unknown"
#endif

/*
 * Write NAME VERSION, then a line each for the compiler, the instruction set
 * that kith's own loops use on this processor, and, where the command is linked
 * with one, the BLAS and its kernel.
 */
void kith_version_put(struct kith_out *out, const char *name);

/* Log the version and, where there is one, the kernel of the BLAS. */
void kith_version_log(void);

#endif
