/* SPDX-License-Identifier: BSD-2-Clause */
#include "scale/scale.h"

#include "base/num.h"
#include "base/sort.h"
#include "table/roles.h"
#include "table/unit.h"
#include "text/columns.h"
#include "text/out.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- A table ---- */

static const char hint[] = " (--na omit or mean?)";

/* The cell of column c, which is text, of row i. */
static struct kith_cell
text_at(const struct kith_frame *f, size_t i, size_t c)
{
	return f->text.cell[(size_t)kith_row(&f->X, i)[c]];
}

/* Fails because cells of this row are missing, or of rows above (before, or NULL). */
static int
fail_missing(struct kith_frame *f, const struct kith_holes_before *before, struct kith_err *err)
{
	size_t *column = kith_new(f->pool, f->rows.name.n, sizeof(*column)), n = 0;

	for (size_t c = 0; c < f->rows.name.n; c++)
		if (f->kind[c] == KITH_AS_NUMBER || f->kind[c] == KITH_AS_LEVEL)
			column[n++] = c;
	return kith_cells_fail(&f->rows, false, column, n, before, hint, err);
}

/* An AUTO column turns out to be numbers: cells so far were all missing. */
static int
become_number(struct kith_frame *f, size_t c, struct kith_err *err)
{
	const struct kith_holes_before before = {c, f->X.n, f->first_file, f->first_line};

	if (f->X.n > 0 && f->na == KITH_NA_ERROR) {
		kith_fail_at(err, EX_DATAERR, f->first_file, f->first_line,
		    "column " KITH_NAME ": missing: " KITH_CELL "%s", f->rows.name.name[c],
		    text_at(f, 0, c).s, hint);
		return fail_missing(f, &before, err);
	}
	if (f->na == KITH_NA_OMIT)
		f->X.n = 0;
	for (size_t i = 0; i < f->X.n; i++)
		kith_row(&f->X, i)[c] = NAN;
	return 0;
}

/* Takes the cell of a column of the row: 1, 0 where a number or level is missing, or -1. */
static int
take(struct kith_frame *f, size_t c, double *x, struct kith_err *err)
{
	const bool first = f->kind[c] == KITH_AS_AUTO;
	const enum kith_value got = kith_kind_take(
	    &f->kind[c], &f->rows, c, " (-x '!COL' or --onehot?)", x, err);
	const bool due = f->kind[c] == KITH_AS_NUMBER || f->kind[c] == KITH_AS_LEVEL;

	if (got == KITH_VALUE_BAD)
		return -1;
	if (got == KITH_VALUE_MISSING && due && f->na == KITH_NA_ERROR)
		return fail_missing(f, NULL, err);
	if (f->kind[c] != KITH_AS_NUMBER) {
		*x = (double)f->text.n;
		kith_texts_add(&f->text, kith_rec_cell(&f->rows.rec, c), f->pool);
	} else if (first && become_number(f, c, err)) {
		return -1;
	} else if (got == KITH_VALUE_MISSING) {
		*x = NAN;
	}
	return got != KITH_VALUE_MISSING || !due;
}

/* Adds the row, unless --na omit leaves it out. */
static int
add_row(struct kith_frame *f, struct kith_err *err)
{
	const size_t n = f->rows.name.n;
	bool whole = true;
	double *row;

	if (f->X.n == f->room) {
		f->room = 2 * f->X.n + 1 + 4096 / n;
		f->X.v = kith_grow(f->pool, f->X.v, f->room, n * sizeof(*f->X.v));
	}
	row = kith_row(&f->X, f->X.n);
	if (f->X.n == 0) {
		f->first_file = f->rows.rec.file;
		f->first_line = f->rows.rec.line;
	}
	for (size_t c = 0; c < n; c++) {
		const int got = take(f, c, &row[c], err);

		if (got < 0)
			return -1;
		whole = whole && got;
	}
	if (whole || f->na != KITH_NA_OMIT) /* become_number() may have dropped all rows before */
		memmove(kith_row(&f->X, f->X.n++), row, n * sizeof(*row));
	return 0;
}

int
kith_frame_read(struct kith_frame *f, struct kith_err *err)
{
	int got;

	f->X.p = f->rows.name.n;
	while ((got = kith_rows_next(&f->rows, err)) > 0 && (got = add_row(f, err)) == 0)
		;
	kith_rows_close(&f->rows);
	if (got == 0 && f->X.n == 0 && f->rows.n > 0)
		return kith_fail_at(
		    err, EX_DATAERR, f->rows.first, 0, "every row has a missing cell");
	return got;
}

/* ---- Scalings of a table ---- */

/* The scaling of a number column. */
static int
fit_number(const struct kith_frame *f, struct kith_scaling *s, struct kith_err *err)
{
	const struct kith_moments m = kith_moments_of(&f->X, s->at, NULL);
	const int method = s->method == KITH_SCALE_ZSCORE ? KITH_UNIT_ZSCORE : KITH_UNIT_MINMAX;

	if (m.n == 0 && f->X.n > 0)
		return kith_fail_at(err, EX_DATAERR, f->rows.first, 0,
		    "column " KITH_NAME ": no number", s->column);
	s->fill = m.min == m.max ? m.min : (double)m.mean;
	if (s->method == KITH_SCALE_NONE ||
	    kith_unit_column(&m, method, s->hi - s->lo, &s->center, &s->scale) == 0)
		return 0;
	return kith_fail_at(err, EX_DATAERR, f->rows.first, 0,
	    "column " KITH_NAME ": its range %g to %g does not fit a double", s->column, m.min,
	    m.max);
}

static void
add_scaling(struct kith_scale *scale, struct kith_scaling s, struct kith_pool *pool)
{
	scale->v = kith_more(pool, scale->v, scale->n, &scale->room, sizeof(*scale->v));
	scale->v[scale->n++] = s;
}

/* Adds a scaling for each level of the column of s, in byte order. */
static void
fit_levels(const struct kith_frame *f, struct kith_scaling s, struct kith_scale *scale)
{
	struct kith_pool tmp = {0};
	struct kith_names level = {0};
	size_t n = 0, *of = kith_new(&tmp, f->X.n, sizeof(*of)), *count, *rank;

	for (size_t i = 0; i < f->X.n; i++) {
		const struct kith_cell cell = text_at(f, i, s.at);

		if (!kith_cell_missing(&cell))
			of[n++] = kith_names_add(&level, cell.s, f->pool);
	}
	rank = kith_names_sort(&level, &tmp);
	count = kith_new(&tmp, level.n, sizeof(*count));
	for (size_t i = 0; i < n; i++)
		count[rank[of[i]]]++;
	s.method = KITH_SCALE_ONEHOT;
	for (size_t l = 0; l < level.n; l++) {
		s.fill = (double)count[l] / (double)n;
		s.level = level.name[l];
		add_scaling(scale, s, f->pool);
	}
	kith_pool_free(&tmp);
}

int
kith_scale_fit(const struct kith_frame *f, struct kith_scaling how, struct kith_scale *scale,
    struct kith_err *err)
{
	*scale = (struct kith_scale){0};
	for (size_t c = 0; c < f->rows.name.n; c++) {
		struct kith_scaling s = {.at = c,
		    .column = f->rows.name.name[c],
		    .scale = 1,
		    .method = f->kind[c] < KITH_AS_LEVEL ? KITH_SCALE_COPY : how.method,
		    .lo = how.lo,
		    .hi = how.hi};

		if (f->kind[c] == KITH_AS_NUMBER && fit_number(f, &s, err))
			return -1;
		if (f->kind[c] == KITH_AS_LEVEL)
			fit_levels(f, s, scale);
		else
			add_scaling(scale, s, f->pool);
	}
	return 0;
}

/* ---- The scaled table ---- */

int
kith_scale_expect(struct kith_scale *scale, struct kith_frame *f, struct kith_err *err)
{
	const struct kith_scale all = *scale;
	size_t columns, *of, *order, *start; /* the scalings by their columns */

	kith_rows_widen(&f->rows, &scale->column);
	columns = f->rows.name.n;
	f->kind = kith_new(f->pool, columns, sizeof(*f->kind));
	KITH_NEW_SIZES(f->pool, all.n, 1, &of, &order);
	KITH_NEW_SIZES(f->pool, columns + 1, 1, &start);
	for (size_t i = 0; i < all.n; i++) {
		struct kith_scaling *s = &all.v[i];

		of[i] = s->at = kith_names_find(&f->rows.name, s->column);
		if (s->at == columns)
			return kith_column_absent(&f->rows, s->column, "", err);
		f->kind[s->at] = s->method == KITH_SCALE_ONEHOT ? KITH_AS_LEVEL : KITH_AS_NUMBER;
	}
	kith_sort_by_class(of, all.n, columns, order, start);
	*scale = (struct kith_scale){.column = all.column};
	for (size_t c = 0; c < columns; c++) {
		for (size_t k = start[c]; k < start[c + 1]; k++)
			add_scaling(scale, all.v[order[k]], f->pool);
		if (f->kind[c] == KITH_AS_AUTO) {
			f->kind[c] = KITH_AS_COPY;
			add_scaling(scale,
			    (struct kith_scaling){.at = c,
				.column = f->rows.name.name[c],
				.method = KITH_SCALE_COPY,
				.scale = 1},
			    f->pool);
		}
	}
	return 0;
}

/* lo + (hi - lo) t; t is exactly 1 at the number whose distance from center rounds to scale. */
static double
to_range(double x, const struct kith_scaling *s)
{
	const long double d = ((long double)x - s->center) / (s->hi - s->lo); /* as of scale */
	const long double t = (double)d == s->scale ? 1 : d / s->scale;
	const long double y = s->lo + ((long double)s->hi - s->lo) * t;

	if (!(s->scale > 0))
		return 0;
	if (0 <= t && t <= 1)
		return (double)(y < s->lo ? s->lo : y > s->hi ? s->hi : y);
	return (double)y;
}

/* Scales the numbers of a column in place. */
static int
scale_numbers(const struct kith_scaling *s, struct kith_frame *f, struct kith_err *err)
{
	for (size_t i = 0; i < f->X.n; i++) {
		double *x = &kith_row(&f->X, i)[s->at];

		if (isnan(*x))
			*x = s->fill;
		if (isnan(*x)) /* stays missing */
			continue;
		*x = s->method == KITH_SCALE_MINMAX ? to_range(*x, s)
						    : kith_unit_of(*x, s->center, s->scale);
		if (!isfinite(*x))
			return kith_fail_at(err, EX_DATAERR, f->rows.first, 0,
			    "column " KITH_NAME ": scaled, a value does not fit a double",
			    s->column);
	}
	return 0;
}

/*
 * Replaces the texts of a level column by the numbers of their scalings, which are `first` to
 * end - 1, missing ones by NaN, and other ones, which are counted, by `end`.
 */
static void
number_levels(struct kith_scale *scale, size_t first, size_t end, struct kith_frame *f)
{
	const size_t c = scale->v[first].at;
	struct kith_pool tmp = {0};
	struct kith_names level = {0};

	for (size_t j = first; j < end; j++)
		kith_names_add(&level, scale->v[j].level, &tmp);
	for (size_t i = 0; i < f->X.n; i++) {
		const struct kith_cell cell = text_at(f, i, c);
		const bool missing = kith_cell_missing(&cell);
		const size_t j = first + kith_names_find(&level, cell.s);

		kith_row(&f->X, i)[c] = missing ? NAN : (double)j;
		scale->unseen[c] += !missing && j == end;
	}
	kith_pool_free(&tmp);
}

int
kith_scale_apply(struct kith_scale *scale, struct kith_frame *f, struct kith_err *err)
{
	const size_t n = scale->n;
	struct kith_names all;
	size_t twin, end;

	scale->name = kith_new(f->pool, n, sizeof(*scale->name));
	scale->unseen = kith_new(f->pool, f->rows.name.n, sizeof(*scale->unseen));
	for (size_t j = 0; j < n; j++) {
		const struct kith_scaling *s = &scale->v[j];

		scale->name[j] = s->level ? kith_text(f->pool, "%s=%s", s->column, s->level)
					  : s->column;
	}
	twin = kith_names_index(&all, scale->name, n, f->pool);
	if (twin < n)
		return kith_fail_at(err, EX_DATAERR, f->rows.first, f->rows.head,
		    "column " KITH_NAME ": the output would have this name twice",
		    scale->name[twin]);
	if (n == 0)
		return kith_fail_at(
		    err, EX_DATAERR, f->rows.first, f->rows.head, "no column is left");
	for (size_t j = 0; j < n; j = end) {
		const struct kith_scaling *s = &scale->v[j];

		for (end = j + 1; end < n && scale->v[end].at == s->at; end++)
			;
		if (s->method == KITH_SCALE_ONEHOT)
			number_levels(scale, j, end, f);
		else if (s->method != KITH_SCALE_COPY && scale_numbers(s, f, err))
			return -1;
	}
	return 0;
}

void
kith_scale_print(const struct kith_scale *scale, const struct kith_frame *f, struct kith_out *out)
{
	kith_out_header(out, (const char *const *)scale->name, scale->n);
	for (size_t i = 0; i < f->X.n && !out->failed; i++) {
		for (size_t j = 0; j < scale->n; j++) {
			const struct kith_scaling *s = &scale->v[j];
			const double x = kith_row(&f->X, i)[s->at];

			if (j > 0)
				kith_out_next(out);
			if (s->method == KITH_SCALE_COPY)
				kith_out_verbatim(out, &f->text.cell[(size_t)x]);
			else if (s->level && !isnan(x))
				kith_out_size(out, x == (double)j);
			else
				kith_out_put(out, "%G", s->level ? s->fill : x);
		}
		kith_out_row(out);
	}
}

int
kith_scale_parse_range(const char *text, double *lo, double *hi)
{
	return kith_parse_range(text, lo, hi) && *lo < *hi && isfinite(*hi - *lo) ? 0 : -1;
}

/* ---- Scalings as a file ---- */

static const char *const method_name[] = {"zscore", "minmax", "none", "onehot"};
static const char *const head[] = {"column", "method", "center", "scale", "fill", "level"};
enum { COLUMN, METHOD, CENTER, SCALE, FILL, LEVEL, HEADS };

void
kith_scale_write(const struct kith_scale *scale, struct kith_out *out)
{
	kith_out_header(out, head, HEADS);
	for (size_t i = 0; i < scale->n; i++) {
		const struct kith_scaling *s = &scale->v[i];
		char method[2 * KITH_NUM_ROOM + 16], lo[KITH_NUM_ROOM], hi[KITH_NUM_ROOM];

		if (s->method == KITH_SCALE_COPY)
			continue;
		snprintf(method, sizeof(method), "%s", method_name[s->method]);
		if (s->method == KITH_SCALE_MINMAX && (s->lo != 0 || s->hi != 1)) {
			kith_format_real(lo, s->lo);
			kith_format_real(hi, s->hi);
			snprintf(method, sizeof(method), "minmax:%s:%s", lo, hi);
		}
		kith_out_put(out, "%s\t%s\t%g\t%g\t%g\t%s\n", s->column, method, s->center,
		    s->scale, s->fill, s->level);
	}
}

struct reader {
	struct kith_rows rows;
	size_t at[HEADS];
	struct kith_names *level; /* of each column of the scaling the levels, of a number none */
	size_t room;              /* of level */
	struct kith_pool *pool;
};

static int
find_columns(struct reader *in, struct kith_err *err)
{
	const struct kith_names *name = &in->rows.name;

	for (size_t i = 0; i < HEADS; i++) {
		in->at[i] = kith_names_find(name, head[i]);
		if (in->at[i] == name->n)
			return kith_fail_at(err, EX_DATAERR, in->rows.rec.file, in->rows.head,
			    "not a scaling: no column \"%s\" (tabscale --save writes one)",
			    head[i]);
	}
	return 0;
}

static int
read_method(struct reader *in, struct kith_scaling *s, struct kith_err *err)
{
	static const char minmax[] = "minmax:";
	const char *text = kith_rec_cell(&in->rows.rec, in->at[METHOD])->s;

	s->lo = 0;
	s->hi = 1;
	for (s->method = KITH_SCALE_ZSCORE; s->method <= KITH_SCALE_ONEHOT; s->method++)
		if (strcmp(text, method_name[s->method]) == 0)
			return 0;
	s->method = KITH_SCALE_MINMAX;
	if (strncmp(text, minmax, sizeof(minmax) - 1) == 0 &&
	    kith_scale_parse_range(text + sizeof(minmax) - 1, &s->lo, &s->hi) == 0)
		return 0;
	return kith_rows_fail(&in->rows, in->at[METHOD], err, "not a method: " KITH_CELL, text);
}

/* Refuses a column, or a level of one, that stood there before. */
static int
check_new(struct reader *in, const struct kith_scaling *s, struct kith_names *column,
    struct kith_err *err)
{
	const size_t columns = column->n, c = kith_names_add(column, s->column, in->pool);
	struct kith_names *level;
	size_t levels;
	bool twice;

	in->level = kith_more(in->pool, in->level, c, &in->room, sizeof(*in->level));
	level = &in->level[c];
	if (c == columns)
		*level = (struct kith_names){0};
	levels = level->n;
	twice = c < columns && (levels == 0 || !s->level);
	twice |= s->level && kith_names_add(level, s->level, in->pool) < levels;
	return twice
	    ? kith_rows_fail(&in->rows, in->at[COLUMN], err, "named twice: " KITH_CELL, s->column)
	    : 0;
}

static int
read_scaling(struct reader *in, struct kith_scale *scale, struct kith_err *err)
{
	const struct kith_rec *rec = &in->rows.rec;
	const struct kith_cell *name = kith_rec_cell(rec, in->at[COLUMN]);
	const struct kith_cell *level = kith_rec_cell(rec, in->at[LEVEL]);
	struct kith_scaling s = {0};

	if (read_method(in, &s, err) ||
	    kith_value_required(&in->rows, in->at[CENTER], &s.center, err) ||
	    kith_value_required(&in->rows, in->at[SCALE], &s.scale, err) ||
	    kith_value_required(&in->rows, in->at[FILL], &s.fill, err))
		return -1;
	if (s.scale < 0)
		return kith_rows_fail(&in->rows, in->at[SCALE], err, "negative: " KITH_CELL,
		    kith_rec_cell(rec, in->at[SCALE])->s);
	if ((s.method == KITH_SCALE_ONEHOT) == kith_cell_missing(level))
		return kith_rows_fail(&in->rows, in->at[LEVEL], err,
		    "%s for this method: " KITH_CELL,
		    s.method == KITH_SCALE_ONEHOT ? "missing" : "too much", level->s);
	s.column = kith_strndup(in->pool, name->s, name->len);
	if (s.method == KITH_SCALE_ONEHOT)
		s.level = kith_strndup(in->pool, level->s, level->len);
	if (check_new(in, &s, &scale->column, err))
		return -1;
	add_scaling(scale, s, in->pool);
	return 0;
}

int
kith_scale_read(
    const char *file, struct kith_scale *scale, struct kith_pool *pool, struct kith_err *err)
{
	const char *const files[] = {file, NULL};
	const struct kith_format format = {0};
	struct reader in = {.pool = pool};
	int got;

	*scale = (struct kith_scale){0};
	if (kith_rows_open(&in.rows, files, &format, pool, err))
		return -1;
	got = find_columns(&in, err);
	while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0)
		got = read_scaling(&in, scale, err);
	kith_rows_close(&in.rows);
	return got;
}
