#include "text/out.h"

#include "base/names.h"
#include "base/num.h"
#include "base/progress.h"
#include "base/temp.h"
#include "text/cell.h"
#include "text/json.h"
#include "text/place.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = KITH_OUT_ROOM };

int
kith_out_open_table(
    struct kith_out *o, const struct kith_dest *to, struct kith_err *err)
{
	const char *path = to->path;

	*o = (struct kith_out){.file = path,
	    .style = to->style,
	    .digits = to->digits,
	    .sep = to->style == KITH_STYLE_CSV ? ',' : '\t',
	    .fd = -1};
	if (!path || strcmp(path, "-") == 0) {
		o->file = "<stdout>";
		o->fd = STDOUT_FILENO;
	} else if ((o->fd = kith_place_open(path, &o->temp, &o->pool)) < 0) {
		const int why = errno;

		kith_pool_free(&o->pool);
		return kith_fail_at(
		    err, EX_IOERR, path, 0, "%s", strerror(why));
	}
	o->buf = kith_new(&o->pool, ROOM, 1);
	return 0;
}

int
kith_out_open(struct kith_out *o, const char *path, struct kith_err *err)
{
	return kith_out_open_table(o, &(struct kith_dest){.path = path}, err);
}

static void
fail(struct kith_out *o, int why)
{
	o->failed = true;
	o->why = why;
	o->used = 0;
}

/* In memory: keep what is in the buffer. */
static void
hold(struct kith_out *o)
{
	if (o->held_used + o->used > o->held_room) {
		o->held_room = 2 * (o->held_room + ROOM);
		o->held = kith_grow(&o->pool, o->held, o->held_room, 1);
	}
	memcpy(o->held + o->held_used, o->buf, o->used);
	o->held_used += o->used;
	o->used = 0;
}

void
kith_out_flush(struct kith_out *o)
{
	const char *s = o->buf;

	if (o->fd < 0 && o->used > 0)
		hold(o);
	if (o->fd == STDOUT_FILENO && o->used > 0)
		kith_progress_give_way();
	while (o->used > 0) {
		ssize_t wrote = write(o->fd, s, o->used);

		if (wrote >= 0) {
			s += wrote;
			o->used -= (size_t)wrote;
		} else if (errno == EAGAIN) {
			/* Somebody set the pipe so: wait for room in it. */
			poll(&(struct pollfd){o->fd, POLLOUT, 0}, 1, -1);
		} else if (errno != EINTR) {
			fail(o, errno);
		}
	}
}

/* Make room for n <= ROOM more bytes; false when o has failed. */
static bool
make_room(struct kith_out *o, size_t n)
{
	if (o->used + n > ROOM)
		kith_out_flush(o);
	return !o->failed;
}

void
kith_out_bytes(struct kith_out *o, const char *s, size_t len)
{
	while (len > 0 && make_room(o, 1)) {
		const size_t room = ROOM - o->used;
		const size_t n = len < room ? len : room;

		memcpy(o->buf + o->used, s, n);
		o->used += n;
		s += n;
		len -= n;
	}
}

void
kith_out_char(struct kith_out *o, char c)
{
	if (make_room(o, 1))
		o->buf[o->used++] = c;
}

void
kith_out_text(struct kith_out *o, const char *s)
{
	kith_out_bytes(o, s, strlen(s));
}

static void
put_quoted(struct kith_out *o, const char *s)
{
	kith_out_char(o, '"');
	for (const char *q; (q = strchr(s, '"')); s = q + 1) {
		kith_out_bytes(o, s, (size_t)(q - s) + 1);
		kith_out_char(o, '"');
	}
	kith_out_text(o, s);
	kith_out_char(o, '"');
}

/* Write a text as JSON, in quotes. */
static void
put_json(struct kith_out *o, const char *s)
{
	char piece[KITH_JSON_PIECE];

	kith_out_char(o, '"');
	while (*s)
		kith_out_bytes(o, piece, kith_json_next(&s, piece, &o->other));
	kith_out_char(o, '"');
}

/* JSON: write the key of a cell; whether it is to be JSON. */
static bool
put_key(struct kith_out *o)
{
	if (o->style != KITH_STYLE_JSONL)
		return false;
	assert(o->column < o->columns && !o->begun);
	kith_out_char(o, o->column ? ',' : '{');
	kith_out_text(o, o->key[o->column]);
	kith_out_char(o, ':');
	o->begun = true;
	return true;
}

void
kith_out_next(struct kith_out *o)
{
	if (o->style == KITH_STYLE_JSONL) {
		assert(o->begun);
		o->column++;
		o->begun = false;
	} else if (make_room(o, 1)) {
		o->buf[o->used++] = o->sep;
	}
}

void
kith_out_row(struct kith_out *o)
{
	if (o->style == KITH_STYLE_JSONL) {
		assert(o->begun && o->column + 1 == o->columns);
		kith_out_char(o, '}');
		o->column = 0;
		o->begun = false;
	}
	o->led = false;
	kith_out_char(o, '\n');
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Whether a cell of len bytes reads as itself only in quotes. */
static bool
needs_quotes(const struct kith_out *o, const char *s, size_t len)
{
	return kith_is_missing(s, len) || is_blank(s[0]) ||
	    is_blank(s[len - 1]) ||
	    s[strcspn(s, o->sep == ',' ? ",\t\"\r\n" : "\t\"\r\n")];
}

/* Write a name or a cell of len bytes that is no JSON. */
static void
put_plain(struct kith_out *o, const char *s, size_t len)
{
	if (len == 0 || needs_quotes(o, s, len))
		put_quoted(o, s);
	else
		kith_out_bytes(o, s, len);
}

/* Write the cells that the row begins with, once. */
static void
lead(struct kith_out *o)
{
	if (o->led || !o->first)
		return;
	o->led = true;
	for (size_t j = 0; j < o->firsts; j++) {
		if (put_key(o))
			put_json(o, o->first[j]);
		else
			put_plain(o, o->first[j], strlen(o->first[j]));
		kith_out_next(o);
	}
}

/* Begin a cell; whether it is to be JSON, whose key is written then. */
static bool
begin_cell(struct kith_out *o)
{
	lead(o);
	return put_key(o);
}

void
kith_out_cell(struct kith_out *o, const char *s)
{
	if (!s)
		kith_out_missing(o);
	else if (begin_cell(o))
		put_json(o, s);
	else
		put_plain(o, s, strlen(s));
}

void
kith_out_verbatim(struct kith_out *o, const struct kith_cell *c)
{
	const bool missing = kith_cell_missing(c);

	lead(o);
	if (o->style == KITH_STYLE_JSONL && missing)
		kith_out_missing(o);
	else if (o->style == KITH_STYLE_JSONL)
		kith_out_cell(o, c->s);
	else if (missing)
		kith_out_bytes(o, c->s, c->len);
	else
		put_plain(o, c->s, c->len);
}

void
kith_out_missing(struct kith_out *o)
{
	if (begin_cell(o))
		kith_out_bytes(o, "null", 4);
	else
		kith_out_bytes(o, "NA", 2);
}

/* JSON Lines: keep the names, as the keys of all rows. */
static void
keep_keys(struct kith_out *o, const char *const *name, size_t n)
{
	struct kith_names all;
	size_t twin;

	o->columns = n;
	o->key = kith_new(&o->pool, n, sizeof(*o->key));
	for (size_t j = 0; j < n; j++)
		o->key[j] = kith_json_text(name[j], &o->other, &o->pool);
	twin = kith_names_index(&all, o->key, n, &o->pool);
	if (twin == n || o->failed)
		return;
	o->twin = kith_strndup(&o->pool, name[twin], strlen(name[twin]));
	fail(o, 0);
}

/* The header of a table that begins with more columns, unless it is there. */
static void
head(struct kith_out *o, const char *const *name, size_t n)
{
	const char *const *first = o->first;
	const char **all = kith_new(&o->pool, o->firsts + n, sizeof(*all));

	if (o->headed)
		return;
	memcpy(all, first, o->firsts * sizeof(*all));
	memcpy(all + o->firsts, name, n * sizeof(*all));
	o->first = NULL;
	kith_out_header(o, all, o->firsts + n);
	o->first = first;
	o->headed = true;
}

void
kith_out_header(struct kith_out *o, const char *const *name, size_t n)
{
	if (o->first) {
		head(o, name, n);
		return;
	}
	if (o->style == KITH_STYLE_JSONL) {
		keep_keys(o, name, n);
		return;
	}
	for (size_t j = 0; j < n; j++) {
		const char *s = name[j];
		const bool first = strncmp(s, "# ", 2) == 0 ||
		    strncmp(s, "\xEF\xBB\xBF", 3) == 0;

		if (j > 0)
			kith_out_next(o);
		if ((j == 0 && first) || (n == 1 && s[strcspn(s, ",;")]))
			put_quoted(o, s);
		else
			put_plain(o, s, strlen(s));
	}
	kith_out_row(o);
}

void
kith_out_note(struct kith_out *o, const char *key, double x)
{
	char value[KITH_NUM_ROOM];

	if (o->style == KITH_STYLE_JSONL) {
		o->unsaid = key;
		return;
	}
	kith_format_real(value, x);
	kith_out_text(o, "# ");
	kith_out_text(o, key);
	kith_out_char(o, '\t');
	kith_out_text(o, value);
	kith_out_char(o, '\n');
}

void
kith_out_real(struct kith_out *o, double x)
{
	const bool quoted = begin_cell(o) && isinf(x);

	if (isnan(x) && !o->failed)
		fail(o, 0);
	if (quoted)
		kith_out_char(o, '"');
	if (make_room(o, KITH_NUM_ROOM))
		o->used += o->digits
		    ? kith_format_digits(o->buf + o->used, x, o->digits)
		    : kith_format_real(o->buf + o->used, x);
	if (quoted)
		kith_out_char(o, '"');
}

void
kith_out_size(struct kith_out *o, size_t n)
{
	begin_cell(o);
	if (make_room(o, KITH_NUM_ROOM))
		o->used += kith_format_size(o->buf + o->used, n);
}

static void
put_real(struct kith_out *o, double x, bool may_miss)
{
	if (may_miss && isnan(x))
		kith_out_missing(o);
	else
		kith_out_real(o, x);
}

void
kith_out_put(struct kith_out *o, const char *form, ...)
{
	va_list ap;

	va_start(ap, form);
	for (; *form; form++)
		if (*form == '\t') {
			kith_out_next(o);
		} else if (*form == '\n') {
			kith_out_row(o);
		} else {
			assert(*form == '%');
			if (*++form == 's')
				kith_out_cell(o, va_arg(ap, const char *));
			else if (*form != 'z')
				put_real(o, va_arg(ap, double), *form == 'G');
			else if (*++form == 'u')
				kith_out_size(o, va_arg(ap, size_t));
		}
	va_end(ap);
}

int
kith_out_close(struct kith_out *o, struct kith_err *err)
{
	int got = 0;

	kith_out_flush(o);
	if (o->temp && !o->failed && kith_temp_complete(o->temp, o->fd))
		fail(o, errno);
	if (close(o->fd) && errno != EINTR && !o->failed)
		fail(o, errno);
	if (o->temp && o->failed)
		kith_temp_drop(o->temp);
	if (o->twin)
		got = kith_fail_at(err, EX_DATAERR, o->file, 0,
		    "column " KITH_NAME
		    ": the output would have this name twice",
		    o->twin);
	else if (o->why)
		got = kith_fail_at(
		    err, EX_IOERR, o->file, 0, "%s", strerror(o->why));
	else if (o->failed)
		got = kith_fail_at(err, EX_SOFTWARE, o->file, 0,
		    "a result is not a number (NaN); this is a bug");
	kith_pool_free(&o->pool);
	return got;
}

int
kith_out_settle(kith_out_unkept *tell, struct kith_err *err)
{
	return kith_temp_settle(NULL, tell, err);
}

int
kith_out_close_alone(
    struct kith_out *o, kith_out_unkept *tell, struct kith_err *err)
{
	if (kith_out_close(o, err))
		return -1;
	return o->temp ? kith_temp_settle(o->temp, tell, err) : 0;
}

void
kith_out_drop(struct kith_out *o)
{
	close(o->fd);
	if (o->temp)
		kith_temp_drop(o->temp);
	kith_pool_free(&o->pool);
}
