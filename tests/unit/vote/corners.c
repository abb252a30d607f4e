/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/vote/predict.h in corners: a row alone, votes
 * of all rows, parts without rows.
 */
#include "vote/predict.h"

#include "base/err.h"
#include "base/pool.h"
#include "kernel/sigma.h"
#include "table/predicted.h"
#include "table/table.h"
#include "tap.h"
#include "vote/ballot.h"
#include "vote/how.h"
#include "vote/vote.h"
#include "vote/votes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { N = 4 };

static struct kith_err err;
static double x[N] = {0, 1, 3, 7};
static const size_t y[N] = {1, 0, 1, 1};
static const size_t one[] = {1}, two[] = {2};

/* Without a radius there must be as many others as are wanted. */
static void
test_too_few(void)
{
	const struct kith_sample known = {{2, 1, x}, y, 2, NULL, NULL};
	struct kith_predict_how how = how_of(&kith_vote_majority, two);
	struct kith_pool pool = {0};
	struct kith_predicted out;

	ok(!kith_predict(&known, &how, &known.X, &out, &pool, &err) && out.y[0] == 1 &&
		out.share[0] == .5,
	    "two of two");
	ok(kith_predict_loo(&known, &how, &out, &pool, &err) < 0 && err.status == EX_DATAERR,
	    "two of one other");
	is_text(err.msg, "2 neighbours wanted, only 1 available", "too many");
	how.k = one;
	ok(!kith_predict_loo(&known, &how, &out, &pool, &err) && out.y[0] == 0 && out.y[1] == 1,
	    "one of one other");
	kith_pool_free(&pool);
}

static const struct kith_sample *asked_of;
static const struct kith_mat *asked;

static void
tell(const struct kith_sample *known, const struct kith_predict_how *how, const struct kith_mat *Z,
    const size_t *to, struct kith_predicted *out)
{
	const size_t m = Z ? Z->n : known->X.n;

	(void)how;
	asked_of = known;
	asked = Z;
	for (size_t i = 0; i < m; i++)
		out->y[to ? to[i] : i] = known->X.n;
}

/* Votes of all rows ask no neighbours; they need another row. */
static void
test_of_all(void)
{
	static const struct kith_vote vote = {.of_all = tell};
	static const size_t part[N] = {3, 0, 0, 3};
	const struct kith_sample single = {{1, 1, x}, y, 2, NULL, NULL};
	const struct kith_sample known = {{N, 1, x}, y, 2, NULL, NULL};
	struct kith_predict_how how = how_of(&vote, one);
	struct kith_pool pool = {0};
	struct kith_predicted out;

	ok(kith_predict_loo(&single, &how, &out, &pool, &err) < 0 && err.status == EX_DATAERR &&
		!asked_of,
	    "a row alone");
	is_text(err.msg, "no other row to learn from", "is told");
	ok(!kith_predict(&single, &how, &known.X, &out, &pool, &err) && asked == &known.X &&
		asked_of == &single && out.y[3] == 1,
	    "rows of a query");
	ok(!kith_predict_loo(&known, &how, &out, &pool, &err) && !asked && out.y[0] == 4,
	    "each row");
	ok(!kith_predict_cv(&known, &how, part, 5, &out, &pool, &err), "parts, some without rows");
	ok(out.y[0] == 2 && out.y[1] == 2 && out.y[2] == 2 && out.y[3] == 2,
	    "each row from two others");
	ok(out.sigma[0] == 0 && !out.search.search && !out.flat, "no search");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_too_few();
	test_of_all();
	return done();
}
