/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of text/out.h and text/cell.h: texts of JSON Lines, and the characters of UTF-8. */
#include "text/out.h"

#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "tap.h"
#include "text/cell.h"

#include <stdint.h>
#include <string.h>

/* The line of a table with one column "a" and this cell; whether bytes were no UTF-8. */
static const char *
write_line(const char *s, bool *not_utf8)
{
	static char line[200];
	const char *const name[] = {"a"};
	const struct kith_dest to = {.path = scratch_text(0, ""), .style = KITH_STYLE_JSONL};
	struct kith_out o;
	struct kith_err err;
	FILE *f;

	if (kith_out_open_table(&o, &to, &err))
		abort();
	kith_out_header(&o, name, 1);
	kith_out_cell(&o, s);
	kith_out_row(&o);
	*not_utf8 = o.not_utf8;
	if (kith_out_close_alone(&o, NULL, &err) || !(f = fopen(to.path, "rb")))
		abort();
	line[fread(line, 1, sizeof(line) - 1, f)] = '\0';
	fclose(f);
	return line;
}

/* Texts of well-formed UTF-8, and others, where ? is U+FFFD. */
static const char *const right[][2] = {{"", ""}, {"plain text", "plain text"}, {"\"", "\\\""},
    {"\\", "\\\\"}, {"/", "/"}, {"a\tb\nc\rd\be\ff", "a\\tb\\nc\\rd\\be\\ff"},
    {"\x01\x1F\x7F", "\\u0001\\u001f\x7F"}, {"\xC3\xA4", "\xC3\xA4"},
    {"\xE2\x82\xAC", "\xE2\x82\xAC"}, {"\xF0\x9F\x90\x9F", "\xF0\x9F\x90\x9F"}};
static const char *const wrong[][2] = {{"\xE4", "?"}, {"a\xFF", "a?"}, {"\xC3", "?"},
    {"\xC3x", "?x"}, {"\xE2\x82", "??"}, {"\xC0\xAF", "??"}, {"\xED\xA0\x80", "???"},
    {"\xF4\x90\x80\x80", "????"}, {"\x80", "?"}};

static void
check(const char *s, const char *due, bool is_wrong)
{
	char line[200] = "{\"a\":\"";
	size_t used = strlen(line);
	bool not_utf8;

	for (; *due; due++)
		used += (size_t)snprintf(line + used, sizeof(line) - used, "%s",
		    *due == '?' && is_wrong ? "\xEF\xBF\xBD" : (char[]){*due, '\0'});
	snprintf(line + used, sizeof(line) - used, "\"}\n");
	is_text(write_line(s, &not_utf8), line, "a text as JSON");
	ok(not_utf8 == is_wrong, "and whether it is UTF-8");
}

/* Writes code point c as UTF-8, for a surrogate, too; returns its length. */
static size_t
encode(char *to, uint32_t c)
{
	const size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	memset(to, 0, 5);
	to[0] = (char)(c | (len == 1 ? 0U : len == 2 ? 0xC0U : len == 3 ? 0xE0U : 0xF0U));
	if (len > 1)
		to[0] = (char)((len == 2 ? 0xC0U : len == 3 ? 0xE0U : 0xF0U) | c >> 6 * (len - 1));
	for (size_t i = 1; i < len; i++)
		to[i] = (char)(0x80 | (c >> 6 * (len - 1 - i) & 0x3F));
	return len;
}

/* Every code point but surrogates is a character, and no other bytes are. */
static void
test_characters(void)
{
	size_t right_points = 0, right_bytes = 0, sequences = 0;

	for (uint32_t c = 1; c < 0x120000; c++) {
		const bool exists = c < 0x110000 && (c < 0xD800 || c > 0xDFFF);
		char due[5], got[KITH_UTF8_ROOM + 1] = {0};
		const size_t len = encode(due, c);

		right_points += kith_utf8_length(due) == (exists ? len : 0) &&
		    kith_utf8_encode(got, c) == (exists ? len : 0) &&
		    (!exists || strcmp(got, due) == 0);
	}
	is_size(right_points, 0x120000 - 1, "every code point, and what is none");
	/* A sequence is a character if it is what its code point makes. */
	for (uint32_t i = 0x80; i < 0x10000; i++)
		for (uint32_t third = 0x7F; third < 0xC2; third++) {
			const unsigned char a = (unsigned char)(i >> 8), b = (unsigned char)i;
			const char s[] = {(char)a, (char)b, (char)third, '\0'};
			const uint32_t c2 = (a & 0x1FU) << 6 | (b & 0x3FU);
			const uint32_t c3 = (a & 0xFU) << 12 | (b & 0x3FU) << 6 | (third & 0x3F);
			char two[5], three[5];
			size_t due = 0;

			if (a < 0x80 || b == 0)
				continue;
			if (encode(two, c2) == 2 && memcmp(two, s, 2) == 0)
				due = 2;
			if (encode(three, c3) == 3 && memcmp(three, s, 3) == 0 &&
			    (c3 < 0xD800 || c3 > 0xDFFF))
				due = 3;
			right_bytes += a >= 0xF0 ? kith_utf8_length(s) == 0
						 : kith_utf8_length(s) == due;
			sequences++;
		}
	is_size(right_bytes, sequences, "sequences of two and three bytes");
}

int
main(void)
{
	bool not_utf8;

	for (size_t i = 0; i < sizeof(right) / sizeof(*right); i++)
		check(right[i][0], right[i][1], false);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		check(wrong[i][0], wrong[i][1], true);
	is_text(write_line(NULL, &not_utf8), "{\"a\":null}\n", "a missing cell");
	test_characters();
	return done();
}
