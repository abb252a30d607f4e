/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/lists.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "table/lists_set.h"
#include "table/root.h"
#include "text/rows.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The file of a shard and a block. */
struct kith_list {
	const char *file[2];
	struct kith_rows rows;
	struct kith_lists_about about;
	struct kith_lists_lines line;
	bool held, ended; /* a line is still to be taken; there is none */
	size_t queries;   /* rows so far */
};

static const size_t NONE = SIZE_MAX; /* no column */

static int
open_list(struct kith_lists *all, const char *file, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_format format = {.rowless = true};
	struct kith_list *list = &all->list[all->opened];

	*list = (struct kith_list){.file = {file, NULL}};
	if (kith_rows_open(&list->rows, list->file, &format, pool, err))
		return -1;
	all->opened++;
	if (kith_lists_about_read(
		&list->rows.rec, &list->about, &list->line, &all->class, pool, err))
		return -1;
	return kith_lists_about_same(&all->list->about, all->list->rows.first, &list->about,
	    list->rows.first, &list->line, err);
}

/* Find the columns that all files must have. */
static int
find_columns(struct kith_lists *all, const struct kith_lists_columns *columns, struct kith_err *err)
{
	const struct kith_rows *rows = &all->list->rows;
	const struct {
		const char *name;
		size_t *column;
	} due[] = {
	    {columns->from, &all->from}, {columns->to, &all->to}, {"distance", &all->distance}};

	all->first = rows;
	for (size_t i = 0; i < sizeof(due) / sizeof(*due); i++) {
		*due[i].column = kith_names_find(&rows->name, due[i].name);
		if (*due[i].column == rows->name.n)
			return kith_fail_at(err, EX_DATAERR, rows->first, rows->head,
			    "column " KITH_NAME ": not found", due[i].name);
	}
	all->same = columns->same ? kith_names_find(&rows->name, columns->same) : rows->name.n;
	if (all->same == rows->name.n)
		all->same = NONE;
	return 0;
}

/* All files have the columns of the first, in its order. */
static int
same_columns(const struct kith_lists *all, struct kith_err *err)
{
	const struct kith_names *due = &all->first->name;

	for (size_t l = 1; l < all->lists; l++) {
		const struct kith_rows *rows = &all->list[l].rows;
		bool same = rows->name.n == due->n;

		for (size_t c = 0; same && c < due->n; c++)
			same = strcmp(rows->name.name[c], due->name[c]) == 0;
		if (!same)
			return kith_fail_at(err, EX_DATAERR, rows->first, rows->head,
			    "the header differs from that of %.200s", all->first->first);
	}
	return 0;
}

/* Put the files in order: blocks of one shard, or of all. */
static int
arrange(struct kith_lists *all, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_lists_item *item = kith_new(pool, all->lists, sizeof(*item));

	for (size_t l = 0; l < all->lists; l++) {
		const struct kith_list *list = &all->list[l];

		item[l] = (struct kith_lists_item){l, list->rows.first, list->about, list->line};
	}
	if (kith_lists_set_sort(item, all->lists, err))
		return -1;
	all->about = item->about;
	all->line = all->list->line;
	all->blocks = item->about.block.n;
	all->shards = all->lists / all->blocks;
	for (size_t b = 1; b < all->blocks; b++)
		all->about.rows += item[b].about.rows;
	all->order = kith_new(pool, all->lists, sizeof(struct kith_list *));
	for (size_t l = 0; l < all->lists; l++)
		all->order[l] = &all->list[item[l].number];
	return 0;
}

int
kith_lists_open(const char *const *files, const struct kith_lists_columns *columns,
    struct kith_lists *lists, struct kith_pool *pool, struct kith_err *err)
{
	*lists = (struct kith_lists){0};
	while (files[lists->lists])
		lists->lists++;
	lists->list = kith_new(pool, lists->lists, sizeof(*lists->list));
	for (size_t l = 0; l < lists->lists; l++)
		if (open_list(lists, files[l], pool, err))
			return -1;
	return find_columns(lists, columns, err) || same_columns(lists, err) ||
		arrange(lists, pool, err)
	    ? -1
	    : 0;
}

void
kith_lists_close(struct kith_lists *lists)
{
	for (size_t l = 0; l < lists->opened; l++)
		kith_rows_close(&lists->list[l].rows);
}

/* Have a line to take, unless the file has ended. */
static int
hold(struct kith_list *list, struct kith_err *err)
{
	int got;

	if (list->held || list->ended)
		return 0;
	got = kith_rows_next(&list->rows, err);
	list->held = got > 0;
	list->ended = got == 0;
	return got < 0 ? -1 : 0;
}

/* A copy of a cell of the line, in room that grows. */
static char *
copy(char *to, size_t *room, const struct kith_cell *c, struct kith_pool *pool)
{
	if (c->len + 1 > *room) {
		*room = 2 * c->len + 64;
		to = kith_grow(pool, to, *room, 1);
	}
	memcpy(to, c->s, c->len + 1);
	return to;
}

static bool
is_row(const struct kith_lists *all, const struct kith_list *list)
{
	return list->held && strcmp(kith_rec_cell(&list->rows.rec, all->from)->s, all->id) == 0;
}

/* The neighbour of the line, which the entry becomes: 1, or 0 for none. */
static int
parse(const struct kith_lists *all, const struct kith_list *list, struct kith_lists_entry *e,
    struct kith_err *err)
{
	const struct kith_rows *rows = &list->rows;
	const struct kith_lists_about *a = &list->about;
	const struct kith_cell *to = kith_rec_cell(&rows->rec, all->to);
	const struct kith_cell *d = kith_rec_cell(&rows->rec, all->distance);
	double x;

	*e = (struct kith_lists_entry){0};
	if (kith_cell_missing(to))
		return 0;
	if (kith_parse_size(to->s, &e->row) || e->row < 1 ||
	    e->row - 1 < kith_block_from(a->block, a->reference) ||
	    e->row - 1 >= kith_block_to(a->block, a->reference))
		return kith_rows_fail(rows, all->to, err,
		    "no row of block %zu/%zu of %zu: " KITH_CELL, a->block.i, a->block.n,
		    a->reference, to->s);
	if (strcmp(d->s, "inf") != 0 && kith_value_due(rows, all->distance, &x, err))
		return -1;
	e->d = kith_near_root_parse(d->s);
	return 1;
}

static bool
is_before(const struct kith_lists_entry *a, const struct kith_lists_entry *b)
{
	return a->d < b->d || (a->d == b->d && a->row < b->row);
}

/* As many neighbours as there must be of a row, whose last line is `line`. */
static int
check_count(const struct kith_list *list, size_t n, size_t line, struct kith_err *err)
{
	const struct kith_lists_about *a = &list->about;
	const size_t most = a->k ? a->k : a->rows;
	const size_t due = most < a->rows ? most : a->rows;
	const size_t others = a->rows - (a->self && a->rows > 0);

	if (n == due || (a->radius >= 0 && n < due) ||
	    (n == (most < others ? most : others) && a->self))
		return 0;
	return kith_fail_at(err, EX_DATAERR, list->rows.rec.file, line,
	    "%zu neighbours of a row that should have %zu here", n, due);
}

/* Take the lines that the row has in a list. */
static int
take_list(struct kith_lists *all, struct kith_list *list, const struct kith_lists_use *use,
    struct kith_pool *pool, struct kith_err *err)
{
	const size_t before = all->n;
	size_t line = 0;

	kith_lists_seen_none(&all->seen);
	while (is_row(all, list)) {
		struct kith_lists_entry e;
		int got = parse(all, list, &e, err);

		line = list->rows.rec.line;
		if (got > 0 && all->n > before && !is_before(&all->entry[all->n - 1], &e))
			got = kith_rows_fail(
			    &list->rows, all->to, err, "not in the order of distance and row");
		if (got > 0 && kith_lists_seen_add(&all->seen, e.row, pool))
			got = kith_rows_fail(&list->rows, all->to, err,
			    "twice a neighbour of row " KITH_CELL ": %zu", all->id, e.row);
		if (got > 0 && use->read(use->to, &list->rows, &e, err))
			got = -1;
		if (got > 0) {
			all->entry = kith_more(
			    pool, all->entry, all->n, &all->room, sizeof(*all->entry));
			all->entry[all->n++] = e;
		}
		list->held = false;
		if (got < 0 || hold(list, err))
			return -1;
	}
	list->queries++;
	return check_count(list, all->n - before, line, err);
}

/* The list must go on with the row that the first one has. */
static int
check_row(const struct kith_lists *all, const struct kith_list *list, struct kith_err *err)
{
	const struct kith_rec *rec = &list->rows.rec;

	if (list->ended)
		return kith_fail_at(
		    err, EX_DATAERR, rec->file, 0, "ends before row " KITH_CELL, all->id);
	if (!is_row(all, list))
		return kith_rows_fail(&list->rows, all->from, err,
		    KITH_CELL " where row " KITH_CELL " is due", kith_rec_cell(rec, all->from)->s,
		    all->id);
	if (all->same == NONE || strcmp(kith_rec_cell(rec, all->same)->s, all->own) == 0)
		return 0;
	return kith_rows_fail(&list->rows, all->same, err,
	    KITH_CELL " where other files have " KITH_CELL, kith_rec_cell(rec, all->same)->s,
	    all->own);
}

static int
by_distance(const void *a, const void *b)
{
	const struct kith_lists_entry *s = a, *t = b;

	return is_before(s, t) ? -1 : is_before(t, s);
}

/* The next row of a shard: 1, or 0 where the first list has ended. */
static int
take_row(struct kith_lists *all, struct kith_list *const *list, const struct kith_lists_use *use,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_rec *rec = &list[0]->rows.rec;

	all->n = 0;
	if (hold(list[0], err))
		return -1;
	if (list[0]->ended)
		return 0;
	all->id = copy(all->id, &all->id_room, kith_rec_cell(rec, all->from), pool);
	if (all->same != NONE)
		all->own = copy(all->own, &all->own_room, kith_rec_cell(rec, all->same), pool);
	if (use->begin(use->to, &list[0]->rows, err))
		return -1;
	for (size_t b = 0; b < all->blocks; b++)
		if (hold(list[b], err) || check_row(all, list[b], err) ||
		    take_list(all, list[b], use, pool, err))
			return -1;
	qsort(all->entry, all->n, sizeof(*all->entry), by_distance);
	use->end(use->to, all->entry, all->n < use->k ? all->n : use->k);
	return 1;
}

/* Every list has ended with the rows that it said it has. */
static int
check_ends(struct kith_lists *all, struct kith_list *const *list, struct kith_err *err)
{
	for (size_t b = 0; b < all->blocks; b++) {
		const struct kith_rec *rec = &list[b]->rows.rec;

		if (hold(list[b], err))
			return -1;
		if (!list[b]->ended)
			return kith_rows_fail(&list[b]->rows, all->from, err,
			    "a row that %.200s has not: " KITH_CELL, list[0]->rows.first,
			    kith_rec_cell(rec, all->from)->s);
		if (list[b]->queries != list[b]->about.queries)
			return kith_fail_at(err, EX_DATAERR, rec->file, 0,
			    "%zu rows, where it says %zu", list[b]->queries,
			    list[b]->about.queries);
	}
	return 0;
}

int
kith_lists_read(struct kith_lists *lists, const struct kith_lists_use *use, struct kith_pool *pool,
    struct kith_err *err)
{
	for (size_t s = 0; s < lists->shards; s++) {
		struct kith_list *const *list = lists->order + s * lists->blocks;
		int got;

		while ((got = take_row(lists, list, use, pool, err)) > 0)
			;
		if (got < 0 || check_ends(lists, list, err))
			return -1;
	}
	return 0;
}
