#include "text/rows.h"

#include "base/num.h"
#include "base/pool.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { V_ROOM = 24 }; /* bytes of V18446744073709551615 */

/* The names of the columns, one behind the other in one block. */
static char **
copy_names(const struct kith_rec *r, bool no_header, struct kith_pool *pool)
{
	char **name = kith_new(pool, r->n, sizeof(*name));
	size_t bytes = 0;
	char *to;

	for (size_t i = 0; i < r->n; i++)
		bytes += no_header ? V_ROOM : r->cell[i].len + 1;
	to = kith_new(pool, bytes, 1);
	for (size_t i = 0; i < r->n; i++) {
		name[i] = to;
		if (no_header)
			to += snprintf(to, V_ROOM, "V%zu", i + 1) + 1;
		else {
			memcpy(to, r->cell[i].s, r->cell[i].len + 1);
			to += r->cell[i].len + 1;
		}
	}
	return name;
}

/* How many cells of the record are numbers. */
static size_t
count_numbers(const struct kith_rec *r)
{
	size_t n = 0;
	double x;

	for (size_t i = 0; i < r->n; i++)
		n += kith_parse_real(r->cell[i].s, r->cell[i].len, &x) !=
		    KITH_NUM_TEXT;
	return n;
}

/* Name the columns after the first record of the first file. */
static int
name_columns(struct kith_rows *t, struct kith_err *err)
{
	const struct kith_rec *r = &t->rec;
	const bool no_header = t->format.no_header;
	char **name = copy_names(r, no_header, t->pool);
	const size_t twin = kith_names_index(&t->name, name, r->n, t->pool);

	t->head = r->line;
	if (no_header)
		return 0;
	if (!t->format.header && twin == r->n) {
		const size_t numbers = count_numbers(r);

		if (numbers && numbers + 1 >= r->n)
			return kith_fail_at(err, EX_DATAERR, r->file, r->line,
			    "names are numbers (-H/--no-header? --header?)");
	}
	for (size_t i = 0; i < r->n; i++)
		if (r->cell[i].len == 0)
			return kith_fail_at(err, EX_DATAERR, r->file, r->line,
			    "column %zu: empty name", i + 1);
	if (twin < r->n)
		return kith_fail_at(err, EX_DATAERR, r->file, r->line,
		    "column " KITH_NAME ": two of that name (-H/--no-header?)",
		    name[twin]);
	return 0;
}

/* Check that the record names the columns as the first file did. */
static int
same_header(const struct kith_rows *t, struct kith_err *err)
{
	const struct kith_rec *r = &t->rec;
	bool same = r->n == t->name.n;

	for (size_t i = 0; same && i < r->n; i++)
		same = strcmp(r->cell[i].s, t->name.name[i]) == 0;
	if (same)
		return 0;
	return kith_fail_at(err, EX_DATAERR, r->file, r->line,
	    "the header differs from that of %.200s", t->first);
}

/* Open the next file and read its first record. */
static int
open_next(struct kith_rows *t, struct kith_err *err)
{
	int got;

	if (kith_rec_open(&t->rec, *t->files++, t->format.sep, err))
		return -1;
	got = kith_rec_next(&t->rec, err);
	if (got == 0)
		got = kith_fail_at(
		    err, EX_DATAERR, t->rec.file, 0, "empty input");
	if (got > 0 && !t->first) {
		t->first = t->rec.file;
		got = name_columns(t, err);
	} else if (got > 0 && !t->format.no_header)
		got = same_header(t, err);
	if (got < 0) {
		kith_rec_close(&t->rec);
		return -1;
	}
	t->open = true;
	t->held = t->format.no_header;
	return 0;
}

int
kith_rows_open(struct kith_rows *t, const char *const *files,
    const struct kith_format *format, struct kith_pool *pool,
    struct kith_err *err)
{
	assert(*files);
	*t = (struct kith_rows){
	    .files = files, .format = *format, .pool = pool};
	return open_next(t, err);
}

int
kith_rows_next(struct kith_rows *t, struct kith_err *err)
{
	const struct kith_rec *r = &t->rec;
	int got;

	while (!t->held && (got = kith_rec_next(&t->rec, err)) <= 0) {
		if (got < 0)
			return -1;
		if (!*t->files && t->n == 0 && !t->format.rowless)
			return kith_fail_at(err, EX_DATAERR, r->file, 0,
			    "no row below the header");
		if (!*t->files)
			return 0;
		kith_rows_close(t);
		if (open_next(t, err))
			return -1;
	}
	t->held = false;
	if (r->n != t->name.n)
		return kith_fail_at(err, EX_DATAERR, r->file, r->line,
		    "%zu cells where the %s has %zu", r->n,
		    t->format.no_header ? "first row" : "header", t->name.n);
	t->n++;
	return 1;
}

void
kith_rows_close(struct kith_rows *t)
{
	if (t->open)
		kith_rec_close(&t->rec);
	t->open = false;
}

int
kith_rows_fail(const struct kith_rows *t, size_t column, struct kith_err *err,
    const char *fmt, ...)
{
	char why[sizeof(err->msg)];
	va_list ap;

	assert(column < t->name.n);
	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return kith_fail_at(err, EX_DATAERR, t->rec.file, t->rec.line,
	    "column " KITH_NAME ": %.300s", t->name.name[column], why);
}
