/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/graph/labels.h and lib/graph/nodes.h: rows of a graph. */
#include "graph/labels.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "graph/nodes.h"
#include "scratch.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static struct kith_pool pool;
static struct kith_err err;
static struct kith_table t;

static int
parse(const char *text, const struct kith_how *how)
{
	err = (struct kith_err){0};
	return kith_labels_read(scratch_text(0, text), how, &t, &pool, &err);
}

static int
parse_nodes(const char *text, const struct kith_how *how)
{
	err = (struct kith_err){0};
	return kith_nodes_read(scratch_text(0, text), how, &t, &pool, &err);
}

static const char iris[] = "who\tsize\tkind\nx\t1.5\tb\ny\t?\ta\nz\t7\tNA\n"
			   "u\t3\tb\n";

static void
test_classes(void)
{
	struct kith_how how = {0};

	ok(!parse(iris, &how) && t.X.n == 4 && t.read == 4 && t.X.p == 0, "four rows");
	is_text(t.target, "kind", "the last column is the target");
	ok(t.class.n == 2 && strcmp(t.class.name[0], "a") == 0 && strcmp(t.class.name[1], "b") == 0,
	    "classes in byte order");
	ok(t.y[0] == 1 && t.y[1] == 0 && t.y[2] == KITH_NO_CLASS && t.y[3] == 1 && !t.t,
	    "a label may be missing");
	ok(!t.id_name && t.kept.n == 0 && t.head == 1 && t.column.n == 3 &&
		strcmp(t.file, scratch_path[0]) == 0,
	    "nothing else");
	how = (struct kith_how){.id = "who", .keep = "kind,who"};
	how.target = "2";
	ok(!parse(iris, &how) && t.class.n == 3 && t.y[1] == KITH_NO_CLASS, "another target");
	is_text(t.target, "size", "is named");
	is_text(t.id_name, "who", "ids");
	is_text(kith_texts_at(&t.id, 3).s, "u", "of each row");
	ok(t.kept.n == 2 && strcmp(t.kept.name[0], "kind") == 0 &&
		strcmp(kith_texts_at(&t.keep, 2).s, "a") == 0 &&
		strcmp(kith_texts_at(&t.keep, 7).s, "u") == 0 && t.keep.n == 8 && t.id.n == 4,
	    "columns to keep");
}

static void
test_numbers(void)
{
	const struct kith_how how = {.task = KITH_REGRESS, .target = "size"};

	ok(!parse(iris, &how) && t.X.n == 4 && !t.y && t.class.n == 0, "numbers");
	ok(t.t[0] == 1.5 && isnan(t.t[1]) && t.t[2] == 7 && t.t[3] == 3, "of which one is missing");
}

static void
refuse(const char *text, const struct kith_how *how, int status, size_t line, const char *message)
{
	ok(parse(text, how) == -1 && err.status == status && err.line == line, "refused: %s",
	    message);
	is_text(err.msg, message, "says so");
}

static void
test_refused(void)
{
	struct kith_how how = {.target = "kin"};

	refuse(iris, &how, EX_DATAERR, 1, "column \"kin\": not found");
	how = (struct kith_how){.id = "wh"};
	refuse(iris, &how, EX_DATAERR, 1, "column \"wh\": not found");
	how = (struct kith_how){.keep = "nil"};
	refuse(iris, &how, EX_DATAERR, 1, "column \"nil\": not found");
	how = (struct kith_how){.id = "kind"};
	refuse(iris, &how, KITH_EX_USAGE, 0, "column \"kind\": target and id of rows");
	how = (struct kith_how){.id = "size"};
	refuse(iris, &how, EX_DATAERR, 3, "column \"size\": missing: '?'");
	how = (struct kith_how){.task = KITH_REGRESS};
	refuse(iris, &how, EX_DATAERR, 2, "column \"kind\": not a number: 'b'");
	how = (struct kith_how){0};
	refuse("a\tb\n1\tNA\n2\t?\n", &how, EX_DATAERR, 0, "column \"b\": missing in all rows");
	how.task = KITH_REGRESS;
	refuse("a\tb\n1\tNA\n2\t?\n", &how, EX_DATAERR, 0, "column \"b\": missing in all rows");
	ok(parse("a\t(bias)\n1\t2\n", &how) == -1, "a name of a meaning");
	ok(!parse("a\tb\n1\t?\n2\t4\n", &how), "one label will do");
}

static void
test_nodes(void)
{
	struct kith_how how = {.id = "who", .keep = "size,kind"};

	ok(!parse_nodes(iris, &how) && t.X.n == 4 && t.read == 4 && !t.y && !t.t, "nodes");
	is_text(t.id_name, "who", "ids");
	ok(t.id.n == 4 && strcmp(kith_texts_at(&t.id, 2).s, "z") == 0, "of each row");
	ok(t.kept.n == 2 && strcmp(t.kept.name[1], "kind") == 0 && t.keep.n == 8 &&
		strcmp(kith_texts_at(&t.keep, 6).s, "3") == 0,
	    "columns to keep");
	how = (struct kith_how){0};
	ok(!parse_nodes(iris, &how) && !t.id_name && t.id.n == 0 && t.keep.n == 0 && t.X.n == 4 &&
		t.head == 1 && t.column.n == 3 && strcmp(t.file, scratch_path[0]) == 0,
	    "numbers alone");
	how.id = "size";
	ok(parse_nodes(iris, &how) == -1 && err.line == 3, "a missing id");
	is_text(err.msg, "column \"size\": missing: '?'", "is refused");
	how.id = "nil";
	ok(parse_nodes(iris, &how) == -1, "no such id");
	is_text(err.msg, "column \"nil\": not found", "says so");
	how = (struct kith_how){.keep = "who,nil"};
	ok(parse_nodes(iris, &how) == -1, "no such column to keep");
	how = (struct kith_how){0};
	ok(parse_nodes("a\tb\n1\t2\n3\n", &how) == -1 && err.line == 3, "a row that is short");
}

/* Of each class, or of all numbers, a share, and one at least. */
static void
test_reveal(void)
{
	enum { N = 60 };
	static const double share[] = {1e-9, .1, .25, .5, .51, 1};
	size_t y[N], bad = 0, moved = 0;
	double u[N];
	bool given[N], other[N];
	struct kith_rng rng;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t seed = 0; seed < 60; seed++) {
		const bool classes = seed % 2;
		const double some = share[seed % 6];
		size_t in[4] = {0}, of[4] = {0};

		t = (struct kith_table){.X = {.n = N}};
		t.class.n = 3;
		t.y = classes ? y : NULL;
		t.t = classes ? NULL : u;
		for (size_t i = 0; i < N; i++) {
			const size_t k = kith_rng_below(&rng, 4);

			y[i] = k == 3 ? KITH_NO_CLASS : k;
			u[i] = k == 3 ? NAN : (double)k;
			in[k == 3 ? 3 : classes ? k : 0]++;
			given[i] = true;
		}
		kith_labels_reveal(&t, some, seed, given);
		kith_labels_reveal(&t, some, seed + 1, other);
		moved += some < .9 && memcmp(given, other, sizeof(given)) != 0;
		for (size_t i = 0; i < N; i++)
			of[y[i] > 3 ? 3 : classes ? y[i] : 0] += given[i];
		for (size_t k = 0; k < 3; k++) {
			const double due = floor(some * (double)in[k] + .5);

			bad += of[k] != (size_t)(in[k] ? fmax(due, 1) : 0);
		}
		bad += of[3];
	}
	is_size(bad, 0, "classes of which another share is known");
	ok(moved > 30, "another seed, other rows: %zu", moved);
}

/* Of three rows of a class each is chosen as often as another. */
static void
test_even(void)
{
	size_t y[] = {1, 0, 1, 0, 1}, count[5] = {0};
	bool given[5];

	t = (struct kith_table){.X = {.n = 5}, .y = y};
	t.class.n = 2;
	for (size_t seed = 0; seed < 600; seed++) {
		kith_labels_reveal(&t, .3, seed, given);
		for (size_t i = 0; i < 5; i++)
			count[i] += given[i];
	}
	ok(count[1] + count[3] == 600 && count[0] + count[2] + count[4] == 600,
	    "one of each class");
	ok(count[1] > 240 && count[3] > 240 && count[0] > 140 && count[2] > 140 && count[4] > 140,
	    "%zu %zu, %zu %zu %zu of 600", count[1], count[3], count[0], count[2], count[4]);
}

static void
test_take(void)
{
	static const bool wanted[] = {true, false, true, true};
	struct kith_how how = {.id = "who", .keep = "size,who"};
	struct kith_table some, again;

	(void)parse(iris, &how);
	kith_labels_take(&t, wanted, &some, &pool);
	ok(some.X.n == 3 && some.number[0] == 1 && some.number[1] == 3 && some.number[2] == 4 &&
		some.class.n == 2,
	    "three of four, by their numbers");
	ok(some.y[0] == 1 && some.y[1] == KITH_NO_CLASS && some.y[2] == 1, "their classes");
	ok(t.y[1] == 0 && t.y[2] == KITH_NO_CLASS && t.X.n == 4 && !t.number, "the table stays");
	ok(some.id.n == 3 && some.keep.n == 6 && strcmp(kith_texts_at(&some.id, 1).s, "z") == 0 &&
		strcmp(kith_texts_at(&some.keep, 2).s, "7") == 0 &&
		strcmp(kith_texts_at(&some.keep, 5).s, "u") == 0,
	    "their texts");
	kith_labels_take(&some, wanted, &again, &pool);
	ok(again.X.n == 2 && again.number[1] == 4 && again.y[1] == 1,
	    "numbers are those of the file");
	how = (struct kith_how){.task = KITH_REGRESS, .target = "size"};
	(void)parse(iris, &how);
	kith_labels_take(&t, wanted, &some, &pool);
	ok(some.X.n == 3 && some.t[1] == 7 && some.t[2] == 3 && !some.y && some.id.n == 0 &&
		some.keep.n == 0 && isnan(t.t[1]),
	    "numbers");
}

int
main(void)
{
	const int before = free_descriptor();

	test_classes();
	test_numbers();
	test_refused();
	test_nodes();
	test_reveal();
	test_even();
	test_take();
	ok(free_descriptor() == before, "files are closed");
	kith_pool_free(&pool);
	return done();
}
