/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/npy_head.h"

#include "base/err.h"
#include "base/pool.h"
#include "text/utf8.h"

#include <stdint.h>
#include <string.h>

enum { WIDEST = 1 << 28 }; /* bytes of a record, and characters of a text */

/* Where the parser stands in the text of the dict. */
struct walk {
	const char *at;
	const char *file;
	struct kith_pool *pool;
	struct kith_err *err;
	bool latin; /* a byte is a character of Latin-1 */
};

static int
fail(struct walk *w, const char *why)
{
	return kith_fail_at(w->err, EX_DATAERR, w->file, 0, "%s", why);
}

static int
no_header(struct walk *w)
{
	return fail(w, "the header is not that of .npy");
}

/* Whether the next character but for blanks is c, which is passed then. */
static bool
meet(struct walk *w, char c)
{
	w->at += strspn(w->at, " \n\t");
	if (*w->at != c || !c)
		return false;
	w->at++;
	return true;
}

static bool
meet_word(struct walk *w, const char *word)
{
	const size_t len = strlen(word);

	w->at += strspn(w->at, " \n\t");
	if (strncmp(w->at, word, len) != 0)
		return false;
	w->at += len;
	return true;
}

/* The number of n digits to the base 16, which are passed; -1: there is none. */
static int64_t
take_hex(struct walk *w, size_t n)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	int64_t v = 0;

	for (; n > 0; n--, w->at++) {
		const char *at = *w->at ? strchr(digits, *w->at) : NULL;

		if (!at)
			return -1;
		v = 16 * v + (at - digits) % 16;
	}
	return v;
}

/*
 * The character that a backslash, which is passed, begins in a string of
 * Python; -1: none that repr() writes.
 */
static int64_t
take_escape(struct walk *w)
{
	static const char from[] = "\\'\"nrt", to[] = "\\'\"\n\r\t";
	const char c = *w->at;
	const char *at = c ? strchr(from, c) : NULL;

	if (!c)
		return -1;
	w->at++;
	if (at)
		return to[at - from];
	if (c != 'x' && c != 'u' && c != 'U')
		return -1;
	return take_hex(w, c == 'x' ? 2 : c == 'u' ? 4 : 8);
}

/* The next character of a string, into `to`; its bytes, or 0. */
static size_t
take_character(struct walk *w, char to[KITH_UTF8_ROOM])
{
	int64_t c = (unsigned char)*w->at++;

	if (c == '\\')
		c = take_escape(w);
	else if (!w->latin) {
		to[0] = (char)c;
		return 1;
	}
	return c > 0 ? kith_utf8_put(to, (uint32_t)c) : 0;
}

/* A string, in the pool; NULL: there is none. */
static char *
take_string(struct walk *w)
{
	const char quote = (char)(meet(w, '\'') ? '\''
		: meet(w, '"')                  ? '"'
						: 0);
	size_t room = 1, len = 0;
	char *s;

	if (!quote)
		return NULL;
	for (const char *c = w->at; *c && *c != quote; c++) {
		room += 2; /* a character of Latin-1 */
		c += *c == '\\' && c[1];
	}
	s = kith_new(w->pool, room + KITH_UTF8_ROOM, 1);
	while (*w->at && *w->at != quote) {
		const size_t more = take_character(w, s + len);

		if (!more)
			return NULL;
		len += more;
	}
	return meet(w, quote) ? s : NULL;
}

static bool
take_size(struct walk *w, size_t *n)
{
	w->at += strspn(w->at, " \n\t");
	*n = 0;
	if (*w->at < '0' || *w->at > '9')
		return false;
	for (; *w->at >= '0' && *w->at <= '9'; w->at++)
		if (__builtin_mul_overflow(*n, 10, n) ||
		    __builtin_add_overflow(*n, (size_t)(*w->at - '0'), n))
			return false;
	meet(w, 'L'); /* Python 2 */
	return true;
}

/* Whether numbers whose order is said so have the byte of least value last. */
static bool
is_low_last(char order)
{
	const bool here = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	return order == '>' || (order != '<' && here);
}

/* The type of numbers that NumPy calls so: order, letter, bytes. */
static int
take_number(struct walk *w, const char *text, struct kith_npy_column *c)
{
	static const char *const known[] = {
	    "f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b1"};
	const size_t n = sizeof(known) / sizeof(*known);
	size_t i = 0;

	if (*text == 'O' || (*text == '|' && text[1] == 'O'))
		return fail(
		    w, "objects of Python, not numbers (astype(float)?)");
	while (i < n && (!*text || strcmp(text + 1, known[i]) != 0))
		i++;
	if (i == n || !strchr("<>|=", *text))
		return kith_fail_at(w->err, EX_DATAERR, w->file, 0,
		    "cells of type " KITH_CELL
		    ", not f8, f4, i1 to i8, u1 to u8 or b1 (astype(float)?)",
		    text);
	c->type = known[i][0];
	c->size = (size_t)(known[i][1] - '0');
	c->low_last = is_low_last(*text);
	c->swap = c->low_last != is_low_last('=') && c->size > 1;
	return 0;
}

/* The type of a field, which may be text: |S5, <U5. */
static int
take_field_type(struct walk *w, const char *text, struct kith_npy_column *c)
{
	struct walk size = {.at = text + strspn(text, "<>|=")};
	const char letter = *size.at;

	if (letter != 'S' && letter != 'U')
		return take_number(w, text, c);
	size.at++;
	if (!take_size(&size, &c->size) || *size.at || c->size > WIDEST)
		return no_header(w);
	c->type = letter;
	c->low_last = is_low_last(*text);
	if (letter == 'U')
		c->size *= 4;
	return 0;
}

/* The fields of a record, behind the bracket: [('a', '<f8'), ...]. */
static int
take_fields(struct walk *w, struct kith_npy_head *h)
{
	size_t room = 0, names = 0;

	while (!meet(w, ']')) {
		struct kith_npy_column c = {.at = h->step};
		const char *name, *type;

		if (!meet(w, '(') || !(name = take_string(w)) ||
		    !meet(w, ',') || !(type = take_string(w)))
			return fail(w, "fields that are no plain columns");
		if (!meet(w, ')'))
			return fail(w, "fields of several cells each");
		meet(w, ',');
		if (!*name && strncmp(type, "|V", 2) == 0) { /* padding */
			struct walk pad = {.at = type + 2};
			size_t bytes;

			if (!take_size(&pad, &bytes) || bytes > 1 << 20)
				return no_header(w);
			h->step += bytes;
			continue;
		}
		if (take_field_type(w, type, &c))
			return -1;
		h->texts += kith_npy_is_text(&c);
		h->column = kith_more(
		    w->pool, h->column, h->p, &room, sizeof(c));
		h->name = kith_more(
		    w->pool, h->name, h->p, &names, sizeof(*h->name));
		h->column[h->p] = c;
		h->name[h->p++] = name;
		h->step += c.size;
		if (h->step > WIDEST)
			return fail(w, "records of too many bytes");
	}
	return h->p == 0 ? fail(w, "records without fields")
	    : !h->step   ? fail(w, "records of no bytes")
			 : 0;
}

static int
take_descr(struct walk *w, struct kith_npy_head *h)
{
	const char *type;

	if (meet(w, '['))
		return take_fields(w, h);
	type = take_string(w);
	return type ? take_number(w, type, &h->all) : no_header(w);
}

/* The shape: rows, and p where it has a second number; *dims how many. */
static int
take_shape(struct walk *w, size_t *dims, size_t *rows, size_t *columns)
{
	*dims = 0;
	if (!meet(w, '('))
		return no_header(w);
	while (!meet(w, ')')) {
		size_t n;

		if (!take_size(w, &n))
			return no_header(w);
		if (*dims == 0)
			*rows = n;
		if (*dims == 1)
			*columns = n;
		++*dims;
		meet(w, ',');
	}
	return 0;
}

/* How many bytes the cells are, and how rows and columns lie in them. */
static int
measure(struct walk *w, struct kith_npy_head *h, size_t dims, size_t columns)
{
	const bool fields = h->column;

	if (dims != 1 && (dims != 2 || fields))
		return kith_fail_at(w->err, EX_DATAERR, w->file, 0,
		    "an array of %zu dimensions%s, not a table", dims,
		    fields ? " of records" : "");
	if (!fields)
		h->p = dims == 1 ? 1 : columns;
	if (dims == 1)
		h->by_column = false; /* which is the same */
	if (!fields && __builtin_mul_overflow(h->p, h->all.size, &h->step))
		return no_header(w);
	if (__builtin_mul_overflow(h->rows, h->step, &h->bytes))
		return no_header(w);
	if (h->by_column)
		h->step = h->all.size;
	return 0;
}

int
kith_npy_head_parse(const char *text, int version, const char *file,
    struct kith_npy_head *head, struct kith_pool *pool, struct kith_err *err)
{
	struct walk w = {text, file, pool, err, version < 3};
	bool descr = false, order = false, shape = false;
	size_t dims = 0, columns = 0;

	if (!meet(&w, '{'))
		return no_header(&w);
	while (!meet(&w, '}')) {
		const char *key = take_string(&w);

		if (!key || !meet(&w, ':'))
			return no_header(&w);
		if (!descr && strcmp(key, "descr") == 0) {
			descr = true;
			if (take_descr(&w, head))
				return -1;
		} else if (!order && strcmp(key, "fortran_order") == 0) {
			order = true;
			head->by_column = meet_word(&w, "True");
			if (!head->by_column && !meet_word(&w, "False"))
				return no_header(&w);
		} else if (!shape && strcmp(key, "shape") == 0) {
			shape = true;
			if (take_shape(&w, &dims, &head->rows, &columns))
				return -1;
		} else
			return no_header(&w);
		meet(&w, ',');
	}
	return descr && order && shape ? measure(&w, head, dims, columns)
				       : no_header(&w);
}

/* Count the columns that are doubles as they are here. */
static void
count_plain(struct kith_npy_head *h)
{
	const struct kith_npy_column *next = NULL;

	for (size_t i = h->p; i-- > 0; next = &h->column[i]) {
		struct kith_npy_column *c = &h->column[i];

		c->plain = c->type == 'f' && c->size == 8 && !c->swap;
		if (c->plain && next && next->at == c->at + c->size)
			c->plain += next->plain;
	}
}

/* Lay out the columns of an array without fields. */
static void
lay_out(struct kith_npy_head *h, struct kith_pool *pool)
{
	h->column = kith_new(pool, h->p, sizeof(*h->column));
	for (size_t c = 0; c < h->p; c++) {
		h->column[c] = h->all;
		h->column[c].at = c * h->all.size *
		    (h->by_column ? h->rows : 1);
	}
}

void
kith_npy_head_columns(struct kith_npy_head *h, struct kith_pool *pool)
{
	if (!h->column)
		lay_out(h, pool);
	count_plain(h);
}
