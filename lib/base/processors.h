/* SPDX-License-Identifier: BSD-2-Clause */
/* base/processors - the number of processors that a process may use. */
#ifndef KITH_BASE_PROCESSORS_H
#define KITH_BASE_PROCESSORS_H

#include <stddef.h>

enum { KITH_PROCESSORS_MOST = 8 }; /* more threads by default would crowd a shared machine */

/*
 * Returns how many processors the process may use, from 1 to KITH_PROCESSORS_MOST: the least of
 * those that are online, those of its affinity mask, and the quotas, rounded up, of its control
 * group and of the groups that contain it (Linux, cgroup v2: quota / period of cpu.max).
 */
size_t kith_processors(void);

#endif
