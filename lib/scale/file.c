/* SPDX-License-Identifier: BSD-2-Clause */
#include "scale/file.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "text/out.h"
#include "text/rows.h"
#include "text/value.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const method_name[] = {"zscore", "minmax", "none", "onehot"};
static const char *const head[] = {
    "column", "method", "center", "scale", "fill", "level"};
enum { COLUMN, METHOD, CENTER, SCALE, FILL, LEVEL, HEADS };

void
kith_scale_write(const struct kith_scale *scale, struct kith_out *out)
{
	kith_out_header(out, head, HEADS);
	for (size_t i = 0; i < scale->n; i++) {
		const struct kith_scaling *s = &scale->v[i];

		kith_out_put(out, "%s\t%s\t%g\t%g\t%g\t%s\n", s->column,
		    method_name[s->method], s->center, s->scale, s->fill,
		    s->level);
	}
}

struct reader {
	struct kith_rows rows;
	size_t at[HEADS];
	struct kith_names column;  /* columns so far, those of numbers and */
	struct kith_names leveled; /* those of levels, and */
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
			return kith_fail_at(err, EX_DATAERR, in->rows.rec.file,
			    in->rows.head, "column \"%s\": not found", head[i]);
	}
	return 0;
}

static int
read_method(struct reader *in, int *method, struct kith_err *err)
{
	const char *text = kith_rec_cell(&in->rows.rec, in->at[METHOD])->s;

	for (*method = KITH_SCALE_ZSCORE; *method <= KITH_SCALE_ONEHOT;
	     ++*method)
		if (strcmp(text, method_name[*method]) == 0)
			return 0;
	return kith_rows_fail(
	    &in->rows, in->at[METHOD], err, "not a method: " KITH_CELL, text);
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
	bool twice = kith_names_find(s->level ? &in->column : &in->leveled,
			 s->column) < (s->level ? in->column.n : in->leveled.n);

	if (s->level) {
		add(in, &in->leveled, s->column);
		snprintf(key, room, "%zu=%s",
		    kith_names_find(&in->leveled, s->column), s->level);
		twice = add(in, &in->level, key) || twice;
	} else
		twice = add(in, &in->column, s->column) || twice;
	kith_pool_free(&tmp);
	if (!twice)
		return 0;
	return kith_rows_fail(&in->rows, in->at[COLUMN], err,
	    "named twice: " KITH_CELL, s->column);
}

static int
take(struct reader *in, struct kith_scale *scale, struct kith_err *err)
{
	const struct kith_rec *rec = &in->rows.rec;
	const struct kith_cell *name = kith_rec_cell(rec, in->at[COLUMN]);
	const struct kith_cell *level = kith_rec_cell(rec, in->at[LEVEL]);
	struct kith_scaling s = {0};

	if (read_method(in, &s.method, err) ||
	    kith_value_due(&in->rows, in->at[CENTER], &s.center, err) ||
	    kith_value_due(&in->rows, in->at[SCALE], &s.scale, err) ||
	    kith_value_due(&in->rows, in->at[FILL], &s.fill, err))
		return -1;
	if (s.scale < 0)
		return kith_rows_fail(&in->rows, in->at[SCALE], err,
		    "negative: " KITH_CELL,
		    kith_rec_cell(rec, in->at[SCALE])->s);
	if ((s.method == KITH_SCALE_ONEHOT) == kith_cell_missing(level))
		return kith_rows_fail(&in->rows, in->at[LEVEL], err,
		    "%s for this method: " KITH_CELL,
		    s.method == KITH_SCALE_ONEHOT ? "missing" : "too much",
		    level->s);
	s.column = kith_strndup(in->pool, name->s, name->len);
	if (s.method == KITH_SCALE_ONEHOT)
		s.level = kith_strndup(in->pool, level->s, level->len);
	if (check_new(in, &s, err))
		return -1;
	scale->v = kith_more(
	    in->pool, scale->v, scale->n, &in->room, sizeof(*scale->v));
	scale->v[scale->n++] = s;
	return 0;
}

int
kith_scale_read(const char *file, struct kith_scale *scale,
    struct kith_pool *pool, struct kith_err *err)
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
