/* SPDX-License-Identifier: BSD-2-Clause */
#include "scale/scale.h"

#include "base/err.h"
#include "base/names.h"
#include "base/num.h"
#include "base/pool.h"
#include "scale/frame.h"
#include "table/unit.h"
#include "text/columns.h"
#include "text/out.h"
#include "text/rows.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- Scalings of a table ---- */

/* The scaling of a number column. */
static int
fit_number(const struct kith_frame *f, size_t c, const struct kith_moments *m,
    const struct kith_scale_how *how, struct kith_scaling *s, bool *constant, struct kith_err *err)
{
	const struct kith_unit_how of = {
	    how->method == KITH_SCALE_ZSCORE ? KITH_UNIT_ZSCORE : KITH_UNIT_MINMAX,
	    how->hi - how->lo};
	const char *name = f->name.name[c];

	if (m->n == 0 && f->n > 0)
		return kith_fail_at(
		    err, EX_DATAERR, f->file, 0, "column " KITH_NAME ": no number", name);
	*constant = m->min == m->max;
	*s = (struct kith_scaling){
	    .column = name, .method = how->method, .scale = 1, .lo = how->lo, .hi = how->hi};
	s->fill = *constant ? m->min : (double)m->mean;
	if (how->method == KITH_SCALE_NONE)
		return 0;
	if (kith_unit_column(m, &of, &s->center, &s->scale) == 0)
		return 0;
	return kith_fail_at(err, EX_DATAERR, f->file, 0,
	    "column " KITH_NAME ": its range %g to %g does not fit a double", name, m->min, m->max);
}

/* A scaling for each level of column c, in byte order. */
static void
fit_levels(const struct kith_frame *f, size_t c, struct kith_scale *scale, size_t *room,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	struct kith_names level = {0};
	size_t counts = 8, *count = kith_new(&tmp, counts, sizeof(*count));
	size_t n = 0, *rank;

	for (size_t i = 0; i < f->n; i++) {
		const struct kith_cell cell = kith_texts_at(&f->text, kith_frame_row(f, i)[c].text);
		size_t at;

		if (kith_cell_missing(&cell))
			continue;
		at = kith_names_add(&level, cell.s, pool);
		if (at == counts) {
			counts *= 2;
			count = kith_grow(&tmp, count, counts, sizeof(*count));
			memset(count + at, 0, (counts - at) * sizeof(*count));
		}
		count[at]++;
		n++;
	}
	kith_names_sort(&level, &rank, &tmp);
	if (scale->n + level.n > *room) {
		*room = 2 * (scale->n + level.n);
		scale->v = kith_grow(pool, scale->v, *room, sizeof(*scale->v));
	}
	for (size_t l = 0; l < level.n; l++)
		scale->v[scale->n + rank[l]] = (struct kith_scaling){.column = f->name.name[c],
		    .method = KITH_SCALE_ONEHOT,
		    .scale = 1,
		    .fill = (double)count[l] / (double)n,
		    .level = level.name[rank[l]]};
	scale->n += level.n;
	kith_pool_free(&tmp);
}

/* The moments of the columns that are numbers, one after the other. */
static struct kith_moments *
moments(const struct kith_frame *f, struct kith_pool *pool)
{
	struct kith_moments *m = kith_new(pool, f->name.n, sizeof(*m));
	size_t *column = kith_new(pool, f->name.n, sizeof(*column)), n = 0;

	for (size_t c = 0; c < f->name.n; c++)
		if (f->kind[c] == KITH_AS_NUMBER)
			column[n++] = c;
	if (n > 0 && f->n > 0)
		kith_moments_of(&f->v->x, f->n, f->name.n, column, n, m);
	return m;
}

int
kith_scale_fit(const struct kith_frame *f, const struct kith_scale_how *how,
    struct kith_scale *scale, bool **constant, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_moments *m = moments(f, pool);
	size_t room = f->name.n;

	*scale = (struct kith_scale){.v = kith_new(pool, room, sizeof(*scale->v))};
	*constant = kith_new(pool, f->name.n, sizeof(**constant));
	for (size_t c = 0; c < f->name.n; c++) {
		if (f->kind[c] == KITH_AS_LEVEL)
			fit_levels(f, c, scale, &room, pool);
		if (f->kind[c] != KITH_AS_NUMBER)
			continue;
		scale->v = kith_more(pool, scale->v, scale->n, &room, sizeof(*scale->v));
		if (fit_number(f, c, m++, how, &scale->v[scale->n], &(*constant)[c], err))
			return -1;
		scale->n++;
	}
	return 0;
}

/* ---- The scaled table ---- */

static const size_t NONE = SIZE_MAX;

/* Have the columns that the scalings name, where the format can add them. */
static void
cover(const struct kith_scale *scale, struct kith_frame *f)
{
	struct kith_pool tmp = {0};
	char **name = kith_new(&tmp, scale->n, sizeof(*name));

	for (size_t i = 0; i < scale->n; i++)
		name[i] = (char *)scale->v[i].column;
	kith_frame_cover(f, &(struct kith_names){.name = name, .n = scale->n});
	kith_pool_free(&tmp);
}

int
kith_scale_expect(const struct kith_scale *scale, struct kith_frame *f, struct kith_err *err)
{
	cover(scale, f);
	for (size_t c = 0; c < f->name.n; c++)
		f->kind[c] = KITH_AS_TEXT;
	for (size_t i = 0; i < scale->n; i++) {
		const struct kith_scaling *s = &scale->v[i];
		const size_t c = kith_names_find(&f->name, s->column);

		if (c == f->name.n)
			return kith_column_absent(&f->name, s->column, f->file, f->head, "", err);
		f->kind[c] = s->method == KITH_SCALE_ONEHOT ? KITH_AS_LEVEL : KITH_AS_NUMBER;
	}
	return 0;
}

/* Chain the scalings of each column, in their order. */
static void
chain(struct kith_scale_plan *plan, struct kith_pool *pool)
{
	const struct kith_names *name = &plan->f->name;

	plan->first = kith_new(pool, name->n, sizeof(*plan->first));
	plan->next = kith_new(pool, plan->scale->n, sizeof(*plan->next));
	plan->unseen = kith_new(pool, name->n, sizeof(*plan->unseen));
	for (size_t c = 0; c < name->n; c++)
		plan->first[c] = NONE;
	for (size_t i = plan->scale->n; i-- > 0;) {
		const size_t c = kith_names_find(name, plan->scale->v[i].column);

		plan->next[i] = plan->first[c];
		plan->first[c] = i;
	}
}

static char *
join(const char *column, const char *level, struct kith_pool *pool)
{
	const size_t room = strlen(column) + strlen(level) + 2;
	char *s = kith_new(pool, room, 1);

	snprintf(s, room, "%s=%s", column, level);
	return s;
}

static int
name_output(struct kith_scale_plan *plan, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_frame *f = plan->f;
	struct kith_names all;
	size_t twin;

	plan->name = kith_new(pool, f->name.n + plan->scale->n, sizeof(*plan->name));
	for (size_t c = 0; c < f->name.n; c++) {
		char *name = f->name.name[c];

		if (f->kind[c] == KITH_AS_TEXT)
			plan->name[plan->n++] = name;
		for (size_t i = plan->first[c]; i != NONE; i = plan->next[i]) {
			const char *level = plan->scale->v[i].level;

			plan->name[plan->n++] = level ? join(name, level, pool) : name;
		}
	}
	twin = kith_names_index(&all, plan->name, plan->n, pool);
	if (twin < plan->n)
		return kith_fail_at(err, EX_DATAERR, f->file, f->head,
		    "column " KITH_NAME ": the output would have this name twice",
		    plan->name[twin]);
	if (plan->n == 0)
		return kith_fail_at(err, EX_DATAERR, f->file, f->head, "no column is left");
	return 0;
}

int
kith_scale_parse_range(const char *text, double *lo, double *hi)
{
	const char *colon = strchr(text, ':');
	struct kith_pool tmp = {0};
	int got = -1;

	if (colon &&
	    kith_parse_real(kith_strndup(&tmp, text, (size_t)(colon - text)),
		(size_t)(colon - text), lo) == 0 &&
	    kith_parse_real(colon + 1, strlen(colon + 1), hi) == 0 && *lo < *hi &&
	    isfinite(*hi - *lo))
		got = 0;
	kith_pool_free(&tmp);
	return got;
}

/* lo + (hi - lo) t; t is exactly 1 at the number whose distance from center rounds to scale. */
static double
to_range(double x, const struct kith_scaling *s)
{
	const long double width = (long double)s->hi - s->lo;
	const long double d = ((long double)x - s->center) / width;
	const long double t = (double)d == s->scale ? 1 : d / s->scale;
	const long double y = s->lo + width * t;

	if (!(s->scale > 0))
		return 0;
	if (0 <= t && t <= 1)
		return (double)(y < s->lo ? s->lo : y > s->hi ? s->hi : y);
	return (double)y;
}

/*
 * Scale the c columns that s says in place, row after row; fails because of the
 * first of them that has a value which does not fit.
 */
static int
scale_columns(const struct kith_frame *f, const size_t *column, const struct kith_scaling *const *s,
    size_t c, struct kith_err *err)
{
	size_t wrong = c;

	for (size_t i = 0; i < f->n; i++) {
		union kith_slot *row = kith_frame_row(f, i);

		for (size_t j = 0; j < c; j++) {
			double x = row[column[j]].x;

			if (isnan(x))
				x = s[j]->fill;
			if (isnan(x)) /* stays missing */
				continue;
			x = s[j]->method == KITH_SCALE_MINMAX
			    ? to_range(x, s[j])
			    : kith_unit_of(x, s[j]->center, s[j]->scale);
			row[column[j]].x = x;
			if (!isfinite(x) && j < wrong)
				wrong = j;
		}
	}
	if (wrong == c)
		return 0;
	return kith_fail_at(err, EX_DATAERR, f->file, 0,
	    "column " KITH_NAME ": scaled, a value does not fit a double",
	    f->name.name[column[wrong]]);
}

/* Scale all number columns that are part of the output. */
static int
scale_numbers(const struct kith_scale_plan *plan, struct kith_frame *f, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_scaling **s = kith_new(&tmp, f->name.n, sizeof(const void *));
	size_t *column = kith_new(&tmp, f->name.n, sizeof(*column)), n = 0;
	int got;

	for (size_t c = 0; c < f->name.n; c++)
		if (f->kind[c] == KITH_AS_NUMBER && plan->first[c] != NONE) {
			s[n] = &plan->scale->v[plan->first[c]];
			column[n++] = c;
		}
	got = scale_columns(f, column, s, n, err);
	kith_pool_free(&tmp);
	return got;
}

/* Count the cells of a level column that are none of the known levels. */
static size_t
count_unseen(const struct kith_scale_plan *plan, size_t c)
{
	const struct kith_frame *f = plan->f;
	struct kith_pool tmp = {0};
	struct kith_names known = {0};
	size_t unseen = 0;

	for (size_t i = plan->first[c]; i != NONE; i = plan->next[i])
		kith_names_add(&known, plan->scale->v[i].level, &tmp);
	for (size_t i = 0; i < f->n; i++) {
		const struct kith_cell cell = kith_texts_at(&f->text, kith_frame_row(f, i)[c].text);

		if (!kith_cell_missing(&cell) && kith_names_find(&known, cell.s) == known.n)
			unseen++;
	}
	kith_pool_free(&tmp);
	return unseen;
}

int
kith_scale_apply(const struct kith_scale *scale, struct kith_frame *f, struct kith_scale_plan *plan,
    struct kith_pool *pool, struct kith_err *err)
{
	*plan = (struct kith_scale_plan){.f = f, .scale = scale};
	chain(plan, pool);
	if (name_output(plan, pool, err))
		return -1;
	for (size_t c = 0; c < f->name.n; c++)
		if (f->kind[c] == KITH_AS_LEVEL)
			plan->unseen[c] = count_unseen(plan, c);
	return scale_numbers(plan, f, err);
}

/* Writes a number, or NA in place of NaN. */
static void
print_number(struct kith_out *out, double x)
{
	if (isnan(x))
		kith_out_missing(out);
	else
		kith_out_real(out, x);
}

/* Write 1 for the level that the cell has, 0 for the others. */
static void
print_levels(const struct kith_scale_plan *plan, size_t c, const struct kith_cell *cell,
    bool *begun, struct kith_out *out)
{
	for (size_t i = plan->first[c]; i != NONE; i = plan->next[i]) {
		const struct kith_scaling *s = &plan->scale->v[i];

		if (*begun)
			kith_out_next(out);
		*begun = true;
		if (kith_cell_missing(cell))
			print_number(out, s->fill);
		else
			kith_out_size(out, strcmp(cell->s, s->level) == 0);
	}
}

static void
print_row(const struct kith_scale_plan *plan, size_t row, struct kith_out *out)
{
	const struct kith_frame *f = plan->f;
	const union kith_slot *slot = kith_frame_row(f, row);
	bool begun = false;

	for (size_t c = 0; c < f->name.n; c++) {
		struct kith_cell cell;

		if (f->kind[c] == KITH_AS_NUMBER && plan->first[c] == NONE)
			continue;
		if (f->kind[c] != KITH_AS_LEVEL) {
			if (begun)
				kith_out_next(out);
			begun = true;
		}
		if (f->kind[c] == KITH_AS_NUMBER) {
			print_number(out, slot[c].x);
			continue;
		}
		cell = kith_texts_at(&f->text, slot[c].text);
		if (f->kind[c] == KITH_AS_TEXT)
			kith_out_verbatim(out, &cell);
		else
			print_levels(plan, c, &cell, &begun, out);
	}
	kith_out_row(out);
}

void
kith_scale_print(const struct kith_scale_plan *plan, struct kith_out *out)
{
	kith_out_header(out, (const char *const *)plan->name, plan->n);
	for (size_t i = 0; i < plan->f->n && !out->failed; i++)
		print_row(plan, i, out);
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
	struct kith_names column;  /* names of the columns read so far */
	struct kith_names leveled; /* names of the columns with levels */
	struct kith_names level;   /* the levels: "column number=level" */
	struct kith_pool *pool;
	size_t room;
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

/* Add a name; whether it stood there before. */
static bool
add(struct reader *in, struct kith_names *names, const char *name)
{
	const size_t n = names->n;

	return kith_names_add(names, name, in->pool) < n;
}

/* Refuse a column, or a level of one, that stood there before. */
static int
check_new(struct reader *in, const struct kith_scaling *s, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t room = (s->level ? strlen(s->level) : 0) + 32;
	char *key = kith_new(&tmp, room, 1);
	bool twice = kith_names_find(s->level ? &in->column : &in->leveled, s->column) <
	    (s->level ? in->column.n : in->leveled.n);

	if (s->level) {
		add(in, &in->leveled, s->column);
		snprintf(key, room, "%zu=%s", kith_names_find(&in->leveled, s->column), s->level);
		twice = add(in, &in->level, key) || twice;
	} else
		twice = add(in, &in->column, s->column) || twice;
	kith_pool_free(&tmp);
	if (!twice)
		return 0;
	return kith_rows_fail(&in->rows, in->at[COLUMN], err, "named twice: " KITH_CELL, s->column);
}

static int
take(struct reader *in, struct kith_scale *scale, struct kith_err *err)
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
	if (check_new(in, &s, err))
		return -1;
	scale->v = kith_more(in->pool, scale->v, scale->n, &in->room, sizeof(*scale->v));
	scale->v[scale->n++] = s;
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
		got = take(&in, scale, err);
	kith_rows_close(&in.rows);
	return got;
}
