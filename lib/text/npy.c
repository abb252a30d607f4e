/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/npy - NumPy's arrays: versions 1 to 3, 2-d or 1-d (one column) of numbers
 * of one type, or 1-d of records of numbers and texts, whose fields are the
 * columns.  text/out_npy.c writes them.
 *
 * The format: the magic, two bytes of version, the length of the header in 2 or
 * 4 bytes, the header, which is a dict of Python, and the cells.
 * (numpy.lib.format)
 *
 * A regular file is mapped, other input is read; both by blocks of rows, but in
 * the order of Fortran other input is read to its end first.  A file that somebody
 * cuts meanwhile is truncated.
 */
#include "base/err.h"
#include "text/npy_cell.h"
#include "text/npy_head.h"
#include "text/reader.h"
#include "text/rec.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
	BLOCK = 1 << 17, /* bytes of rows that are read at once, about */
	SOME = 64        /* rows by columns, after which a map is looked at */
};

struct npy {
	struct kith_npy_head head;
	const unsigned char *data; /* by columns: all of it */
	const unsigned char
	    *map;               /* by rows: what is next, or NULL: to be read */
	unsigned char *block;   /* of rows */
	size_t room, from, end; /* bytes of the block: all, next, read */
	size_t given;           /* rows so far */
	const unsigned char *now; /* the row that was given last */
	bool plain;               /* a row is doubles, as they stand */
	double *x;                /* p */
	struct kith_cell *text;   /* p, without bytes where numbers are; NULL */
	char *bytes;              /* of these texts */
	size_t *which, texts;     /* the columns that are text */
};

static bool
is_npy(const char *start, size_t len)
{
	return len >= 6 && memcmp(start, KITH_NPY_MAGIC, 6) == 0;
}

/* Read len bytes, or all there are: how many, or -1. */
static long
read_bytes(
    struct kith_rec *r, unsigned char *to, size_t len, struct kith_err *err)
{
	size_t had = 0;
	long got = 1;

	while (had < len && got > 0) {
		got = kith_gz_read(
		    &r->state->gz, (char *)to + had, len - had, err);
		if (got < 0)
			return -1;
		had += (size_t)got;
	}
	return (long)had;
}

static int
truncated(const struct kith_rec *r, struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, r->file, 0, "truncated");
}

static int
too_long(const struct kith_rec *r, struct kith_err *err)
{
	return kith_fail_at(
	    err, EX_DATAERR, r->file, 0, "other bytes behind the array");
}

/* Fail where bytes follow the array. */
static int
check_end(struct kith_rec *r, struct kith_err *err)
{
	unsigned char one;
	const long got = read_bytes(r, &one, 1, err);

	return got > 0 ? too_long(r, err) : (int)got;
}

/* Read the header: its bytes are in the pool. */
static int
read_head(struct kith_rec *r, struct kith_npy_head *head, struct kith_err *err)
{
	unsigned char start[12];
	size_t len, before = 10;
	char *text;
	long got = read_bytes(r, start, before, err);

	if (got < 0)
		return -1;
	if (got < 10 || !is_npy((const char *)start, 10))
		return kith_fail_at(err, EX_DATAERR, r->file, 0,
		    "not the format of NumPy (.npy)");
	if (start[6] < 1 || start[6] > 3)
		return kith_fail_at(err, EX_DATAERR, r->file, 0,
		    "version %d of .npy (1 to 3 are known)", start[6]);
	len = start[8] + 256 * (size_t)start[9];
	if (start[6] > 1) {
		before = 12;
		got = read_bytes(r, start + 10, 2, err);
		len += 65536 * (size_t)start[10] + 16777216 * (size_t)start[11];
		if (got < 2)
			return got < 0 ? -1 : truncated(r, err);
	}
	if (len > KITH_NPY_LONGEST)
		return kith_fail_at(
		    err, EX_DATAERR, r->file, 0, "a header of %zu bytes", len);
	text = kith_new(&r->state->pool, len + 1, 1);
	got = read_bytes(r, (unsigned char *)text, len, err);
	if (got < 0)
		return -1;
	if ((size_t)got < len)
		return truncated(r, err);
	head->start = before + len;
	return kith_npy_head_parse(
	    text, start[6], r->file, head, &r->state->pool, err);
}

/* Read all cells of an array by columns into the pool, as far as they are. */
static int
read_all(struct kith_rec *r, struct npy *s, struct kith_err *err)
{
	const size_t all = s->head.bytes;
	size_t had = 0, room = 0;
	unsigned char *data = NULL;

	while (had < all) {
		long got;

		room = 2 * room + BLOCK < all ? 2 * room + BLOCK : all;
		data = kith_grow(&r->state->pool, data, room, 1);
		got = read_bytes(r, data + had, room - had, err);
		if (got < 0)
			return -1;
		had += (size_t)got;
		if (had < room)
			return truncated(r, err);
	}
	s->data = data;
	return check_end(r, err);
}

/* Have the cells: mapped, or read, or to be read by blocks. */
static int
have_data(struct kith_rec *r, struct npy *s, const unsigned char *map,
    size_t len, struct kith_err *err)
{
	const struct kith_npy_head *h = &s->head;

	if (map && (len < h->start || len - h->start < h->bytes))
		return truncated(r, err);
	if (map && len - h->start > h->bytes)
		return too_long(r, err);
	r->rows = map ? h->rows : 0; /* all are there */
	if (h->by_column && !map)
		return read_all(r, s, err);
	if (h->by_column)
		s->data = map + h->start;
	else {
		s->map = map ? map + h->start : NULL;
		s->room = h->step < BLOCK ? BLOCK / h->step * h->step : h->step;
	}
	return 0;
}

/* Have room for texts, and NaN where they are no numbers. */
static void
have_texts(struct npy *s, struct kith_pool *pool)
{
	const struct kith_npy_head *h = &s->head;
	size_t bytes = 0;

	s->which = kith_new(pool, h->p, sizeof(*s->which));
	for (size_t c = 0; c < h->p; c++)
		if (kith_npy_is_text(&h->column[c])) {
			s->which[s->texts++] = c;
			bytes += h->column[c].size + 1;
			s->x[c] = NAN;
		}
	s->text = kith_new(pool, h->p, sizeof(*s->text));
	s->bytes = kith_new(pool, bytes, 1);
}

static int
open_npy(struct kith_rec *r, struct kith_err *err)
{
	struct npy *s = kith_new(&r->state->pool, 1, sizeof(*s));
	size_t len = 0;
	const unsigned char *map;

	r->state->own = s;
	if (read_head(r, &s->head, err))
		return -1;
	if (kith_reader_width(r->file, s->head.p, err))
		return -1;
	map = kith_gz_map(&r->state->gz, &len);
	if (have_data(r, s, map, len, err))
		return -1;
	kith_npy_head_columns(&s->head, &r->state->pool);
	if (s->room)
		s->block = kith_new(&r->state->pool, s->room, 1);
	s->plain = s->room && s->head.column->plain == s->head.p &&
	    s->head.step == s->head.p * sizeof(double);
	s->x = kith_new(&r->state->pool, s->head.p, sizeof(*s->x));
	if (s->head.texts)
		have_texts(s, &r->state->pool);
	r->headless = true;
	r->n = s->head.p;
	r->name = s->head.name;
	return 0;
}

/*
 * Fail where a file that is mapped has been cut since: what is not there any
 * more cannot be read.
 */
static int
check_map(const struct kith_rec *r, struct kith_err *err)
{
	return kith_gz_is_cut(&r->state->gz) ? truncated(r, err) : 0;
}

/*
 * Have some bytes: how many, at the end 0, or -1.  Of a map they are copied at
 * once, while they are known to be there.
 */
static long
have_bytes(struct kith_rec *r, struct npy *s, unsigned char *to, size_t most,
    struct kith_err *err)
{
	if (!s->map)
		return kith_gz_read(&r->state->gz, (char *)to, most, err);
	if (check_map(r, err))
		return -1;
	memcpy(to, s->map, most);
	s->map += most;
	return (long)most;
}

/*
 * Have the next row in the block: read what there is, but wait for no more than
 * this row, which may come long before others.
 */
static int
have_row(struct kith_rec *r, struct npy *s, struct kith_err *err)
{
	const size_t step = s->head.step;
	const size_t due = (s->head.rows - s->given) * step;

	if (s->end - s->from >= step)
		return 0;
	s->end -= s->from;
	memmove(s->block, s->block + s->from, s->end);
	s->from = 0;
	while (s->end < step) {
		const size_t most = due < s->room ? due : s->room;
		const long got = have_bytes(
		    r, s, s->block + s->end, most - s->end, err);

		if (got <= 0)
			return got < 0 ? -1 : truncated(r, err);
		s->end += (size_t)got;
	}
	return 0;
}

/* Read the cells of the row that numbers are. */
static void
load(struct npy *s)
{
	const struct kith_npy_head *h = &s->head;

	for (size_t c = 0, n; c < h->p; c += n + !n) {
		const struct kith_npy_column *column = &h->column[c];
		const unsigned char *from = s->now + column->at;

		n = column->plain;
		if (n)
			memcpy(&s->x[c], from, n * sizeof(double));
		else if (!s->text || !kith_npy_is_text(column))
			s->x[c] = kith_npy_number(column, from);
	}
}

/* Read those that are text, one behind the other. */
static int
load_texts(struct kith_rec *r, struct npy *s, struct kith_err *err)
{
	const struct kith_npy_head *h = &s->head;
	char *to = s->bytes;

	for (size_t i = 0; i < s->texts; i++) {
		const size_t c = s->which[i];
		struct kith_cell *cell = &s->text[c];
		const char *why;

		why = kith_npy_text(
		    &h->column[c], s->now + h->column[c].at, to, &cell->len);
		if (why)
			return kith_fail_at(err, EX_DATAERR, r->file, r->line,
			    "column " KITH_NAME ": %s", h->name[c], why);
		cell->s = to;
		to += cell->len + 1;
	}
	r->text = s->text;
	return 0;
}

static int
next(struct kith_rec *r, struct kith_err *err)
{
	struct npy *s = r->state->own;
	const struct kith_npy_head *h = &s->head;

	if (s->given == h->rows)
		return s->room && !s->map ? check_end(r, err) : 0;
	if (s->room ? have_row(r, s, err)
		    : s->given % SOME == 0 && check_map(r, err))
		return -1;
	s->now = s->data ? s->data + s->given * h->step : s->block + s->from;
	s->from += h->step;
	r->line = ++s->given;
	r->number = s->x;
	if (s->plain)
		r->number = (const double *)(const void *)s->now;
	else
		load(s);
	return s->text && load_texts(r, s, err) ? -1 : 1;
}

/* Of a map, and of what is read already, rows are passed over where they lie. */
static size_t
skip(struct kith_rec *r, size_t n)
{
	struct npy *s = r->state->own;
	const size_t step = s->head.step, left = s->head.rows - s->given;
	const size_t all = n < left ? n : left;
	const size_t read = s->data ? all : (s->end - s->from) / step;
	const size_t here = all < read ? all : read;
	const size_t on = s->map ? all - here : 0;

	if (!s->data)
		s->from += here * step;
	if (on > 0)
		s->map += on * step;
	s->given += here + on;
	return here + on;
}

/* Whole numbers that a double does not hold are exact as text. */
static void
show(const struct kith_rec *r, size_t c, char text[KITH_NUM_ROOM])
{
	const struct npy *s = r->state->own;
	const struct kith_npy_column *column = &s->head.column[c];
	const unsigned char *from = s->now + column->at;
	uint64_t v = 0;

	if (column->size != 8 || column->type == 'f') {
		kith_format_real(text, r->number[c]);
		return;
	}
	for (size_t i = 0; i < 8; i++)
		v |= (uint64_t)from[i] << 8 * (column->low_last ? 7 - i : i);
	if (column->type == 'u')
		snprintf(text, KITH_NUM_ROOM, "%" PRIu64, v);
	else
		snprintf(text, KITH_NUM_ROOM, "%" PRId64, (int64_t)v);
}

const struct kith_reader kith_reader_npy = {
    .is = is_npy, .open = open_npy, .next = next, .skip = skip, .show = show};
