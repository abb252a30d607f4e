/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
kith_charconv_read(const char *s, size_t len, double *x)
{
	char *end;
	double v;

	/* strtod() would take leading space, hexadecimal, inf and nan too. */
	if (strspn(s, "+-.0123456789eE") != len)
		return -1;
	v = strtod(s, &end);
	if (len == 0 || end != s + len)
		return -1;
	if (!isfinite(v))
		return -2;
	*x = v;
	return 0;
}

size_t
kith_charconv_write(char *s, double x)
{
	char fixed[400]; /* 1e-300 with all its zeros */
	int digits = 0, len, exponent, fixed_len;

	do
		len = snprintf(s, 32, "%.*e", digits, x);
	while (strtod(s, NULL) != x && digits++ < 17);
	exponent = (int)strtol(strchr(s, 'e') + 1, NULL, 10);
	fixed_len = snprintf(
	    fixed, sizeof(fixed), "%.*f", digits > exponent ? digits - exponent : 0, x);
	if (fixed_len > len)
		return (size_t)len;
	memcpy(s, fixed, (size_t)fixed_len);
	return (size_t)fixed_len;
}
