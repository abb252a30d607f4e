/* SPDX-License-Identifier: BSD-2-Clause */
/* base/environment - variables of the environment, and the processors that the process may use. */
#ifndef KITH_BASE_ENVIRONMENT_H
#define KITH_BASE_ENVIRONMENT_H

#include <stddef.h>

/*
 * Returns the value of a variable, or NULL.  la/blas.c replaces getenv(), so that a call of it would
 * link la/blas.c, and OpenBLAS, into commands without them.
 */
const char *kith_environment(const char *name);

enum { KITH_PROCESSORS_MOST = 8 }; /* more threads by default would crowd a shared machine */

/*
 * Returns how many processors the process may use, from 1 to KITH_PROCESSORS_MOST: the least of the
 * processors online, the processors of its affinity mask, and the quotas, rounded up, of its
 * control group and of the groups that contain it (Linux, cgroup v2: quota / period of cpu.max).
 */
size_t kith_processors(void);

#endif
