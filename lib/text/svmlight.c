/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/svmlight - the sparse rows of svmlight and LIBSVM:
 *
 *	LABEL [qid:N] INDEX:VALUE ... [# comment]
 *
 * with indices from 1 that increase; what a row does not name is 0.  The columns
 * are V1 to Vp, p being the largest index, and label, the last one; qid is
 * passed over.  As the last row may have the largest index, all rows are read
 * first: 16 bytes for each pair, and 24 for each row.
 */
#include "base/err.h"
#include "text/lines.h"
#include "text/reader.h"
#include "text/rec.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

struct pair {
	size_t index; /* from 1 */
	double value;
};

struct row {
	size_t line;
	size_t end; /* of its pairs */
	double label;
};

struct svmlight {
	struct pair *pair;
	size_t pairs, pair_room;
	struct row *row;
	size_t rows, row_room;
	size_t p;     /* the largest index */
	size_t given; /* rows so far */
	double *x;    /* p + 1: the row that was given last */
};

/* Where the reading stands. */
struct walk {
	struct kith_rec *r;
	struct svmlight *s;
	size_t line;
	struct kith_err *err;
};

static int KITH_PRINTF(2, 0)
    fail(const struct walk *w, const char *fmt, const char *word)
{
	return kith_fail_at(w->err, EX_DATAERR, w->r->file, w->line, fmt, word);
}

/* A number, or NaN where it is missing. */
static int
take_value(const struct walk *w, const char *s, double *x)
{
	const size_t len = strlen(s);

	switch (kith_parse_real(s, len, x)) {
	case KITH_NUM_OK:
		return 0;
	case KITH_NUM_HUGE:
		return fail(w, "too large for a double: " KITH_CELL, s);
	default:
		*x = NAN;
		return len && kith_is_missing(s, len)
		    ? 0
		    : fail(w, "not a number: " KITH_CELL, s);
	}
}

/* Take a word INDEX:VALUE of the row; last is the index before. */
static int
take_pair(const struct walk *w, char *word, size_t *last)
{
	struct svmlight *s = w->s;
	char *colon = strchr(word, ':');
	struct pair pair;

	if (!colon)
		return fail(w, "not INDEX:VALUE: " KITH_CELL, word);
	*colon = '\0';
	if (kith_parse_size(word, &pair.index))
		return fail(w, "not an index: " KITH_CELL, word);
	if (pair.index == 0)
		return fail(w,
		    "index %s: indices are counted from 1 "
		    "(dump_svmlight_file: zero_based=False?)",
		    word);
	if (pair.index <= *last)
		return fail(w, "index %.20s: indices must increase", word);
	if (pair.index >= KITH_READER_WIDEST)
		return fail(w, "index %.20s: too large", word);
	if (take_value(w, colon + 1, &pair.value))
		return -1;
	s->pair = kith_more(
	    &w->r->state->pool, s->pair, s->pairs, &s->pair_room, sizeof(pair));
	s->pair[s->pairs++] = pair;
	*last = pair.index;
	s->p = pair.index > s->p ? pair.index : s->p;
	return 0;
}

/* Take the words of a line, which is not blank, as a row. */
static int
take_row(const struct walk *w, char *s)
{
	static const char blank[] = " \t";
	struct row row = {.line = w->line};
	char *rest, *word = strtok_r(s, blank, &rest);
	size_t last = 0;

	if (strchr(word, ':'))
		return fail(w, "no label before " KITH_CELL, word);
	if (take_value(w, word, &row.label))
		return -1;
	word = strtok_r(NULL, blank, &rest);
	if (word && strncmp(word, "qid:", 4) == 0)
		word = strtok_r(NULL, blank, &rest);
	for (; word; word = strtok_r(NULL, blank, &rest))
		if (take_pair(w, word, &last))
			return -1;
	row.end = w->s->pairs;
	w->s->row = kith_more(&w->r->state->pool, w->s->row, w->s->rows,
	    &w->s->row_room, sizeof(row));
	w->s->row[w->s->rows++] = row;
	return 0;
}

/* Read all rows; lines of comments, and blank ones at the end, are none. */
static int
take_all(struct kith_rec *r, struct svmlight *s, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_lines lines;
	struct walk w = {r, s, 0, err};
	size_t len, blank = 0;
	char *line;
	int got;

	kith_lines_begin(&lines, &r->state->gz, r->file, &tmp);
	while ((got = kith_lines_next(&lines, &line, &len, err)) > 0) {
		const bool comment = *line == '#';

		w.line = lines.passed;
		line[strcspn(line, "#")] = '\0';
		if (comment)
			continue;
		if (!line[strspn(line, " \t")]) {
			blank = blank ? blank : w.line;
			continue;
		}
		if (blank) {
			w.line = blank;
			got = fail(&w, "%s", "blank line");
			break;
		}
		if (take_row(&w, line)) {
			got = -1;
			break;
		}
	}
	kith_pool_free(&tmp);
	return got;
}

/* Have room for p + 1 columns, of which the last is the label. */
static void
set_width(struct kith_rec *r, struct svmlight *s)
{
	const char **name = kith_new(&r->state->pool, s->p + 1, sizeof(*name));

	name[s->p] = "label";
	s->x = kith_new(&r->state->pool, s->p + 1, sizeof(*s->x));
	r->name = name;
	r->n = s->p + 1;
}

static int
open_svmlight(struct kith_rec *r, struct kith_err *err)
{
	struct svmlight *s = kith_new(&r->state->pool, 1, sizeof(*s));

	r->state->own = s;
	if (take_all(r, s, err))
		return -1;
	if (s->rows == 0)
		return kith_fail_at(err, EX_DATAERR, r->file, 0, "empty input");
	r->headless = r->sparse = true;
	set_width(r, s);
	return 0;
}

static void
widen(struct kith_rec *r, size_t p)
{
	struct svmlight *s = r->state->own;

	s->p += p;
	set_width(r, s);
}

static int
next(struct kith_rec *r, struct kith_err *err)
{
	struct svmlight *s = r->state->own;
	const size_t i = s->given;
	const struct row *row = &s->row[i];

	(void)err;
	if (i == s->rows)
		return 0;
	memset(s->x, 0, s->p * sizeof(*s->x));
	for (size_t k = i ? row[-1].end : 0; k < row->end; k++)
		s->x[s->pair[k].index - 1] = s->pair[k].value;
	s->x[s->p] = row->label;
	r->number = s->x;
	r->line = row->line;
	s->given++;
	return 1;
}

const struct kith_reader kith_reader_svmlight = {
    .open = open_svmlight, .next = next, .widen = widen};
