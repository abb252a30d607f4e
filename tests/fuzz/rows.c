/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Feed any bytes to rows and columns: tables are read or refused, rows are as
 * wide as the header, and lists name columns that are there, each once.
 */
#include "text/rows.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "fuzz.h"
#include "text/columns.h"

#include <math.h>
#include <string.h>

enum { FORMS = KITH_FORM_CSV + 1 };
enum { ROWS = 1000, COLUMNS = 1000 };

static void
must_tell(const struct kith_err *err)
{
	if (!err->status || !err->msg[0])
		abort();
}

static void
check_list(const struct kith_rows *t, const char *list)
{
	struct kith_pool pool = {0};
	struct kith_err err = {0};
	bool *seen = kith_new(&pool, t->name.n, sizeof(*seen));
	size_t *column;
	const long n = kith_columns(t, list, NULL, &column, &pool, &err);

	if (n < 0)
		must_tell(&err);
	for (long i = 0; i < n; i++) {
		if (column[i] >= t->name.n || seen[column[i]])
			abort();
		seen[column[i]] = true;
	}
	kith_pool_free(&pool);
}

/* A number that is read is finite, and is read again as it is written. */
static void
check_number(const struct kith_cell *c)
{
	char s[KITH_NUM_ROOM];
	double x, y;

	if (kith_parse_real(c->s, c->len, &x) != KITH_NUM_OK)
		return;
	if (!isfinite(x) || x != strtod(c->s, NULL) ||
	    kith_parse_real(s, kith_format_real(s, x), &y) != KITH_NUM_OK || x != y)
		abort();
}

static void
check_rows(const char *const *files, const struct kith_format *format, const char *list)
{
	struct kith_pool pool = {0};
	struct kith_err err = {0};
	struct kith_rows t;
	int got;

	if (kith_rows_open(&t, files, format, &pool, &err)) {
		must_tell(&err);
		kith_pool_free(&pool);
		return;
	}
	for (size_t j = 0; j < t.name.n && j < COLUMNS; j++)
		if (kith_names_find(&t.name, t.name.name[j]) != j)
			abort();
	check_list(&t, list);
	/* A few bytes may stand for a large matrix. */
	while ((got = t.n < ROWS ? kith_rows_next(&t, &err) : 0) > 0) {
		if (t.rec.n != t.name.n)
			abort();
		for (size_t j = 0; j < t.rec.n && j < COLUMNS; j++)
			check_number(kith_rec_cell(&t.rec, j));
	}
	if (got < 0)
		must_tell(&err);
	kith_rows_close(&t);
	kith_pool_free(&pool);
}

/* The bytes: options and form, a list that ends at a null byte, then a table. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const uint8_t *behind = len ? memchr(data, '\0', len) : NULL;
	struct kith_format format = {0};
	const char *files[] = {NULL, NULL, NULL};
	size_t from;

	/* A list that names a file is no matter for random names. */
	if (!behind || behind == data || memchr(data, '@', (size_t)(behind - data)))
		return 0;
	from = (size_t)(behind - data) + 1;
	format.no_header = data[0] & 1;
	format.header = data[0] & 2;
	format.form = (data[0] >> 3) % FORMS;
	files[0] = fuzz_file(0, behind + 1, len - from);
	if (data[0] & 4)
		files[1] = files[0];
	check_rows(files, &format, (const char *)data + 1);
	return 0;
}
