/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/csv - records of text cells: CSV, TSV and the like.
 *
 * Cells may be quoted as in RFC 4180; a quote counts at the start of a cell
 * only and is an ordinary byte elsewhere.  Dropped are a UTF-8 byte order mark,
 * the carriage return of a CRLF line end, blanks around an unquoted cell and
 * behind a quoted one (space, and tab where it does not divide cells), and
 * lines that start "# " before the first record; of these, the ones that have a
 * tab are kept as notes (text/rec.h).  Blank lines at the very end are passed
 * over.
 *
 * Fails on a null byte, on wrong quotes and on a blank line that is followed by
 * other lines.  Memory: the longest record, twice where it has quotes, its
 * cells, and a fixed buffer; on several threads text/ahead.h has some more.
 */
#include "text/csv.h"

#include "base/err.h"
#include "base/pool.h"
#include "text/ahead.h"
#include "text/guess.h"
#include "text/reader.h"
#include "text/rec.h"

#include <assert.h>
#include <string.h>

static_assert((int)KITH_LINES_SLACK >= (int)KITH_CUT_SLACK, "room to cut in");

enum { SMALL = 1 << 16 }; /* bytes that one thread reads */

/* A record in the buffer, from lines.buf[lines.from] on. */
struct span {
	size_t len;   /* without its line end */
	size_t next;  /* with it */
	size_t lines; /* line ends in it */
	size_t cuts;  /* times that it was divided in the walk */
	bool quotes;  /* there is one in it */
	enum kith_cut_place at;
};

static int
open_csv(struct kith_rec *r, struct kith_err *err)
{
	struct kith_pool *pool = &r->state->pool;
	struct kith_csv *s = kith_new(pool, 1, sizeof(*s));

	(void)err;
	r->state->own = s;
	kith_cut_begin(&s->cut, pool);
	s->begun = r->state->text;
	if (s->begun)
		kith_lines_text(&s->lines, r->file, r->state->text, pool);
	else
		kith_lines_begin(&s->lines, &r->state->gz, r->file, pool);
	return 0;
}

/*
 * Have the record in the buffer as sep divides it.  Its first line is there
 * already, and ends at lines.buf[lines.from + end].
 */
static int
have_record(struct kith_rec *r, char sep, size_t end, struct span *span,
    struct kith_err *err)
{
	struct kith_csv *s = r->state->own;
	size_t at = 0;
	int got = 1;

	*span = (struct span){0};
	do {
		const char *line = s->lines.buf + s->lines.from;

		span->len = end - (end > at && line[end - 1] == '\r');
		span->lines++;
		if (!span->quotes && memchr(line, '"', end))
			span->quotes = true;
		if (span->quotes || !r->sep)
			span->at = kith_cut_walk(span->at, line + at,
			    span->len - at, sep, &span->cuts);
		at = end + kith_lines_is_read(&s->lines, end);
	} while (span->at == KITH_CUT_QUOTED &&
	    (got = kith_lines_have(&s->lines, at, &end, err)) > 0);
	span->next = at;
	return got < 0 ? -1 : 0;
}

/* Find what divides cells from the record whose first line ends there. */
static int
set_sep(struct kith_rec *r, size_t end, struct kith_err *err)
{
	struct kith_csv *s = r->state->own;
	struct span span;

	if (!r->state->chosen && !s->begun &&
	    kith_guess_first(&s->lines, end, err))
		return -1;
	for (const char *sep = "\t,;"; *sep; sep++) {
		if (have_record(r, *sep, end, &span, err))
			return -1;
		if (span.cuts > 0) {
			r->sep = *sep;
			return 0;
		}
	}
	r->sep = KITH_SEP_NONE;
	return r->state->chosen || s->begun
	    ? 0
	    : kith_guess_divided(&s->lines, end, err);
}

static bool
is_blank_line(const char *s, size_t len, char sep)
{
	while (len > 0 && kith_is_blank(s[len - 1], sep))
		len--;
	return len == 0;
}

/* Keep a comment of len bytes, behind its "# ", where it is a note. */
static void
keep_note(struct kith_rec *r, const char *text, size_t len)
{
	struct kith_pool *pool = &r->state->pool;
	struct kith_csv *s = r->state->own;
	const char *tab = memchr(text, '\t', len);
	struct kith_rec_note *note;
	size_t key;

	if (!tab)
		return;
	key = (size_t)(tab - text);
	s->note = kith_more(pool, s->note, r->notes, &s->room, sizeof(*note));
	note = &s->note[r->notes++];
	note->key = kith_strndup(pool, text, key);
	note->value = kith_strndup(pool, tab + 1, len - key - 1);
	note->line = s->lines.passed + 1;
	r->note = s->note;
}

/*
 * Pass over what is no record: a byte order mark, comments, blank lines.
 * Returns 1 with a line of a record at lines.buf[lines.from .. lines.from +
 * *end], 0 at the end, or -1.
 */
static int
skip(struct kith_rec *r, size_t *end, struct kith_err *err)
{
	struct kith_csv *s = r->state->own;
	struct kith_lines *l = &s->lines;
	int got;

	while ((got = kith_lines_have(l, 0, end, err)) > 0) {
		const char *line = l->buf + l->from;
		const size_t next = *end + kith_lines_is_read(l, *end);
		const size_t len = *end - (*end > 0 && line[*end - 1] == '\r');

		if (l->passed == 0 && !s->begun && l->from == 0 && *end >= 3 &&
		    memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
			kith_lines_pass(l, 3, 0);
			continue;
		}
		if (!s->begun && len >= 2 && memcmp(line, "# ", 2) == 0) {
			keep_note(r, line + 2, len - 2);
			kith_lines_pass(l, next, 1);
			continue;
		}
		if (!is_blank_line(line, len, r->sep))
			break;
		if (!s->blank)
			s->blank = l->passed + 1;
		kith_lines_pass(l, next, 1);
	}
	s->met = s->met || got > 0;
	if (got > 0 && s->blank)
		return kith_fail_at(
		    err, EX_DATAERR, r->file, s->blank, "blank line");
	return got;
}

int
kith_csv_next(struct kith_rec *r, struct kith_err *err)
{
	struct kith_csv *s = r->state->own;
	const size_t first = s->cut.n;
	struct span span;
	size_t end;
	int got = skip(r, &end, err);
	char *from;

	if (got <= 0)
		return got;
	r->line = s->lines.passed + 1;
	if ((!r->sep && set_sep(r, end, err)) ||
	    have_record(r, r->sep, end, &span, err))
		return -1;
	s->begun = true;
	if (span.at == KITH_CUT_QUOTED)
		return kith_fail_at(err, EX_DATAERR, r->file, r->line,
		    "quoted cell without end");
	if (span.at == KITH_CUT_BROKEN)
		return kith_fail_at(err, EX_DATAERR, r->file, r->line,
		    "text behind a closing quotation mark");
	from = s->lines.buf + s->lines.from;
	if (span.quotes || r->through_csv)
		kith_cut_quoted(&s->cut, from, span.len, r->sep);
	else
		kith_cut_plain(&s->cut, from, span.len, r->sep);
	r->text = s->cut.cell + first;
	r->n = s->cut.n - first;
	kith_lines_pass(&s->lines, span.next, span.lines);
	return 1;
}

/* On several threads, once there is enough to share out. */
static int
next(struct kith_rec *r, struct kith_err *err)
{
	struct kith_csv *s = r->state->own;

	if (s->ahead)
		return kith_ahead_next(s->ahead, r, err);
	if (r->threads > 1 && s->begun && s->lines.gz &&
	    (r->block || s->lines.from >= SMALL)) {
		s->ahead = kith_ahead_new(r);
		return kith_ahead_next(s->ahead, r, err);
	}
	s->cut.n = 0;
	return kith_csv_next(r, err);
}

static void
close_csv(struct kith_rec *r)
{
	struct kith_csv *s = r->state->own;

	if (s->ahead)
		kith_ahead_end(s->ahead);
	kith_cut_end(&s->cut);
}

const struct kith_reader kith_reader_csv = {
    .open = open_csv, .next = next, .close = close_csv};
