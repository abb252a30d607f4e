/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what text/rows.h says of columns. */
#include "text/rows.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "scratch.h"
#include "tap.h"

#include <stdlib.h>

static struct kith_err err;

/* The hint that a table of this text gives, else "x". */
static const char *
hint(const char *text, struct kith_format format)
{
	struct kith_pool pool = {0};
	struct kith_rows t;
	const char *const files[] = {scratch_text(0, text), NULL};
	const char *got;

	if (kith_rows_open(&t, files, &format, &pool, &err))
		abort();
	got = kith_rows_hint(&t, "x");
	kith_rows_close(&t);
	kith_pool_free(&pool);
	return got;
}

static void
test_columns(void)
{
	char v1[] = "V1", v2[] = "V2", v02[] = "V02", label[] = "label";
	char *good[] = {v1, v2}, *bad[] = {v1, v02}, *other[] = {v2, v1};
	char *last[] = {v1, v2, label};

	ok(kith_rows_numbered(&(struct kith_names){.name = good, .n = 2}) &&
		kith_rows_numbered(&(struct kith_names){.n = 0}),
	    "names by their places");
	ok(!kith_rows_numbered(&(struct kith_names){.name = bad, .n = 2}) &&
		!kith_rows_numbered(&(struct kith_names){.name = other, .n = 2}) &&
		!kith_rows_numbered(&(struct kith_names){.name = last, .n = 3}),
	    "and other ones");
	is_text(hint("a\n1\n", (struct kith_format){0}), " (-d?)",
	    "one column, which another character may divide");
	is_text(hint("a\n1\n", (struct kith_format){.sep = '|'}), "x", "one, by order");
	is_text(hint("a,b\n1,2\n", (struct kith_format){0}), "x", "two");
	is_text(hint("%%MatrixMarket matrix array real general\n1 1\n1\n", (struct kith_format){0}),
	    "x", "no text");
}

int
main(void)
{
	test_columns();
	return done();
}
