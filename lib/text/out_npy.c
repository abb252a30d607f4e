/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. Each cell is kept in o->held as it comes: a letter, 'n' and a double, or 't'
 *    and a length and a text, with 'm' in place of 't' where it is missing.
 * 2. In the end they are gone through once, for what each column is, how wide,
 * 3. and once more, to write the header and row after row.
 */
#include "text/out_npy.h"

#include "base/num.h"
#include "base/pool.h"
#include "text/cell.h"
#include "text/npy_head.h"
#include "text/out_bytes.h"
#include "text/utf8.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
	ALIGNED = 64,  /* cells start on a multiple of so many bytes */
	SHORT = 60000, /* bytes of a header that version 1 can say */
	FRAME = 128,   /* most bytes of one beside its fields */
	FIELD = 40     /* of a field beside its name */
};

/* A cell that was kept. */
struct kept {
	char kind;
	double x;      /* n */
	const char *s; /* m, t: not ended by a null byte */
	size_t len;
};

/* What a column turns out to be. */
struct field {
	bool text;
	size_t width; /* of the longest of its cells, as texts */
};

/* Write the character that *s begins with within a literal; its bytes. */
static size_t
put_character(char *to, const char **s, bool *other)
{
	static const char from[] = "\\'\n\r\t", letter[] = "\\'nrt";
	const char c = **s, *at = strchr(from, c);
	const size_t len = kith_utf8_length(*s);

	*s += len + !len;
	if (len == 0) {
		*other = true;
		return kith_utf8_put(to, 0xFFFD);
	}
	if (at) {
		to[0] = '\\';
		to[1] = letter[at - from];
		return 2;
	}
	if (len == 1 && ((unsigned char)c < ' ' || c == 0x7F))
		return (size_t)sprintf(to, "\\x%02x", (unsigned)c);
	memcpy(to, *s - len, len);
	return len;
}

char *
kith_npy_literal(const char *name, bool *other, struct kith_pool *pool)
{
	char *to = kith_new(pool, strlen(name) + 1, KITH_UTF8_ROOM + 1);
	size_t used = 0;

	to[used++] = '\'';
	while (*name)
		used += put_character(to + used, &name, other);
	to[used++] = '\'';
	return to;
}

void
kith_npy_put_real(struct kith_out *o, double x, size_t digits)
{
	char s[KITH_NUM_ROOM];

	if (digits && isfinite(x))
		kith_parse_real(s, kith_format_digits(s, x, digits), &x);
	x += 0.0; /* -0 is 0 */
	if (!kith_out_room(o, 1 + sizeof(x)))
		return;
	o->buf[o->used] = 'n';
	memcpy(o->buf + o->used + 1, &x, sizeof(x));
	o->used += 1 + sizeof(x);
}

void
kith_npy_put_text(struct kith_out *o, const struct kith_cell *c)
{
	kith_out_char(o, kith_cell_missing(c) ? 'm' : 't');
	kith_out_bytes(o, (const char *)&c->len, sizeof(c->len));
	kith_out_bytes(o, c->s, c->len);
}

/* The cell that was kept at *at, which goes behind it. */
static struct kept
take(const char **at)
{
	struct kept c = {.kind = **at};

	*at += 1;
	if (c.kind == 'n') {
		memcpy(&c.x, *at, sizeof(c.x));
		*at += sizeof(c.x);
		return c;
	}
	memcpy(&c.len, *at, sizeof(c.len));
	c.s = *at + sizeof(c.len);
	*at = c.s + c.len;
	return c;
}

/* Whether a text is a number that may stand for it; *x becomes the number. */
static bool
is_number(const struct kept *c, double *x)
{
	char s[64], back[KITH_NUM_ROOM];
	const char *digits;

	if (c->len == 0 || /* or too long for one that anybody wrote */
	    c->len >= sizeof(s))
		return false;
	memcpy(s, c->s, c->len);
	s[c->len] = '\0';
	if (kith_parse_real(s, c->len, x))
		return false;
	digits = s + strspn(s, "+-");
	if (*digits == '0' && '0' <= digits[1] && digits[1] <= '9')
		return false;
	if (digits[strspn(digits, "0123456789")] || fabs(*x) < 0x1p53)
		return true;
	kith_format_real(back, *x);
	return strcmp(back, s) == 0;
}

/* Have the column take the cell in. */
static void
look_at(struct field *f, const struct kept *c, bool *vague)
{
	char digits[KITH_NUM_ROOM];
	size_t len = c->len;
	double x;

	if (c->kind == 'n')
		len = isnan(c->x) ? 0 : kith_format_real(digits, c->x);
	if (c->kind == 't' && !is_number(c, &x)) {
		f->text = true;
		*vague = *vague || kith_is_missing(c->s, c->len);
	}
	if (len > f->width)
		f->width = len;
}

/* What the columns are, in the pool; how many rows. */
static struct field *
look_at_all(struct kith_out *o, size_t *rows)
{
	struct field *f = kith_new(&o->pool, o->columns, sizeof(*f));
	const char *at = o->held, *end = at ? at + o->held_used : at;

	for (*rows = 0; at < end; ++*rows)
		for (size_t c = 0; c < o->columns; c++) {
			const struct kept kept = take(&at);

			look_at(&f[c], &kept, &o->vague);
		}
	return f;
}

/* The dict of the header, in the pool. */
static char *
say_head(struct kith_out *o, const struct field *f, size_t rows)
{
	size_t room = FRAME, used;
	char *s;

	for (size_t c = 0; c < o->columns; c++)
		room += strlen(o->key[c]) + FIELD;
	s = kith_new(&o->pool, room, 1);
	used = (size_t)sprintf(s, "{'descr': [");
	for (size_t c = 0; c < o->columns; c++) {
		used += (size_t)sprintf(
		    s + used, "%s(%s, ", c ? ", " : "", o->key[c]);
		if (f[c].text)
			used += (size_t)sprintf(
			    s + used, "'|S%zu')", f[c].width + !f[c].width);
		else
			used += (size_t)sprintf(s + used, "'<f8')");
	}
	sprintf(
	    s + used, "], 'fortran_order': False, 'shape': (%zu,), }", rows);
	return s;
}

/*
 * Write what is before the cells: as version 1 where that will do, as 3 with
 * names that are no ASCII.  Blanks behind the dict fill it up.
 */
static void
write_head(struct kith_out *o, const struct field *f, size_t rows)
{
	const char *head = say_head(o, f, rows);
	const size_t len = strlen(head);
	bool ascii = true;
	size_t version, before, all;

	for (size_t i = 0; i < len; i++)
		ascii = ascii && (unsigned char)head[i] < 0x80;
	version = !ascii ? 3 : len < SHORT ? 1 : 2;
	before = sizeof(KITH_NPY_MAGIC) - 1 + 2 + (version == 1 ? 2 : 4);
	all = (before + len + ALIGNED) / ALIGNED * ALIGNED;
	kith_out_text(o, KITH_NPY_MAGIC);
	kith_out_char(o, (char)version);
	kith_out_char(o, 0);
	for (size_t i = 0; i < (version == 1 ? 2 : 4); i++)
		kith_out_char(o, (char)((all - before) >> 8 * i & 255));
	kith_out_bytes(o, head, len);
	for (size_t i = before + len + 1; i < all; i++)
		kith_out_char(o, ' ');
	kith_out_char(o, '\n');
}

/* Write a number, the byte of least value first. */
static void
write_double(struct kith_out *o, double x)
{
	char b[sizeof(x)];
	uint64_t v;

	memcpy(&v, &x, sizeof(v));
	for (size_t i = 0; i < sizeof(b); i++)
		b[i] = (char)(v >> 8 * i & 255);
	kith_out_bytes(o, b, sizeof(b));
}

static void
write_cell(struct kith_out *o, const struct field *f, const struct kept *c)
{
	char digits[KITH_NUM_ROOM];
	size_t len = c->len;
	double x = c->x;

	if (!f->text) {
		if (c->kind == 'm')
			x = NAN;
		if (c->kind == 't')
			is_number(c, &x);
		write_double(o, x);
		return;
	}
	if (c->kind == 'n')
		len = isnan(x) ? 0 : kith_format_real(digits, x);
	kith_out_bytes(o, c->kind == 'n' ? digits : c->s, len);
	for (size_t i = len; i < f->width + !f->width; i++)
		kith_out_char(o, '\0');
}

void
kith_npy_write(struct kith_out *o)
{
	const char *at = o->held, *const end = at ? at + o->held_used : at;
	size_t rows;
	const struct field *f = look_at_all(o, &rows);

	o->style = KITH_STYLE_TSV; /* what is written from now on is written */
	write_head(o, f, rows);
	while (at < end && !o->failed)
		for (size_t c = 0; c < o->columns; c++) {
			const struct kept kept = take(&at);

			write_cell(o, &f[c], &kept);
		}
}
