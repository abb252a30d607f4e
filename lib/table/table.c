/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/table.h"

#include "base/err.h"
#include "base/pool.h"
#include "la/vec.h"
#include "table/holes.h"
#include "table/mixed.h"
#include "table/only.h"
#include "text/columns.h"
#include "text/out.h"
#include "text/value.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { SMALL = 64 }; /* numbers that classes are, most often */

/* What reading a table needs beside the table. */
struct reader {
	struct kith_rows rows;
	const struct kith_how *how;
	const struct kith_table *ref; /* or NULL */
	struct kith_pool *pool;
	struct kith_roles role;
	struct kith_mixed mixed; /* how->texts */
	size_t *keep, n_keep;    /* columns to keep */
	/* Of the arrays with an element a row: kept, numbered, read. */
	size_t room, number_room, all_room;
	struct kith_names label; /* classes as they come */
	size_t small[SMALL];     /* of the class 0, 1, ... behind it, or 0 */
};

/* Whether the columns of a query are those of the reference by their place. */
static bool
is_by_place(const struct reader *in)
{
	return in->how->format.no_header ||
	    (in->rows.nameless && in->ref->column.n > 0 &&
		kith_rows_numbered(&in->ref->column));
}

/*
 * Without a header a query has the columns of the reference, or all of them
 * but the target: name those that follow it as in the reference.
 */
static int
name_by_place(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const struct kith_names *due = &in->ref->column;
	const size_t n = t->column.n;
	char **name = kith_new(in->pool, n, sizeof(*name));
	size_t at = 0;

	if (n == due->n)
		return 0;
	if (n + 1 != due->n || !in->ref->target)
		return kith_fail_at(err, EX_DATAERR, t->file, t->head,
		    "%zu columns where the reference has %zu", n, due->n);
	for (size_t i = 0; i < due->n; i++)
		if (strcmp(due->name[i], in->ref->target) != 0)
			name[at++] = due->name[i];
	kith_names_index(&t->column, name, n, in->pool);
	return 0;
}

/* Find the columns of the reference by their names. */
static int
match(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const struct kith_table *ref = in->ref;
	struct kith_roles *role = &in->role;
	const size_t p = ref->feature.n;

	if (kith_roles_refuse(&in->rows, err) ||
	    (is_by_place(in) && name_by_place(in, t, err)))
		return -1;
	*role = (struct kith_roles){
	    .feature = ref->feature, .weight = KITH_NO_COLUMN};
	role->from = kith_new(in->pool, p, sizeof(*role->from));
	for (size_t j = 0; j < p; j++) {
		role->from[j] = kith_names_find(
		    &t->column, ref->feature.name[j]);
		if (role->from[j] == t->column.n)
			return kith_roles_absent(
			    &in->rows, ref->feature.name[j], err);
	}
	kith_roles_see_run(role);
	t->target = ref->target;
	role->target = t->target ? kith_names_find(&t->column, t->target)
				 : t->column.n;
	if (role->target == t->column.n)
		role->target = KITH_NO_COLUMN;
	t->id_name = ref->id_name;
	role->id = t->id_name ? kith_column(&t->column, t->id_name)
			      : KITH_NO_COLUMN;
	return role->id == t->column.n
	    ? kith_roles_absent(&in->rows, t->id_name, err)
	    : 0;
}

/* Give the columns their roles, as the options say. */
static int
assign(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const struct kith_roles *role = &in->role;

	if (kith_roles_assign(
		&in->role, &in->rows, in->how, NULL, 0, in->pool, err))
		return -1;
	if (role->target != KITH_NO_COLUMN)
		t->target = t->column.name[role->target];
	t->id_name = role->id != KITH_NO_COLUMN ? t->column.name[role->id]
						: in->how->id;
	return 0;
}

/* The first header: all that does not depend on the rows. */
static int
begin(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	char **name;
	long kept;

	t->file = in->rows.first;
	t->head = in->rows.head;
	if (in->ref)
		kith_rows_cover(&in->rows, &in->ref->feature);
	else if (in->how->cover)
		kith_rows_cover(&in->rows, in->how->cover);
	t->column = in->rows.name;
	if (in->ref ? match(in, t, err) : assign(in, t, err))
		return -1;
	t->feature = in->role.feature;
	t->X.p = t->feature.n;
	if (in->how->texts)
		kith_mixed_init(&in->mixed, t->X.p, in->how->na, in->pool);
	kept = kith_columns(&t->column, in->how->keep, t->file, t->head,
	    &in->keep, in->pool, err);
	if (kept < 0)
		return -1;
	in->n_keep = (size_t)kept;
	name = kith_new(in->pool, in->n_keep, sizeof(*name));
	for (size_t i = 0; i < in->n_keep; i++)
		name[i] = t->column.name[in->keep[i]];
	kith_names_index(&t->kept, name, in->n_keep, in->pool);
	return 0;
}

/* Make room for one more row. */
static void
make_room(struct reader *in, struct kith_table *t)
{
	const size_t n = t->X.n;
	const size_t p = t->X.p + !t->X.p; /* rows without features are there */

	if (n == in->room) {
		in->room = n == 0 && in->how->only
		    ? kith_only_most(in->how->only) + 1
		    : n == 0 && in->rows.rec.rows ? in->rows.rec.rows
						  : 2 * n + 1 + 4096 / p;
		t->X.v = kith_grow(
		    in->pool, t->X.v, in->room, p * sizeof(*t->X.v));
		if (in->role.weight != KITH_NO_COLUMN)
			t->weight = kith_grow(
			    in->pool, t->weight, in->room, sizeof(*t->weight));
		if (in->role.target != KITH_NO_COLUMN &&
		    in->how->task == KITH_REGRESS)
			t->t = kith_grow(
			    in->pool, t->t, in->room, sizeof(*t->t));
		if (in->role.target != KITH_NO_COLUMN &&
		    in->how->task == KITH_CLASSIFY)
			t->y = kith_grow(
			    in->pool, t->y, in->room, sizeof(*t->y));
	}
	if (in->how->only || in->how->na == KITH_NA_OMIT)
		t->number = kith_more(in->pool, t->number, n, &in->number_room,
		    sizeof(*t->number));
	if (in->how->na == KITH_NA_OMIT && !in->how->only &&
	    t->read == in->all_room) {
		in->all_room = 2 * t->read + 64;
		t->read_y = kith_grow(
		    in->pool, t->read_y, in->all_room, sizeof(*t->read_y));
	}
}

/* The class that the target of the row is, as text. */
static size_t
class_of(struct reader *in)
{
	return kith_names_add(&in->label,
	    kith_rec_cell(&in->rows.rec, in->role.target)->s, in->pool);
}

/* The same; where it is a small number there, its text is made but once. */
static size_t
find_class(struct reader *in)
{
	const struct kith_rec *r = &in->rows.rec;
	const size_t c = in->role.target;
	size_t *small;

	if (kith_rec_is_text(r, c) || !(r->number[c] >= 0) ||
	    r->number[c] >= SMALL ||
	    r->number[c] != (double)(size_t)r->number[c])
		return class_of(in);
	small = &in->small[(size_t)r->number[c]];
	if (!*small)
		*small = class_of(in) + 1;
	return *small - 1;
}

/* Read the target of the row, which becomes row n. */
static int
add_target(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const bool missing = kith_rec_missing(&in->rows.rec, in->role.target);

	if (missing && !in->ref && !in->how->query)
		return kith_value_missing(&in->rows, in->role.target, "", err);
	if (t->t) {
		t->t[t->X.n] = NAN;
		return kith_value(&in->rows, in->role.target, &t->t[t->X.n], "",
			   err) < 0
		    ? -1
		    : 0;
	}
	t->y[t->X.n] = missing ? KITH_NO_CLASS : find_class(in);
	if (t->read_y)
		t->read_y[t->read] = t->y[t->X.n];
	return 0;
}

/* Read the features of the row: 1, or 0 when the row is to be left out. */
static int
add_features(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const int na = in->how->na;
	double *x = kith_row(&t->X, t->X.n);
	int whole = 1;

	if (!in->how->texts)
		whole = kith_roles_read(&in->role, &in->rows, true, "", x, err);
	for (size_t j = 0; in->how->texts && j < t->X.p; j++) {
		const int got = kith_mixed_read(
		    &in->mixed, &in->rows, in->role.from[j], j, &x[j], err);

		if (got < 0)
			return -1;
		whole = whole && got;
	}
	if (whole == 0 && na == KITH_NA_ERROR)
		return kith_holes_fail(&in->rows, in->role.from, t->X.p,
		    in->how->texts ? " (--na omit, mean or model?)"
				   : " (--na omit or mean?)",
		    err);
	return whole < 0 ? -1 : whole || na != KITH_NA_OMIT;
}

/* Add the row that was read. */
static int
add_row(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const struct kith_rec *rec = &in->rows.rec;
	int whole;

	make_room(in, t);
	if ((t->y || t->t) && add_target(in, t, err))
		return -1;
	if (t->weight &&
	    kith_value_size(
		&in->rows, in->role.weight, &t->weight[t->X.n], err))
		return -1;
	whole = add_features(in, t, err);
	if (whole < 0)
		return -1;
	t->read++;
	if (!whole)
		return 0;
	if (in->role.id != KITH_NO_COLUMN) {
		const struct kith_cell *id = kith_rec_cell(rec, in->role.id);

		if (kith_cell_missing(id))
			return kith_value_missing(
			    &in->rows, in->role.id, "", err);
		kith_texts_add(&t->id, id, in->pool);
	}
	for (size_t i = 0; i < in->n_keep; i++)
		kith_texts_add(
		    &t->keep, kith_rec_cell(rec, in->keep[i]), in->pool);
	if (t->number)
		t->number[t->X.n] = t->read;
	t->X.n++;
	return 0;
}

/* Number the classes in byte order. */
static void
sort_classes(struct reader *in, struct kith_table *t)
{
	size_t *was, *now = kith_new(in->pool, in->label.n, sizeof(*now));

	kith_names_sort(&in->label, &was, in->pool);
	for (size_t i = 0; i < in->label.n; i++)
		now[was[i]] = i;
	for (size_t i = 0; i < t->X.n; i++)
		if (t->y[i] != KITH_NO_CLASS)
			t->y[i] = now[t->y[i]];
	for (size_t i = 0; t->read_y && i < t->read; i++)
		if (t->read_y[i] != KITH_NO_CLASS)
			t->read_y[i] = now[t->read_y[i]];
	t->class = in->label;
}

/*
 * Put means, which t->mean receives, where features are missing: those of the
 * reference, or else of the numbers that each column has.
 */
static int
fill(const struct reader *in, struct kith_table *t, struct kith_err *err)
{
	t->mean = kith_new(in->pool, t->X.p, sizeof(*t->mean));
	for (size_t j = 0; j < t->X.p; j++) {
		if (in->ref && in->ref->mean)
			t->mean[j] = in->ref->mean[j];
		else if (kith_mat_mean(&t->X, j, &t->mean[j]))
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "column " KITH_NAME
			    ": no number in it to take the mean of",
			    t->feature.name[j]);
		for (size_t i = 0; i < t->X.n; i++)
			if (isnan(kith_row(&t->X, i)[j]))
				kith_row(&t->X, i)[j] = t->mean[j];
	}
	return 0;
}

static int
finish(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	if (t->X.n == 0 && t->read > 0 && !in->how->only)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "every row has a missing cell");
	if (t->X.n == 0)
		make_room(
		    in, t); /* that there is a target shows all the same */
	if (t->weight && t->X.n && !(kith_vec_largest(t->X.n, t->weight) > 0))
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "column " KITH_NAME ": all weights are 0",
		    t->column.name[in->role.weight]);
	if (t->y)
		sort_classes(in, t);
	else
		t->read_y = NULL;
	if (in->how->texts)
		t->text = kith_mixed_texts(&in->mixed, t->X.p);
	return in->how->na == KITH_NA_MEAN ? fill(in, t, err) : 0;
}

int
kith_table_read(const char *const *files, const struct kith_how *how,
    const struct kith_table *ref, struct kith_table *table,
    struct kith_pool *pool, struct kith_err *err)
{
	struct reader in = {.how = how, .ref = ref, .pool = pool};
	int got;

	*table = (struct kith_table){0};
	if (kith_rows_open(&in.rows, files, &how->format, pool, err))
		return -1;
	got = begin(&in, table, err);
	while (got == 0 &&
	    (got = kith_only_row(how->only, &in.rows, &table->read, err)) > 0)
		got = add_row(&in, table, err);
	kith_rows_close(&in.rows);
	return got < 0 ? -1 : finish(&in, table, err);
}

int
kith_table_read_other(const char *file, const struct kith_how *how,
    const struct kith_table *ref, struct kith_table *table,
    struct kith_pool *pool, struct kith_err *err)
{
	const char *const files[] = {file, NULL};
	struct kith_table known = *ref;

	known.id_name = NULL;
	return kith_table_read(files, how, &known, table, pool, err);
}
