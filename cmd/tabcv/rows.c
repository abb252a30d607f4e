/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. Find the columns of TABLE with a role; the target is by default the last one that has none.
 * 2. A line of a part holds the features in the order of TABLE, the query, and the target.
 * 3. Read each row of TABLE, and of the file of --test, where columns are found by the names that
 *    they have in TABLE: its line, and its cells with a role.
 * 4. Number the texts of a role in byte order.
 *
 * Splits are made of listed rows: of all rows of TABLE, or with --nested of the rows that an outer
 * split learns from.
 *
 * 5. Give each row a part: by class or by group, as table/trial.h deals them; by --folds; or its
 *    own (--loo).  A split predicts the rows of one part from all others that are listed.
 * 6. With --order, instead: the part of a row is its rank, and the ranks are cut into n + 1 blocks;
 *    split i predicts block i + 1 from the ranks before it, less --embargo.
 * 7. With --test the only split predicts the rows of FILE from the rows of TABLE.
 */
#include "tabcv.h"

#include "base/sort.h"
#include "cli/cli.h"
#include "table/roles.h"
#include "table/trial.h"
#include "text/columns.h"
#include "text/out.h"

#include <errno.h>
#include <string.h>

static const char *const option[ROLES] = {
    "--target", "--id", "--group", "--order", "--folds", "--weight", "--query"};

struct rows rows;
struct splits splits;
static struct kith_rows in; /* the file that is read */

/*
 * Columns of the file, and their names in TABLE: by role (NULL: the file has none), and behind them
 * the n_shown columns that a line of {train} and {test} has.
 */
static size_t *column, n_shown;
static const char **name;
static size_t room[ROLES];
static enum kith_kind order_kind; /* numbers or texts */

/* In memory, TSV: the header, and row i from at[i] to at[i + 1] - 1. */
static struct kith_out lines;
static size_t *at, at_room;

/* Steps 1 and 2. */
static void
find_columns(void)
{
	bool *taken = kith_new(&kept, in.name.n, sizeof(*taken));
	size_t *feature, last = in.name.n;
	const char **shown;
	long n;

	column = kith_new(&kept, ROLES + in.name.n + 2, sizeof(*column));
	name = kith_new(&kept, ROLES + in.name.n + 2, sizeof(const char *));
	shown = name + ROLES;
	for (size_t k = 0; k < ROLES; k++) {
		if (kith_roles_find(&in, how.column[k], "", &column[k], &failure))
			kith_die(&failure);
		if (how.column[k] && k != ID)
			name[k] = in.name.name[column[k]];
		if (how.column[k] && k != TARGET)
			taken[column[k]] = true;
	}
	while (last > 0 && taken[last - 1])
		last--;
	if (last == 0)
		fail(EX_DATAERR, in.first, "no column is left for the target");
	if (!how.column[TARGET])
		column[TARGET] = last - 1;
	name[TARGET] = in.name.name[column[TARGET]];
	if (taken[column[TARGET]])
		kith_misuse("--target: column " KITH_NAME " has another role", name[TARGET]);
	taken[column[TARGET]] = true;
	n = kith_columns(
	    &in, how.features ? how.features : kith_columns_all, taken, &feature, &kept, &failure);
	if (n == 0)
		kith_fail_at(&failure, EX_DATAERR, in.first, in.head, "no feature is left (-x?)");
	if (n < 1)
		kith_die(&failure);
	kith_sort_sizes(feature, (size_t)n);
	for (long i = 0; i < n; i++) {
		if (feature[i] == column[TARGET])
			kith_misuse("--features: column " KITH_NAME " is the target", name[TARGET]);
		if (feature[i] != column[QUERY])
			shown[n_shown++] = in.name.name[feature[i]];
	}
	if (name[QUERY])
		shown[n_shown++] = name[QUERY];
	shown[n_shown++] = name[TARGET];
}

/* Reads the cell of a role in row rows.n. */
static void
add_cell(size_t role)
{
	const struct kith_cell *c = kith_rec_cell(&in.rec, column[role]);
	bool number = role == WEIGHT || (role == TARGET && how.task == KITH_REGRESS);
	double x = 0;
	int got = 0;

	if (kith_cell_missing(c))
		got = KITH_VALUE_MISSING;
	else if (role == ORDER)
		got = kith_kind_take(&order_kind, &in, column[role], " (--order)", &x, &failure);
	else if (role == WEIGHT)
		got = kith_value_unsigned(&in, column[role], &x, &failure);
	else if (number)
		got = kith_value(&in, column[role], &x, " (--task?)", &failure);
	if (got == KITH_VALUE_MISSING)
		got = kith_rows_fail(
		    &in, column[role], &failure, "missing cell (%s)", option[role]);
	if (got == 0 && number && how.measure == KITH_SCORE_NDCG &&
	    !(0 <= x && x <= KITH_RELEVANCE_MOST))
		got = kith_rows_fail(&in, column[role], &failure,
		    "not a relevance from 0 to %d: " KITH_CELL, KITH_RELEVANCE_MOST, c->s);
	if (got)
		kith_die(&failure);
	number |= role == ORDER && order_kind == KITH_AS_NUMBER;
	rows.of[role] = kith_more(&kept, rows.of[role], rows.n, &room[role], sizeof(struct value));
	rows.of[role][rows.n] = (struct value){
	    number ? 0 : kith_names_add(&rows.label[role], c->s, &kept), x};
}

/* Writes the row's cells in n columns; column NULL: in the first n. */
static void
write_row(struct kith_out *to, const size_t *from, size_t n)
{
	for (size_t j = 0; j < n; j++) {
		if (j > 0)
			kith_out_next(to);
		kith_out_verbatim(to, kith_rec_cell(&in.rec, from ? from[j] : j));
	}
	kith_out_row(to);
}

/* Step 3: reads TABLE, or behind it the file of --test. */
static void
read_file(const char *file, struct kith_out *copy)
{
	const char *const files[] = {file, NULL};
	struct kith_format format = how.format;
	int got;

	format.text_only = true;
	if (kith_rows_open(&in, files, &format, &kept, &failure))
		kith_die(&failure);
	if (!column) {
		find_columns();
		at = kith_more(&kept, NULL, 0, &at_room, sizeof(*at));
		kith_out_header(&lines, name + ROLES, n_shown);
		rows.file = in.first;
		at[0] = lines.used;
	}
	for (size_t j = 0; j < ROLES + n_shown; j++)
		if (name[j] && (column[j] = kith_names_find(&in.name, name[j])) == in.name.n) {
			kith_column_absent(&in, name[j], "", &failure);
			kith_die(&failure);
		}
	if (copy)
		kith_out_header(copy, (const char *const *)in.name.name, in.name.n);
	while ((got = kith_rows_next(&in, &failure)) > 0) {
		for (size_t k = 0; k < ROLES; k++)
			if (name[k])
				add_cell(k);
		if (copy)
			write_row(copy, NULL, in.name.n);
		write_row(&lines, column + ROLES, n_shown);
		at = kith_more(&kept, at, ++rows.n, &at_room, sizeof(*at));
		at[rows.n] = lines.used;
	}
	if (got < 0)
		kith_die(&failure);
	kith_rows_close(&in);
}

void
read_rows(const char *table, struct kith_out *copy)
{
	kith_out_open_memory(&lines);
	read_file(table, copy);
	rows.own = rows.n;
	if (how.test)
		read_file(how.test, copy ? copy + 1 : NULL);
	for (size_t k = 0; k < ROLES; k++)
		if (rows.label[k].n > 0) { /* step 4 */
			const size_t *rank = kith_names_sort(&rows.label[k], &kept);

			for (struct value *v = rows.of[k]; v < rows.of[k] + rows.n; v++) {
				v->level = rank[v->level];
				v->number = (double)v->level; /* of ORDER */
			}
		}
}

void
write_rows(const struct split *s, bool predicted, const char *path)
{
	FILE *to = fopen(path, "w");
	bool failed = !to;

	if (to) {
		fwrite(lines.buf, 1, at[0], to);
		for (size_t i = 0; i < rows.n; i++)
			if (predicted ? predicts(s, i) : learns(s, i))
				fwrite(lines.buf + at[i], 1, at[i + 1] - at[i], to);
		failed = ferror(to);
		failed |= fclose(to) != 0;
	}
	if (failed)
		fail(EX_IOERR, path, "%s", strerror(errno));
}

/* ---- Splits ---- */

bool
predicts(const struct split *s, size_t row)
{
	return s->from <= s->part[row] && s->part[row] < s->to;
}

bool
learns(const struct split *s, size_t row)
{
	return s->part[row] < s->before && !predicts(s, row);
}

static void
add_split(struct split s)
{
	splits.v = kith_more(&kept, splits.v, ++splits.n, &splits.room, sizeof(*splits.v));
	splits.v[splits.n] = s;
}

/*
 * Numbers the texts of a role that n rows have, in byte order, into of (n); returns their number.
 * Rows of a role without texts are of one kind.
 */
static size_t
number_texts(const size_t *row, size_t n, size_t role, size_t *of)
{
	size_t *number = kith_new(&scratch, rows.label[role].n, sizeof(*number)), texts = 0;

	if (rows.label[role].n == 0)
		return 1;
	for (size_t i = 0; i < n; i++)
		number[rows.of[role][row[i]].level] = 1;
	for (size_t h = 0; h < rows.label[role].n; h++)
		if (number[h])
			number[h] = texts++;
	for (size_t i = 0; i < n; i++)
		of[i] = number[rows.of[role][row[i]].level];
	return texts;
}

/* Steps 5 and 6, for the rows that split `within` learns from; the names begin with `of`. */
static void
add_splits(size_t within, const char *of, bool outer)
{
	const bool folds = how.column[FOLDS] && !outer, cut = how.column[ORDER];
	const size_t role = how.column[GROUP] ? GROUP : FOLDS, before = splits.n;
	struct kith_fold_rows list = {.file = rows.file};
	size_t *row, *y, *group, *listed, *end, *part, parts = outer ? how.nested : how.parts;
	double *order;
	int got = 0;

	KITH_NEW_SIZES(&scratch, rows.own, 1, &row, &y, &group, &listed, &end);
	KITH_NEW_REALS(&scratch, rows.own, 1, &order);
	for (size_t i = 0; i < rows.own; i++)
		if (learns(&splits.v[within], i)) {
			order[list.n] = cut ? rows.of[ORDER][i].number : 0;
			row[list.n++] = i;
		}
	list.c = number_texts(row, list.n, TARGET, y);
	list.groups = number_texts(row, list.n, role, group);
	list.y = y;
	list.group = how.column[role] ? group : NULL;
	list.order = order;
	for (size_t t = 0; t < (outer ? 1 : how.repeats); t++) {
		if (folds || how.loo) {
			parts = folds ? list.groups : list.n;
			for (size_t i = 0; i < list.n; i++)
				listed[i] = folds ? group[i] : i;
		} else if (cut) {
			got = kith_fold_cut(&list, parts, how.embargo, 1, listed, end, &failure);
		} else {
			got = kith_fold_deal_rows(
			    &list, NULL, parts, how.seed + t, listed, &failure);
		}
		if (got)
			kith_die(&failure);
		if (parts < 2)
			fail(EX_DATAERR, rows.file, "all rows are in one part");
		part = kith_new(&kept, rows.n, sizeof(*part));
		for (size_t i = 0; i < rows.n; i++)
			part[i] = KITH_NO_COLUMN;
		for (size_t i = 0; i < list.n; i++)
			part[row[i]] = listed[i];
		for (size_t f = 0; f < parts; f++)
			add_split((struct split){part, cut ? end[f] : f, cut ? end[f + 1] : f + 1,
			    cut ? end[f] - how.embargo : KITH_NO_COLUMN, how.seed + t,
			    kith_text(&kept, "%spart %zu", of, splits.n - before + 1)});
	}
	kith_pool_free(&scratch);
}

void
make_splits(void)
{
	size_t *part = kith_new(&kept, rows.n, sizeof(*part));

	for (size_t i = rows.own; i < rows.n; i++)
		part[i] = 1;
	splits.v = kith_more(&kept, NULL, 0, &splits.room, sizeof(*splits.v));
	splits.v[0] = (struct split){part, 1, 2, 1, how.seed, "part 1"};
	if (how.test)
		add_split(splits.v[0]);
	else
		add_splits(0, how.nested ? "outer " : "", how.nested);
	if (!how.nested)
		return;
	splits.outer = splits.n;
	splits.inner = kith_new(&kept, splits.n + 1, sizeof(*splits.inner));
	for (size_t i = 0; i < splits.outer; i++) {
		splits.inner[i] = splits.n;
		add_splits(i + 1, kith_text(&kept, "%s, ", splits.v[i + 1].name), false);
	}
	splits.inner[splits.outer] = splits.n;
}
