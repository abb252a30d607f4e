/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/nnk/pairs.h: what is read, what it is worth, and bandwidths. */
#include "nnk/pairs.h"

#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "table/ends.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_err err;
static struct kith_pairs pairs;

/* Four rows, and two others. */
static const struct kith_ends four = {.n = 4, .read = 4};
static const struct kith_ends two = {.n = 2, .read = 2};

/* Read lines "from to value" between the rows of the ends. */
static int
parse(enum kith_pairs_of of, const struct kith_ends *from, const struct kith_ends *to,
    const char *lines)
{
	char *text = kith_new(&pool, strlen(lines) + 64, 1);

	sprintf(
	    text, "from\tto\t%s\n%s", of == KITH_PAIRS_DISTANCE ? "distance" : "similarity", lines);
	return kith_pairs_read(scratch_text(0, text), of, from, to, &pairs, &pool, &err);
}

/* Whether the rows that row i has a pair with are these, in this order. */
static bool
lists(size_t i, const size_t *row, const double *d, size_t n)
{
	const struct kith_neighbour *nn = pairs.nn + pairs.start[i];
	bool good = pairs.start[i + 1] - pairs.start[i] == n;

	for (size_t j = 0; good && j < n; j++)
		good = nn[j].row == row[j] && nn[j].d == d[j];
	return good;
}

/* The value of a pair, or -1 where it is not known. */
static double
value(size_t a, size_t b)
{
	double v = -1;

	return kith_pairs_value(&pairs, a, b, &v) ? v : -1;
}

static void
test_distances(void)
{
	ok(!parse(
	       KITH_PAIRS_DISTANCE, &four, &four, "3\t1\t2\n1\t2\t3\n1\t4\t2\n2\t1\t3\n2\t2\t0\n"),
	    "distances");
	ok(lists(0, (size_t[]){2, 3, 1}, (double[]){4, 4, 9}, 3),
	    "squares, nearest first, ties by row, from either way");
	ok(lists(1, (size_t[]){0}, (double[]){9}, 1),
	    "what is read both ways is one, and a row itself is none");
	ok(lists(2, (size_t[]){0}, (double[]){4}, 1) && lists(3, (size_t[]){0}, (double[]){4}, 1),
	    "the way back");
	ok(value(0, 1) == 3 && value(1, 0) == 3 && value(2, 0) == 2 && value(0, 2) == 2 &&
		value(3, 0) == 2,
	    "values from either way");
	ok(value(1, 2) == -1 && value(2, 1) == -1 && value(2, 3) == -1, "pairs that are not there");
	ok(value(0, 0) == 0 && value(1, 1) == 0 && value(3, 3) == 0, "a row and itself");
	ok(pairs.selves && pairs.graph.start[4] == 5, "as read");
	ok(!parse(KITH_PAIRS_DISTANCE, &four, &four, ""), "no pair at all");
	ok(pairs.start[4] == 0 && value(0, 1) == -1 && !pairs.selves, "lists of nothing");
}

static void
test_similarities(void)
{
	ok(!parse(KITH_PAIRS_SIMILARITY, &four, &four, "1\t2\t-3\n1\t3\t5\n4\t1\t5\n"),
	    "similarities");
	ok(lists(0, (size_t[]){2, 3, 1}, (double[]){-5, -5, 3}, 3), "the most alike first");
	ok(value(0, 1) == -3 && value(3, 0) == 5 && value(2, 2) == 1,
	    "those of rows with themselves are 1 where there is none");
	ok(!parse(KITH_PAIRS_SIMILARITY, &four, &four, "1\t2\t-3\n3\t3\t7\n2\t2\t0\n"),
	    "one of a row with itself");
	ok(value(2, 2) == 7 && value(1, 1) == 0 && value(0, 0) == -1,
	    "the others are not known then");
	ok(lists(2, NULL, NULL, 0), "it is no list");
}

/* Pairs of rows with rows of another table: a and a are not the same. */
static void
test_others(void)
{
	ok(!parse(KITH_PAIRS_DISTANCE, &four, &two, "1\t1\t3\n1\t2\t1\n2\t1\t4\n4\t2\t0\n"),
	    "distances from others");
	ok(lists(0, (size_t[]){1, 0}, (double[]){1, 9}, 2) &&
		lists(1, (size_t[]){0}, (double[]){16}, 1) && lists(2, NULL, NULL, 0) &&
		lists(3, (size_t[]){1}, (double[]){0}, 1),
	    "count one way, rows of one number as others do");
}

static void
refuse(enum kith_pairs_of of, const char *lines, const char *message)
{
	err = (struct kith_err){0};
	ok(parse(of, &four, &four, lines) == -1 && err.status == EX_DATAERR && err.line == 0 &&
		strcmp(err.file, scratch_path[0]) == 0,
	    "refused: %s", message);
	is_text(err.msg, message, "says so");
}

static void
test_refused(void)
{
	static const char other[] = "from '1' to '2': another value than the "
				    "way back";

	refuse(KITH_PAIRS_DISTANCE, "1\t2\t1\n3\t3\t1\n",
	    "from '3' to '3': the distance of a row from itself is not 0");
	refuse(KITH_PAIRS_SIMILARITY, "3\t3\t1\n4\t4\t-1\n",
	    "from '4' to '4': the similarity of a row with itself is below 0");
	refuse(KITH_PAIRS_DISTANCE, "1\t2\t1\n2\t1\t2\n", other);
	refuse(KITH_PAIRS_DISTANCE, "2\t1\t2\n1\t2\t2.0000000021\n", other);
	refuse(KITH_PAIRS_SIMILARITY, "2\t1\t-2\n1\t2\t2\n", other);
	ok(!parse(KITH_PAIRS_SIMILARITY, &four, &four, "2\t1\t-2\n1\t2\t-2.0000000019\n"),
	    "1e-9 of what they are is the same");
	ok(value(0, 1) == -2.0000000019 && value(1, 0) == -2, "and both are kept");
}

/* Values are at most 1e150, so that their squares are doubles. */
static void
test_range(void)
{
	ok(!parse(KITH_PAIRS_DISTANCE, &four, &four, "1\t2\t1e150\n1\t3\t1e-140\n") &&
		value(1, 0) == 1e150 &&
		lists(0, (size_t[]){2, 1}, (double[]){1e-140 * 1e-140, 1e150 * 1e150}, 2),
	    "distances far apart");
	ok(parse(KITH_PAIRS_DISTANCE, &four, &four, "1\t2\t1\n1\t3\t2e150\n") < 0 &&
		err.status == EX_DATAERR,
	    "a distance without a square");
	is_text(err.msg, "from '1' to '3': a value beyond 1e150", "is refused");
	ok(parse(KITH_PAIRS_SIMILARITY, &four, &four, "1\t2\t-2e150\n") < 0, "a similarity, too");
}

/* Bandwidths, and whether all distances were 0. */
static double
sigma(unsigned rule, double given, size_t k, bool *flat)
{
	const struct kith_sigma how = {rule, given};

	*flat = false;
	return kith_pairs_sigma(&pairs, &how, k, flat);
}

static void
test_sigma(void)
{
	bool flat;

	/* Row 1: 1 2 4; row 2: 1 8; row 3: 2 8; row 4: 4. */
	(void)parse(KITH_PAIRS_DISTANCE, &four, &four, "1\t2\t1\n1\t3\t2\n1\t4\t4\n2\t3\t8\n");
	is_near(
	    sigma(KITH_SIGMA_AUTO, 0, 1, &flat), 8. / 12, 1e-15, "a third of the mean of 1 1 2 4");
	is_near(sigma(KITH_SIGMA_AUTO, 0, 2, &flat), 22. / 12, 1e-15,
	    "of 2 8 8, and of the last where there is no second");
	is_near(sigma(KITH_SIGMA_AUTO, 0, 3, &flat), 24. / 12, 1e-15, "of 4 8 8 4");
	is_near(sigma(KITH_SIGMA_MEDIAN, 0, 1, &flat), .5, 1e-15, "the median of 1 1 2 4");
	ok(sigma(KITH_SIGMA_LOCAL, 0, 1, &flat) == 0 && !flat, "local");
	ok(sigma(KITH_SIGMA_FIXED, 7, 1, &flat) == 7 && !flat, "fixed");
	(void)parse(KITH_PAIRS_DISTANCE, &four, &four, "1\t2\t6\n");
	ok(sigma(KITH_SIGMA_AUTO, 0, 3, &flat) == 2 && !flat, "rows without a pair do not count");
	(void)parse(KITH_PAIRS_DISTANCE, &four, &four, "1\t2\t0\n");
	ok(sigma(KITH_SIGMA_AUTO, 0, 1, &flat) == 1 && flat, "1 where all are 0");
	(void)parse(KITH_PAIRS_DISTANCE, &four, &four, "");
	ok(sigma(KITH_SIGMA_AUTO, 0, 1, &flat) == 1 && !flat,
	    "where there is none nothing is flat");
}

/* Of many rows every (n / 2000)-th is asked. */
static void
test_sample(void)
{
	enum { ROWS = 5000 };
	const struct kith_ends many = {.n = ROWS, .read = ROWS};
	char *text = kith_new(&pool, ROWS, 32), *at = text;
	long double sum = 0;
	bool flat;

	for (size_t i = 0; i < ROWS; i += 2)
		at += sprintf(at, "%zu\t%zu\t%zu\n", i + 1, i + 2, i * i + 1);
	ok(!parse(KITH_PAIRS_DISTANCE, &many, &many, text), "5000 rows");
	for (size_t s = 0; s < 2000; s++) {
		const size_t i = s * ROWS / 2000 / 2 * 2;

		sum += (long double)(i * i + 1);
	}
	is_near(sigma(KITH_SIGMA_AUTO, 0, 1, &flat) / 1e6, (double)(sum / 2000 / 3 / 1e6), 1e-15,
	    "a sample of 2000");
}

int
main(void)
{
	test_distances();
	test_similarities();
	test_others();
	test_refused();
	test_range();
	test_sigma();
	test_sample();
	kith_pool_free(&pool);
	return done();
}
