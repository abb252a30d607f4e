/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/blocks.h and only.h: blocks of rows, as a list of all. */
#include "table/blocks.h"

#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "table/table.h"
#include "tap.h"
#include "text/rows.h"

#include <string.h>
#include <sys/stat.h>

enum { MOST = 9 };

/* Version 1 of .npy, and the length of the header. */
static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
static struct kith_pool pool;
static struct kith_err err;

/* A file of n rows, whose numbers are 1..n: text, or .npy. */
static const char *
write_rows(size_t file, size_t n, bool npy)
{
	char bytes[400] = "a\tb\n", *to = bytes + strlen(bytes);

	if (!npy) {
		for (size_t i = 1; i <= n; i++)
			to += sprintf(to, "%zu\t0\n", i);
		return scratch_text(file, bytes);
	}
	memset(bytes, ' ', 128);
	memcpy(bytes, magic, sizeof(magic));
	to = bytes + 10 +
	    sprintf(bytes + 10, "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, 2), }", n);
	*to = ' ';
	bytes[127] = '\n';
	for (size_t i = 0; i < n; i++) {
		const double row[] = {(double)i + 1, 0};

		memcpy(bytes + 128 + i * sizeof(row), row, sizeof(row));
	}
	return scratch(file, bytes, 128 + n * 2 * sizeof(double));
}

/* Whether row i, from 0, of n is in block b of so many. */
static bool
is_in(struct kith_block b, size_t i, size_t n)
{
	return i >= (b.i - 1) * n / b.n && i < b.i * n / b.n;
}

/* The rows that these blocks keep, against a look at each row: wrong ones. */
static size_t
read_blocks(const char *file, struct kith_only only)
{
	const char *const files[] = {file, NULL};
	const struct kith_format format = {.rowless = true};
	const size_t n = only.rows;
	struct kith_rows rows;
	size_t wrong = 0, read = 0, most = 0;

	if (kith_rows_open(&rows, files, &format, &pool, &err))
		return 1;
	for (size_t i = 0; i < n; i++) {
		bool due = false;

		for (size_t b = 0; b < only.blocks; b++) {
			due = due || is_in(only.block[b], i, n);
			most += is_in(only.block[b], i, n);
		}
		if (!due)
			continue;
		wrong += kith_only_row(&only, &rows, &read, &err) != 1 || read != i ||
		    strtod(kith_rec_cell(&rows.rec, 0)->s, NULL) != (double)(i + 1);
		read++;
	}
	wrong += kith_only_row(&only, &rows, &read, &err) != 0 || read != n;
	wrong += kith_only_most(&only) != most;
	kith_rows_close(&rows);
	return wrong;
}

static void
test_rows(bool npy)
{
	const struct kith_format format = {.rowless = true};
	size_t wrong = 0, sets = 0;

	for (size_t n = 1; n <= MOST; n++) {
		const char *const files[] = {write_rows(0, n, npy), NULL};
		struct kith_only count = {.rows = 99};

		ok(!kith_only_count(files, &format, &count, &err) && count.rows == n, "%zu rows",
		    n);
		for (size_t s = 1; s <= 4; s++)
			for (size_t t = 1; t <= 3; t++) {
				const struct kith_block a = {s, 4}, b = {t, 3};

				wrong += read_blocks(*files, (struct kith_only){{a, b}, 1, n, false});
				wrong += read_blocks(*files, (struct kith_only){{a, b}, 2, n, false});
				sets += 2;
			}
	}
	ok(wrong == 0, "%s: %zu sets of blocks, %zu wrong rows", npy ? ".npy" : "text", sets,
	    wrong);
}

static void
test_all(void)
{
	const char *const files[] = {write_rows(0, 2, false), NULL};
	const struct kith_format format = {0};
	struct kith_only only = {{{3, 3}}, 1, 3, false};
	struct kith_rows rows;
	size_t read = 7;

	ok(!kith_rows_open(&rows, files, &format, &pool, &err) &&
		kith_only_row(NULL, &rows, &read, &err) == 1 &&
		kith_only_row(NULL, &rows, &read, &err) == 1 &&
		kith_only_row(NULL, &rows, &read, &err) == 0 && read == 7,
	    "no blocks: all rows, which are not counted");
	kith_rows_close(&rows);
	read = 0;
	ok(!kith_rows_open(&rows, files, &format, &pool, &err) &&
		kith_only_row(&only, &rows, &read, &err) < 0,
	    "a row that is there no longer");
	is_text(err.msg, "changed while it was read", "which is said");
	is_text(err.file, files[0], "of the file");
	kith_rows_close(&rows);
}

static void
test_lasting(void)
{
	char pipe[80];
	const char *const files[] = {write_rows(0, 2, false), "/dev/null", NULL};
	const char *const input[] = {"-", NULL};
	const struct kith_format format = {0};
	struct kith_only only;

	snprintf(pipe, sizeof(pipe), "%s/pipe", scratch_dir);
	ok(mkfifo(pipe, 0600) == 0 && !kith_only_is_lasting(pipe), "a pipe");
	ok(kith_only_is_lasting(files[0]) && kith_only_is_lasting(scratch_dir) &&
		kith_only_is_lasting("/nowhere/at/all"),
	    "files, folders, and what is not there");
	ok(!kith_only_is_lasting("-") && !kith_only_is_lasting("/dev/null"),
	    "standard input, and devices");
	ok(kith_only_count(files, &format, &only, &err) < 0 && err.status == EX_DATAERR,
	    "no count of a device");
	is_text(err.msg, "no regular file: blocks of rows are read twice", "which is said");
	is_text(err.file, "/dev/null", "of the second file");
	ok(kith_only_count(input, &format, &only, &err) < 0, "nor of a stream");
	is_text(err.file, "<stdin>", "by its name");
	ok(kith_only_count((const char *const[]){scratch_text(0, "a\tb\n1\n"), NULL}, &format,
	       &only, &err) < 0 &&
		err.line == 2,
	    "a bad row");
	ok(kith_only_count((const char *const[]){"/nowhere/at/all", NULL}, &format, &only, &err) <
		    0 &&
		err.status == EX_NOINPUT,
	    "no file");
	unlink(pipe);
}

/* Which blocks are kept of which files. */
static void
test_choose(void)
{
	const struct kith_block one = {1, 1}, half = {2, 2}, third = {1, 3};
	const char *const files[] = {write_rows(0, 4, false), NULL};
	const char *train = write_rows(1, 7, false);
	struct kith_how reference = {0}, query = {0};
	struct kith_only only[2];

	ok(!kith_only_choose(one, third, train, files, &reference, &query, only, &err) &&
		!reference.only && !query.only,
	    "nothing where the block is all");
	ok(!kith_only_choose(half, one, NULL, files, &reference, &query, only, &err) &&
		!reference.only && !query.only,
	    "nor where all rows are asked of their own table");
	ok(!kith_only_choose(half, third, NULL, files, &reference, &query, only, &err) &&
		reference.only == &only[0] && !query.only,
	    "of one table");
	ok(only[0].blocks == 2 && only[0].rows == 4 &&
		memcmp(&only[0].block[0], &half, sizeof(half)) == 0 &&
		memcmp(&only[0].block[1], &third, sizeof(half)) == 0,
	    "block and shard");
	reference.only = NULL;
	ok(!kith_only_choose(half, one, train, files, &reference, &query, only, &err) &&
		reference.only == &only[0] && !query.only,
	    "of another one");
	ok(only[0].blocks == 1 && only[0].rows == 7 &&
		memcmp(&only[0].block[0], &half, sizeof(half)) == 0,
	    "the block");
	ok(!kith_only_choose(half, third, train, files, &reference, &query, only, &err) &&
		query.only == &only[1] && only[1].blocks == 1 && only[1].rows == 4 &&
		memcmp(&only[1].block[0], &third, sizeof(half)) == 0,
	    "and the shard of the rows");
	ok(kith_only_choose(half, one, "-", files, &reference, &query, only, &err) < 0,
	    "not of a stream");
	ok(kith_only_choose(half, third, train, (const char *const[]){"-", NULL}, &reference,
	       &query, only, &err) < 0,
	    "nor of two");
}

/* The rows of a block, whose numbers in the file may have gaps. */
static void
test_of_table(void)
{
	double v[2 * MOST];
	size_t number[MOST], wrong = 0;
	struct kith_table t = {.X = {MOST, 2, v}, .read = MOST};
	struct kith_mat X;

	for (size_t gaps = 0; gaps < 2; gaps++) {
		for (size_t i = 0; i < MOST; i++)
			number[i] = 2 * i + 1;
		t.number = gaps ? number : NULL;
		t.read = gaps ? 2 * MOST : MOST;
		for (size_t b = 1; b <= 4; b++) {
			const struct kith_block block = {b, 4};
			const size_t first = kith_block_rows(&t, block, &X);

			wrong += X.p != 2 || X.v != v + 2 * first;
			for (size_t i = 0; i < MOST; i++)
				wrong += is_in(block, kith_table_number(&t, i) - 1, t.read) !=
				    (i >= first && i < first + X.n);
		}
	}
	is_size(wrong, 0, "rows of a table by their numbers");
}

int
main(void)
{
	test_rows(false);
	test_rows(true);
	test_all();
	test_lasting();
	test_choose();
	test_of_table();
	kith_pool_free(&pool);
	return done();
}
