/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/table.h: tables without rows, and rows that are left out. */
#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "table/roles.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>

static struct kith_pool pool;
static struct kith_err err;

/* Read a reference with these rows, and others that may be none. */
static int
both(const char *reference, const char *rows, struct kith_how how, struct kith_table *known,
    struct kith_table *asked)
{
	const char *const first[] = {scratch_text(0, reference), NULL};
	const char *const second[] = {scratch_text(1, rows), NULL};

	if (kith_table_read(first, &how, NULL, known, &pool, &err))
		return -1;
	how.format.allow_no_rows = true;
	return kith_table_read(second, &how, known, asked, &pool, &err);
}

/* A table without rows tells of its target all the same. */
static void
test_target(int task)
{
	const struct kith_how how = {.target = "y", .task = task};
	const bool numbers = task == KITH_REGRESS;
	struct kith_table known, asked = {0};

	ok(both("a\ty\n1\t2\n3\t4\n", "y\ta\n", how, &known, &asked) == 0 && asked.X.n == 0 &&
		asked.X.p == 1 && asked.read == 0,
	    "no row");
	ok((asked.t != NULL) == numbers && (asked.y != NULL) == !numbers, "but a target");
	ok(both("a\ty\n1\t2\n3\t4\n", "a\n", how, &known, &asked) == 0 && !asked.t && !asked.y,
	    "and none where there is none");
	ok(both("a\ty\n1\t2\n3\t4\n", "y\ta\nNA\t5\n", how, &known, &asked) == 0 &&
		asked.X.n == 1 && (numbers ? isnan(asked.t[0]) : asked.y[0] == KITH_NO_CLASS),
	    "a row whose target is missing");
}

/* Rows with missing cells are left out, but not all of them. */
static void
test_omit(void)
{
	const struct kith_how how = {.target = "y", .na = KITH_NA_OMIT};
	struct kith_table known, asked = {0};

	ok(both("a\ty\n1\tu\nNA\tv\n3\tv\n", "a\ty\nNA\tu\n7\tw\n", how, &known, &asked) == 0 &&
		known.X.n == 2 && known.read == 3 && known.number[1] == 3 && asked.X.n == 1 &&
		asked.number[0] == 2,
	    "rows without missing cells, by their numbers");
	ok(both("a\ty\n1\tu\n", "a\ty\nNA\tu\n", how, &known, &asked) && err.status == EX_DATAERR,
	    "none is left");
}

/* Missing cells become the mean of the reference. */
static void
test_mean(void)
{
	const struct kith_how how = {.target = "y", .na = KITH_NA_MEAN};
	struct kith_table known, asked = {0};

	if (both("a\ty\n1\tu\nNA\tv\n4\tv\n", "a\ty\n9\tu\nNA\tw\n", how, &known, &asked) ||
	    !known.X.v || !asked.X.v)
		abort();
	is_near(known.X.v[1], 2.5, 1e-15, "of the reference");
	is_near(asked.X.v[1], 2.5, 1e-15, "for other rows, too");
	ok(both("a\ty\nNA\tu\nNA\tv\n", "a\ty\n", how, &known, &asked) && err.status == EX_DATAERR,
	    "of no number");
}

int
main(void)
{
	test_target(0);
	test_target(KITH_REGRESS);
	test_omit();
	test_mean();
	kith_pool_free(&pool);
	return done();
}
