/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of make_problem(), cmd/wsvmpath/problem.c: the pairs of a table, and their weights. */
#include "cli/cli.h"
#include "scratch.h"
#include "tap.h"
#include "wsvmpath/wsvmpath.h"

#include <math.h>

struct kith_svm_options options;

static struct kith_pool pool;
static const char *files[] = {NULL, NULL};
static struct kith_svm_task svm;
static struct kith_err err;

/* Read the table and make the problem. */
static int
make(const char *table, const char *from, const char *to)
{
	files[0] = scratch_text(0, table);
	options = (struct kith_svm_options){.files = files,
	    .task = KITH_SVM_RANK,
	    .query = "q",
	    .gamma = .5,
	    .ridge = 1e-6,
	    .threads = 1};
	options.from = parse_weight("--from", from);
	options.to = parse_weight("--to", to);
	if (kith_svm_read(&options, &svm, &pool, &err))
		return -1;
	return make_problem(&svm, &err);
}

static void
test_hand(void)
{
	/* Rows of three queries in mixed order; query c has no pair. */
	static const char table[] = "x\tq\ty\n"
				    ".1\ta\t2\n"  /* 0 */
				    ".2\tb\t0\n"  /* 1 */
				    ".3\ta\t0\n"  /* 2 */
				    ".4\ta\t1\n"  /* 3 */
				    ".5\tc\t5\n"  /* 4 */
				    ".6\tb\t.5\n" /* 5 */
				    ".7\ta\t0\n"; /* 6 */
	static const size_t plus[] = {0, 0, 0, 3, 3, 5};
	static const size_t minus[] = {2, 3, 6, 2, 6, 1};
	const double to[] = {6, 4, 6, 2, 2, 2 * (sqrt(2) - 1)};

	kith_run.quiet = true;
	ok(make(table, "2", "relevance") == 0, "a table");
	is_size(svm.problem.variables, 6, "pairs");
	for (size_t v = 0; v < 6; v++) {
		ok(svm.plus[v] == plus[v] && svm.minus[v] == minus[v], "pair %zu", v);
		ok(svm.from[v] == 2 && svm.sign[v] == 1 && svm.q[v] == -1, "its weight is C0");
		is_near(svm.to[v], to[v], 1e-15, "then that of eq. (33)");
	}
	ok(!svm.problem.bias && svm.problem.minus == svm.minus, "no bias");
	ok(make(table, "2", "3") == 0 && svm.to[0] == 3 && svm.to[5] == 3, "to another number");
	/* Relevances that are negative or large: weights are their difference. */
	ok(make("x\tq\ty\n1\ta\t-3.5\n2\ta\t1e4\n3\ta\t-3.5\n", "2", "difference") == 0,
	    "relevances of any size");
	is_size(svm.problem.variables, 2, "pairs");
	ok(svm.to[0] == 2 * 10003.5 && svm.to[1] == svm.to[0], "their weights");
	/* Weights of queries. */
	ok(make("x\tw\tq\ty\n1\t2\ta\t0\n2\t5\tb\t0\n3\t2\ta\t1\n"
		"4\t5\tb\t2\n",
	       "w", "relevance") == 0,
	    "weights of queries");
	ok(svm.from[0] == 2 && svm.from[1] == 5, "at theta 0");
	ok(svm.to[0] == 2 && svm.to[1] == 15, "and at 1");
	ok(make("x\tw\tq\ty\n1\t2\ta\t0\n2\t2\ta\t1\n", "1", "w") == 0 && svm.to[0] == 2,
	    "at theta 1 alone");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_hand();
	return done();
}
