/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/out.h"

#include "base/names.h"
#include "base/num.h"
#include "text/cell.h"
#include "text/json.h"
#include "text/out_npy.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

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
	} else if (o->style != KITH_STYLE_NPY && kith_out_room(o, 1)) {
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
	if (o->style != KITH_STYLE_NPY)
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
	const struct kith_cell text = {s, len, true};

	if (o->style == KITH_STYLE_NPY)
		kith_npy_put_text(o, &text);
	else if (len == 0 || needs_quotes(o, s, len))
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
	else if (o->style == KITH_STYLE_NPY)
		kith_npy_put_text(o, c);
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
	else if (o->style == KITH_STYLE_NPY)
		kith_npy_put_text(o, &(struct kith_cell){.s = ""});
	else
		kith_out_bytes(o, "NA", 2);
}

/* JSON Lines, NPY: keep the names, as the keys of all rows. */
static void
keep_keys(struct kith_out *o, const char *const *name, size_t n)
{
	struct kith_names all;
	size_t twin;

	o->columns = n;
	o->finish = o->style == KITH_STYLE_NPY ? kith_npy_write : NULL;
	o->key = kith_new(&o->pool, n, sizeof(*o->key));
	for (size_t j = 0; j < n; j++)
		o->key[j] = o->style == KITH_STYLE_NPY
		    ? kith_npy_literal(name[j], &o->other, &o->pool)
		    : kith_json_text(name[j], &o->other, &o->pool);
	twin = kith_names_index(&all, o->key, n, &o->pool);
	if (twin == n || o->failed)
		return;
	o->twin = kith_strndup(&o->pool, name[twin], strlen(name[twin]));
	kith_out_fail(o, 0);
}

static void
write_header(struct kith_out *o, const char *const *name, size_t n)
{
	if (o->style == KITH_STYLE_JSONL || o->style == KITH_STYLE_NPY) {
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

/* With leading columns, unless it is there. */
void
kith_out_header(struct kith_out *o, const char *const *name, size_t n)
{
	const char **all;

	if (!o->first) {
		write_header(o, name, n);
		return;
	}
	if (o->headed)
		return;
	all = kith_new(&o->pool, o->firsts + n, sizeof(*all));
	memcpy(all, o->first, o->firsts * sizeof(*all));
	memcpy(all + o->firsts, name, n * sizeof(*all));
	write_header(o, all, o->firsts + n);
	o->headed = true;
}

void
kith_out_note_text(struct kith_out *o, const char *key, const char *value)
{
	if (o->style == KITH_STYLE_JSONL || o->style == KITH_STYLE_NPY) {
		o->unsaid = key;
		return;
	}
	kith_out_text(o, "# ");
	kith_out_text(o, key);
	kith_out_char(o, '\t');
	kith_out_text(o, value);
	kith_out_char(o, '\n');
}

void
kith_out_note(struct kith_out *o, const char *key, double x)
{
	char value[KITH_NUM_ROOM];

	kith_format_real(value, x);
	kith_out_note_text(o, key, value);
}

void
kith_out_real(struct kith_out *o, double x)
{
	const bool quoted = begin_cell(o) && isinf(x);

	if (isnan(x) && !o->failed)
		kith_out_fail(o, 0);
	if (o->style == KITH_STYLE_NPY) {
		kith_npy_put_real(o, x, o->digits);
		return;
	}
	if (quoted)
		kith_out_char(o, '"');
	if (kith_out_room(o, KITH_NUM_ROOM))
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
	if (o->style == KITH_STYLE_NPY)
		kith_npy_put_real(o, (double)n, 0);
	else if (kith_out_room(o, KITH_NUM_ROOM))
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
