/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu - what the programs of the bench share: time, and giving up. */
#ifndef CPU_H
#define CPU_H

#include "base/err.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* CPU seconds of this process so far. */
static inline double
cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Give up when got is below 0. */
static inline void
check(int got, const struct kith_err *err)
{
	if (got < 0) {
		fprintf(stderr, "bench: %s\n", err->msg);
		exit(1);
	}
}

#endif
