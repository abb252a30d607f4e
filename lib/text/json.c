/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/json.h"

#include "base/pool.h"
#include "text/utf8.h"

#include <stdio.h>
#include <string.h>

static const char replacement[] = {'\xEF', '\xBF', '\xBD'}; /* U+FFFD */

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
	const size_t len = kith_utf8_length(*s);

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
