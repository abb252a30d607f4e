/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/table/input.h: a reference and other rows, their weights, what rows
 * are called, and rows of length 1.
 */
#include "table/input.h"

#include "base/err.h"
#include "base/pool.h"
#include "near/metric.h"
#include "scratch.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_err err;

/* Read the reference, if there is one, other rows, and weights. */
static int
input(const char *reference, const char *rows, const char *weights, struct kith_input_how *how,
    struct kith_input *in)
{
	const char *const files[] = {scratch_text(1, rows), NULL};

	how->reference = reference ? scratch_text(0, reference) : NULL;
	how->weights = weights ? scratch_text(2, weights) : NULL;
	return kith_input_read(files, how, in, &pool, &err);
}

static struct kith_input_how
ask(const char *target, const char *id)
{
	return (struct kith_input_how){.how = {.target = target, .id = id}};
}

static void
test_rows(void)
{
	struct kith_input_how how = ask("none", NULL);
	struct kith_input in;

	ok(input(NULL, "a\tb\n1\t2\n3\t4\n", NULL, &how, &in) == 0 && in.known.X.n == 2 &&
		in.known.X.p == 2 && !in.known.y && in.to.n == 2 && !in.to.column &&
		in.asked.X.n == 0 && !in.weights.metric.w,
	    "rows without a target, by their numbers");
	how = ask(NULL, NULL);
	ok(input(NULL, "a\tnone\n1\t2\n3\t4.5\n", NULL, &how, &in) == 0 && in.known.X.p == 1 &&
		strcmp(in.known.target, "none") == 0 && in.known.fractions,
	    "the last column is the target, whose numbers are not whole");
	how = ask("none", NULL);
	ok(input(NULL, "none\ta\n1e3\t2\nx\t4\n", NULL, &how, &in) == 0 && in.known.X.p == 1 &&
		strcmp(in.known.target, "none") == 0 && !in.known.fractions,
	    "a column of the name none");
	how = ask("b", "c");
	ok(input(NULL, "a\tb\tc\n1\tx\tr\n3\ty\ts\n", NULL, &how, &in) == 0 && in.known.X.p == 1 &&
		in.to.n == 2 && strcmp(in.to.column, "c") == 0 &&
		strcmp(in.to.id.name[1], "s") == 0,
	    "the target is no feature, an id is a name");
	ok(input(NULL, "a\tb\tc\n1\tx\tr\n3\ty\tr\n", NULL, &how, &in) && err.status == EX_DATAERR,
	    "two rows of one id");
}

/* Features of other rows are those of the reference, in any order. */
static void
test_reference(void)
{
	struct kith_input_how how = ask("y", NULL);
	struct kith_input in;

	ok(input("a\tb\ty\n1\t2\tu\n3\t4\tv\n5\t6\tu\n", "b\ty\ta\n7\tw\t8\n", NULL, &how, &in) ==
		    0 &&
		in.known.X.n == 3 && in.known.X.p == 2 && in.to.n == 3,
	    "a reference");
	ok(in.asked.X.n == 1 && in.from.n == 1 && in.asked.X.p == 2 &&
		fabs(in.asked.X.v[0] - 8) < 1e-9 && fabs(in.asked.X.v[1] - 7) < 1e-9,
	    "and a row, of which b stands first");
	ok(input("a\ty\n1\tu\n", "a\ty\n", NULL, &how, &in) == 0 && in.asked.X.n == 0 &&
		in.from.n == 0,
	    "there may be no other row");
	ok(input("a\ty\n", "a\ty\n1\tu\n", NULL, &how, &in) && err.status == EX_DATAERR,
	    "but one of the reference");
	ok(input("a\tb\ty\n1\t2\tu\n", "a\ty\n1\tu\n", NULL, &how, &in) && strstr(err.file, "/1"),
	    "a feature that other rows lack");
	how = ask("none", "id");
	ok(input("a\tid\n1\tu\n", "id\ta\nv\t3\nw\t4\n", NULL, &how, &in) == 0 &&
		strcmp(in.to.id.name[0], "u") == 0 && in.from.n == 2 &&
		strcmp(in.from.id.name[1], "w") == 0,
	    "names of both");
}

/* A matrix of weights has the features that it names alone. */
static void
test_weights(void)
{
	struct kith_input_how how = ask("none", NULL);
	struct kith_input in;

	ok(input("a\tb\tc\n1\t2\t3\n4\t5\t6\n", "c\tb\ta\n9\t8\t7\n",
	       "feature1\tfeature2\tweight\na\ta\t2\na\tc\t1\nc\tc\t3\n", &how, &in) == 0 &&
		in.weights.metric.kind == KITH_SQUARED_MATRIX && in.weights.metric.p == 2 &&
		in.known.X.p == 2 && in.asked.X.p == 2,
	    "a matrix of two features");
	ok(fabs(in.known.X.v[2] - 4) < 1e-9 && fabs(in.known.X.v[3] - 6) < 1e-9 &&
		fabs(in.asked.X.v[0] - 7) < 1e-9 && fabs(in.asked.X.v[1] - 9) < 1e-9,
	    "which the rows have, too");
	ok(input(NULL, "a\tb\n1\t2\n", "feature\tweight\nb\t2\n", &how, &in) == 0 &&
		in.known.X.p == 2 && in.weights.metric.w[0] <= 0 && in.weights.metric.w[1] >= 2,
	    "a vector has all");
	ok(input(NULL, "a\tb\n1\t2\n", "feature\tweight\nc\t2\n", &how, &in) &&
		strstr(err.file, "/2"),
	    "weights of another feature");
}

/* The cosine is of rows of length 1, which rows of zeros have not. */
static void
test_kernel(void)
{
	static const char weights[] = "feature\tweight\na\t1\nb\t4\n";
	static const char sum[] = "feature\tweight_abs\na\t1\nb\t4\n";
	struct kith_input_how how = ask("none", NULL);
	struct kith_input in;

	ok(input("a\tb\n3\t2\n", "a\tb\n0\t1\n", weights, &how, &in) == 0 &&
		kith_input_kernel(&in, &how, KITH_KERN_COSINE, &err) == 0,
	    "cosine");
	is_near(in.known.X.v[0], .6, 1e-15, "3 of 5");
	is_near(in.known.X.v[1] * 2, .8, 1e-15, "4 of 5");
	is_near(in.asked.X.v[1] * 2, 1, 1e-15, "all of it");
	ok(input("a\tb\n3\t2\n0\t0\n", "a\tb\n0\t1\n", weights, &how, &in) == 0 &&
		kith_input_kernel(&in, &how, KITH_KERN_COSINE, &err) &&
		strstr(err.msg, "row 2: ") && strstr(err.file, "/0"),
	    "a row of zeros in the reference");
	ok(input("a\tb\n3\t2\n", "a\tb\n0\t0\n", weights, &how, &in) == 0 &&
		kith_input_kernel(&in, &how, KITH_KERN_COSINE, &err) &&
		strstr(err.msg, "row 1: ") && strstr(err.file, "/1"),
	    "or among the others");
	ok(kith_input_kernel(&in, &how, KITH_KERN_GAUSSIAN, &err) == 0 && in.asked.X.v[0] <= 0,
	    "which another kernel takes as they are");
	ok(input("a\tb\n3\t2\n", "a\tb\n0\t1\n", sum, &how, &in) == 0 &&
		kith_input_kernel(&in, &how, KITH_KERN_GAUSSIAN, &err) && strstr(err.file, "/2"),
	    "weights that give no kernel");
}

int
main(void)
{
	test_rows();
	test_reference();
	test_weights();
	test_kernel();
	kith_pool_free(&pool);
	return done();
}
