/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu - what the programs of the bench share: time, normal numbers, and giving up. */
#ifndef CPU_H
#define CPU_H

#include "base/err.h"
#include "base/rng.h"

#include <math.h>
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

/* A normal number, by Box and Muller (1958). */
static inline double
normal(struct kith_rng *rng)
{
	const double r = sqrt(-2 * log(1 - kith_rng_unit(rng)));

	return r * cos(8 * atan(1) * kith_rng_unit(rng));
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
