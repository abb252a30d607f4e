/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/rows.h"

#include "base/num.h"
#include "base/pool.h"
#include "base/progress.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
	V_ROOM = 24, /* bytes of V18446744073709551615 */
	SOME = 64    /* rows, after which their number is told */
};

/* Whether this is the name that column i, from 1, has without any other. */
static bool
is_numbered(const char *name, size_t i)
{
	char due[V_ROOM];

	snprintf(due, sizeof(due), "V%zu", i);
	return strcmp(name, due) == 0;
}

bool
kith_rows_numbered(const struct kith_names *name)
{
	for (size_t i = 0; i < name->n; i++)
		if (!is_numbered(name->name[i], i + 1))
			return false;
	return true;
}

/* The name that the file gives column i, or NULL. */
static const char *
given_name(const struct kith_rows *t, size_t i)
{
	const struct kith_rec *r = &t->rec;

	if (r->headless)
		return r->name ? r->name[i] : NULL;
	return t->format.no_header ? NULL : kith_rec_cell(r, i)->s;
}

/* The names of the columns, one behind the other in one block. */
static char **
copy_names(const struct kith_rows *t)
{
	const size_t n = t->rec.n;
	char **name = kith_new(t->pool, n, sizeof(*name));
	size_t bytes = 0;
	char *to;

	for (size_t i = 0; i < n; i++) {
		const char *given = given_name(t, i);

		bytes += given ? strlen(given) + 1 : V_ROOM;
	}
	to = kith_new(t->pool, bytes, 1);
	for (size_t i = 0; i < n; i++) {
		const char *given = given_name(t, i);

		name[i] = to;
		if (given)
			to = stpcpy(to, given) + 1;
		else
			to += snprintf(to, V_ROOM, "V%zu", i + 1) + 1;
	}
	return name;
}

/* How many cells of the record are numbers. */
static size_t
count_numbers(const struct kith_rec *r)
{
	size_t n = 0;
	double x;

	for (size_t i = 0; i < r->n; i++) {
		const struct kith_cell *c = kith_rec_cell(r, i);

		n += kith_parse_real(c->s, c->len, &x) != KITH_NUM_TEXT;
	}
	return n;
}

/* Name the columns after the first record of the first file. */
static int
name_columns(struct kith_rows *t, struct kith_err *err)
{
	const struct kith_rec *r = &t->rec;
	char **name = copy_names(t);
	const size_t twin = kith_names_index(&t->name, name, r->n, t->pool);

	t->head = r->line;
	t->nameless = r->headless ? !r->name : t->format.no_header;
	if (t->nameless)
		return 0;
	if (!r->headless && !t->format.header && twin == r->n) {
		const size_t numbers = count_numbers(r);

		if (numbers && numbers + 1 >= r->n)
			return kith_fail_at(err, EX_DATAERR, r->file, r->line,
			    "names are numbers (-H/--no-header? --header?)");
	}
	for (size_t i = 0; i < r->n; i++)
		if (!*name[i])
			return kith_fail_at(err, EX_DATAERR, r->file, r->line,
			    "column %zu: empty name", i + 1);
	if (twin < r->n)
		return kith_fail_at(err, EX_DATAERR, r->file, r->line,
		    "column " KITH_NAME ": two of that name%s", name[twin],
		    r->headless ? "" : " (-H/--no-header?)");
	return 0;
}

/* Check that the file has the columns of the first one. */
static int
same_columns(struct kith_rows *t, struct kith_err *err)
{
	struct kith_rec *r = &t->rec;
	bool same;

	if (!r->headless && t->format.no_header)
		return 0; /* each row has so many cells, or is refused */
	same = kith_rec_widen(r, t->name.n) && r->n == t->name.n;
	for (size_t i = 0; same && i < r->n; i++) {
		const char *given = given_name(t, i);

		same = given ? strcmp(given, t->name.name[i]) == 0
			     : is_numbered(t->name.name[i], i + 1);
	}
	if (same)
		return 0;
	if (!r->headless)
		return kith_fail_at(err, EX_DATAERR, r->file, r->line,
		    "the header differs from that of %.200s", t->first);
	return kith_fail_at(err, EX_DATAERR, r->file, 0,
	    "the columns differ from those of %.200s%s", t->first,
	    r->sparse && r->n > t->name.n
		? " (first the file with most of them?)"
		: "");
}

/* Open the next file and read its first record. */
static int
open_next(struct kith_rows *t, struct kith_err *err)
{
	const struct kith_format *f = &t->format;
	int got;

	if (kith_rec_open(
		&t->rec, *t->files++, f->sep, (enum kith_form)f->form, err))
		return -1;
	t->rec.threads = f->threads;
	got = t->rec.headless ? 1 : kith_rec_next(&t->rec, err);
	if (got == 0)
		got = kith_fail_at(
		    err, EX_DATAERR, t->rec.file, 0, "empty input");
	if (got > 0 && !t->first) {
		t->first = t->rec.file;
		got = name_columns(t, err);
	} else if (got > 0)
		got = same_columns(t, err);
	if (got < 0) {
		kith_rec_close(&t->rec);
		return -1;
	}
	t->open = true;
	t->held = !t->rec.headless && f->no_header;
	return 0;
}

/* Take the elements of the list of cells that are missing. */
static int
take_missing(struct kith_rows *t, struct kith_err *err)
{
	struct kith_rec r;
	int got;

	if (!t->format.missing)
		return 0;
	kith_rec_open_text(&r, "LIST", t->format.missing, ',');
	got = kith_rec_next(&r, err);
	for (size_t i = 0; got > 0 && i < r.n; i++)
		kith_texts_add(&t->missing, kith_rec_cell(&r, i), t->pool);
	if (got > 0 && kith_rec_next(&r, err) > 0)
		got = kith_fail_at(
		    err, EX_DATAERR, "LIST", 0, "more than one line");
	kith_rec_close(&r);
	if (got < 0)
		err->status = KITH_EX_USAGE;
	return got < 0 ? -1 : 0;
}

int
kith_rows_open(struct kith_rows *t, const char *const *files,
    const struct kith_format *format, struct kith_pool *pool,
    struct kith_err *err)
{
	assert(*files);
	*t = (struct kith_rows){
	    .files = files, .format = *format, .pool = pool};
	return take_missing(t, err) || open_next(t, err) ? -1 : 0;
}

const char *
kith_rows_hint(const struct kith_rows *t, const char *other)
{
	return t->name.n == 1 && !t->rec.headless && !t->format.sep ? " (-d?)"
								    : other;
}

void
kith_rows_cover(struct kith_rows *t, const struct kith_names *due)
{
	const size_t has = t->rec.n;
	size_t most = has - 1; /* the columns but for the label */

	if (!t->rec.sparse)
		return;
	for (size_t i = 0; i < due->n; i++) {
		size_t n;

		if (*due->name[i] == 'V' &&
		    kith_parse_size(due->name[i] + 1, &n) == 0 && n > most &&
		    n < SIZE_MAX && is_numbered(due->name[i], n))
			most = n;
	}
	if (kith_rec_widen(&t->rec, most + 1) && t->rec.n > has)
		kith_names_index(&t->name, copy_names(t), t->rec.n, t->pool);
}

/* Have the cells of the row that are text missing where they are this one. */
static void
drop_texts(struct kith_rows *t, const struct kith_cell *out)
{
	const struct kith_rec *r = &t->rec;

	for (size_t c = 0; r->text && c < r->n; c++) {
		struct kith_cell *cell = &r->text[c];

		if (!cell->s || cell->len != out->len || cell->quoted ||
		    memcmp(cell->s, out->s, out->len) != 0)
			continue;
		*cell = (struct kith_cell){"NA", 2, false};
		if (r->number)
			t->number[c] = NAN;
	}
}

/* The same of numbers. */
static void
drop_numbers(struct kith_rows *t, const struct kith_cell *out)
{
	const struct kith_rec *r = &t->rec;
	double x;

	if (!r->number || kith_parse_real(out->s, out->len, &x))
		return;
	for (size_t c = 0; c < r->n; c++)
		if (t->number[c] == x && !kith_rec_is_text(r, c))
			t->number[c] = NAN;
}

/* The same of all elements of the list; numbers are copied for it. */
static void
drop_cells(struct kith_rows *t)
{
	struct kith_rec *r = &t->rec;

	if (r->number && !t->number)
		t->number = kith_new(t->pool, r->n, sizeof(*t->number));
	if (r->number)
		r->number = memcpy(
		    t->number, r->number, r->n * sizeof(*t->number));
	for (size_t i = 0; i < t->missing.n; i++) {
		const struct kith_cell out = kith_texts_at(&t->missing, i);

		drop_texts(t, &out);
		drop_numbers(t, &out);
	}
}

/* The row is too short or too long for the columns. */
static int
fail_ragged(const struct kith_rows *t, struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, t->rec.file, t->rec.line,
	    "%zu cells where the %s has %zu", t->rec.n,
	    t->format.no_header ? "first row" : "header", t->name.n);
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
			    r->headless ? "no row" : "no row below the header");
		if (!*t->files)
			return 0;
		kith_rows_close(t);
		if (open_next(t, err))
			return -1;
	}
	t->held = false;
	if (r->n != t->name.n)
		return fail_ragged(t, err);
	if (t->missing.n)
		drop_cells(t);
	if (++t->n % SOME == 0)
		kith_progress_value("rows", (double)t->n);
	return 1;
}

int
kith_rows_skip(
    struct kith_rows *t, size_t n, size_t *passed, struct kith_err *err)
{
	for (*passed = 0; *passed < n; ++*passed) {
		int got;

		if (t->open && !t->held) {
			const size_t here = kith_rec_skip(&t->rec, n - *passed);

			t->n += here;
			*passed += here;
			if (*passed == n)
				break;
		}
		got = kith_rows_next(t, err);
		if (got <= 0)
			return got;
	}
	return 0;
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
