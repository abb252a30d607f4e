/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With 18 digits a root is off by 5e-18 of its size at most, its square by 1e-17,
 * less than the half of the step to the next double, 5e-17.  So the square of the
 * text, in a long double, rounds to d.
 */
#include "near/root.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double
kith_near_root_parse(const char *text)
{
	const long double root = strtold(text, NULL);

	return (double)(root * fabsl(root));
}

void
kith_near_root_format(char text[KITH_NUM_ROOM], double d)
{
	const double root = sqrt(fabs(d));
	assert(!isnan(d));
	kith_format_real(text, d < 0 ? -root : root);
	if (kith_near_root_parse(text) == d)
		return;
	snprintf(text, KITH_NUM_ROOM, "%s%.18Lg", d < 0 ? "-" : "",
	    sqrtl(fabsl((long double)d)));
	assert(kith_near_root_parse(text) == d);
}
