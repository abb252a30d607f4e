/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/num.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kith_num
kith_parse_real(const char *s, size_t len, double *x)
{
	const int got = kith_charconv_read(s, len, x);
	double v;

	if (got != -2)
		return got == 0 ? KITH_NUM_OK : KITH_NUM_TEXT;
	v = strtod(s, NULL);
	if (isinf(v))
		return KITH_NUM_HUGE;
	*x = v;
	return KITH_NUM_OK;
}

bool
kith_parse_range(const char *s, double *a, double *b)
{
	const size_t len = strcspn(s, ":");

	return s[len] && kith_parse_real(s, len, a) == KITH_NUM_OK &&
	    kith_parse_real(s + len + 1, strlen(s + len + 1), b) == KITH_NUM_OK;
}

int
kith_parse_size(const char *s, size_t *n)
{
	size_t v = 0;

	if (!*s)
		return -1;
	for (; *s; s++) {
		const size_t digit = (size_t)(*s - '0');

		if (digit > 9 || v > (SIZE_MAX - digit) / 10)
			return -1;
		v = 10 * v + digit;
	}
	*n = v;
	return 0;
}

size_t
kith_format_real(char s[KITH_NUM_ROOM], double x)
{
	size_t len;

	assert(!isnan(x));
	if (isinf(x)) {
		len = x > 0 ? 3 : 4;
		memcpy(s, &"-inf"[4 - len], len + 1);
		return len;
	}
	len = kith_charconv_write(s, x + 0.0); /* -0 + 0 is 0 */
	s[len] = '\0';
	return len;
}

size_t
kith_format_digits(char s[KITH_NUM_ROOM], double x, size_t digits)
{
	double rounded = x;
	char *e, *end;
	size_t len;

	assert(0 < digits && digits <= 17);
	if (isinf(x))
		return kith_format_real(s, x);
	len = (size_t)snprintf(s, KITH_NUM_ROOM, "%.*e", (int)digits - 1, x);
	if (kith_parse_real(s, len, &rounded) == KITH_NUM_HUGE) {
		/* 17 digits read back as x: [-]D.DDD...e+308, cut. */
		const size_t cut = (x < 0) + digits + 1;

		snprintf(s, KITH_NUM_ROOM, "%.16e", x);
		len = (size_t)(strchr(s, 'e') - s);
		memmove(s + cut, s + len, strlen(s + len) + 1);
	}
	/* Large doubles without an exponent have all digits of their integer. */
	if (fabs(rounded) < 0x1p53)
		return kith_format_real(s, rounded);
	/* Zeros at the end of D.DDDe+DD are left out, and the point where none is behind it. */
	e = end = strchr(s, 'e');
	while (strchr(s, '.') && end[-1] == '0')
		end--;
	end -= end[-1] == '.';
	memmove(end, e, strlen(e) + 1);
	return strlen(s);
}

size_t
kith_format_size(char s[KITH_NUM_ROOM], uint64_t n)
{
	char digits[KITH_NUM_ROOM], *const end = digits + sizeof(digits) - 1, *at = end;

	*end = '\0';
	do
		*--at = (char)('0' + n % 10);
	while (n /= 10);
	memcpy(s, at, (size_t)(end - at) + 1);
	return (size_t)(end - at);
}
