/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/table.h: rows that are asked, in terms of known classes. */
#include "table/table.h"

#include "base/err.h"
#include "base/pool.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 6 };

static struct kith_pool pool;
static struct kith_err err;

/* Classes of these names, in their order. */
static struct kith_names
names(char *const *name, size_t n)
{
	struct kith_names out = {0};

	for (size_t i = 0; i < n; i++)
		kith_names_add(&out, name[i], &pool);
	return out;
}

static char a[] = "a", b[] = "b", c[] = "c", d[] = "d";

static void
test_number(void)
{
	char *const all[] = {a, b, c, d};
	size_t y[N] = {3, 1, 3, 1, 1, 3};
	const struct kith_table t = {.X = {.n = N}, .y = y, .class = names(all, 4), .file = "f"};
	struct kith_classes got;

	ok(kith_classes_number(&t, &got, &pool, &err) == 0 && got.name.n == 2,
	    "two of four classes have rows");
	is_text(got.name.name[0], "b", "the first");
	is_text(got.name.name[1], "d", "the second");
	ok(got.rows[0] == 3 && got.rows[1] == 3, "three rows each");
	for (size_t i = 0; i < N; i++)
		ok(got.y[i] == (y[i] == 3), "row %zu", i);
	for (size_t i = 0; i < N; i++)
		y[i] = 1;
	ok(kith_classes_number(&t, &got, &pool, &err) == -1 &&
		strcmp(err.msg, "one class only: 'b'") == 0,
	    "one class: %s", err.msg);
	y[N - 1] = 0;
	ok(kith_classes_several(&t, &err) == 0, "the last row is another");
}

int
main(void)
{
	test_number();
	kith_pool_free(&pool);
	return done();
}
