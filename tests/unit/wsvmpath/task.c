/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvmpath/task.h: what --from and --to say; and of
 * kith_svm_count_add() and kith_svm_count_report(), lib/wsvmpath/paths.h.
 */
#include "wsvmpath/task.h"

#include "cli/cli.h"
#include "scratch.h"
#include "tap.h"
#include "text/cell.h"
#include "wsvmpath/paths.h"
#include "wsvmpath/tasks.h"

#include <math.h>
#include <string.h>

static void
test_constant(void)
{
	double C = 7;

	ok(kith_svm_constant("0", &C) == 0 && C == 0, "0 is a number");
	ok(kith_svm_constant("2.5", &C) == 0 && C == 2.5, "2.5 is one");
	ok(kith_svm_constant("-1", &C) == -1 && C == 2.5, "not below 0");
	ok(kith_svm_constant("1e999", &C) == -1 && C == 2.5, "not too large");
	ok(kith_svm_constant("w", &C) == 1 && C == 2.5, "a text is a column");
	ok(kith_svm_constant("=3", &C) == 1 && C == 2.5, "and so is =3");
}

static void
test_named(void)
{
	struct kith_svm_options call = {.task = KITH_SVM_RANK};
	static const char word[] = "relevance", other[] = "difference";

	ok(!kith_svm_named(&call, NULL), "nothing names no column");
	ok(!kith_svm_named(&call, "3"), "a number names none");
	ok(!kith_svm_named(&call, "-3"), "nor does one that will not do");
	is_text(kith_svm_named(&call, "w"), "w", "a column");
	is_text(kith_svm_named(&call, "=3"), "3", "one that is a number");
	call.to = word;
	ok(kith_svm_is_word(&call, word) && !kith_svm_named(&call, word),
	    "--to relevance is no column");
	ok(!kith_svm_is_word(&call, other), "it is where --to says it");
	call.to = other;
	ok(kith_svm_is_word(&call, other), "difference is a word");
	ok(!kith_svm_is_word(&call, word), "--from relevance is none");
	call.task = KITH_SVM_CLASSIFY;
	ok(!kith_svm_is_word(&call, other), "nor is that of another task");
	is_text(kith_svm_named(&call, other), other, "but a column");
}

static void
test_C(void)
{
	struct kith_svm_options call = {.task = KITH_SVM_CLASSIFY, .from = "1", .to = "4"};
	double C = 0;

	ok(kith_svm_C(&call, 0, &C) && C == 1, "C at 0");
	ok(kith_svm_C(&call, .5, &C) && C == 2.5, "in the middle");
	ok(kith_svm_C(&call, 1, &C) && C == 4, "and at 1");
	call.from = "1e-300";
	call.to = "1e-17";
	ok(kith_svm_C(&call, 1, &C) && C == 1e-17, "the end itself");
	call.to = "w";
	ok(!kith_svm_C(&call, .5, &C), "not to a column");
	call.to = "-1";
	ok(!kith_svm_C(&call, .5, &C), "nor to what is no weight");
	call.to = "4";
	call.from = "w";
	ok(!kith_svm_C(&call, .5, &C), "nor from a column");
	call.from = NULL;
	ok(!kith_svm_C(&call, .5, &C), "nor where there is no path");
}

/* The message for a weight of the second row. */
static const char *
told(const char *cell, struct kith_err *err)
{
	char table[128];
	const char *files[] = {NULL, NULL};
	struct kith_svm_options call;
	struct kith_svm_task job;
	int got;

	sprintf(table, "u,a,b,y\n1,2,0,p\n2,1,%s,q\n4,0,7,p\n", cell);
	files[0] = scratch_text(0, table);
	call = options_of(KITH_SVM_CLASSIFY, files);
	if (kith_svm_read(&call, &job, &pool, err))
		abort();
	got = kith_svm_make(&job, err);
	kith_pool_free(&pool);
	return got == -1 && err->status == EX_DATAERR ? err->msg : "";
}

static void
test_number(void)
{
	struct kith_err err;

	is_text(told("-1", &err), "row 2: column \"b\": negative: '-1'", "a negative weight");
	is_text(told("NA", &err), "row 2: column \"b\": missing: 'NA'", "a missing one");
	is_text(told("x", &err), "row 2: column \"b\": no finite number: 'x'", "a text");
	is_text(
	    told("inf", &err), "row 2: column \"b\": no finite number: 'inf'", "one without end");
	is_text(told("0", &err), "", "0 will do");
}

static struct kith_wsvm_count
one_count(void)
{
	return (struct kith_wsvm_count){.events = 3,
	    .rows = 5,
	    .restarts = 1,
	    .margin = 2,
	    .residual = 1e-9,
	    .solved_anew = 13,
	    .faults = 2,
	    .fault = {.25, 3, "first"},
	    .restart_at = .5,
	    .longest_restart = .125};
}

static void
test_count(void)
{
	struct kith_wsvm_count sum = {0}, more = one_count();

	kith_svm_count_add(&sum, &more);
	ok(sum.events == 3 && sum.rows == 5 && sum.restarts == 1 && sum.margin == 2 &&
		sum.residual == 1e-9 && sum.solved_anew == 13 && sum.faults == 2 &&
		sum.fault.violation == 3 && sum.restart_at == .5 && sum.longest_restart == .125,
	    "the first is the sum");
	more = (struct kith_wsvm_count){.events = 1,
	    .rows = 1,
	    .restarts = 2,
	    .margin = 10,
	    .residual = 1e-8,
	    .solved_anew = 1,
	    .faults = 1,
	    .fault = {.75, 3, "second"},
	    .restart_at = .75,
	    .longest_restart = .25};
	kith_svm_count_add(&sum, &more);
	is_near(sum.margin, 4, 1e-15, "the mean margin of all events");
	ok(sum.events == 4 && sum.rows == 6 && sum.restarts == 3 && sum.solved_anew == 14 &&
		sum.faults == 3,
	    "sums");
	ok(sum.residual == 1e-8 && sum.longest_restart == .25, "the largest");
	ok(sum.restart_at == .5, "the first restart");
	is_text(sum.fault.what, "first", "of two as bad the first");
	more.fault.violation = 4;
	kith_svm_count_add(&sum, &more);
	is_text(sum.fault.what, "second", "the worst");
	ok(sum.fault.theta == .75 && sum.fault.violation == 4, "all of it");
	sum = (struct kith_wsvm_count){0};
	kith_svm_count_add(&sum, &(struct kith_wsvm_count){0});
	ok(sum.margin == 0 && sum.events == 0, "nothing is nothing");
	more = (struct kith_wsvm_count){.fault = {.5, .5, "well"}};
	kith_svm_count_add(&sum, &more);
	is_text(sum.fault.what, "well", "the worst of those that are right");
}

static void
test_report(void)
{
	const struct kith_svm_options call = {.task = KITH_SVM_CLASSIFY, .from = "1", .to = "4"};
	struct kith_wsvm_count count = one_count();

	kith_run.quiet = true;
	ok(kith_svm_count_report(&call, &count) == 1, "faults: status 1");
	count.faults = 0;
	ok(kith_svm_count_report(&call, &count) == 0, "restarts alone: 0");
	count = (struct kith_wsvm_count){0};
	ok(kith_svm_count_report(&call, &count) == 0, "nothing: 0");
}

/* What is logged of a count, on standard error. */
static const char *
log_of(const struct kith_wsvm_count *count)
{
	static char text[1024];
	const char *path = scratch(3, "", 0);
	const int old = dup(STDERR_FILENO);
	FILE *f;

	if (old < 0 || !freopen(path, "w", stderr))
		abort();
	kith_log_begin();
	kith_svm_count_report(&(struct kith_svm_options){0}, count);
	fflush(stderr);
	if (dup2(old, STDERR_FILENO) < 0 || close(old) || !(f = fopen(path, "rb")))
		abort();
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

static void
test_log(void)
{
	struct kith_wsvm_count count = {.events = 3,
	    .rows = 5,
	    .restarts = 7,
	    .margin = 2.5,
	    .residual = .125,
	    .solved_anew = 13};

	is_text(log_of(&count),
	    "events\t3\nmean margin\t2.5\nkernel rows\t5\n"
	    "cold solves\t7\nresidual\t0.125\nsolved anew\t13\n",
	    "counts");
}

int
main(void)
{
	test_constant();
	test_named();
	test_C();
	test_number();
	test_count();
	test_report();
	test_log();
	return done();
}
