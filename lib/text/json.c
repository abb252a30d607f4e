/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/json.h"

#include "base/pool.h"

#include <stdio.h>
#include <string.h>

static const char replacement[] = {'\xEF', '\xBF', '\xBD'}; /* U+FFFD */

static bool
is_between(unsigned char c, unsigned char least, unsigned char most)
{
	return least <= c && c <= most;
}

/*
 * The length of the well-formed UTF-8 at s (The Unicode Standard, table 3-7), or
 * 0.  The null byte at its end is no byte that may follow another.
 */
static size_t
length(const unsigned char *s)
{
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

/* The letter that stands for c behind a backslash, or 0. */
static char
letter(char c)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *at = strchr(from, c);

	if (!at)
		return '\0';
	return to[at - from];
}

size_t
kith_json_next(const char **s, char piece[KITH_JSON_PIECE], bool *other)
{
	const char c = **s;
	const size_t len = length((const unsigned char *)*s);

	if (len == 0) {
		*other = true;
		*s += 1;
		memcpy(piece, replacement, sizeof(replacement));
		return sizeof(replacement);
	}
	if (len > 1 || (c >= ' ' && !letter(c))) {
		memcpy(piece, *s, len);
		*s += len;
		return len;
	}
	*s += 1;
	if (!letter(c))
		return (size_t)snprintf(
		    piece, KITH_JSON_PIECE, "\\u%04x", (unsigned)c);
	piece[0] = '\\';
	piece[1] = letter(c);
	return 2;
}

char *
kith_json_text(const char *s, bool *other, struct kith_pool *pool)
{
	char *text = kith_new(pool, strlen(s) + 1, KITH_JSON_PIECE);
	size_t used = 0;

	text[used++] = '"';
	while (*s)
		used += kith_json_next(&s, text + used, other);
	text[used++] = '"';
	text[used] = '\0';
	return text;
}
