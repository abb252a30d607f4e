/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/holes.h"

#include "base/err.h"
#include "base/pool.h"
#include "text/rows.h"
#include "text/value.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The missing cells of a column. */
struct hole {
	size_t n;
	const char *file; /* where the first is */
	size_t line;
	bool row; /* which is the number of a row */
};

static bool
is_missing(const struct kith_rec *rec, size_t c)
{
	return kith_rec_is_text(rec, c) ? kith_cell_missing(&rec->text[c])
					: isnan(rec->number[c]);
}

/* Whether the file has no lines, but rows. */
static bool
is_row(const struct kith_rec *rec)
{
	return rec->headless && !rec->sparse;
}

/* Count those of the row; returns how many there are. */
static size_t
count_row(const struct kith_rows *rows, const size_t *column, size_t p,
    struct hole *hole)
{
	size_t n = 0;

	for (size_t j = 0; j < p; j++) {
		if (!is_missing(&rows->rec, column[j]))
			continue;
		if (hole[j].n == 0) {
			hole[j].file = rows->rec.file;
			hole[j].line = rows->rec.line;
			hole[j].row = is_row(&rows->rec);
		}
		hole[j].n++;
		n++;
	}
	return n;
}

/* A text that is written piece by piece: what does not fit is left out. */
struct note {
	char s[320];
	size_t len;
};

static bool KITH_PRINTF(2, 3) put(struct note *note, const char *fmt, ...)
{
	const size_t room = sizeof(note->s) - note->len;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(note->s + note->len, room, fmt, ap);
	va_end(ap);
	if (len < 0 || (size_t)len >= room) {
		note->s[note->len] = '\0';
		return false;
	}
	note->len += (size_t)len;
	return true;
}

/* Add a column to the note; whether it found room. */
static bool
put_hole(
    struct note *note, const char *name, const struct hole *h, const char *file)
{
	char other[80] = "";

	if (strcmp(h->file, file) != 0)
		snprintf(other, sizeof(other), " of %.60s", h->file);
	return put(note, "%s column " KITH_NAME ": %zu, %s %s %zu%s",
	    note->len ? ";" : "", name, h->n, h->n > 1 ? "first at" : "at",
	    h->row ? "row" : "line", h->line, other);
}

/* Say all: `until` tells how far the count went. */
static int
say(const struct kith_rows *rows, const size_t *column, size_t p,
    const struct hole *hole, const char *file, const char *until,
    const char *hint, struct kith_err *err)
{
	struct note note = {"", 0};
	char more[40] = "";
	size_t left = 0;

	for (size_t j = 0; j < p; j++)
		if (hole[j].n &&
		    (left ||
			!put_hole(
			    &note, rows->name.name[column[j]], &hole[j], file)))
			left++;
	if (left)
		snprintf(more, sizeof(more), "; %zu more column%s", left,
		    left > 1 ? "s" : "");
	return kith_fail_at(err, EX_DATAERR, file, 0, "missing cells%s:%s%s%s",
	    until, note.s, more, hint);
}

/*
 * Count to the end what hole has begun with: sum so far.  *err says what one
 * missing cell alone is.
 */
static int
count_rest(struct kith_rows *rows, const size_t *column, size_t p,
    struct hole *hole, size_t sum, const char *file, const char *hint,
    struct kith_err *err)
{
	struct kith_err other = {0};
	char until[60] = "";
	int got;

	while ((got = kith_rows_next(rows, &other)) > 0)
		sum += count_row(rows, column, p, hole);
	if (sum == 1)
		return -1;
	if (got < 0 && other.line)
		snprintf(until, sizeof(until), " above line %zu, which is bad",
		    other.line);
	else if (got < 0)
		snprintf(until, sizeof(until), " as far as it can be read");
	return say(rows, column, p, hole, file, until, hint, err);
}

int
kith_holes_fail(struct kith_rows *rows, const size_t *column, size_t p,
    const char *hint, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct hole *hole = kith_new(&tmp, p, sizeof(*hole));
	const size_t sum = count_row(rows, column, p, hole);
	size_t j = 0;

	while (hole[j].n == 0)
		j++;
	kith_value_missing(rows, column[j], hint, err);
	count_rest(rows, column, p, hole, sum, rows->rec.file, hint, err);
	kith_pool_free(&tmp);
	return -1;
}

int
kith_holes_fail_since(struct kith_rows *rows, const size_t *column, size_t p,
    const struct kith_holes_before *before, const char *hint,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct hole *hole = kith_new(&tmp, p, sizeof(*hole));
	size_t sum = before->n, j = 0;

	while (column[j] != before->column)
		j++;
	hole[j] = (struct hole){
	    before->n, before->file, before->line, is_row(&rows->rec)};
	sum += count_row(rows, column, p, hole);
	count_rest(rows, column, p, hole, sum, before->file, hint, err);
	kith_pool_free(&tmp);
	return -1;
}
