/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/text/cell.h. */
#include "text/cell.h"

#include "base/pool.h"
#include "tap.h"

#include <stdint.h>
#include <string.h>

static void
test_missing(void)
{
	static const char *const missing[] = {"", "NA", "NaN", "nan", "?"};
	static const char *const not [] = {
	    "0", "na", "N", "NAN", "nAn", "NA ", "??", "nano", "NaN0", "-", "null"};

	for (size_t i = 0; i < sizeof(missing) / sizeof(*missing); i++) {
		struct kith_cell c = {missing[i], strlen(missing[i]), false};

		ok(kith_cell_missing(&c), "'%s' is missing", c.s);
		c.quoted = true;
		ok(!kith_cell_missing(&c), "\"%s\" is not", c.s);
	}
	for (size_t i = 0; i < sizeof(not ) / sizeof(*not ); i++) {
		const struct kith_cell c = {not [i], strlen(not [i]), false};

		ok(!kith_cell_missing(&c), "'%s' is not missing", c.s);
	}
}

static void
test_texts(void)
{
	enum { N = 5000 };
	struct kith_pool pool = {0};
	struct kith_texts t = {0};
	char text[300];
	size_t right = 0;

	for (size_t i = 0; i < N; i++) {
		const size_t len = i % 300;

		memset(text, 'a' + (int)(i % 26), sizeof(text));
		text[len < 299 ? len : 299] = '\0';
		kith_texts_add(&t, &(struct kith_cell){text, strlen(text), i % 3 == 0}, &pool);
	}
	is_size(t.n, N, "cells added");
	for (size_t i = 0; i < N; i++) {
		const struct kith_cell c = kith_texts_at(&t, i);
		const size_t len = i % 300;

		right += c.len == len && strlen(c.s) == len && c.quoted == (i % 3 == 0) &&
		    strspn(c.s, (char[]){(char)('a' + i % 26), '\0'}) == len;
	}
	is_size(right, N, "and each is as it was");
	kith_pool_free(&pool);
}

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
static void
test_utf8(void)
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
}

int
main(void)
{
	test_missing();
	test_texts();
	test_utf8();
	return done();
}
