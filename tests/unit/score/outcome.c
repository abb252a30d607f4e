/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/score/outcome.h, match.h and chance.h: tables of predictions,
 * what is read of them, and what is said of those that are wrong.
 */
#include "score/outcome.h"

#include "score/match.h"
#include "score/read.h"
#include "scratch.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void
test_classes(void)
{
	struct kith_outcome o;

	ok(!parse(0,
	       "id\tpredicted_1\tx\tactual\tpredicted_3\tpredictable\n"
	       "1\tb\t?\tc\ta\t1\n2\tc\t?\tc\tc\t1\n3\tb\t?\tb\ta\t1\n",
	       &classes, &o),
	    "classes");
	ok(o.n == 3 && o.read == 3 && o.m == 2 && o.head == 1, "three rows");
	ok(strcmp(o.column[0].name, "predicted_1") == 0 &&
		strcmp(o.column[1].name, "predicted_3") == 0,
	    "of two predictions");
	ok(o.class.n == 3 && strcmp(o.class.name[0], "a") == 0 && strcmp(o.class.name[2], "c") == 0,
	    "classes in byte order");
	ok(o.y[0] == 2 && o.y[1] == 2 && o.y[2] == 1, "what was true");
	ok(o.column[0].p[0] == 1 && o.column[0].p[1] == 2 && o.column[0].p[2] == 1,
	    "what was predicted");
	ok(o.column[1].p[0] == 0 && o.column[1].p[2] == 0, "the second time");
	ok(!o.t && !o.query && !o.row && !o.column[0].positive, "and nothing else");
	fails("predicted\tx\na\tb\n", &classes, 1,
	    "column \"actual\": not found (rows without the target?)");
	fails("id\tactual\n1\tb\n", &classes, 1,
	    "column \"predicted\": not found (knnclf -t TRAIN TEST | tabscore?)");
	fails("predicted\tactual\na\tb\n\tb\n", &classes, 3,
	    "column \"predicted\": missing: '' (--na omit?)");
}

/* Many rows: more than there is room for at first. */
static void
test_many(void)
{
	static char text[1 << 16];
	struct kith_outcome_how how = numbers;
	struct kith_outcome o;
	char *at = text + sprintf(text, "id\tactual\tq\tpredicted\n");
	bool same = true;

	for (int i = 0; i < 1000; i++)
		at += sprintf(at, "r%d\t%d\tq%d\t%s\n", i, i % 4, i % 3, i % 10 ? "1.5" : "NA");
	how.id = how.omit = true;
	how.query = "q";
	ok(!parse(0, text, &how, &o), "numbers");
	ok(o.n == 900 && o.read == 1000 && o.id.n == 1000, "some left out");
	for (size_t i = 0, n = 0; i < 1000; i++) {
		same = same && o.row[i].line == i + 2 && o.row[i].at == (i % 10 ? n : SIZE_MAX);
		if (i % 10 == 0)
			continue;
		same = same && o.t[n] == (double)(i % 4) && o.query[n] == (i + 2) % 3 &&
		    o.column[0].v[n] == 1.5;
		n++;
	}
	ok(same, "rows, queries, values");
	how.omit = false;
	fails(text, &how, 0, "missing cells: column \"predicted\": 100, first at line 2");
	fails("id\tactual\tq\tpredicted\n1\t2\tx\t1\n2\t-1\tx\t1\n", &how, 3,
	    "column \"actual\": not a relevance from 0 to ");
	fails("id\tactual\tpredicted\n", &how, 1, "column \"q\": not found");
	fails("actual\tq\tpredicted\n", &how, 1, "column \"id\": not found");
	fails("id\tactual\tq\tpredicted\n1\t2\tx\tz\n", &how, 2, "column \"predicted\": ");
	fails("id\tactual\tq\tpredicted\n1\t2\tx\t1\n2\t3\tx\t1\n1\t3\tx\t1\n", &how, 4,
	    "column \"id\": listed twice: '1'");
	how.omit = true;
	fails("id\tactual\tq\tpredicted\n1\t2\tx\t\n", &how, 0, "every row has a missing cell");
}

static void
test_scores(void)
{
	static const char
	    text[] = "predicted_1\tscore_1:b\tscore_3:a\tscore_1:a\tactual\tpredicted_3"
		     "\tscore_3:c\tscore_3:b\na\t.25\t.5\t.75\tb\ta\t.5\t0\n"
		     "b\t1\t0\t0\tb\tc\t.75\t.25\n";
	static const char chances[] =
	    "predicted_1\tprobability_1:b\tprobability_3:a\tprobability_1:a\tactual\tpredicted_3"
	    "\tprobability_3:c\tprobability_3:b\na\t.25\t.5\t.75\tb\ta\t.5\t0\n"
	    "b\t1\t0\t0\tb\tc\t.75\t.25\n";
	struct kith_outcome_how how = classes;
	struct kith_outcome o;

	how.score = true;
	ok(!parse(0, text, &how, &o), "scores");
	ok(strcmp(o.column[0].positive, "b") == 0 && !o.column[1].positive,
	    "of the second of two classes");
	ok(o.column[0].score[0] == .25 && o.column[0].score[1] == 1, "its scores");
	how.positive = "c";
	ok(!parse(0, text, &how, &o), "of a class that is named");
	ok(!o.column[0].positive && strcmp(o.column[1].positive, "c") == 0 &&
		o.column[1].score[1] == .75,
	    "where it has scores");
	how.positive = "d";
	fails(text, &how, 1, "no column of scores for class 'd'");
	how = classes;
	how.score = true;
	ok(!parse(0, chances, &how, &o), "chances");
	ok(o.column[0].chance.c == 2 && o.column[1].chance.c == 3, "of all");
	is_near((double)o.column[0].chance.log_loss, -log(.25), 1e-15, "loss");
	is_near((double)o.column[0].chance.brier, 2 * .75 * .75, 1e-15, "Brier's score");
	ok(isinf(o.column[1].chance.log_loss), "the loss of what cannot be");
	is_near((double)o.column[1].chance.brier, 1.5 + 2 * .75 * .75, 1e-15, "and its score");
	ok(!parse(0, "predicted\tactual\na\ta\n", &how, &o) && o.column[0].chance.c == 0,
	    "or none");
	fails("predicted\tprobability:a\tactual\na\t1.5\ta\n", &how, 2,
	    "column \"probability:a\": not a probability from 0 to 1: '1.5'");
	fails("predicted\tprobability:a\tactual\na\t-.001\ta\n", &how, 2,
	    "column \"probability:a\": not a probability");
	fails("predicted\tprobability:a\tprobability:b\tactual\na\t.5\t.48\ta\n", &how, 2,
	    "the probabilities of \"predicted\" have a sum of 0.98, not 1");
	ok(!parse(0, "predicted\tprobability:a\tprobability:b\tactual\na\t.5\t.495\tc\n", &how, &o),
	    "a sum that is rounded");
	is_near((double)o.column[0].chance.brier, 1 + .25 + .495 * .495, 1e-15,
	    "a class without a column");
}

static void
test_match(void)
{
	static const char *const text[] = {
	    "id\tactual\tpredicted\n1\tb\ta\n2\tb\tb\n3\ta\tb\n4\ta\tNA\n",
	    "id\tpredicted\tactual\n4\ta\ta\n3\ta\ta\n2\tc\tb\n1\tb\tb\n"};
	struct kith_outcome_how how = classes;
	struct kith_outcome_pair *pair = NULL;
	struct kith_outcome a, b;
	long double d[4] = {0};
	size_t n = 0;

	how.id = how.omit = true;
	ok(!parse(0, text[0], &how, &a) && !parse(1, text[1], &how, &b) &&
		!kith_outcome_match(&a, &b, &pair, &n, &pool, &err),
	    "two tables");
	ok(n == 3 && pair[0].a == 0 && pair[0].b == 3 && pair[1].b == 2 && pair[2].a == 2 &&
		pair[2].b == 1,
	    "pairs in the order of the first");
	kith_outcome_differ(&a, 0, &b, 0, pair, n, d);
	ok(d[0] == 1 && d[1] == -1 && d[2] == 1, "losses of classes");
	ok(!parse(1, "id\tpredicted\tactual\n4\ta\ta\n3\ta\ta\n2\tc\tb\n", &how, &b) &&
		kith_outcome_match(&a, &b, &pair, &n, &pool, &err) < 0 && err.line == 2 &&
		strncmp(err.msg, "column \"id\": '1': not in ", 25) == 0,
	    "an id less");
	ok(kith_outcome_match(&b, &a, &pair, &n, &pool, &err) < 0 && err.line == 2 &&
		strncmp(err.msg, "column \"id\": '1': not in ", 25) == 0,
	    "an id more");
	ok(!parse(1, "id\tpredicted\tactual\n1\ta\tb\n2\ta\ta\n3\tc\ta\n4\ta\ta\n", &how, &b) &&
		kith_outcome_match(&a, &b, &pair, &n, &pool, &err) < 0 && err.line == 3 &&
		strstr(err.msg, "has for id '2'"),
	    "another truth");
	ok(!parse(0, "id\tactual\tpredicted\n1\tb\t\n2\tb\tb\n", &how, &a) &&
		!parse(1, "id\tactual\tpredicted\n2\tb\t\n1\tb\tb\n", &how, &b) &&
		kith_outcome_match(&a, &b, &pair, &n, &pool, &err) < 0 &&
		strncmp(err.msg, "every row has a missing cell here and in ", 41) == 0,
	    "no pair is left");
	how.task = KITH_REGRESS;
	ok(!parse(0, "id\tactual\tpredicted\n1\t2\t5\n2\t4\t4\n", &how, &a) &&
		!parse(1, "id\tactual\tpredicted\n2\t4\t2\n1\t2\t1\n", &how, &b) &&
		!kith_outcome_match(&a, &b, &pair, &n, &pool, &err),
	    "numbers");
	kith_outcome_differ(&a, 0, &b, 0, pair, n, d);
	ok(d[0] == 8 && d[1] == -4, "squares of errors");
}

int
main(void)
{
	test_classes();
	test_many();
	test_scores();
	test_match();
	kith_pool_free(&pool);
	return done();
}
