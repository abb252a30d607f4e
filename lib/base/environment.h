/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/environment - variables of the environment, where getenv() will not do: la/blas.c replaces
 * it, so that a call would link la/blas.c, and OpenBLAS, into commands without them.
 */
#ifndef KITH_BASE_ENVIRONMENT_H
#define KITH_BASE_ENVIRONMENT_H

/* Returns the value of a variable, or NULL. */
const char *kith_environment(const char *name);

#endif
