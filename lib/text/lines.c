/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/lines.h"

#include "base/err.h"
#include "base/pool.h"
#include "text/gz.h"

#include <string.h>

enum { ROOM = 1 << 18 }; /* of the buffer, unless a line is longer */

static void
begin(
    struct kith_lines *l, const char *file, size_t room, struct kith_pool *pool)
{
	*l = (struct kith_lines){.file = file, .room = room, .pool = pool};
	l->buf = kith_grow(pool, NULL, room + KITH_LINES_SLACK, 1);
}

void
kith_lines_begin(struct kith_lines *l, struct kith_gz *gz, const char *file,
    struct kith_pool *pool)
{
	begin(l, file, ROOM, pool);
	l->gz = gz;
}

void
kith_lines_text(struct kith_lines *l, const char *name, const char *text,
    struct kith_pool *pool)
{
	const size_t len = strlen(text);

	begin(l, name, len, pool);
	memcpy(l->buf, text, len);
	l->end = l->clean = len;
	l->ended = true;
}

/* Where the first null byte is, or the end. */
static size_t
find_null(const char *buf, size_t from, size_t end)
{
	const char *null = memchr(buf + from, '\0', end - from);

	return null ? (size_t)(null - buf) : end;
}

void
kith_lines_block(struct kith_lines *l, const char *file, char *buf, size_t len,
    const struct kith_err *end)
{
	*l = (struct kith_lines){.file = file, .buf = buf, .end = len};
	l->room = len;
	l->clean = find_null(buf, 0, len);
	l->ended = !end;
	l->why = end;
}

/*
 * Read more bytes behind those that are there, and look for null bytes while
 * they are in the cache.
 */
static int
fill(struct kith_lines *l, struct kith_err *err)
{
	long got;

	if (l->why) {
		*err = *l->why;
		return -1;
	}
	if (l->end == l->room && l->from >= l->room / 2) {
		l->end -= l->from;
		memmove(l->buf, l->buf + l->from, l->end);
		l->from = 0;
	} else if (l->end == l->room) {
		l->room *= 2;
		l->buf = kith_grow(
		    l->pool, l->buf, l->room + KITH_LINES_SLACK, 1);
	}
	got = kith_gz_read(l->gz, l->buf + l->end, l->room - l->end, err);
	if (got < 0)
		return -1;
	l->ended = got == 0;
	l->end += (size_t)got;
	l->clean = find_null(l->buf, l->end - (size_t)got, l->end);
	return 0;
}

int
kith_lines_have(
    struct kith_lines *l, size_t at, size_t *end, struct kith_err *err)
{
	size_t seen = at;

	for (;;) {
		char *line = l->buf + l->from;
		char *nl = memchr(line + seen, '\n', l->clean - l->from - seen);

		if (!nl && l->clean < l->end)
			return kith_fail_at(err, EX_DATAERR, l->file,
			    l->passed + 1, "null byte: not a text file");
		if (!nl && l->ended && l->end - l->from == at)
			return 0;
		if (!nl && l->ended) { /* the last line may lack it */
			nl = l->buf + l->end;
			*nl = '\n';
		}
		if (nl) {
			*end = (size_t)(nl - line);
			return 1;
		}
		seen = l->end - l->from;
		if (fill(l, err))
			return -1;
	}
}

int
kith_lines_next(
    struct kith_lines *l, char **line, size_t *len, struct kith_err *err)
{
	size_t end = 0;
	const int got = kith_lines_have(l, 0, &end, err);

	if (got <= 0)
		return got;
	*line = l->buf + l->from;
	*len = end - (end > 0 && (*line)[end - 1] == '\r');
	(*line)[*len] = '\0';
	kith_lines_pass(l, end + kith_lines_is_read(l, end), 1);
	return 1;
}
