/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/utf8.h"

#include <stdbool.h>

static bool
is_between(unsigned char c, unsigned char least, unsigned char most)
{
	return least <= c && c <= most;
}

/* The null byte at its end is no byte that may follow another. */
size_t
kith_utf8_length(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	const unsigned char c = s[0];
	const unsigned char least = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
	const unsigned char most = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
	const size_t len = c < 0x80     ? 1
	    : is_between(c, 0xC2, 0xDF) ? 2
	    : is_between(c, 0xE0, 0xEF) ? 3
	    : is_between(c, 0xF0, 0xF4) ? 4
					: 0;

	if (len > 1 && !is_between(s[1], least, most))
		return 0;
	for (size_t i = 2; i < len; i++)
		if (!is_between(s[i], 0x80, 0xBF))
			return 0;
	return len;
}

size_t
kith_utf8_put(char to[KITH_UTF8_ROOM], uint32_t c)
{
	static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};
	const size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	if (c > 0x10FFFF || (0xD800 <= c && c < 0xE000))
		return 0;
	for (size_t i = len; i-- > 1; c >>= 6)
		to[i] = (char)(0x80 | (c & 0x3F));
	to[0] = (char)(len == 1 ? c : first[len] | c);
	return len;
}
