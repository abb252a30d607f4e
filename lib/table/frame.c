/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/frame.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/holes.h"
#include "table/roles.h"
#include "text/value.h"

#include <math.h>
#include <string.h>

int
kith_frame_open(struct kith_frame *f, const char *const *files,
    const struct kith_format *format, struct kith_pool *pool,
    struct kith_err *err)
{
	*f = (struct kith_frame){.pool = pool};
	if (kith_rows_open(&f->rows, files, format, pool, err))
		return -1;
	f->file = f->rows.rec.file;
	f->head = f->rows.head;
	f->name = f->rows.name;
	f->kind = kith_new(pool, f->name.n, sizeof(*f->kind));
	return 0;
}

void
kith_frame_cover(struct kith_frame *f, const struct kith_names *due)
{
	kith_rows_cover(&f->rows, due);
	f->name = f->rows.name;
	f->kind = kith_new(f->pool, f->name.n, sizeof(*f->kind));
}

/* What reading the rows needs. */
struct reader {
	struct kith_frame *f;
	int na;
	bool *automatic;        /* c: the column was KITH_AS_AUTO */
	const char *first_file; /* where the first row is */
	size_t first_line;
};

static const char hint[] = " (--na omit or mean?)";

/* The columns whose cells must not be missing, as far as that is known. */
static size_t *
list_due(const struct kith_frame *f, size_t *n)
{
	size_t *column = kith_new(f->pool, f->name.n, sizeof(*column));

	*n = 0;
	for (size_t c = 0; c < f->name.n; c++)
		if (f->kind[c] == KITH_AS_NUMBER || f->kind[c] == KITH_AS_LEVEL)
			column[(*n)++] = c;
	return column;
}

/* Fail because the cells of column c were missing in all rows so far. */
static int
fail_since(struct reader *in, size_t c, struct kith_err *err)
{
	struct kith_frame *f = in->f;
	size_t n;
	const size_t *column = list_due(f, &n);

	kith_fail_at(err, EX_DATAERR, in->first_file, in->first_line,
	    "column " KITH_NAME ": missing: " KITH_CELL "%s", f->name.name[c],
	    kith_texts_at(&f->text, f->v[c].text).s, hint);
	return kith_holes_fail_since(&f->rows, column, n,
	    &(struct kith_holes_before){
		c, f->n, in->first_file, in->first_line},
	    hint, err);
}

/* An AUTO column turns out to be numbers: cells so far were all missing. */
static int
become_number(struct reader *in, size_t c, struct kith_err *err)
{
	struct kith_frame *f = in->f;

	if (in->na == KITH_NA_ERROR && f->n > 0)
		return fail_since(in, c, err);
	for (size_t i = 0; i < f->n; i++)
		kith_frame_row(f, i)[c].x = NAN;
	return 0;
}

static void
keep_text(
    struct kith_frame *f, const struct kith_cell *cell, union kith_slot *slot)
{
	slot->text = f->text.n;
	kith_texts_add(&f->text, cell, f->pool);
}

/* Take a missing cell of a column that is not text by order. */
static int
take_missing(
    struct reader *in, size_t c, union kith_slot *slot, struct kith_err *err)
{
	struct kith_frame *f = in->f;
	const bool due = f->kind[c] == KITH_AS_NUMBER ||
	    f->kind[c] == KITH_AS_LEVEL;
	size_t *column, n;

	if (f->kind[c] == KITH_AS_NUMBER)
		slot->x = NAN;
	else
		keep_text(f, kith_rec_cell(&f->rows.rec, c), slot);
	if (!due || in->na != KITH_NA_ERROR)
		return 0;
	column = list_due(f, &n);
	return kith_holes_fail(&f->rows, column, n, hint, err);
}

/* Take the cell of a column that is not text by order; 0 or -1. */
static int
take(struct reader *in, size_t c, union kith_slot *slot, struct kith_err *err)
{
	struct kith_frame *f = in->f;
	const bool first = f->kind[c] == KITH_AS_AUTO;
	enum kith_value got;
	double x = 0;

	if (f->kind[c] == KITH_AS_LEVEL)
		got = kith_cell_missing(kith_rec_cell(&f->rows.rec, c))
		    ? KITH_VALUE_MISSING
		    : KITH_VALUE_OK;
	else
		got = kith_kind_take(&f->kind[c], &f->rows, c,
		    " (--ignore or --onehot?)", &x, err);
	if (got == KITH_VALUE_BAD)
		return -1;
	if (got == KITH_VALUE_MISSING)
		return take_missing(in, c, slot, err);
	if (f->kind[c] != KITH_AS_NUMBER)
		keep_text(f, kith_rec_cell(&f->rows.rec, c), slot);
	else if (first && become_number(in, c, err))
		return -1;
	else
		slot->x = x;
	return 0;
}

static int
add_row(struct reader *in, struct kith_err *err)
{
	struct kith_frame *f = in->f;
	const size_t n = f->name.n;
	union kith_slot *row;

	if (f->n == f->room) {
		f->room = 2 * f->n + 1 + 4096 / n;
		f->v = kith_grow(f->pool, f->v, f->room, n * sizeof(*f->v));
	}
	row = kith_frame_row(f, f->n);
	if (f->n == 0) {
		in->first_file = f->rows.rec.file;
		in->first_line = f->rows.rec.line;
	}
	for (size_t c = 0; c < n; c++)
		if (f->kind[c] == KITH_AS_TEXT && !in->automatic[c])
			keep_text(f, kith_rec_cell(&f->rows.rec, c), &row[c]);
		else if (take(in, c, &row[c], err))
			return -1;
	f->n++;
	return 0;
}

static bool
is_whole(const struct kith_frame *f, const union kith_slot *row)
{
	for (size_t c = 0; c < f->name.n; c++) {
		struct kith_cell cell;

		if (f->kind[c] == KITH_AS_NUMBER && isnan(row[c].x))
			return false;
		if (f->kind[c] != KITH_AS_LEVEL)
			continue;
		cell = kith_texts_at(&f->text, row[c].text);
		if (kith_cell_missing(&cell))
			return false;
	}
	return true;
}

/* Leave out the rows with a missing number or level. */
static int
omit(struct kith_frame *f, struct kith_err *err)
{
	const size_t n = f->n;

	f->n = 0;
	for (size_t i = 0; i < n; i++)
		if (is_whole(f, kith_frame_row(f, i)))
			memmove(kith_frame_row(f, f->n++), kith_frame_row(f, i),
			    f->name.n * sizeof(*f->v));
	if (f->n == 0 && n > 0)
		return kith_fail_at(err, EX_DATAERR, f->file, 0,
		    "every row has a missing cell");
	return 0;
}

int
kith_frame_rows(struct kith_frame *f, int na, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = f->name.n;
	struct reader in = {.f = f, .na = na};
	int got;

	in.automatic = kith_new(&tmp, n, sizeof(*in.automatic));
	for (size_t c = 0; c < n; c++)
		in.automatic[c] = f->kind[c] == KITH_AS_AUTO;
	while ((got = kith_rows_next(&f->rows, err)) > 0 &&
	    (got = add_row(&in, err)) == 0)
		;
	kith_rows_close(&f->rows);
	for (size_t c = 0; c < n; c++)
		if (f->kind[c] == KITH_AS_AUTO)
			f->kind[c] = KITH_AS_TEXT;
	kith_pool_free(&tmp);
	if (got == 0 && na == KITH_NA_OMIT)
		got = omit(f, err);
	return got;
}
