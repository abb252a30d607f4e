/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/mtx - Matrix Market: a banner, comments, the size, and then all entries
 * by columns (array) or those that are not 0 (coordinate).
 *
 * As rows are what is asked for, all entries are read first: 8 bytes for each of
 * an array, 24 for each of a coordinate matrix, which are then sorted by rows.
 * (R. F. Boisvert, R. Pozo, K. A. Remington, The Matrix Market exchange formats,
 * NISTIR 5935, 1996)
 */
#include "base/err.h"
#include "text/lines.h"
#include "text/reader.h"
#include "text/rec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct entry {
	size_t row, column; /* from 0 */
	double value;
};

enum { GENERAL, SYMMETRIC, SKEW };

struct mtx {
	bool coordinate, pattern;
	int shape;        /* of the enum above */
	size_t n, p, due; /* due: entries in the file */
	double *value;    /* array: those of the file, in its order */
	struct entry *entry;
	size_t entries, room, at; /* at: the first of the next row */
	size_t given;             /* rows so far */
	double *x;                /* p */
};

/* Where the reading stands. */
struct walk {
	struct kith_rec *r;
	struct mtx *m;
	struct kith_lines lines;
	struct kith_err *err;
};

static const char blank[] = " \t";

static bool
is_mtx(const char *start, size_t len)
{
	return len >= 14 && memcmp(start, "%%MatrixMarket", 14) == 0;
}

static int KITH_PRINTF(2, 0)
    fail(const struct walk *w, const char *fmt, const char *word)
{
	return kith_fail_at(
	    w->err, EX_DATAERR, w->r->file, w->lines.passed, fmt, word);
}

/* Which of the words, which NULL ends, this is; their number if none. */
static int
find(const char *word, const char *const *words)
{
	int i = 0;

	while (words[i] && (!word || strcasecmp(word, words[i]) != 0))
		i++;
	return i;
}

static int
take_banner(struct walk *w, char *line)
{
	static const char *const formats[] = {"array", "coordinate", NULL};
	static const char *const fields[] = {
	    "real", "integer", "double", "pattern", NULL};
	static const char *const shapes[] = {
	    "general", "symmetric", "skew-symmetric", NULL};
	char *rest, *word = strtok_r(line, blank, &rest);
	const char *object = strtok_r(NULL, blank, &rest);
	const char *format, *field, *shape;

	if (!word || !is_mtx(word, strlen(word)))
		return fail(w, "%s", "not the banner of Matrix Market");
	if (!object || strcasecmp(object, "matrix") != 0)
		return fail(
		    w, "not a matrix: " KITH_CELL, object ? object : "");
	format = strtok_r(NULL, blank, &rest);
	field = strtok_r(NULL, blank, &rest);
	shape = strtok_r(NULL, blank, &rest);
	if (!shape)
		return fail(w, "%s", "the banner ends early");
	if (find(format, formats) == 2)
		return fail(
		    w, "neither array nor coordinate: " KITH_CELL, format);
	if (find(field, fields) == 4)
		return fail(
		    w, "not real, integer or pattern: " KITH_CELL, field);
	w->m->shape = find(shape, shapes);
	if (w->m->shape == 3)
		return fail(w,
		    "not general, symmetric or skew-symmetric: " KITH_CELL,
		    shape);
	w->m->coordinate = find(format, formats) == 1;
	w->m->pattern = find(field, fields) == 3;
	return w->m->pattern && !w->m->coordinate
	    ? fail(w, "%s", "an array of a pattern")
	    : 0;
}

/* The next line that is no comment and not blank: 1, 0 or -1. */
static int
next_line(struct walk *w, char **line)
{
	size_t len;
	int got;

	while ((got = kith_lines_next(&w->lines, line, &len, w->err)) > 0)
		if (**line != '%' && (*line)[strspn(*line, blank)])
			break;
	return got;
}

/* How many entries the file has of a matrix of this form. */
static size_t
count_due(const struct mtx *m)
{
	const size_t n = m->n;

	switch (m->shape) {
	case GENERAL:
		return n * m->p;
	case SYMMETRIC:
		return n % 2 ? n * ((n + 1) / 2) : n / 2 * (n + 1);
	default:
		return n % 2 ? n * ((n - 1) / 2) : n / 2 * (n - 1);
	}
}

static int
take_size(struct walk *w)
{
	struct mtx *m = w->m;
	size_t most, *const to[] = {&m->n, &m->p, &m->due};
	const size_t sizes = m->coordinate ? 3 : 2;
	char *line, *rest;
	const int got = next_line(w, &line);

	if (got <= 0)
		return got < 0 ? -1 : fail(w, "%s", "truncated");
	for (size_t i = 0; i < sizes; i++, line = NULL) {
		const char *word = strtok_r(line, blank, &rest);

		if (!word || kith_parse_size(word, to[i]))
			return fail(w, "%s",
			    m->coordinate
				? "not rows, columns and entries of a matrix"
				: "not rows and columns of a matrix");
	}
	if (strtok_r(NULL, blank, &rest))
		return fail(w, "%s", "more than the size of a matrix");
	if (kith_reader_width(w->r->file, m->p, w->err))
		return -1;
	if (m->shape != GENERAL && m->n != m->p)
		return fail(w, "%s", "not as many rows as columns");
	if (__builtin_mul_overflow(m->n, m->p, &most))
		return fail(w, "%s", "too many rows");
	if (!m->coordinate)
		m->due = count_due(m);
	return 0;
}

/* The next word as a number, NaN where it is missing. */
static int
take_value(const struct walk *w, const char *word, double *x)
{
	switch (word ? kith_parse_real(word, strlen(word), x) : KITH_NUM_TEXT) {
	case KITH_NUM_OK:
		return 0;
	case KITH_NUM_HUGE:
		return fail(w, "too large for a double: " KITH_CELL, word);
	default:
		*x = NAN;
		if (word && kith_is_missing(word, strlen(word)))
			return 0;
		return fail(w, "not a number: " KITH_CELL, word ? word : "");
	}
}

/* The next word as the number of one of n rows, or columns, from 0. */
static int
take_number(const struct walk *w, const char *word, size_t n, size_t *to)
{
	if (!word || kith_parse_size(word, to) || *to == 0 || *to > n)
		return fail(w, "no row and column of the matrix: " KITH_CELL,
		    word ? word : "");
	--*to;
	return 0;
}

static void
add(struct walk *w, struct entry e)
{
	struct mtx *m = w->m;

	m->entry = kith_more(
	    &w->r->state->pool, m->entry, m->entries, &m->room, sizeof(e));
	m->entry[m->entries++] = e;
}

/* Take an entry of a coordinate matrix, and its mirror image. */
static int
take_entry(struct walk *w, char *line, char **rest)
{
	struct mtx *m = w->m;
	struct entry e = {.value = 1};

	if (take_number(w, strtok_r(line, blank, rest), m->n, &e.row) ||
	    take_number(w, strtok_r(NULL, blank, rest), m->p, &e.column) ||
	    (!m->pattern &&
		take_value(w, strtok_r(NULL, blank, rest), &e.value)))
		return -1;
	if (m->shape != GENERAL &&
	    (e.row < e.column || (m->shape == SKEW && e.row == e.column)))
		return fail(w, "%s", "not below the diagonal");
	add(w, e);
	if (m->shape != GENERAL && e.row != e.column)
		add(w,
		    (struct entry){e.column, e.row,
			m->shape == SKEW ? -e.value : e.value});
	return 0;
}

static int
take_all(struct walk *w)
{
	struct mtx *m = w->m;
	size_t room = 0, i = 0;
	char *line, *rest;
	int got;

	for (; (got = next_line(w, &line)) > 0; i++) {
		if (i == m->due)
			return fail(
			    w, "%s", "more entries than there should be");
		if (m->coordinate && take_entry(w, line, &rest))
			return -1;
		if (!m->coordinate) {
			m->value = kith_more(&w->r->state->pool, m->value, i,
			    &room, sizeof(*m->value));
			if (take_value(
				w, strtok_r(line, blank, &rest), &m->value[i]))
				return -1;
		}
		if (strtok_r(NULL, blank, &rest))
			return fail(w, "%s", "more than an entry");
	}
	return got == 0 && i < m->due ? fail(w, "%s", "truncated") : got;
}

static int
compare(const void *va, const void *vb)
{
	const struct entry *a = va, *b = vb;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return (a->column > b->column) - (a->column < b->column);
}

/* Sort the entries by rows; an entry that is there twice is an error. */
static int
sort(const struct walk *w)
{
	struct mtx *m = w->m;

	if (m->entries > 0)
		qsort(m->entry, m->entries, sizeof(*m->entry), compare);
	for (size_t i = 1; i < m->entries; i++)
		if (compare(&m->entry[i - 1], &m->entry[i]) == 0)
			return kith_fail_at(w->err, EX_DATAERR, w->r->file, 0,
			    "row %zu, column %zu: listed twice",
			    m->entry[i].row + 1, m->entry[i].column + 1);
	return 0;
}

static int
open_mtx(struct kith_rec *r, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct mtx *m = kith_new(&r->state->pool, 1, sizeof(*m));
	struct walk w = {.r = r, .m = m, .err = err};
	char *line;
	size_t len;
	int got;

	r->state->own = m;
	kith_lines_begin(&w.lines, &r->state->gz, r->file, &tmp);
	got = kith_lines_next(&w.lines, &line, &len, err);
	if (got == 0)
		got = kith_fail_at(err, EX_DATAERR, r->file, 0, "empty input");
	if (got > 0)
		got = take_banner(&w, line) || take_size(&w) || take_all(&w) ||
			(m->coordinate && sort(&w))
		    ? -1
		    : 0;
	kith_pool_free(&tmp);
	if (got < 0)
		return -1;
	m->x = kith_new(&r->state->pool, m->p, sizeof(*m->x));
	r->headless = true;
	r->n = m->p;
	return 0;
}

/* Where entry (i, j), i >= j, of an array of this form is in the file. */
static size_t
place(const struct mtx *m, size_t i, size_t j)
{
	const size_t skew = m->shape == SKEW ? 1 : 0;

	if (m->shape == GENERAL)
		return j * m->n + i;
	/* Columns 0 to j - 1 have n - skew, n - 1 - skew, ... entries. */
	return j * (m->n - skew) - (j % 2 ? (j - 1) / 2 * j : j / 2 * (j - 1)) +
	    (i - j - skew);
}

/* Entry (i, j) of an array. */
static double
value_at(const struct mtx *m, size_t i, size_t j)
{
	if (m->shape == GENERAL || i > j)
		return m->value[place(m, i, j)];
	if (i < j)
		return (m->shape == SKEW ? -1 : 1) * m->value[place(m, j, i)];
	return m->shape == SKEW ? 0 : m->value[place(m, i, i)];
}

static int
next(struct kith_rec *r, struct kith_err *err)
{
	struct mtx *m = r->state->own;
	const size_t i = m->given;

	(void)err;
	if (i == m->n)
		return 0;
	if (m->coordinate)
		memset(m->x, 0, m->p * sizeof(*m->x));
	for (; m->at < m->entries && m->entry[m->at].row == i; m->at++)
		m->x[m->entry[m->at].column] = m->entry[m->at].value;
	for (size_t j = 0; !m->coordinate && j < m->p; j++)
		m->x[j] = value_at(m, i, j);
	r->number = m->x;
	r->line = ++m->given;
	return 1;
}

const struct kith_reader kith_reader_mtx = {
    .is = is_mtx, .open = open_mtx, .next = next};
