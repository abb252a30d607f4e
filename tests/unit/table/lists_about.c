/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/lists_about.h and lists_set.h: what lists say, and sets. */
#include "table/lists_about.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "near/metric.h"
#include "scratch.h"
#include "table/lists_set.h"
#include "tap.h"
#include "text/out.h"
#include "text/rec.h"

#include <stdint.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_err err;
static struct kith_names class;

/* Read what is said before this header. */
static int
parse(const char *text, struct kith_lists_about *about,
    struct kith_lists_lines *line)
{
	const char *file = scratch_text(0, text);
	struct kith_rec rec;
	int got;

	class = (struct kith_names){0};
	if (kith_rec_open(&rec, file, 0, KITH_FORM_auto, &err) ||
	    kith_rec_next(&rec, &err) != 1)
		abort();
	got = kith_lists_about_read(&rec, about, line, &class, &pool, &err);
	kith_rec_close(&rec);
	return got;
}

#define ALL \
	"# reference-shard\t2/4\n# shard\t1/3\n# reference\t569\n" \
	"# rows\t142\n# queries\t190\n# k\t5\n# radius\t2.5\n# self\t1\n" \
	"# named\t1\n# numbers\t1\n# metric\t9ae16a3b2f90404f\n" \
	"# class\tbenign\n# class\ta\\nb\\\\n\\r\n# sigma\t1\nrow\tb\n"
#define LEAST \
	"# reference-shard\t4/4\n# reference\t9\n# rows\t3\n# queries\t2\n" \
	"# metric\t0\n"

static void
test_read(void)
{
	struct kith_lists_about a;
	struct kith_lists_lines l;

	ok(!parse(ALL, &a, &l), "all that may be said");
	ok(a.block.i == 2 && a.block.n == 4 && a.shard.i == 1 && a.shard.n == 3,
	    "blocks");
	ok(a.reference == 569 && a.rows == 142 && a.queries == 190 &&
		a.k == 5 && a.radius == 2.5,
	    "numbers");
	ok(a.self && a.named && a.numbers, "what is so");
	ok(a.metric == UINT64_C(0x9ae16a3b2f90404f), "the metric");
	ok(class.n == 2 && strcmp(class.name[0], "benign") == 0 &&
		strcmp(class.name[1], "a\nb\\n\r") == 0,
	    "classes, line ends in them");
	ok(l.block == 1 && l.shard == 2 && l.reference == 3 && l.rows == 4 &&
		l.queries == 5 && l.k == 6 && l.radius == 7 && l.self == 8 &&
		l.named == 9 && l.numbers == 10 && l.metric == 11,
	    "and where");
	ok(!parse(LEAST "# k\t1\nrow\n", &a, &l), "the least");
	ok(a.shard.i == 1 && a.shard.n == 1 && a.radius < 0 && !a.self &&
		!a.named && !a.numbers && class.n == 0 && l.shard == 0,
	    "which leaves the rest as it is without");
	ok(!parse(LEAST "# radius\t0\nrow\n", &a, &l) && a.k == 0 &&
		a.radius >= 0,
	    "a radius is as good as k");
}

static void
refuse(const char *text, size_t line, const char *message)
{
	struct kith_lists_about a;
	struct kith_lists_lines l;

	ok(parse(text, &a, &l) < 0 && err.status == EX_DATAERR, "refused");
	is_size(err.line, line, "at the line");
	is_text(err.msg, message, "with the message");
}

/* A block that is none. */
static void
refuse_block(const char *value)
{
	char text[200], due[200];

	snprintf(text, sizeof(text), "# reference-shard\t%s\nrow\n", value);
	snprintf(due, sizeof(due),
	    "reference-shard: not one of a list of neighbours: '%s'", value);
	refuse(text, 1, due);
}

static void
test_mistakes(void)
{
	static const char *const lacks[] = {"reference-shard\t1/1",
	    "reference\t9", "rows\t3", "queries\t2", "metric\t0", "k\t1"};
	char text[200];

	for (size_t i = 0; i < 6; i++) {
		*text = '\0';
		for (size_t j = 0; j < 6; j++)
			if (j != i)
				sprintf(
				    text + strlen(text), "# %s\n", lacks[j]);
		sprintf(text + strlen(text), "row\n");
		refuse(text, 0,
		    "no list of neighbours: its first lines do not say which "
		    "(--reference-shard?)");
	}
	refuse_block("1");
	refuse_block("0/2");
	refuse_block("3/2");
	refuse_block("1/0");
	refuse_block("/2");
	refuse_block("1/");
	refuse_block("x/2");
	refuse_block("1/x");
	refuse_block("00000000000000000000000000000001/1");
	refuse("# rows\t1\n# shard\t2/1\nrow\n", 2,
	    "shard: not one of a list of neighbours: '2/1'");
	refuse("# k\t-1\nrow\n", 1, "k: not one of a list of neighbours: '-1'");
	refuse("# radius\tx\nrow\n", 1,
	    "radius: not one of a list of neighbours: 'x'");
	refuse("# metric\txy\nrow\n", 1,
	    "metric: not one of a list of neighbours: 'xy'");
	refuse("# metric\t\nrow\n", 1,
	    "metric: not one of a list of neighbours: ''");
}

/* What is written reads as it was. */
static void
test_write(void)
{
	static char plain[] = "a b", odd[] = "\\\n\r\\n";
	char *const name[] = {plain, odd};
	const struct kith_names both = {.name = (char **)name, .n = 2};
	const struct kith_lists_about all = {{2, 4}, {3, 5}, 10, 3, 2, 7, 1.5,
					  true, true, true, UINT64_C(0xf0)},
				      least = {.block = {1, 1},
					  .shard = {1, 1},
					  .radius = -1};
	struct kith_out out;
	char got[400] = "";
	FILE *f;

	ok(!kith_out_open(&out, scratch_text(1, ""), &err), "open");
	kith_lists_about_put(&all, &both, &out);
	kith_lists_about_put(&least, NULL, &out);
	kith_out_header(&out, (const char *const[]){"a"}, 1);
	ok(!kith_out_close_alone(&out, NULL, &err), "write");
	f = fopen(scratch_path[1], "r");
	ok(f && fread(got, 1, sizeof(got) - 1, f) > 0, "read");
	is_text(got,
	    "# reference-shard\t2/4\n# shard\t3/5\n# reference\t10\n"
	    "# rows\t3\n# queries\t2\n# k\t7\n# radius\t1.5\n# self\t1\n"
	    "# named\t1\n# numbers\t1\n# metric\t00000000000000f0\n"
	    "# class\ta b\n# class\t\\\\\\n\\r\\\\n\n"
	    "# reference-shard\t1/1\n# reference\t0\n# rows\t0\n# queries\t0\n"
	    "# metric\t0000000000000000\na\n",
	    "all of one, and what a list must say of another");
	fclose(f);
}

static void
test_same(void)
{
	static const char *const what[] = {"reference-shard", "shard",
	    "reference", "k", "radius", "self", "named", "numbers", "metric",
	    "queries"};
	const struct kith_lists_about a = {
	    {1, 4}, {3, 5}, 10, 3, 2, 7, 1.5, true, true, true, 9};
	const struct kith_lists_lines line = {
	    1, 2, 3, 99, 10, 4, 5, 6, 7, 8, 9};
	struct kith_lists_about b[10];
	char due[80];

	for (size_t i = 0; i < 10; i++)
		b[i] = a;
	ok(!kith_lists_about_same(&a, "A", &b[0], "B", &line, &err), "equal");
	b[0].block.n++;
	b[1].shard.n++;
	b[2].reference++;
	b[3].k++;
	b[4].radius++;
	b[5].self = b[6].named = b[7].numbers = false;
	b[8].metric++;
	b[9].queries++;
	for (size_t i = 0; i < 10; i++) {
		ok(kith_lists_about_same(&a, "A", &b[i], "B", &line, &err) <
			    0 &&
			err.line == i + 1 && strcmp(err.file, "B") == 0,
		    "another %s", what[i]);
		snprintf(due, sizeof(due), "%s: another than in A", what[i]);
		is_text(err.msg, due, "is said");
	}
	b[9].shard.i = 2;
	b[9].block.i = 3;
	b[9].rows = 4;
	ok(!kith_lists_about_same(&a, "A", &b[9], "B", &line, &err),
	    "another shard has other queries, a block other rows");
}

/* FNV-1a, byte by byte. */
static uint64_t
fnv(uint64_t hash, const void *bytes, size_t n)
{
	for (const unsigned char *b = bytes; n-- > 0; b++) {
		hash ^= *b;
		hash *= UINT64_C(1099511628211);
	}
	return hash;
}

/* That of squared differences, of the features a and b. */
static uint64_t
due_hash(enum kith_metric_kind kind, const double *w, size_t n)
{
	const int number = (int)kind;
	uint64_t hash = fnv(
	    UINT64_C(14695981039346656037), &number, sizeof(number));

	return fnv(fnv(hash, "a\0b", 4), w, n * sizeof(*w));
}

static void
test_hash(void)
{
	static char a[] = "a", b[] = "b", ab[] = "ab", none[] = "";
	char *const two[] = {a, b}, *const one[] = {ab, none};
	const struct kith_names x = {.name = (char **)two, .n = 2};
	const struct kith_names y = {.name = (char **)one, .n = 2};
	const double w[] = {1, 2, 3, 4}, v[] = {1, 2, 3, 5}, u[] = {1, 3};
	const struct kith_metric m[] = {{KITH_SQUARED, 2, NULL},
	    {KITH_SQUARED, 2, w}, {KITH_SQUARED, 2, u}, {KITH_ABSOLUTE, 2, w},
	    {KITH_SQUARED_MATRIX, 2, w}, {KITH_SQUARED_MATRIX, 2, v}};
	size_t same = 0;

	ok(kith_lists_hash_more(UINT64_C(0xcbf29ce484222325), "foobar", 6) ==
		UINT64_C(0x85944171f73967e8),
	    "a hash of FNV-1a that is known");
	for (size_t i = 0; i < 6; i++)
		for (size_t j = 0; j < i; j++)
			same += kith_lists_hash(&m[i], &x) ==
			    kith_lists_hash(&m[j], &x);
	is_size(same, 0, "each metric has its own");
	ok(kith_lists_hash(&m[0], &x) == due_hash(KITH_SQUARED, w, 0) &&
		kith_lists_hash(&m[1], &x) == due_hash(KITH_SQUARED, w, 2) &&
		kith_lists_hash(&m[4], &x) ==
		    due_hash(KITH_SQUARED_MATRIX, w, 4),
	    "that of its kind, names and weights");
	ok(kith_lists_hash(&m[1], &x) != kith_lists_hash(&m[1], &y) &&
		kith_lists_hash(&m[0], &x) != kith_lists_hash(&m[0], &y),
	    "and names that divide other texts");
}

/* Sort items of these shards of so many, and blocks: "shard/block". */
static int
sort(const char *const *at, size_t n, size_t shards,
    struct kith_lists_item *item)
{
	for (size_t i = 0; i < n; i++)
		item[i] = (struct kith_lists_item){.number = i,
		    .file = at[i],
		    .about = {.block = {(size_t)(at[i][2] - '0'), 3},
			.shard = {(size_t)(at[i][0] - '0'), shards},
			.rows = (size_t)(at[i][2] - '0')},
		    .line = {.block = 5, .shard = 6, .rows = 7}};
	return kith_lists_set_sort(item, n, &err);
}

static void
refuse_set(const char *const *at, size_t n, size_t shards, const char *file,
    size_t line, const char *message)
{
	struct kith_lists_item item[7];

	ok(sort(at, n, shards, item) < 0 && err.line == line, "refused");
	is_text(err.file, file, "a file");
	is_text(err.msg, message, "message");
}

static void
test_sets(void)
{
	static const char *const all[] = {
	    "2/3", "1/2", "2/1", "1/1", "1/3", "2/2", "2/2"};
	struct kith_lists_item item[7];

	ok(!sort(all, 6, 2, item), "all shards");
	ok(item[0].number == 3 && item[1].number == 1 && item[2].number == 4 &&
		item[3].number == 2 && item[4].number == 5 &&
		item[5].number == 0,
	    "in order");
	ok(!sort((const char *const[]){"2/3", "2/1", "2/2"}, 3, 2, item) &&
		item[0].number == 1,
	    "one of them");
	ok(!sort((const char *const[]){"3/3", "3/1", "3/2"}, 3, 4, item),
	    "the third of four");
	refuse_set(
	    all, 7, 2, "2/2", 5, "reference-shard 2/3: that of 2/2, too");
	refuse_set(all, 5, 2, "2/3", 5, "reference-shard 2/3 is missing");
	refuse_set(all, 6, 3, "1/1", 6, "shard 3/3 is missing");
	refuse_set(
	    (const char *const[]){"3/1", "3/2", "3/3", "1/1", "1/2", "1/3"}, 6,
	    3, "1/1", 6, "shard 2/3 is missing");
	refuse_set(
	    (const char *const[]){"3/1", "3/2", "3/3", "2/1", "2/2", "2/3"}, 6,
	    3, "2/1", 6, "shard 1/3 is missing");
	refuse_set(all, 4, 2, "1/2", 5, "reference-shard 3/3 is missing");
	refuse_set((const char *const[]){"1/2", "1/3"}, 2, 2, "1/2", 5,
	    "reference-shard 1/3 is missing");
	refuse_set((const char *const[]){"1/1", "1/2"}, 2, 2, "1/2", 5,
	    "reference-shard 3/3 is missing");
	refuse_set((const char *const[]){"1/1", "1/3"}, 2, 2, "1/3", 5,
	    "reference-shard 2/3 is missing");
}

/* Files of one block have as many rows of it. */
static void
test_rows(void)
{
	static const char *const file[] = {"a", "b", "c", "odd"};
	struct kith_lists_item item[4];

	for (size_t i = 0; i < 4; i++)
		item[i] = (struct kith_lists_item){.number = i,
		    .file = file[i],
		    .about = {.block = {1 + i % 2, 2},
			.shard = {1 + i / 2, 2},
			.rows = i == 3 ? 9 : 8 + i % 2},
		    .line = {.rows = 7}};
	ok(!kith_lists_set_sort(item, 4, &err), "blocks of their own lengths");
	for (size_t i = 0; i < 4; i++)
		item[i].about.rows += item[i].number == 3;
	ok(kith_lists_set_sort(item, 4, &err) < 0 && err.line == 7 &&
		strcmp(err.file, "odd") == 0,
	    "one differs");
	is_text(err.msg, "rows: another than in b", "which is said");
}

int
main(void)
{
	test_read();
	test_mistakes();
	test_write();
	test_same();
	test_hash();
	test_sets();
	test_rows();
	kith_pool_free(&pool);
	return done();
}
