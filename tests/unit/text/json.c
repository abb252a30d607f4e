/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/text/json.h. */
#include "text/json.h"

#include "base/pool.h"
#include "tap.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static struct kith_pool pool;

/* Texts of well-formed UTF-8, and others. */
static const char *const right[][2] = {{"", "\"\""},
    {"plain text", "\"plain text\""}, {"\"", "\"\\\"\""}, {"\\", "\"\\\\\""},
    {"/", "\"/\""}, {"a\tb\nc\rd\be\ff", "\"a\\tb\\nc\\rd\\be\\ff\""},
    {"\x01\x1F\x7F", "\"\\u0001\\u001f\x7F\""}, {"\xC3\xA4", "\"\xC3\xA4\""},
    {"\xE2\x82\xAC", "\"\xE2\x82\xAC\""},
    {"\xF0\x9F\x90\x9F", "\"\xF0\x9F\x90\x9F\""}};
static const char *const wrong[][2] = {{"\xE4", "\"?\""}, {"a\xFF", "\"a?\""},
    {"\xC3", "\"?\""}, {"\xC3x", "\"?x\""}, {"\xE2\x82", "\"??\""},
    {"\xC0\xAF", "\"??\""}, {"\xED\xA0\x80", "\"???\""},
    {"\xF4\x90\x80\x80", "\"????\""}, {"\x80", "\"?\""}};

/* Check a text against what is due, where ? is U+FFFD. */
static void
check(const char *s, const char *due, bool odd)
{
	char text[100];
	size_t used = 0;
	bool other = false;

	for (; *due; due++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s",
		    *due == '?' && odd ? "\xEF\xBF\xBD" : (char[]){*due, '\0'});
	is_text(kith_json_text(s, &other, &pool), text, "a text as JSON");
	ok(other == odd, "told whether it is UTF-8");
}

/*
 * Well-formed is what a code point makes: every point, encoded, is one character,
 * and of all sequences of two and three bytes no others are.
 */
static void
test_all(void)
{
	size_t whole = 0, points = 0, seen = 0;

	for (uint32_t c = 0x80; c < 0x110000; c++) {
		char s[5] = {0}, piece[KITH_JSON_PIECE];
		const char *at = s;
		const size_t len = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
		bool other = false;

		s[0] = (char)((len == 2          ? 0xC0
				      : len == 3 ? 0xE0
						 : 0xF0) |
		    c >> 6 * (len - 1));
		for (size_t i = 1; i < len; i++)
			s[i] = (char)(0x80 | (c >> 6 * (len - 1 - i) & 0x3F));
		points += c < 0xD800 || c > 0xDFFF;
		whole += kith_json_next(&at, piece, &other) == len && !other &&
		    at == s + len && memcmp(piece, s, len) == 0;
	}
	is_size(whole, points, "every code point but surrogates");
	for (uint32_t i = 0x8000; i < 0x1000000; i++) {
		const char s[] = {
		    (char)(i >> 16), (char)(i >> 8), (char)i, '\0'};
		const char *at = i < 0x10000 ? s + 1 : s;
		char piece[KITH_JSON_PIECE];
		bool other = false;
		const size_t len = strlen(at);

		if (len != (i < 0x10000 ? 2 : 3))
			continue;
		seen += kith_json_next(&at, piece, &other) == len && !other &&
		    *at == '\0';
	}
	is_size(
	    seen, 0x10000 - 0x80 - 0x800, "and nothing else in 2 or 3 bytes");
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(right) / sizeof(*right); i++)
		check(right[i][0], right[i][1], false);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		check(wrong[i][0], wrong[i][1], true);
	test_all();
	kith_pool_free(&pool);
	return done();
}
