#include "text/rec.h"

#include "base/err.h"
#include "base/pool.h"
#include "text/cut.h"
#include "text/gz.h"

#include <assert.h>
#include <string.h>

enum { ROOM = 1 << 18 }; /* of the buffer, unless a record is longer */

struct kith_rec_state {
	struct kith_gz gz; /* without state: the text was in memory */
	char *buf;         /* room bytes, and KITH_CUT_SLACK more */
	size_t room;
	size_t from, end; /* bytes of buf that are read and not yet given */
	size_t clean;     /* where the first null byte of these is, or end */
	bool ended;       /* and no more will come */
	bool begun;       /* the first record has been met */
	size_t lines;     /* line ends before buf[from] */
	size_t blank;     /* line that was blank, or 0 */
	struct kith_rec_note *note;
	size_t notes; /* room for them */
	struct kith_cut cut;
	struct kith_pool pool; /* of all this */
};

/* A record in the buffer, from buf[from] on. */
struct span {
	size_t len;   /* without its line end */
	size_t next;  /* with it */
	size_t lines; /* line ends in it */
	size_t cuts;  /* times that it was divided in the walk */
	bool quotes;  /* there is one in it */
	enum kith_cut_place at;
};

static struct kith_rec_state *
begin(struct kith_rec *r, const char *name, char sep, size_t room)
{
	struct kith_pool pool = {0};
	struct kith_rec_state *s = kith_new(&pool, 1, sizeof(*s));

	*r = (struct kith_rec){.file = name, .sep = sep, .state = s};
	s->pool = pool;
	s->room = room;
	s->buf = kith_grow(&s->pool, NULL, room + KITH_CUT_SLACK, 1);
	kith_cut_begin(&s->cut, &s->pool);
	return s;
}

int
kith_rec_open(
    struct kith_rec *r, const char *file, char sep, struct kith_err *err)
{
	struct kith_gz gz;

	if (sep == '"' || sep == '\r')
		return kith_fail(err, KITH_EX_USAGE,
		    "neither a quotation mark nor a carriage return can "
		    "divide cells");
	if (kith_gz_open(&gz, file, err))
		return -1;
	begin(r, gz.file, sep, ROOM)->gz = gz;
	return 0;
}

void
kith_rec_open_text(
    struct kith_rec *r, const char *name, const char *text, char sep)
{
	const size_t len = strlen(text);
	struct kith_rec_state *s = begin(r, name, sep, len);

	assert(sep != '"' && sep != '\r');
	memcpy(s->buf, text, len);
	s->end = s->clean = len;
	s->ended = s->begun = true;
}

/*
 * Read more bytes behind those that are there, and look for null bytes while
 * they are in the cache.
 */
static int
fill(struct kith_rec *r, struct kith_err *err)
{
	struct kith_rec_state *s = r->state;
	const char *null;
	long got;

	if (s->end == s->room && s->from >= s->room / 2) {
		s->end -= s->from;
		memmove(s->buf, s->buf + s->from, s->end);
		s->from = 0;
	} else if (s->end == s->room) {
		s->room *= 2;
		s->buf = kith_grow(
		    &s->pool, s->buf, s->room + KITH_CUT_SLACK, 1);
	}
	got = kith_gz_read(&s->gz, s->buf + s->end, s->room - s->end, err);
	if (got < 0)
		return -1;
	null = memchr(s->buf + s->end, '\0', (size_t)got);
	s->ended = got == 0;
	s->end += (size_t)got;
	s->clean = null ? (size_t)(null - s->buf) : s->end;
	return 0;
}

/*
 * Have the line in the buffer that starts at buf[from + at].  Returns 1 with
 * its newline at buf[from + *end], 0 when there is none, or -1: a null byte in
 * the line is an error as soon as it is read, however long the line may be.
 */
static int
have_line(struct kith_rec *r, size_t at, size_t *end, struct kith_err *err)
{
	struct kith_rec_state *s = r->state;
	size_t seen = at;

	for (;;) {
		char *line = s->buf + s->from;
		char *nl = memchr(line + seen, '\n', s->clean - s->from - seen);

		if (!nl && s->clean < s->end) {
			kith_fail_at(err, EX_DATAERR, r->file, s->lines + 1,
			    "null byte");
			return -1;
		}
		if (!nl && s->ended && s->end - s->from == at)
			return 0;
		if (!nl && s->ended) { /* the last line may lack it */
			nl = s->buf + s->end;
			*nl = '\n';
		}
		if (nl) {
			*end = (size_t)(nl - line);
			return 1;
		}
		seen = s->end - s->from;
		if (fill(r, err))
			return -1;
	}
}

/*
 * Have the record in the buffer that starts at buf[from], as sep divides it.
 * Its first line is there already, and ends at buf[from + end].
 */
static int
have_record(struct kith_rec *r, char sep, size_t end, struct span *span,
    struct kith_err *err)
{
	struct kith_rec_state *s = r->state;
	size_t at = 0;
	int got = 1;

	*span = (struct span){0};
	do {
		const char *line = s->buf + s->from;

		span->len = end - (end > at && line[end - 1] == '\r');
		span->lines++;
		if (!span->quotes && memchr(line, '"', end))
			span->quotes = true;
		if (span->quotes || !r->sep)
			span->at = kith_cut_walk(span->at, line + at,
			    span->len - at, sep, &span->cuts);
		/* A newline that have_line() has put there is not read. */
		at = end < s->end - s->from ? end + 1 : end;
	} while (span->at == KITH_CUT_QUOTED &&
	    (got = have_line(r, at, &end, err)) > 0);
	span->next = at;
	return got < 0 ? -1 : 0;
}

/* Find what divides cells from the record whose first line ends there. */
static int
set_sep(struct kith_rec *r, size_t end, struct kith_err *err)
{
	struct span span;

	for (const char *sep = "\t,;"; *sep; sep++) {
		if (have_record(r, *sep, end, &span, err))
			return -1;
		if (span.cuts > 0) {
			r->sep = *sep;
			return 0;
		}
	}
	r->sep = KITH_SEP_NONE;
	return 0;
}

/* Go over len bytes with this many line ends. */
static void
pass(struct kith_rec_state *s, size_t len, size_t lines)
{
	s->from += len;
	s->lines += lines;
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
	struct kith_rec_state *s = r->state;
	const char *tab = memchr(text, '\t', len);
	struct kith_rec_note *note;
	size_t key;

	if (!tab)
		return;
	key = (size_t)(tab - text);
	s->note = kith_more(
	    &s->pool, s->note, r->notes, &s->notes, sizeof(*note));
	note = &s->note[r->notes++];
	note->key = kith_strndup(&s->pool, text, key);
	note->value = kith_strndup(&s->pool, tab + 1, len - key - 1);
	note->line = s->lines + 1;
	r->note = s->note;
}

/*
 * Pass over what is no record: a byte order mark, comments, blank lines.
 * Returns 1 with a line of a record at buf[from .. from + *end], 0 at the end,
 * or -1.
 */
static int
skip(struct kith_rec *r, size_t *end, struct kith_err *err)
{
	struct kith_rec_state *s = r->state;
	int got;

	while ((got = have_line(r, 0, end, err)) > 0) {
		const char *line = s->buf + s->from;
		const size_t next = *end < s->end - s->from ? *end + 1 : *end;
		const size_t len = *end - (*end > 0 && line[*end - 1] == '\r');

		if (s->lines == 0 && !s->begun && s->from == 0 && *end >= 3 &&
		    memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
			pass(s, 3, 0);
			continue;
		}
		if (!s->begun && len >= 2 && memcmp(line, "# ", 2) == 0) {
			keep_note(r, line + 2, len - 2);
			pass(s, next, 1);
			continue;
		}
		if (!is_blank_line(line, len, r->sep))
			break;
		if (!s->blank)
			s->blank = s->lines + 1;
		pass(s, next, 1);
	}
	if (got > 0 && s->blank)
		return kith_fail_at(
		    err, EX_DATAERR, r->file, s->blank, "blank line");
	return got;
}

int
kith_rec_next(struct kith_rec *r, struct kith_err *err)
{
	struct kith_rec_state *s = r->state;
	struct span span;
	size_t end;
	int got = skip(r, &end, err);

	if (got <= 0)
		return got;
	r->line = s->lines + 1;
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
	if (span.quotes || r->through_csv)
		kith_cut_quoted(&s->cut, s->buf + s->from, span.len, r->sep);
	else
		kith_cut_plain(&s->cut, s->buf + s->from, span.len, r->sep);
	r->cell = s->cut.cell;
	r->n = s->cut.n;
	pass(s, span.next, span.lines);
	return 1;
}

void
kith_rec_close(struct kith_rec *r)
{
	struct kith_pool pool = r->state->pool;

	kith_cut_end(&r->state->cut);
	if (r->state->gz.state)
		kith_gz_close(&r->state->gz);
	r->state = NULL;
	r->cell = NULL;
	r->n = 0;
	r->note = NULL;
	r->notes = 0;
	kith_pool_free(&pool);
}
