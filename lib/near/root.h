/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/root - distances as text, from which the squares that they are roots of
 * come back exactly.
 *
 * Two doubles often have one root as a double, and with 17 digits no more can
 * be told of them: a root has 18 then.
 */
#ifndef KITH_NEAR_ROOT_H
#define KITH_NEAR_ROOT_H

#include "base/num.h"

/*
 * Write the root of d, of -d with a minus sign where d < 0, as the shortest
 * text of its double, or, where d does not come back from that, with 18 digits;
 * and a null byte.  d must not be a NaN.
 */
void kith_near_root_format(char text[KITH_NUM_ROOM], double d);

/* The d of a text that kith_parse_real() takes, or of inf. */
double kith_near_root_parse(const char *text);

#endif
