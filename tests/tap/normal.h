/* SPDX-License-Identifier: BSD-2-Clause */
/* normal - random numbers that are close to normal. */
#ifndef NORMAL_H
#define NORMAL_H

#include "base/rng.h"

/* A deviate of mean 0 and variance 1: the sum of twelve uniform ones. */
static inline double
normal(struct kith_rng *r)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += kith_rng_unit(r);
	return sum;
}

#endif
