/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/lists.h: neighbours in blocks, against one list of all. */
#include "table/lists.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "scratch.h"
#include "table/root.h"
#include "tap.h"
#include "text/out.h"

#include <math.h>
#include <string.h>

enum { ROWS = 11, QUERIES = 7, K = 3 };

static const struct kith_lists_columns columns = {"row", "neighbor", "class"};
static struct kith_pool pool;
static struct kith_err err;

/* What is due: squared distances of all pairs, with ties. */
static double d[QUERIES][ROWS];

/* What comes: of each row in turn. */
struct got {
	size_t rows, wrong, lines;
	double radius; /* squared; or < 0 */
	size_t k;
};

static int
begin(void *to, const struct kith_rows *line, struct kith_err *e)
{
	struct got *got = to;
	char id[32];

	(void)e;
	snprintf(id, sizeof(id), "q%zu", got->rows);
	got->wrong += strcmp(kith_rec_cell(&line->rec, 0)->s, id) != 0;
	return 0;
}

static int
read_line(
    void *to, const struct kith_rows *line, struct kith_lists_entry *entry, struct kith_err *e)
{
	struct got *got = to;

	(void)e;
	got->lines++;
	entry->value = strtod(kith_rec_cell(&line->rec, 4)->s, NULL);
	return 0;
}

/* Whether neighbour i of the query comes before j. */
static bool
is_before(size_t q, size_t i, size_t j)
{
	return d[q][i] < d[q][j] || (d[q][i] <= d[q][j] && i < j);
}

static void
end(void *to, const struct kith_lists_entry *entry, size_t n)
{
	struct got *got = to;
	const size_t q = got->rows++;
	size_t due = 0;

	for (size_t i = 0; i < ROWS; i++) {
		size_t place = 0;

		if (got->radius >= 0 && d[q][i] > got->radius)
			continue;
		for (size_t j = 0; j < ROWS; j++)
			place += is_before(q, j, i);
		if (got->k && place >= got->k)
			continue;
		due++;
		got->wrong += place >= n || entry[place].row != i + 1 ||
		    fabs(entry[place].d - d[q][i]) > 0 ||
		    fabs(entry[place].value - (double)(10 * i)) > 0;
	}
	got->wrong += n != due;
}

/* The lines of a query: its neighbours among rows from..to-1. */
static void
put_lines(struct kith_out *out, size_t q, size_t from, size_t to, const struct got *how)
{
	char distance[KITH_NUM_ROOM], id[32];
	bool done[ROWS] = {false};
	size_t lines = 0;

	snprintf(id, sizeof(id), "q%zu", q);
	for (; lines < (how->k ? how->k : ROWS); lines++) {
		size_t best = ROWS;

		for (size_t i = from; i < to; i++)
			if (!done[i] && (best == ROWS || is_before(q, i, best)))
				best = i;
		if (best == ROWS || (how->radius >= 0 && d[q][best] > how->radius))
			break;
		done[best] = true;
		kith_near_root_format(distance, d[q][best]);
		kith_out_put(out, "%s\t%zu\t%s\t%s\t%zu\n", id, best + 1, distance,
		    q % 2 ? "A" : "B", 10 * best);
	}
	if (lines == 0)
		kith_out_put(out, "%s\t%G\t%G\t%s\t%G\n", id, NAN, NAN, q % 2 ? "A" : "B", NAN);
}

/* The file of a block and a shard. */
static const char *
put_file(size_t file, struct kith_block block, struct kith_block shard, const struct got *how)
{
	static const char *const name[] = {"row", "neighbor", "distance", "class", "value"};
	const char *path = scratch_text(file, "");
	const size_t from = kith_block_from(block, ROWS);
	const size_t to = kith_block_to(block, ROWS);
	const size_t first = kith_block_from(shard, QUERIES);
	const size_t last = kith_block_to(shard, QUERIES);
	const struct kith_lists_about about = {.block = block,
	    .shard = shard,
	    .reference = ROWS,
	    .rows = to - from,
	    .queries = last - first,
	    .k = how->k,
	    .radius = how->radius < 0 ? -1 : sqrt(how->radius),
	    .metric = 7};
	struct kith_out out;

	if (kith_out_open(&out, path, &err))
		abort();
	kith_lists_about_put(&about, NULL, &out);
	kith_out_header(&out, name, 5);
	for (size_t q = first; q < last; q++)
		put_lines(&out, q, from, to, how);
	if (kith_out_close_alone(&out, NULL, &err))
		abort();
	return path;
}

/* Join so many blocks of so many shards, the last file first. */
static void
test_join(size_t blocks, size_t shards, const struct got *how)
{
	const char *files[5] = {NULL};
	const size_t all = blocks * shards;
	struct got got = *how;
	const struct kith_lists_use use = {&got, how->k ? how->k : ROWS, begin, read_line, end};
	struct kith_lists lists;

	for (size_t l = 0; l < all; l++)
		files[all - 1 - l] = put_file(l, (struct kith_block){l % blocks + 1, blocks},
		    (struct kith_block){l / blocks + 1, shards}, how);
	ok(!kith_lists_open(files, &columns, &lists, &pool, &err), "%zu blocks, %zu shards", blocks,
	    shards);
	is_size(lists.about.rows, ROWS, "rows of all blocks");
	ok(!kith_lists_read(&lists, &use, &pool, &err), "read");
	kith_lists_close(&lists);
	ok(got.rows == QUERIES && got.wrong == 0 && got.lines > 0,
	    "each row has its neighbours: %zu rows, %zu wrong", got.rows, got.wrong);
}

static int
fail_begin(void *to, const struct kith_rows *line, struct kith_err *e)
{
	(void)to;
	(void)line;
	return kith_fail(e, EX_DATAERR, "no row");
}

static int
let_begin(void *to, const struct kith_rows *line, struct kith_err *e)
{
	(void)to;
	(void)line;
	(void)e;
	return 0;
}

static int
fail_line(
    void *to, const struct kith_rows *line, struct kith_lists_entry *entry, struct kith_err *e)
{
	size_t *lines = to;

	(void)line;
	return entry->row == 2 && ++*lines ? kith_fail(e, EX_DATAERR, "no line") : 0;
}

static void
ignore(void *to, const struct kith_lists_entry *entry, size_t n)
{
	(void)to;
	(void)entry;
	(void)n;
}

/* Who takes what is read may fail; it is not asked again. */
static void
test_failing(void)
{
	const char *const files[] = {
	    put_file(0, (struct kith_block){1, 1}, (struct kith_block){1, 1},
		&(struct got){.radius = -1, .k = K}),
	    NULL};
	size_t lines = 0;
	struct got got = {.radius = -1};
	const struct kith_lists_use use = {&got, K, fail_begin, read_line, ignore};
	const struct kith_lists_use other = {&lines, K, let_begin, fail_line, ignore};
	struct kith_lists lists;

	ok(!kith_lists_open(files, &columns, &lists, &pool, &err) &&
		kith_lists_read(&lists, &use, &pool, &err) < 0,
	    "at a row");
	is_text(err.msg, "no row", "its message");
	is_size(got.lines, 0, "no line is asked for");
	kith_lists_close(&lists);
	ok(!kith_lists_open(files, &columns, &lists, &pool, &err) &&
		kith_lists_read(&lists, &other, &pool, &err) < 0,
	    "at a line");
	is_text(err.msg, "no line", "its message");
	is_size(lines, 1, "which is the last");
	kith_lists_close(&lists);
}

/* What is due of one file, or of two. */
static void
refuse_set(const char *const *text, int file, size_t line, const char *message)
{
	const char *files[5] = {NULL};
	struct got got = {.radius = -1};
	const struct kith_lists_use use = {&got, 2, begin, read_line, end};
	struct kith_lists lists;
	char due[300];

	for (size_t i = 0; text[i]; i++)
		files[i] = scratch_text(i, text[i]);
	snprintf(due, sizeof(due), message, files[0]);
	ok(kith_lists_open(files, &columns, &lists, &pool, &err) ||
		kith_lists_read(&lists, &use, &pool, &err),
	    "refused");
	kith_lists_close(&lists);
	ok(err.file && strcmp(err.file, files[file]) == 0, "file %d", file);
	is_size(err.line, line, "at the line");
	is_text(err.msg, due, "with the message");
}

static void
refuse(const char *a, const char *b, int file, size_t line, const char *message)
{
	refuse_set((const char *const[]){a, b, NULL}, file, line, message);
}

#define ABOUT(block, rows, queries) \
	"# reference-shard\t" block "\n# reference\t4\n# rows\t" rows "\n# queries\t" queries \
	"\n# k\t2\n# metric\tff\n"
#define HEADER "row\tneighbor\tdistance\tclass\tvalue\n"
#define FIRST ABOUT("1/2", "2", "2") HEADER
#define SECOND ABOUT("2/2", "2", "2") HEADER
#define GOOD1 FIRST "q0\t2\t1\tA\t0\nq0\t1\t2\tA\t0\nq1\t1\t0\tB\t0\n"
#define GOOD \
	SECOND \
	"q0\t3\t1\tA\t0\nq0\t4\t1\tA\t0\n" \
	"q1\t3\t1\tB\t0\nq1\t4\tinf\tB\t0\n"

static void
test_lines(void)
{
	static const char good[] = GOOD1 "q1\t2\t0\tB\t0\n";

	refuse(FIRST "q0\t3\t1\tA\t0\n", GOOD, 0, 8,
	    "column \"neighbor\": no row of block 1/2 of 4: '3'");
	refuse(FIRST "q0\t0\t1\tA\t0\n", GOOD, 0, 8,
	    "column \"neighbor\": no row of block 1/2 of 4: '0'");
	refuse(good, SECOND "q0\t2\t1\tA\t0\n", 1, 8,
	    "column \"neighbor\": no row of block 2/2 of 4: '2'");
	refuse(good, SECOND "q0\t5\t1\tA\t0\n", 1, 8,
	    "column \"neighbor\": no row of block 2/2 of 4: '5'");
	refuse(FIRST "q0\t1\tx\tA\t0\n", GOOD, 0, 8, "column \"distance\": not a number: 'x'");
	refuse(FIRST "q0\t2\t1\tA\t0\nq0\t1\t1\tA\t0\n", GOOD, 0, 9,
	    "column \"neighbor\": not in the order of distance and row");
	refuse(FIRST "q0\t2\t1\tA\t0\nq0\t2\t2\tA\t0\n", GOOD, 0, 9,
	    "column \"neighbor\": twice a neighbour of row 'q0': 2");
	refuse(FIRST "q0\t2\t1\tA\t0\nq1\t2\t1\tA\t0\n", GOOD, 0, 8,
	    "1 neighbours of a row that should have 2 here");
	refuse(FIRST "q0\tNA\tNA\tA\t0\nq1\t2\t1\tA\t0\n", GOOD, 0, 8,
	    "0 neighbours of a row that should have 2 here");
	refuse(good, SECOND "q1\t3\t1\tB\t0\n", 1, 8, "column \"row\": 'q1' where row 'q0' is due");
	refuse(good, SECOND "q0\t3\t1\tB\t0\n", 1, 8,
	    "column \"class\": 'B' where other files have 'A'");
	refuse(good, SECOND "q0\t3\t1\tA\t0\nq0\t4\t1\tA\t0\n", 1, 0, "ends before row 'q1'");
	refuse(good, GOOD "q2\t3\t1\tB\t0\n", 1, 12, "column \"row\": a row that %s has not: 'q2'");
	refuse(ABOUT("1/2", "2", "3") HEADER "q0\t1\t1\tA\t0\nq0\t2\t1\tA\t0\n",
	    ABOUT("2/2", "2", "3") HEADER "q0\t3\t1\tA\t0\nq0\t4\t1\tA\t0\n", 0, 0,
	    "1 rows, where it says 3");
}

static void
test_headers(void)
{
	refuse(FIRST, ABOUT("2/2", "2", "2") "row\tneighbor\tdistance\tclass\n", 1, 7,
	    "the header differs from that of %s");
	refuse(FIRST, ABOUT("2/2", "2", "2") "row\tneighbor\tdistance\tclass\tvalues\n", 1, 7,
	    "the header differs from that of %s");
	refuse(ABOUT("1/1", "4", "2") "row\tneighbor\tvalue\n", NULL, 0, 7,
	    "column \"distance\": not found");
	refuse(
	    ABOUT("1/1", "4", "2") "a\tneighbor\tvalue\n", NULL, 0, 7, "column \"row\": not found");
	refuse(FIRST, ABOUT("2/3", "2", "2") HEADER, 1, 1, "reference-shard: another than in %s");
	refuse(FIRST, NULL, 0, 1, "reference-shard 2/2 is missing");
	refuse(SECOND, NULL, 0, 1, "reference-shard 1/2 is missing");
}

/* Rows that are asked may be missing among their own neighbours. */
static void
test_self(void)
{
	static const char *const text[] = {"# self\t1\n" GOOD1 "q1\t2\t0\tB\t0\n",
	    "# self\t1\n" ABOUT("2/2", "2", "2") HEADER
	    "q0\t3\t1\tA\t20\nq0\t4\t1\tA\t30\nq1\t4\t3\tB\t30\n",
	    NULL};
	const char *const files[] = {scratch_text(0, text[0]), scratch_text(1, text[1]), NULL};
	struct got got = {.radius = -1};
	const struct kith_lists_use use = {&got, 2, begin, read_line, end};
	struct kith_lists lists;

	ok(!kith_lists_open(files, &columns, &lists, &pool, &err) &&
		!kith_lists_read(&lists, &use, &pool, &err),
	    "one neighbour less");
	is_size(got.lines, 7, "lines");
	kith_lists_close(&lists);
	refuse(text[0], SECOND "", 1, 0, "self: another than in %s");
	refuse("# self\t1\n" FIRST "q0\tNA\tNA\tB\t0\n", text[1], 0, 9,
	    "0 neighbours of a row that should have 2 here");
}

int
main(void)
{
	struct kith_rng rng;

	kith_rng_seed(&rng, 5, KITH_RNG_SAMPLE, 0);
	for (size_t q = 0; q < QUERIES; q++)
		for (size_t i = 0; i < ROWS; i++)
			d[q][i] = (double)kith_rng_below(&rng, 5) / 3;
	for (size_t blocks = 1; blocks <= 4; blocks++)
		for (size_t shards = 1; shards * blocks <= 4; shards++) {
			test_join(blocks, shards, &(struct got){.radius = -1, .k = K});
			test_join(blocks, shards, &(struct got){.radius = .4});
			test_join(blocks, shards, &(struct got){.radius = .4, .k = 2});
		}
	test_failing();
	test_lines();
	test_headers();
	test_self();
	kith_pool_free(&pool);
	return done();
}
