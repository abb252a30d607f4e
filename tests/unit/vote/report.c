/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/vote/report.h: tables of predictions and votes, and errors. */
#include "vote/report.h"

#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "table/predicted.h"
#include "table/table.h"
#include "table/trial.h"
#include "tap.h"
#include "text/out.h"

#include <math.h>
#include <stdint.h>

static struct kith_pool pool;
static struct kith_err err;

/* Classes of the rows: c, missing, a; of the reference: a, b, c. */
static char a[] = "a", b[] = "b", c[] = "c";
static char *row_class[] = {a, c}, *known_class[] = {a, b, c};
static size_t row_y[] = {1, KITH_NO_CLASS, 0};
static double row_t[] = {1.5, NAN, 3};

/* What is printed, at most. */
static const char *
said(const struct kith_report *r, size_t from, size_t to, size_t first)
{
	static char text[2000];
	const struct kith_dest dest = {.path = scratch_text(0, "")};
	struct kith_out out;
	FILE *f;
	size_t len = 0;

	if (kith_report_predictions(r, from, to, first, &dest, &out, &err))
		return err.msg;
	if (kith_out_close(&out, &err) || kith_atomic_settle(NULL, &err))
		return "not closed";
	f = fopen(dest.path, "r");
	if (f) {
		len = fread(text, 1, sizeof(text) - 1, f);
		fclose(f);
	}
	text[len] = '\0';
	return text;
}

static void
test_classes(void)
{
	static size_t y[] = {0, 2, KITH_NO_CLASS, 1, 0, 0}, k[] = {1, 3};
	static double share[] = {1, 0, 0, .25, 0, .75, 0, 0, 1, 0, 1, 0, 1, 0, 0, .5, .5, 0};
	const struct kith_names class = {.n = 3, .name = known_class};
	struct kith_table rows = {
	    .file = "rows", .X = {3, 1, row_t}, .y = row_y, .class = {.n = 2, .name = row_class}};
	struct kith_predicted p = {.m = 3, .nk = 2, .y = y};
	struct kith_report r = {&rows, &class, &p, k, false};
	struct kith_trial trial;

	is_text(said(&r, 0, 3, 0),
	    "id\tpredicted_1\tpredicted_3\tactual\n1\ta\tc\tc\n2\tNA\tb\tNA\n"
	    "3\ta\ta\ta\n",
	    "two k");
	is_text(said(&r, 1, 2, 2), "id\tpredicted_1\tpredicted_3\tactual\n2\ta\ta\tNA\n",
	    "a part of the rows");
	p.share = share;
	is_text(said(&r, 0, 2, 0),
	    "id\tpredicted_1\tpredicted_3\tactual\tscore_1:a\tscore_1:b"
	    "\tscore_1:c\tscore_3:a\tscore_3:b\tscore_3:c\n"
	    "1\ta\tc\tc\t1\t0\t0\t0.25\t0\t0.75\n"
	    "2\tNA\tb\tNA\t0\t0\t1\t0\t1\t0\n",
	    "shares");
	kith_report_trial(&r, 0, NULL, 3, &trial);
	ok(trial.n == 2 && trial.errors == 1 && trial.error == .5, "one of two is wrong");
	kith_report_trial(&r, 1, NULL, 3, &trial);
	ok(trial.n == 2 && trial.errors == 0 && trial.error == 0, "none with the other k");
	p.nk = 1;
	p.share = NULL;
	p.none = (bool[]){false, true, false};
	rows.y = NULL;
	is_text(said(&r, 0, 3, 0), "id\tpredicted\n1\ta\n2\tNA\n3\tNA\n",
	    "one k, and nothing that is known");
	kith_report_trial(&r, 0, NULL, 3, &trial);
	ok(trial.n == 0 && isnan(trial.error), "no errors then");
}

static void
test_numbers(void)
{
	static double t[] = {2, 4, 6, 3, 3, 3.5};
	static size_t k[] = {1, 2};
	struct kith_table rows = {.file = "rows", .X = {3, 1, row_t}, .t = row_t};
	struct kith_predicted p = {.m = 3, .nk = 2, .t = t};
	const struct kith_report r = {&rows, NULL, &p, k, false};
	struct kith_trial trial;

	is_text(said(&r, 0, 3, 0),
	    "id\tpredicted_1\tpredicted_2\tactual\n1\t2\t4\t1.5\n"
	    "2\t6\t3\tNA\n3\t3\t3.5\t3\n",
	    "two k");
	kith_report_trial(&r, 0, NULL, 3, &trial);
	ok(trial.n == 2 && trial.error == sqrt(.125), "root mean square");
}

int
main(void)
{
	test_classes();
	test_numbers();
	kith_pool_free(&pool);
	return done();
}
