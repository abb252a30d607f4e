/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/knn_merge.h"

#include "base/err.h"
#include "base/sort.h"
#include "say/knn_run.h"
#include "table/lists.h"
#include "text/columns.h"
#include "text/value.h"
#include "vote/vote.h"

#include <math.h>
#include <string.h>

struct reader {
	struct kith_knn_run *run;
	struct kith_lists lists;
	size_t actual, own, name; /* columns; of names.n: there is none */
	size_t *keep;             /* and those to keep */
	struct kith_names names;  /* ids of neighbours, as they come */

	/* As run->known and near have them, with room. */
	struct kith_neighbour *nn;
	size_t *start, *number, *y, *own_y, *asked_number;
	double *t, *own_t;
	size_t nn_room, start_room, number_room, y_room, t_room;
	size_t own_room, asked_room;
	size_t n, m; /* neighbours, rows so far */
};

/* The class of a cell, as text; KITH_NO_CLASS where it is missing. */
static size_t
class_of(
    struct kith_names *class, const struct kith_cell *c, struct kith_pool *pool)
{
	return kith_cell_missing(c) ? KITH_NO_CLASS
				    : kith_names_add(class, c->s, pool);
}

/* The target of the row itself, which may be missing. */
static int
add_own(struct reader *in, const struct kith_rows *line, struct kith_err *err)
{
	struct kith_knn_run *r = in->run;

	if (in->own == line->name.n)
		return 0;
	if (!in->lists.about.numbers) {
		in->own_y = kith_more(&r->pool, in->own_y, in->m, &in->own_room,
		    sizeof(*in->own_y));
		in->own_y[in->m] = class_of(&r->asked.class,
		    kith_rec_cell(&line->rec, in->own), &r->pool);
		return 0;
	}
	in->own_t = kith_more(
	    &r->pool, in->own_t, in->m, &in->own_room, sizeof(*in->own_t));
	in->own_t[in->m] = NAN;
	return kith_value(line, in->own, &in->own_t[in->m], "", err) < 0 ? -1
									 : 0;
}

static int
begin(void *to, const struct kith_rows *line, struct kith_err *err)
{
	struct reader *in = to;
	struct kith_table *asked = &in->run->asked;
	struct kith_pool *pool = &in->run->pool;
	const struct kith_cell *id = kith_rec_cell(&line->rec, in->lists.from);

	if (add_own(in, line, err))
		return -1;
	if (in->lists.about.named) {
		kith_texts_add(&asked->id, id, pool);
	} else {
		in->asked_number = kith_more(pool, in->asked_number, in->m,
		    &in->asked_room, sizeof(*in->asked_number));
		if (kith_parse_size(id->s, &in->asked_number[in->m]))
			return kith_rows_fail(line, in->lists.from, err,
			    "not the number of a row: " KITH_CELL, id->s);
	}
	for (size_t j = 0; j < asked->kept.n; j++)
		kith_texts_add(
		    &asked->keep, kith_rec_cell(&line->rec, in->keep[j]), pool);
	return 0;
}

static int
read_entry(void *to, const struct kith_rows *line, struct kith_lists_entry *e,
    struct kith_err *err)
{
	struct reader *in = to;
	struct kith_knn_run *r = in->run;
	const struct kith_rec *rec = &line->rec;
	const struct kith_cell *actual = kith_rec_cell(rec, in->actual);

	if (e->d < 0 && !r->how.vote->takes_negative)
		return kith_rows_fail(line, in->lists.distance, err,
		    "the weights make a distance below 0 (--vote majority?)");
	if (in->name < line->name.n)
		e->name = kith_names_add(
		    &in->names, kith_rec_cell(rec, in->name)->s, &r->pool);
	if (in->lists.about.numbers)
		return kith_value_due(line, in->actual, &e->value, err);
	if (kith_cell_missing(actual))
		return kith_value_missing(line, in->actual, "", err);
	e->class = kith_names_find(&in->lists.class, actual->s);
	if (e->class < in->lists.class.n)
		return 0;
	return kith_rows_fail(line, in->actual, err,
	    "not a class of the reference: " KITH_CELL, actual->s);
}

static void
end(void *to, const struct kith_lists_entry *e, size_t n)
{
	struct reader *in = to;
	struct kith_table *known = &in->run->known;
	struct kith_pool *pool = &in->run->pool;

	for (size_t i = 0; i < n; i++, in->n++) {
		in->nn = kith_more(
		    pool, in->nn, in->n, &in->nn_room, sizeof(*in->nn));
		in->nn[in->n] = (struct kith_neighbour){in->n, e[i].d};
		in->number = kith_more(pool, in->number, in->n,
		    &in->number_room, sizeof(*in->number));
		in->number[in->n] = e[i].row;
		if (in->lists.about.numbers) {
			in->t = kith_more(
			    pool, in->t, in->n, &in->t_room, sizeof(*in->t));
			in->t[in->n] = e[i].value;
		} else {
			in->y = kith_more(
			    pool, in->y, in->n, &in->y_room, sizeof(*in->y));
			in->y[in->n] = e[i].class;
		}
		if (in->names.n > 0)
			kith_texts_add(&known->id,
			    &(struct kith_cell){in->names.name[e[i].name],
				strlen(in->names.name[e[i].name]), true},
			    pool);
	}
	in->start = kith_more(
	    pool, in->start, in->m + 1, &in->start_room, sizeof(*in->start));
	in->start[++in->m] = in->n;
}

/* Lists must reach as far as is asked. */
static int
check_reach(const struct reader *in, struct kith_err *err)
{
	const struct kith_knn_run *r = in->run;
	const struct kith_lists_about *a = &in->lists.about;
	const char *file = in->lists.first->first;
	const size_t k = kith_largest_size(r->k.v, r->k.n);
	const size_t there = a->rows - (a->self && a->rows > 0);
	double radius = INFINITY;

	for (size_t i = 0; i < r->radii.n; i++)
		radius = i ? fmax(radius, r->radii.v[i]) : r->radii.v[i];
	if (!r->radii.n && a->radius < 0 && k > there)
		return kith_fail(err, EX_DATAERR,
		    "%zu neighbours wanted, only %zu available", k, there);
	if (r->print == KITH_KNN_ERRORS && r->radii.n && a->numbers)
		return kith_fail(err, EX_DATAERR,
		    "the mean of the reference, which rows without a "
		    "neighbour get in error tables of numbers, is not known "
		    "here");
	if (a->radius >= 0 && radius > a->radius)
		return kith_fail_at(err, EX_DATAERR, file,
		    in->lists.line.radius,
		    "lists end at a distance of %.17g (--radius?)", a->radius);
	if (a->k && k > a->k)
		return kith_fail_at(err, EX_DATAERR, file, in->lists.line.k,
		    "lists have %zu neighbours at most (-k?)", a->k);
	return 0;
}

/* Find the columns that are not the lists' own. */
static int
find_columns(struct reader *in, const char *keep, struct kith_err *err)
{
	const struct kith_rows *rows = in->lists.first;
	struct kith_table *asked = &in->run->asked;
	struct kith_pool *pool = &in->run->pool;
	const long kept = kith_columns(
	    &rows->name, keep, rows->first, rows->head, &in->keep, pool, err);
	char **name;

	if (kept < 0)
		return -1;
	in->actual = kith_names_find(&rows->name, "actual");
	in->own = kith_names_find(&rows->name, "own");
	in->name = kith_names_find(&rows->name, "neighbour_id");
	if (in->actual == rows->name.n)
		return kith_fail_at(err, EX_DATAERR, rows->first, rows->head,
		    "column \"actual\": not found");
	name = kith_new(pool, (size_t)kept, sizeof(*name));
	for (size_t j = 0; j < (size_t)kept; j++)
		name[j] = rows->name.name[in->keep[j]];
	kith_names_index(&asked->kept, name, (size_t)kept, pool);
	return 0;
}

/* Classes are numbered in byte order. */
static void
sort_classes(struct reader *in)
{
	struct kith_table *known = &in->run->known;
	struct kith_pool tmp = {0};
	size_t *was, *now;

	known->class = in->lists.class;
	now = kith_new(&tmp, known->class.n, sizeof(*now));
	kith_names_sort(&known->class, &was, &in->run->pool);
	for (size_t c = 0; c < known->class.n; c++)
		now[was[c]] = c;
	for (size_t e = 0; in->y && e < in->n; e++)
		in->y[e] = now[in->y[e]];
	kith_pool_free(&tmp);
}

/* What was read becomes the tables of the run. */
static void
finish(struct reader *in)
{
	struct kith_knn_run *r = in->run;
	struct kith_table *known = &r->known, *asked = &r->asked;
	const bool numbers = in->lists.about.numbers;
	const bool own = in->own < in->lists.first->name.n;
	const char *file = in->lists.first->first;
	size_t *none = kith_new(&r->pool, 1, sizeof(*none));
	double *nan = kith_new(&r->pool, 1, sizeof(*nan));

	sort_classes(in);
	*known = (struct kith_table){.file = file,
	    .class = known->class,
	    .id = known->id,
	    .id_name = in->names.n ? "neighbour_id" : NULL,
	    .X.n = in->n,
	    .number = in->number,
	    .y = numbers ? NULL
		: in->y  ? in->y
			 : none,
	    .t = !numbers ? NULL
		: in->t   ? in->t
			  : nan};
	asked->file = file;
	asked->head = in->lists.first->head;
	asked->X.n = in->m;
	asked->read = in->m;
	asked->number = in->asked_number;
	asked->id_name = in->lists.about.named ? "id" : NULL;
	if (own && numbers)
		asked->t = in->own_t ? in->own_t : nan;
	else if (own)
		asked->y = in->own_y ? in->own_y : none;
	r->near.pairs = (struct kith_pairs){.of = KITH_PAIRS_DISTANCE,
	    .unit = 1,
	    .graph.m = in->m,
	    .start = in->start,
	    .nn = in->nn};
	r->near.near = (struct kith_predict_near){
	    .file = file, .from = &r->near.from, .pairs = &r->near.pairs};
	r->near.from = (struct kith_ends){
	    .n = in->m, .read = in->m, .number = in->asked_number};
}

int
kith_knn_merge_read(struct kith_knn_run *r, const char *const *files,
    const char *keep, struct kith_err *err)
{
	static const struct kith_lists_columns columns = {
	    "id", "neighbour", "own"};
	struct reader in = {.run = r};
	const struct kith_lists_use use = {
	    &in, kith_largest_size(r->k.v, r->k.n), begin, read_entry, end};
	int got = kith_lists_open(files, &columns, &in.lists, &r->pool, err);

	in.start = kith_more(
	    &r->pool, in.start, 0, &in.start_room, sizeof(*in.start));
	in.start[0] = 0;
	if (got == 0)
		got = find_columns(&in, keep, err);
	if (got == 0)
		got = check_reach(&in, err);
	if (got == 0)
		got = kith_lists_read(&in.lists, &use, &r->pool, err);
	if (got == 0)
		finish(&in);
	kith_lists_close(&in.lists);
	return got;
}
