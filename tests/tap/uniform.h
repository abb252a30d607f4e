/* SPDX-License-Identifier: BSD-2-Clause */
/* uniform - uniform random numbers. */
#ifndef UNIFORM_H
#define UNIFORM_H

#include "base/rng.h"

static struct kith_rng rng;

/* Sets x to n numbers in -.5..+.5. */
static void
draw(size_t n, double *x)
{
	for (size_t i = 0; i < n; i++)
		x[i] = kith_rng_unit(&rng) - .5;
}

#endif
