/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/vote/predict.h and lib/vote/near.h in corners: a row alone, votes
 * of all rows, parts without rows, rows of a table that are asked in blocks.
 */
#include "vote/predict.h"

#include "base/err.h"
#include "base/pool.h"
#include "kernel/sigma.h"
#include "scratch.h"
#include "table/predicted.h"
#include "table/table.h"
#include "tap.h"
#include "vote/ballot.h"
#include "vote/how.h"
#include "vote/near.h"
#include "vote/prior.h"
#include "vote/vote.h"
#include "vote/votes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { N = 4 };

static struct kith_err err;
static double x[N] = {0, 1, 3, 7};
static const size_t y[N] = {1, 0, 1, 1};
static const double t[N] = {10, 20, 30, 40};
static const size_t one[] = {1}, two[] = {2}, all[] = {KITH_ALL_WITHIN};

/* One row has no other to be like; a row of a query has that one. */
static void
test_alone(const size_t *k)
{
	const struct kith_sample class = {{1, 1, x}, y, 2, NULL, NULL};
	const struct kith_sample number = {{1, 1, x}, NULL, 0, t, NULL};
	const struct kith_sample pair = {{2, 1, x}, y, 2, NULL, NULL};
	struct kith_predict_how how = how_of(&kith_vote_majority, k);
	struct kith_pool pool = {0};
	struct kith_predicted out;
	double far = 9;
	const struct kith_mat Z = {1, 1, &far};

	how.radius = (double[]){.5};
	how.prior = true;
	ok(!kith_predict_loo(&class, &how, &out, &pool, &err), "a row alone");
	ok(out.y[0] == KITH_NO_CLASS && isnan(out.share[0]) && isnan(out.share[1]) &&
		out.unreached == 1,
	    "has no class");
	ok(!kith_predict_loo(&number, &how, &out, &pool, &err) && isnan(out.t[0]) &&
		out.unreached == 1,
	    "and no number");
	ok(!kith_predict(&class, &how, &Z, &out, &pool, &err) && out.y[0] == 1 &&
		out.share[0] == 0 && out.share[1] == 1 && out.unreached == 1,
	    "a row far from it has its class");
	ok(!kith_predict(&number, &how, &Z, &out, &pool, &err) && out.t[0] == 10, "and number");
	ok(!kith_predict_loo(&pair, &how, &out, &pool, &err) && out.y[0] == 0 && out.y[1] == 1 &&
		out.share[0] == 1 && out.share[1] == 0 && out.unreached == 2,
	    "each of two has that of the other");
	how.prior = false;
	ok(!kith_predict_loo(&pair, &how, &out, &pool, &err) && out.y[0] == KITH_NO_CLASS &&
		isnan(out.share[3]),
	    "unless it has none");
	far = .5;
	ok(!kith_predict(&class, &how, &Z, &out, &pool, &err) && out.y[0] == 1 &&
		out.share[1] == 1 && out.unreached == 0,
	    "on the circle is within");
	kith_pool_free(&pool);
}

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

/* Candidates of rows, of which a stretch is asked. */
static void
test_given(void)
{
	const char *file = scratch_text(0, "from\tto\n1\t2\n2\t4\n3\t4\n3\t2\n3\t1\n4\t1\n4\t2\n");
	const struct kith_table known = {.file = "known", .X = {N, 1, x}, .read = N};
	const struct kith_sample sample = {{N, 1, x}, NULL, 0, t, NULL};
	struct kith_predict_how how = how_of(&kith_vote_majority, one);
	struct kith_pool pool = {0};
	struct kith_vote_near near;
	struct kith_predicted out;
	const struct kith_neighbour *nn;
	const size_t *start;

	ok(!kith_vote_near_read(file, KITH_PAIRS_NONE, &known, NULL, &near, &pool, &err) &&
		!near.near.pairs && near.near.from == &near.to && strcmp(near.near.file, file) == 0,
	    "candidates");
	ok(!kith_vote_near_set(&near, &known.X, NULL, 0, N, &how, &pool, &err) &&
		near.near.first == 0,
	    "of all rows");
	how.near = &near.near;
	ok(!kith_predict_loo(&sample, &how, &out, &pool, &err) && out.t[0] == 20 &&
		out.t[1] == 40 && out.t[2] == 20 && out.t[3] == 20,
	    "the nearest of them");
	ok(!kith_vote_near_set(&near, &known.X, NULL, 2, 2, &how, &pool, &err) &&
		near.near.first == 2,
	    "of the last two");
	start = near.near.list.start;
	nn = near.near.list.nn + start[0];
	ok(start[1] - start[0] == 3 && start[2] - start[1] == 2, "three and two");
	ok(nn[0].row == 1 && nn[0].d == 4 && nn[2].row == 3 && nn[2].d == 16 && nn[4].row == 0 &&
		nn[4].d == 49,
	    "nearest first");
	kith_pool_free(&pool);
}

/* Pairs with values, from rows asked to rows known. */
static void
test_values(void)
{
	const char *file = scratch_text(
	    1, "from\tto\tdistance\n1\t1\t5\n1\t3\t2\n2\t4\t1\n3\t2\t0\n");
	const struct kith_table known = {.file = "known", .X = {N, 1, x}, .read = N};
	const struct kith_table rows = {.file = "rows", .X = {3, 1, x}, .read = 3};
	const struct kith_sample sample = {{N, 1, NULL}, NULL, 0, t, NULL};
	const struct kith_mat Z = {2, 1, NULL};
	struct kith_predict_how how = how_of(&kith_vote_majority, one);
	struct kith_pool pool = {0};
	struct kith_vote_near near;
	struct kith_predicted out;

	ok(!kith_vote_near_read(file, KITH_PAIRS_DISTANCE, &known, &rows, &near, &pool, &err) &&
		near.near.pairs == &near.pairs && near.near.from == &near.from &&
		near.from.n == 3 && near.to.n == 4,
	    "pairs");
	ok(!kith_vote_near_set(&near, NULL, &Z, 1, 2, &how, &pool, &err), "the last two rows");
	how.near = &near.near;
	ok(!kith_predict(&sample, &how, &Z, &out, &pool, &err) && out.t[0] == 40 && out.t[1] == 20,
	    "by the file");
	how.k = two;
	ok(kith_predict(&sample, &how, &Z, &out, &pool, &err) < 0, "two");
	is_text(err.msg, "-k 2: row '2' has only 1 candidates", "too many");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_alone(all);
	test_alone(one);
	test_alone(two);
	test_too_few();
	test_of_all();
	test_given();
	test_values();
	return done();
}
