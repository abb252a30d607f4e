#include "table.h"

#include "columns.h"
#include "err.h"
#include "fill.h"
#include "instance.h"
#include "num.h"
#include "pool.h"
#include "value.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* What reading a table needs beside the table. */
struct reader {
	struct kith_rows rows;
	const struct kith_how *how;
	const struct kith_table *ref; /* or NULL */
	struct kith_pool *pool;
	size_t *from;            /* the column of each feature */
	size_t target, id;       /* their columns, or NONE */
	size_t weight;           /* that of the weights of rows, or NONE */
	size_t *keep, n_keep;    /* columns to keep */
	size_t room, all_room;   /* of the arrays with an element a row */
	struct kith_names label; /* classes as they come */
};

static const size_t NONE = SIZE_MAX;
static const char hint[] = " (--id, --ignore, tabscale --onehot?)";

static int
not_found(const struct kith_table *t, const char *name, struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, t->file, t->head,
	    "column " KITH_NAME ": not found", name);
}

/* The columns of a list, if there is one; *n is 0 without. */
static int
list(const struct reader *in, const struct kith_table *t, const char *text,
    size_t **column, size_t *n, struct kith_err *err)
{
	long got = 0;

	if (text)
		got = kith_columns(
		    &t->column, text, t->file, t->head, column, in->pool, err);
	*n = got > 0 ? (size_t)got : 0;
	return got < 0 ? -1 : 0;
}

/* Names in parentheses are those of our own tables. */
static int
refuse_our_names(const struct kith_table *t, struct kith_err *err)
{
	static const char *const ours[] = {"(bias)", "(id)", "(coef)"};

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (kith_names_find(&t->column, ours[i]) < t->column.n)
			return kith_fail_at(err, EX_DATAERR, t->file, t->head,
			    "column " KITH_NAME
			    ": a name with a meaning of its "
			    "own",
			    ours[i]);
	return 0;
}

/* The column that an option names; NONE when text is NULL. */
static int
one(const struct kith_table *t, const char *text, size_t *column,
    struct kith_err *err)
{
	*column = NONE;
	if (!text)
		return 0;
	*column = kith_column(&t->column, text);
	return *column < t->column.n ? 0 : not_found(t, text, err);
}

/* Say with names what the features are. */
static void
name_features(struct reader *in, struct kith_table *t, size_t p)
{
	char **name = kith_new(in->pool, p, sizeof(*name));

	for (size_t j = 0; j < p; j++)
		name[j] = t->column.name[in->from[j]];
	kith_names_index(&t->feature, name, p, in->pool);
	t->X.p = p;
}

/* Choose the features: those listed, or all columns without a role. */
static int
choose(struct reader *in, struct kith_table *t, const bool *taken,
    struct kith_err *err)
{
	const size_t n = t->column.n;
	size_t p = 0;

	if (list(in, t, in->how->feature, &in->from, &p, err))
		return -1;
	for (size_t j = 0; j < p; j++)
		if (taken[in->from[j]])
			return kith_fail(err, KITH_EX_USAGE,
			    "column " KITH_NAME
			    " cannot be a feature: it has another role",
			    t->column.name[in->from[j]]);
	if (!in->how->feature) {
		in->from = kith_new(in->pool, n, sizeof(*in->from));
		for (size_t i = 0; i < n; i++)
			if (!taken[i])
				in->from[p++] = i;
	}
	if (p == 0)
		return kith_fail_at(err, EX_DATAERR, t->file, t->head,
		    "no column beside the target%s",
		    in->how->id || in->how->ignore ? " and those left out"
						   : "");
	name_features(in, t, p);
	return 0;
}

/* Give the columns their roles, as the options say. */
static int
assign(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const struct kith_how *how = in->how;
	bool *taken = kith_new(in->pool, t->column.n, sizeof(*taken));
	size_t *ignored, n_ignored;

	if (one(t, how->target, &in->target, err) ||
	    one(t, how->instance_weight, &in->weight, err) ||
	    list(in, t, how->ignore, &ignored, &n_ignored, err))
		return -1;
	if (!how->target && !how->no_target)
		in->target = t->column.n - 1;
	if (in->target != NONE) {
		t->target = t->column.name[in->target];
		taken[in->target] = true;
	}
	if (in->weight != NONE && in->weight == in->target)
		return kith_fail(err, KITH_EX_USAGE,
		    "column " KITH_NAME ": target and weight of rows",
		    t->target);
	if (in->weight != NONE)
		taken[in->weight] = true;
	in->id = how->id ? kith_column(&t->column, how->id) : NONE;
	if (in->id < t->column.n)
		taken[in->id] = true;
	else if (how->id && !how->id_elsewhere)
		return not_found(t, how->id, err);
	t->id_name = in->id < t->column.n ? t->column.name[in->id] : how->id;
	for (size_t i = 0; i < n_ignored; i++)
		taken[ignored[i]] = true;
	return choose(in, t, taken, err);
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
	const size_t p = ref->feature.n;

	if (in->how->format.no_header && name_by_place(in, t, err))
		return -1;
	in->from = kith_new(in->pool, p, sizeof(*in->from));
	for (size_t j = 0; j < p; j++) {
		in->from[j] = kith_names_find(&t->column, ref->feature.name[j]);
		if (in->from[j] == t->column.n)
			return not_found(t, ref->feature.name[j], err);
	}
	t->feature = ref->feature;
	t->X.p = p;
	t->target = ref->target;
	in->weight = NONE;
	in->target = t->target ? kith_names_find(&t->column, t->target) : NONE;
	if (in->target == t->column.n)
		in->target = NONE;
	t->id_name = ref->id_name;
	return one(t, t->id_name, &in->id, err);
}

/* The first header: all that does not depend on the rows. */
static int
begin(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	char **name;

	t->file = in->rows.rec.file;
	t->head = in->rows.head;
	t->column = in->rows.name;
	if (refuse_our_names(t, err))
		return -1;
	if (in->ref ? match(in, t, err) : assign(in, t, err))
		return -1;
	if (list(in, t, in->how->keep, &in->keep, &in->n_keep, err))
		return -1;
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

	if (n == in->room) {
		in->room = 2 * n + 1 + 4096 / t->X.p;
		t->X.v = kith_grow(
		    in->pool, t->X.v, in->room, t->X.p * sizeof(*t->X.v));
		if (in->weight != NONE)
			t->weight = kith_grow(
			    in->pool, t->weight, in->room, sizeof(*t->weight));
		if (in->target != NONE && in->how->task == KITH_REGRESS)
			t->t = kith_grow(
			    in->pool, t->t, in->room, sizeof(*t->t));
		if (in->target != NONE && in->how->task == KITH_CLASSIFY)
			t->y = kith_grow(
			    in->pool, t->y, in->room, sizeof(*t->y));
	}
	if (in->how->na == KITH_NA_OMIT && t->read == in->all_room) {
		in->all_room = 2 * t->read + 64;
		t->number = kith_grow(
		    in->pool, t->number, in->all_room, sizeof(*t->number));
		t->read_y = kith_grow(
		    in->pool, t->read_y, in->all_room, sizeof(*t->read_y));
	}
}

/* Read the target of the row, which becomes row n. */
static int
add_target(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const struct kith_cell *c = &in->rows.rec.cell[in->target];
	const bool missing = kith_cell_missing(c);

	if (missing && !in->ref)
		return kith_value_missing(&in->rows, in->target, "", err);
	if (t->t) {
		t->t[t->X.n] = NAN;
		return kith_value(
			   &in->rows, in->target, &t->t[t->X.n], "", err) < 0
		    ? -1
		    : 0;
	}
	t->y[t->X.n] = missing ? KITH_NO_CLASS
			       : kith_names_add(&in->label, c->s, in->pool);
	if (t->read_y)
		t->read_y[t->read] = t->y[t->X.n];
	return 0;
}

/* Read the features of the row: 1, or 0 when the row is to be left out. */
static int
add_features(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	double *x = kith_row(&t->X, t->X.n);
	int whole = 1;

	for (size_t j = 0; j < t->X.p; j++) {
		const struct kith_cell *c = &in->rows.rec.cell[in->from[j]];

		if (kith_parse_real(c->s, c->len, &x[j]) == KITH_NUM_OK)
			continue;
		if (kith_value(&in->rows, in->from[j], &x[j], hint, err) < 0)
			return -1;
		if (in->how->na == KITH_NA_ERROR)
			return kith_value_missing(&in->rows, in->from[j],
			    " (--na omit or mean?)", err);
		if (in->how->na == KITH_NA_OMIT)
			whole = 0;
		x[j] = NAN;
	}
	return whole;
}

/* Add the row that was read. */
static int
add_row(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const struct kith_cell *cell = in->rows.rec.cell;
	int whole;

	make_room(in, t);
	if ((t->y || t->t) && add_target(in, t, err))
		return -1;
	if (t->weight &&
	    kith_instance_read(&in->rows, in->weight, &t->weight[t->X.n], err))
		return -1;
	whole = add_features(in, t, err);
	if (whole < 0)
		return -1;
	t->read++;
	if (!whole)
		return 0;
	if (in->id < t->column.n) {
		if (kith_cell_missing(&cell[in->id]))
			return kith_value_missing(&in->rows, in->id, "", err);
		kith_texts_add(&t->id, &cell[in->id], in->pool);
	}
	for (size_t i = 0; i < in->n_keep; i++)
		kith_texts_add(&t->keep, &cell[in->keep[i]], in->pool);
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

static int
finish(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	if (t->X.n == 0)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "no row without a missing cell");
	if (t->weight &&
	    kith_instance_check(
		t->weight, t->X.n, t->file, t->column.name[in->weight], err))
		return -1;
	if (t->y)
		sort_classes(in, t);
	else
		t->read_y = NULL;
	if (in->how->na != KITH_NA_MEAN)
		return 0;
	t->mean = kith_new(in->pool, t->X.p, sizeof(*t->mean));
	return kith_fill(&t->X, &t->feature, in->ref ? in->ref->mean : NULL,
	    t->mean, t->file, err);
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
	while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0)
		got = add_row(&in, table, err);
	kith_rows_close(&in.rows);
	return got < 0 ? -1 : finish(&in, table, err);
}
