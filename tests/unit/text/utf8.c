/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of text/cell.h: the characters of UTF-8. */
#include "tap.h"
#include "text/cell.h"

#include <stdint.h>
#include <string.h>

/* Writes code point c as UTF-8; returns its length. */
static size_t
encode(char *to, uint32_t c)
{
	const size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	memset(to, 0, 5);
	to[0] = (char)c;
	if (len > 1)
		to[0] = (char)((len == 2 ? 0xC0U : len == 3 ? 0xE0U : 0xF0U) | c >> 6 * (len - 1));
	for (size_t i = 1; i < len; i++)
		to[i] = (char)(0x80 | (c >> 6 * (len - 1 - i) & 0x3F));
	return len;
}

/* Every code point but surrogates is a character. */
int
main(void)
{
	size_t right = 0;

	for (uint32_t c = 1; c < 0x120000; c++) {
		const bool exists = c < 0x110000 && (c < 0xD800 || c > 0xDFFF);
		char due[5], got[KITH_UTF8_ROOM + 1] = {0};
		const size_t len = encode(due, c);

		right += kith_utf8_encode(got, c) == (exists ? len : 0) &&
		    (!exists || strcmp(got, due) == 0);
	}
	is_size(right, 0x120000 - 1, "every code point, and what is none");
	return done();
}
