/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvmpath/cv.h: which rows are validated on, by what
 * targets, costs and queries, and which are refused.
 */
#include "wsvmpath/cv.h"

#include "score/score.h"
#include "scratch.h"
#include "tap.h"
#include "wsvmpath/measure.h"
#include "wsvmpath/tasks.h"

#include <math.h>
#include <string.h>

static const char *files[2];
static struct kith_svm_options call;
static struct kith_svm_task job;
static struct kith_svm_test how;
static struct kith_err err;

/* A task of these rows, and of others (NULL: none), validated by a measure. */
static int
read_rows(int task, const char *rows, const char *asked, int measure)
{
	files[0] = scratch_text(0, rows);
	call = options_of(task, files);
	call.from = call.to = "1";
	call.measure = measure;
	call.ndcg = 3;
	call.cost = strstr(rows, ",k,") ? "k" : NULL;
	call.query = strstr(rows, ",g,") ? "g" : NULL;
	call.validate = asked ? scratch_text(1, asked) : NULL;
	if (kith_svm_read(&call, &job, &pool, &err))
		return -1;
	return kith_svm_test_read(&job, &how, &pool, &err);
}

/* Whether these are the targets, a number that is none among them. */
static bool
is_y(const double *y, size_t m)
{
	bool is = how.m == m;

	for (size_t i = 0; i < m && is; i++)
		is = isnan(y[i]) ? isnan(how.y[i]) : how.y[i] == y[i];
	return is;
}

static void
test_targets(void)
{
	static const char classes[] = "u,y\n1,p\n2,q\n3,q\n";

	ok(read_rows(KITH_SVM_CLASSIFY, classes, "u,y\n4,q\n5,NA\n6,p\n7,q\n", KITH_SVM_ERROR) ==
		    0 &&
		is_y((double[]){1, 0, -1, 1}, 4),
	    "classes: the second is 1, a missing one 0");
	ok(how.measure == KITH_SVM_ERROR && how.k == 3 && !how.cost && how.queries == 1 &&
		how.query[0] == 0 && how.query[3] == 0,
	    "of one query, without costs");
	kith_pool_free(&pool);
	ok(read_rows(KITH_SVM_CLASSIFY, classes, NULL, KITH_SVM_ERROR) == 0 &&
		is_y((double[]){-1, 1, 1}, 3),
	    "without others, the rows themselves");
	kith_pool_free(&pool);
	ok(read_rows(KITH_SVM_CLASSIFY, "u,y\n1,p\n2,p\n", NULL, KITH_SVM_ERROR) == 0 &&
		is_y((double[]){1, 1}, 2),
	    "one class alone is 1");
	kith_pool_free(&pool);
	ok(read_rows(KITH_SVM_REGRESS, "u,y\n1,2\n2,3\n", "u,y\n1,-7.5\n2,NA\n3,1e9\n",
	       KITH_SVM_SQUARED) == 0 &&
		is_y((double[]){-7.5, NAN, 1e9}, 3),
	    "numbers are as they are");
	kith_pool_free(&pool);
	ok(read_rows(KITH_SVM_RANK, "u,g,y\n1,a,2\n2,a,1\n", "u,g,y\n1,z,0\n2,x,2\n3,z,3\n4,w,1\n",
	       KITH_SVM_NDCG) == 0 &&
		is_y((double[]){0, 2, 3, 1}, 4),
	    "relevances");
	ok(how.queries == 3 && how.query[0] == 0 && how.query[1] == 1 && how.query[2] == 0 &&
		how.query[3] == 2,
	    "queries are numbered as they come");
	kith_pool_free(&pool);
}

static void
test_costs(void)
{
	ok(read_rows(KITH_SVM_CLASSIFY, "u,k,y\n1,2,p\n2,0,q\n", NULL, KITH_SVM_ERROR) == 0 &&
		how.cost && how.cost[0] == 2 && how.cost[1] == 0 && !how.query_cost,
	    "costs are those of rows");
	kith_pool_free(&pool);
	ok(read_rows(KITH_SVM_RANK, "u,k,g,y\n1,2,a,2\n2,5,b,1\n3,2,a,1\n", NULL, KITH_SVM_NDCG) ==
		    0 &&
		how.queries == 2 && how.query_cost && how.query_cost[0] == 2 &&
		how.query_cost[1] == 5,
	    "or of queries, which are judged as a whole");
	kith_pool_free(&pool);
	ok(read_rows(KITH_SVM_RANK, "u,k,g,y\n1,2,a,2\n2,5,b,1\n3,3,a,1\n", NULL, KITH_SVM_ERROR) ==
		    0 &&
		!how.query_cost,
	    "not where rows are");
	kith_pool_free(&pool);
}

/* The message for rows that are refused, on their own or as others. */
static const char *
refused(int task, const char *rows, const char *asked, int measure)
{
	const int got = read_rows(task, rows, asked, measure);

	kith_pool_free(&pool);
	return got == -1 && err.status == EX_DATAERR ? err.msg : "";
}

static void
test_refused(void)
{
	is_text(refused(KITH_SVM_CLASSIFY, "u,y\n1,p\n2,q\n", "u,y\n1,q\n2,r\n", KITH_SVM_ERROR),
	    "row 2: class 'r' is not among those learnt", "another class");
	is_text(refused(KITH_SVM_CLASSIFY, "u,y\n1,p\n2,q\n", "u,y\n1,NA\n2,NA\n", KITH_SVM_ERROR),
	    "column \"y\": missing in all rows", "no class at all");
	is_text(refused(KITH_SVM_RANK, "u,g,y\n1,a,2\n2,a,1\n", "u,g,y\n1,a,0\n2,a,-1\n",
		    KITH_SVM_NDCG),
	    "row 2: column \"y\": a relevance is from 0 to 1000", "a relevance below 0");
	is_text(refused(KITH_SVM_RANK, "u,g,y\n1,a,2\n2,a,1\n", "u,g,y\n1,a,1000\n2,a,1000.5\n",
		    KITH_SVM_NDCG),
	    "row 2: column \"y\": a relevance is from 0 to 1000", "one that is too large");
	is_text(refused(KITH_SVM_CLASSIFY, "u,k,y\n1,0,p\n2,0,q\n", NULL, KITH_SVM_ERROR),
	    "column \"k\": all weights are 0", "nothing that costs");
	is_text(refused(KITH_SVM_CLASSIFY, "u,k,y\n1,1,p\n2,-1,q\n", NULL, KITH_SVM_ERROR),
	    "row 2: column \"k\": negative: '-1'", "a cost below 0");
	is_text(refused(KITH_SVM_RANK, "u,k,g,y\n1,2,a,2\n2,5,b,1\n3,3,a,1\n", NULL, KITH_SVM_NDCG),
	    "row 3: column \"k\": 3, though another row of its query costs 2",
	    "two costs of a query");
}

int
main(void)
{
	test_targets();
	test_costs();
	test_refused();
	return done();
}
