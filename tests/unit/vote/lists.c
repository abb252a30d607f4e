/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/vote/lists.h by hand: the lists of rows on a line, how long they
 * are, and when they are a join of all rows.
 */
#include "vote/lists.h"

#include "base/err.h"
#include "base/pool.h"
#include "near/knn.h"
#include "tap.h"
#include "vote/ballot.h"
#include "vote/vote.h"
#include "vote/votes.h"

#include <stdio.h>
#include <string.h>

enum { N = 5 };

static struct kith_err err;
static struct kith_pool pool;
static double x[N] = {0, 1, 3, 7, 15};
static const size_t y[N] = {0, 1, 0, 1, 1};
static const struct kith_sample known = {{N, 1, x}, y, 2, NULL, NULL};
static const struct kith_metric metric = {KITH_SQUARED, 1, NULL};

/* The lists for rows z (m), or for the known rows where m is 0. */
static int
lists_of(double *z, size_t m, const double *radius, size_t k, struct kith_vote_lists *out)
{
	const struct kith_predict_how how = {.metric = &metric,
	    .k = &k,
	    .nk = 1,
	    .radius = radius,
	    .vote = &kith_vote_majority,
	    .threads = 1};
	const struct kith_mat Z = {m, 1, z};

	return kith_vote_lists(&known, &how, kith_knn_new(&known.X, &metric, N, &pool),
	    m ? &Z : NULL, out, &pool, &err);
}

/* The rows of each list, a list a word: "12 0 ". */
static const char *
rows(const struct kith_knn_lists *near, size_t m)
{
	static char text[256];
	size_t at = 0;

	for (size_t i = 0; i < m; i++) {
		for (size_t e = near->start[i]; e < near->start[i + 1]; e++)
			at += (size_t)snprintf(
			    text + at, sizeof(text) - at, "%zu", near->nn[e].row);
		at += (size_t)snprintf(text + at, sizeof(text) - at, " ");
	}
	return text;
}

/* Of the rows known: a join, of as many neighbours as there are at most. */
static void
test_known(void)
{
	static const char *const due[] = {
	    "1 0 1 2 3 ", "12 02 10 21 32 ", "123 023 103 210 321 ", "1234 0234 1034 2104 3210 "};
	const double far = 100, near = 2;
	struct kith_vote_lists out;

	for (size_t k = 1; k < N; k++) {
		ok(!lists_of(NULL, 0, NULL, k, &out) && out.join && out.join == out.near.nn &&
			out.most == k,
		    "a join of %zu", k);
		is_text(rows(&out.near, N), due[k - 1], "each from the others");
	}
	ok(lists_of(NULL, 0, NULL, N, &out) == -1 && err.status, "more than there are: %s",
	    err.msg);
	ok(!lists_of(NULL, 0, &far, N, &out) && out.join == out.near.nn && out.most == N - 1,
	    "within a radius: as many as there are");
	is_text(rows(&out.near, N), due[N - 2], "all others");
	ok(!lists_of(NULL, 0, &near, KITH_ALL_WITHIN, &out) && !out.join && out.most == 2,
	    "all within a radius are no join");
	is_text(rows(&out.near, N), "1 02 1   ", "those at its end, too");
}

/* Of others: no join. */
static void
test_others(void)
{
	const double none = .25, two = 2;
	double z[] = {2.5, 0, 20};
	struct kith_vote_lists out;

	ok(!lists_of(z, 3, NULL, 1, &out) && !out.join && out.most == 1, "one neighbour");
	is_text(rows(&out.near, 3), "2 0 4 ", "the nearest");
	ok(!lists_of(z, 3, NULL, N, &out) && !out.join && out.most == N, "all of them");
	is_text(rows(&out.near, 3), "21034 01234 43210 ", "in order");
	ok(lists_of(z, 3, NULL, N + 1, &out) == -1, "no more");
	ok(!lists_of(z, 1, &none, KITH_ALL_WITHIN, &out) && !out.join && out.most == 1 &&
		out.near.start[1] == 0,
	    "none within a radius: at least 1 counts");
	ok(!lists_of(z, 1, &two, KITH_ALL_WITHIN, &out) && out.most == 2, "one list of two");
	is_text(rows(&out.near, 1), "21 ", "within 2");
}

/* A single row has no others. */
static void
test_single(void)
{
	const struct kith_sample one = {{1, 1, x}, y, 1, NULL, NULL};
	const double r = 1;
	const size_t k = 2;
	const struct kith_predict_how how = {.metric = &metric,
	    .k = &k,
	    .nk = 1,
	    .radius = &r,
	    .vote = &kith_vote_majority,
	    .threads = 1};
	struct kith_vote_lists out;

	ok(!kith_vote_lists(
	       &one, &how, kith_knn_new(&one.X, &metric, 1, &pool), NULL, &out, &pool, &err) &&
		!out.join && out.near.start[1] == 0 && out.most == 1,
	    "one row: no join");
}

int
main(void)
{
	test_known();
	test_others();
	test_single();
	kith_pool_free(&pool);
	return done();
}
