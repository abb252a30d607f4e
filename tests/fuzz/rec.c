/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Feed any bytes to rec: what it reads is the same when libcsv cuts every
 * record, on two threads, and again when every cell is put in quotes.
 */
#include "text/rec.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "fuzz.h"

#include <string.h>

/* A growing text. */
struct text {
	char *s;
	size_t len, room;
	struct kith_pool *pool;
};

static void
put(struct text *t, const void *s, size_t len)
{
	if (t->room - t->len < len) {
		t->room = 2 * (t->room + len);
		t->s = kith_grow(t->pool, t->s, t->room, 1);
	}
	if (len)
		memcpy(t->s + t->len, s, len);
	t->len += len;
}

static void
put_size(struct text *t, size_t n)
{
	char s[KITH_NUM_ROOM];

	put(t, s, kith_format_size(s, n) + 1);
}

/* The cell between quotes, as a table would have it. */
static void
put_quoted(struct text *t, const struct kith_cell *c)
{
	put(t, "\"", 1);
	for (size_t i = 0; i < c->len; i++) {
		if (c->s[i] == '"')
			put(t, "\"", 1);
		put(t, c->s + i, 1);
	}
	put(t, "\"", 1);
}

/* What is read from a file, in forms that can be compared. */
struct reading {
	struct text all;    /* lines, quotes, cells, error */
	struct text cells;  /* the text of cells alone */
	struct text quoted; /* a file with these cells, all in quotes */
	char sep;
	int got;
};

static void
take_record(struct reading *in, const struct kith_rec *r)
{
	put_size(&in->all, r->line);
	put_size(&in->cells, r->n);
	for (size_t i = 0; i < r->n; i++) {
		const struct kith_cell *c = kith_rec_cell(r, i);

		if (strlen(c->s) != c->len)
			abort();
		put(&in->all, c->quoted ? "q" : "p", 1);
		put(&in->all, c->s, c->len + 1);
		put(&in->cells, c->s, c->len + 1);
		if (i > 0)
			put(&in->quoted, &r->sep, 1);
		put_quoted(&in->quoted, c);
	}
	put(&in->quoted, "\n", 1);
}

static void
take_file(struct reading *in, const char *file, char sep, bool through_csv,
    size_t block, struct kith_pool *pool)
{
	struct kith_err err = {0};
	struct kith_rec r;

	*in = (struct reading){0};
	in->all.pool = in->cells.pool = in->quoted.pool = pool;
	in->got = kith_rec_open(&r, file, sep, KITH_FORM_csv, &err);
	if (in->got == 0) {
		r.through_csv = through_csv;
		r.threads = block ? 2 : 1;
		r.block = block;
		while ((in->got = kith_rec_next(&r, &err)) > 0)
			take_record(in, &r);
		in->sep = r.sep;
		kith_rec_close(&r);
	}
	if (in->got < 0 && (!err.status || !err.msg[0]))
		abort();
	put_size(&in->all, err.line);
	put(&in->all, err.msg, strlen(err.msg) + 1);
}

static void
must_equal(const struct text *a, const struct text *b)
{
	if (a->len != b->len || (a->len && memcmp(a->s, b->s, a->len) != 0))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const char seps[] = {0, 0, ',', '\t', ';', ' ', '\n', 'a'};
	struct kith_pool pool = {0};
	struct reading plain, csv, again;
	const char *file;
	char sep;

	if (len == 0)
		return 0;
	sep = seps[data[0] % sizeof(seps)];
	file = fuzz_file(0, data + 1, len - 1);
	take_file(&plain, file, sep, false, 0, &pool);
	take_file(&csv, file, sep, true, 0, &pool);
	must_equal(&plain.all, &csv.all);
	take_file(&csv, file, sep, data[0] / 16 % 2, 1 + data[0] / 8, &pool);
	must_equal(&plain.all, &csv.all);
	if (plain.quoted.len > 0) {
		file = fuzz_file(1, plain.quoted.s, plain.quoted.len);
		take_file(&again, file, plain.sep, false, 0, &pool);
		if (again.got != 0)
			abort();
		must_equal(&plain.cells, &again.cells);
	}
	kith_pool_free(&pool);
	return 0;
}
