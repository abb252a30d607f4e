/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/text/cell.h. */
#include "text/cell.h"

#include "base/pool.h"
#include "tap.h"

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

int
main(void)
{
	test_missing();
	test_texts();
	return done();
}
