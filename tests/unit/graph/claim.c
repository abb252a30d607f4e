/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/graph/claim.h, and of coordinates of lib/graph/embed_check.h:
 * tables of nodes, by their numbers or by ids.
 */
#include "graph/claim.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "graph/embed_check.h"
#include "scratch.h"
#include "table/ends.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>
#include <unistd.h>

static struct kith_pool pool;
static struct kith_err err;
static struct kith_names class, id;
static const struct kith_ends three = {.n = 3, .read = 3};

static int
claims(const char *text, const struct kith_ends *nodes, const struct kith_names *of,
    struct kith_claim *c)
{
	err = (struct kith_err){0};
	return kith_claim_read(scratch_text(0, text), nodes, of, c, &pool, &err);
}

static void
test_claims(void)
{
	struct kith_ends named = {.n = 3, .read = 3, .column = "who", .id = id};
	struct kith_claim c;

	ok(!claims("predicted\tx\tscore:b\tid\tscore:a\n"
		   "b\t7\t.75\t3\t.25\nNA\t7\tNA\t1\tNA\n",
	       &three, &class, &c),
	    "scores of classes");
	ok(c.there[0] && !c.there[1] && c.there[2], "of two nodes");
	ok(c.y[0] == KITH_NO_CLASS && c.y[1] == KITH_NO_CLASS && c.y[2] == 1, "classes");
	ok(isnan(c.F[0]) && isnan(c.F[1]) && isnan(c.F[2]) && isnan(c.F[3]) && c.F[4] == .25 &&
		c.F[5] == .75,
	    "scores");
	ok(!claims("id\tpredicted\n2\t1.5\n1\tNA\n", &three, NULL, &c) && isnan(c.t[0]) &&
		c.t[1] == 1.5 && isnan(c.t[2]) && c.there[0] && c.there[1] && !c.there[2],
	    "numbers");
	ok(!claims("id\tpredicted\nr\t1\np\t2\n", &named, NULL, &c) && c.t[2] == 1 && c.t[0] == 2 &&
		!c.there[1],
	    "ids");
	ok(!claims("id\tpredicted\n", &three, NULL, &c) && !c.there[0] && isnan(c.t[0]),
	    "a header alone");
	ok(claims("id\tpredicted\nr\t1\nr\t2\n", &named, NULL, &c) == -1 && err.line == 3,
	    "an id twice");
	is_text(err.msg, "column \"id\": listed twice: 'r'", "says so");
	ok(claims("id\tpredicted\nr\t1\n3\t2\n", &named, NULL, &c) == -1, "an id that is none");
	is_text(err.msg, "column \"id\": no row has this id: '3'", "says so");
}

static void
refuse(const char *text, const struct kith_names *of, size_t line, const char *message)
{
	struct kith_claim c;

	ok(claims(text, &three, of, &c) == -1 && err.status == EX_DATAERR && err.line == line,
	    "refused: %s", message);
	is_text(err.msg, message, "says so");
}

static void
test_refused(void)
{
	refuse("predicted\tscore:a\tscore:b\n", &class, 1, "column \"id\": not found");
	refuse("id\tscore:a\tscore:b\n", &class, 1, "column \"predicted\": not found");
	refuse("id\tpredicted\tscore:a\tscore\n", &class, 1, "column \"score:b\": not found");
	refuse(
	    "id\tpredicted\n1\t2\n4\t2\n", NULL, 3, "column \"id\": not the number of a row: '4'");
	refuse(
	    "id\tpredicted\n1\t2\n0\t2\n", NULL, 3, "column \"id\": not the number of a row: '0'");
	refuse(
	    "id\tpredicted\n1\t2\nx\t2\n", NULL, 3, "column \"id\": not the number of a row: 'x'");
	refuse("id\tpredicted\n1\t2\n1\t2\n", NULL, 3, "column \"id\": listed twice: '1'");
	refuse("id\tpredicted\n1\tz\n", NULL, 2, "column \"predicted\": not a number: 'z'");
	refuse("id\tpredicted\tscore:a\tscore:b\n1\tc\t1\t2\n", &class, 2,
	    "column \"predicted\": not a class of the labels: 'c'");
	refuse("id\tpredicted\tscore:a\tscore:b\n1\tb\t1\tz\n", &class, 2,
	    "column \"score:b\": not a number: 'z'");
}

static int
coordinates(const char *text, const struct kith_ends *nodes, struct kith_coordinates *c)
{
	err = (struct kith_err){0};
	return kith_coordinates_read(scratch_text(0, text), nodes, c, &pool, &err);
}

static void
test_coordinates(void)
{
	static const char *const wrong[][2] = {{"x\te1\n1\t1\n", "column \"id\": not found"},
	    {"id\te2\n1\t1\n", "column \"e1\": not found"}, {"id\te1\n1\t1\n2\t1\n", "no row '3'"},
	    {"id\te1\n3\t1\n2\t1\n", "no row '1'"},
	    {"id\te1\n1\t1\n1\t1\n", "column \"id\": listed twice: '1'"},
	    {"id\te1\n4\t1\n", "column \"id\": not the number of a row: '4'"},
	    {"id\te1\nr\t1\n", "column \"id\": not the number of a row: 'r'"},
	    {"id\te1\te2\n1\t1\tz\n", "column \"e2\": not a number: 'z'"}};
	struct kith_ends named = {.n = 3, .read = 3, .column = "who", .id = id};
	struct kith_coordinates c;

	ok(!coordinates("e2\tid\te1\te4\n.5\t3\t1\tx\nNA\t1\t2\tx\n7\t2\tNA\tx\n", &three, &c) &&
		c.n == 3 && c.d == 2,
	    "coordinates up to the first that is not there");
	ok(c.y[0] == 2 && isnan(c.y[1]) && isnan(c.y[2]) && c.y[3] == 7 && c.y[4] == 1 &&
		c.y[5] == .5,
	    "of each node");
	ok(!coordinates("id\te1\nr\t1\np\t2\nq\t3\n", &named, &c) && c.y[0] == 2 && c.y[1] == 3 &&
		c.y[2] == 1,
	    "by ids");
	ok(coordinates("id\te1\nr\t1\n1\t2\nq\t3\n", &named, &c) == -1, "an id that is none");
	is_text(err.msg, "column \"id\": no row has this id: '1'", "says so");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		ok(coordinates(wrong[i][0], &three, &c) == -1 && err.status == EX_DATAERR,
		    "refused: %s", wrong[i][1]);
		is_text(err.msg, wrong[i][1], "says so");
	}
}

int
main(void)
{
	const int before = free_descriptor();
	static const char *const ids[] = {"p", "q", "r"};

	(void)kith_names_add(&class, "a", &pool);
	(void)kith_names_add(&class, "b", &pool);
	for (size_t i = 0; i < 3; i++)
		(void)kith_names_add(&id, ids[i], &pool);
	test_claims();
	test_refused();
	test_coordinates();
	ok(free_descriptor() == before, "files are closed");
	kith_pool_free(&pool);
	return done();
}
