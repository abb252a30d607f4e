/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/score/outcome.h, match.h and chance.h in corners: many rows of
 * classes, cells that are missing, what is still a probability or a relevance.
 */
#include "score/outcome.h"

#include "score/match.h"
#include "score/read.h"
#include "score/score.h"
#include "scratch.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Which columns hold predictions, and which of their scores are read. */
static void
test_columns(void)
{
	struct kith_outcome_how how = classes;
	struct kith_outcome o;

	how.score = true;
	ok(!parse(0,
	       "predicted\tscore:b\tpredicted_\tscore_:x\tpredicte\tactual\t"
	       "scored:c\tscore:a\tpredicted2\nb\t1\ta\t.5\t?\ta\t2\t3\t?\n",
	       &how, &o),
	    "predictions and scores");
	ok(o.m == 2 && strcmp(o.column[0].name, "predicted") == 0 &&
		strcmp(o.column[1].name, "predicted_") == 0,
	    "two predictions");
	ok(strcmp(o.column[0].positive, "b") == 0 && o.column[0].score[0] == 1,
	    "the second class, though its scores come first");
	ok(!o.column[1].positive && !o.column[1].score, "one column of scores is not two");
	how.positive = "a";
	ok(!parse(0, "score:a\tscore:b\tpredicted\tactual\n2\t\tb\ta\n", &how, &o) &&
		o.column[0].score[0] == 2,
	    "scores of one class alone are read");
	fails("score:a\tscore:b\tpredicted\tactual\n\t1\tb\ta\n", &how, 2,
	    "column \"score:a\": missing: ''");
	fails("score:a\tpredicted\tactual\nx\tb\ta\n", &how, 2, "column \"score:a\": ");
	how.positive = NULL;
	how.score = false;
	ok(!parse(0, "score:a\tscore:b\tpredicted\tactual\n\t\tb\ta\n", &how, &o) &&
		!o.column[0].positive,
	    "or none");
}

/* More rows than there is room for at first, some of which are left out. */
static void
test_many(void)
{
	enum { ROWS = 700 };
	static const char *const class[] = {"c", "a", "d", "b"};
	static const size_t number[] = {2, 0, 3, 1};
	static char text[1 << 16];
	struct kith_outcome_how how = classes;
	struct kith_outcome o;
	char *at = text +
	    sprintf(text,
		"actual\tpredicted_2\tscore_2:a\tscore_2:b\t"
		"predicted_1\tid\n");
	bool same = true;

	for (int i = 0; i < ROWS; i++)
		at += sprintf(at, "%s\t%s\t.5\t%s\t%s\tr%d\n", class[i % 4], class[i / 2 % 4],
		    i % 7 == 3  ? ""
			: i % 2 ? "1"
				: "0",
		    class[i / 3 % 4], i);
	how.id = how.omit = how.score = true;
	ok(!parse(0, text, &how, &o) && o.n == 600 && o.read == ROWS, "many rows, some left out");
	for (size_t i = 0, n = 0; i < ROWS; i++) {
		same = same && o.row[i].at == (i % 7 == 3 ? SIZE_MAX : n);
		if (i % 7 == 3)
			continue;
		same = same && o.y[n] == number[i % 4] && o.column[0].p[n] == number[i / 2 % 4] &&
		    o.column[1].p[n] == number[i / 3 % 4] &&
		    o.column[0].score[n] == (double)(i % 2);
		n++;
	}
	ok(same, "classes and scores of each");
	ok(!o.column[1].score && !o.t && !o.column[0].v, "and no more");
}

/* What is missing in a row that is left out, and in one that may not be. */
static void
test_missing(void)
{
	struct kith_outcome_how how = classes;
	struct kith_outcome o;

	how.id = how.omit = true;
	fails("id\tpredicted\tactual\n1\ta\ta\n\ta\tb\n", &how, 3, "column \"id\": missing: ''");
	fails("id\tpredicted\tactual\n1\ta\t\n1\ta\tb\n", &how, 3,
	    "column \"id\": listed twice: '1'");
	fails(
	    "id\tpredicted\tactual\n1\ta\tNA\n2\tNA\tb\n", &how, 0, "every row has a missing cell");
	how.id = false;
	ok(!parse(0, "id\tpredicted\tactual\n1\ta\ta\n\ta\tb\n", &how, &o) && o.n == 2,
	    "ids that are not read");
	how.score = true;
	ok(!parse(0,
	       "probability:a\tpredicted\tprobability:b\tactual\n.5\tb\t.5\ta\n.5\tb\t\ta\n"
	       "\tb\t.5\ta\n.25\tb\t.75\tb\n",
	       &how, &o) &&
		o.n == 2 && o.read == 4,
	    "rows without a probability are left out");
	is_near((double)o.column[0].chance.brier, .5 + .125, 1e-15, "they do not count");
	how.omit = false;
	fails("probability:a\tpredicted\tprobability:b\tactual\n.5\tb\t\ta\n", &how, 2,
	    "column \"probability:b\": missing: '' (--na omit?)");
	how = numbers;
	how.query = "q";
	how.omit = true;
	ok(!parse(0, "q\tpredicted\tactual\n\t1\t2\nx\t3\t4\n", &how, &o) && o.n == 1 &&
		o.t[0] == 4 && o.query[0] == 0,
	    "nor those without a query");
}

/* The borders of relevances and probabilities. */
static void
test_borders(void)
{
	struct kith_outcome_how how = numbers;
	struct kith_outcome o;

	ok(!parse(0, "predicted\tactual\n-1\t-2\n1e9\t1e9\n", &how, &o) && o.t[0] == -2,
	    "any numbers");
	how.query = "q";
	ok(!parse(0, "q\tpredicted\tactual\nx\t-5\t0\nx\t1e9\t1000\n", &how, &o) &&
		o.t[1] == 1000 && o.column[0].v[0] == -5,
	    "relevances, and any predictions of them");
	fails("q\tpredicted\tactual\nx\t1\t1000.5\n", &how, 2,
	    "column \"actual\": not a relevance from 0 to 1000: '1000.5'");
	how = classes;
	how.score = true;
	ok(!parse(0, "predicted\tprobability:b\tprobability:a\tactual\nb\t1\t0\tb\n", &how, &o) &&
		o.column[0].chance.log_loss == 0 && o.column[0].chance.brier == 0,
	    "a sure prediction");
	ok(!parse(0, "predicted\tprobability:a\tprobability:b\tactual\nb\t.5\t.509\ta\n", &how, &o),
	    "a sum just above 1");
	fails("predicted\tprobability:a\tprobability:b\tactual\na\t.5\t.52\ta\n", &how, 2,
	    "the probabilities of \"predicted\" have a sum of 1.02, not 1");
	fails("predicted\tprobability:a\tprobability:b\tactual\na\t.5\tx\ta\n", &how, 2,
	    "column \"probability:b\": ");
}

/* Rows that the second table leaves out, and what is true of the others. */
static void
test_match(void)
{
	struct kith_outcome_how how = numbers;
	struct kith_outcome_pair *pair = NULL;
	struct kith_outcome a, b;
	long double d[3] = {0};
	size_t n = 0;

	how.id = how.omit = true;
	ok(!parse(0,
	       "id\tactual\tpredicted_1\tpredicted_2\n1\t\t1\t1\n2\t4\t5\t7\n"
	       "3\t6\t6\t4\n4\t1\t2\t3\n",
	       &how, &a) &&
		!parse(1,
		    "id\tactual\tpredicted_1\tpredicted_2\n3\t6\t\t6\n"
		    "4\t1\t1\t4\n1\t5\t1\t1\n2\t4\t9\t4\n",
		    &how, &b) &&
		!kith_outcome_match(&a, &b, &pair, &n, &pool, &err),
	    "two tables with rows left out");
	ok(n == 2 && pair[0].a == 0 && pair[0].b == 2 && pair[1].a == 2 && pair[1].b == 0,
	    "rows of both");
	kith_outcome_differ(&a, 1, &b, 0, pair, n, d);
	ok(d[0] == 9 - 25 && d[1] == 4, "of other columns");
	kith_outcome_differ(&a, 0, &b, 1, pair, n, d);
	ok(d[0] == 1 && d[1] == 1 - 9, "and of these");
	ok(!parse(1, "id\tactual\tpredicted\n1\t2\t2\n2\t4\t2\n3\t6\t2\n4\t2\t2\n", &how, &b) &&
		kith_outcome_match(&a, &b, &pair, &n, &pool, &err) < 0 && err.line == 5 &&
		strstr(err.msg, "for id '4'"),
	    "another number was true");
	how.task = KITH_CLASSIFY;
	ok(!parse(0, "id\tactual\tpredicted_1\tpredicted_2\n1\ta\tb\ta\n2\tb\ta\tb\n", &how, &a) &&
		!kith_outcome_match(&a, &a, &pair, &n, &pool, &err) && n == 2,
	    "a table and itself");
	kith_outcome_differ(&a, 0, &a, 1, pair, n, d);
	ok(d[0] == 1 && d[1] == 1, "the first is wrong");
	kith_outcome_differ(&a, 1, &a, 1, pair, n, d);
	ok(d[0] == 0 && d[1] == 0, "no difference");
}

int
main(void)
{
	test_columns();
	test_many();
	test_missing();
	test_borders();
	test_match();
	kith_pool_free(&pool);
	return done();
}
