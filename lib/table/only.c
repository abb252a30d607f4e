/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/only.h"

#include "base/err.h"
#include "base/pool.h"
#include "text/rows.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

bool
kith_only_is_lasting(const char *file)
{
	struct stat st;

	return strcmp(file, "-") != 0 &&
	    (stat(file, &st) || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

int
kith_only_count(const char *const *files, const struct kith_format *format, struct kith_only *only,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_rows rows;
	int got;

	for (const char *const *file = files; *file; file++)
		if (!kith_only_is_lasting(*file))
			return kith_fail_at(err, EX_DATAERR, strcmp(*file, "-") ? *file : "<stdin>",
			    0, "no regular file: blocks of rows are read twice");
	if (kith_rows_open(&rows, files, format, &tmp, err)) {
		kith_pool_free(&tmp);
		return -1;
	}
	got = kith_rows_skip(&rows, SIZE_MAX, &only->rows, err);
	only->ambiguous = rows.ambiguous;
	kith_rows_close(&rows);
	kith_pool_free(&tmp);
	return got;
}

size_t
kith_only_most(const struct kith_only *only)
{
	size_t most = 0;

	for (size_t b = 0; b < only->blocks; b++)
		most += kith_block_to(only->block[b], only->rows) -
		    kith_block_from(only->block[b], only->rows);
	return most;
}

/* The first row from `row` on that is to be kept, or the number of rows. */
static size_t
next(const struct kith_only *only, size_t row)
{
	size_t next = only->rows;

	for (size_t b = 0; b < only->blocks; b++) {
		const size_t from = kith_block_from(only->block[b], only->rows);
		const size_t to = kith_block_to(only->block[b], only->rows);
		const size_t at = row > from ? row : from;

		if (at < to && at < next)
			next = at;
	}
	return next;
}

int
kith_only_row(
    const struct kith_only *only, struct kith_rows *rows, size_t *read, struct kith_err *err)
{
	size_t due, passed;
	int got;

	if (!only)
		return kith_rows_next(rows, err);
	due = next(only, *read);
	if (due == only->rows) {
		*read = due;
		return 0;
	}
	if (kith_rows_skip(rows, due - *read, &passed, err))
		return -1;
	*read += passed;
	got = kith_rows_next(rows, err);
	return got ? got
		   : kith_fail_at(err, EX_DATAERR, rows->rec.file, 0, "changed while it was read");
}
