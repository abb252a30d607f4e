/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/labels.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "table/roles.h"
#include "table/table.h"
#include "text/columns.h"
#include "text/rows.h"
#include "text/value.h"

#include <math.h>

struct reader {
	struct kith_rows rows;
	const struct kith_how *how;
	size_t target, id; /* columns, or KITH_NO_COLUMN */
	size_t *keep;
	size_t room;
	struct kith_names label; /* classes as they come */
	struct kith_pool *pool;
};

/* The column of COL. */
static int
find(const struct reader *in, const char *col, size_t *column,
    struct kith_err *err)
{
	*column = kith_column(&in->rows.name, col);
	return *column < in->rows.name.n
	    ? 0
	    : kith_roles_absent(&in->rows, col, err);
}

static int
begin(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const struct kith_how *how = in->how;
	const struct kith_names *name = &in->rows.name;
	char **kept;
	long n = 0;

	t->file = in->rows.first;
	t->head = in->rows.head;
	t->column = *name;
	in->target = name->n - 1;
	in->id = KITH_NO_COLUMN;
	if (kith_roles_refuse(&in->rows, err) ||
	    (how->target && find(in, how->target, &in->target, err)) ||
	    (how->id && find(in, how->id, &in->id, err)))
		return -1;
	if (in->target == in->id)
		return kith_fail(err, KITH_EX_USAGE,
		    "column " KITH_NAME ": target and id of rows",
		    name->name[in->id]);
	t->target = name->name[in->target];
	if (how->id)
		t->id_name = name->name[in->id];
	if (how->keep)
		n = kith_columns(name, how->keep, t->file, t->head, &in->keep,
		    in->pool, err);
	if (n < 0)
		return -1;
	kept = kith_new(in->pool, (size_t)n, sizeof(*kept));
	for (long j = 0; j < n; j++)
		kept[j] = name->name[in->keep[j]];
	kith_names_index(&t->kept, kept, (size_t)n, in->pool);
	return 0;
}

/* Read the target of the row, which becomes row n. */
static int
add_target(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const struct kith_cell *c = kith_rec_cell(&in->rows.rec, in->target);

	if (in->how->task == KITH_REGRESS) {
		t->t[t->X.n] = NAN;
		return kith_value(
			   &in->rows, in->target, &t->t[t->X.n], "", err) < 0
		    ? -1
		    : 0;
	}
	t->y[t->X.n] = kith_cell_missing(c)
	    ? KITH_NO_CLASS
	    : kith_names_add(&in->label, c->s, in->pool);
	return 0;
}

static int
add_row(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const struct kith_rec *rec = &in->rows.rec;

	if (in->how->task == KITH_REGRESS)
		t->t = kith_more(
		    in->pool, t->t, t->X.n, &in->room, sizeof(*t->t));
	else
		t->y = kith_more(
		    in->pool, t->y, t->X.n, &in->room, sizeof(*t->y));
	if (add_target(in, t, err))
		return -1;
	if (in->id != KITH_NO_COLUMN) {
		if (kith_cell_missing(kith_rec_cell(rec, in->id)))
			return kith_value_missing(&in->rows, in->id, "", err);
		kith_texts_add(&t->id, kith_rec_cell(rec, in->id), in->pool);
	}
	for (size_t j = 0; j < t->kept.n; j++)
		kith_texts_add(
		    &t->keep, kith_rec_cell(rec, in->keep[j]), in->pool);
	t->read = ++t->X.n;
	return 0;
}

/* Number the classes in byte order, and see that there is a label. */
static int
finish(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	size_t *was, *now, labels = 0;

	if (t->y) {
		now = kith_new(in->pool, in->label.n, sizeof(*now));
		kith_names_sort(&in->label, &was, in->pool);
		for (size_t k = 0; k < in->label.n; k++)
			now[was[k]] = k;
		for (size_t i = 0; i < t->X.n; i++)
			if (t->y[i] != KITH_NO_CLASS)
				t->y[i] = now[t->y[i]];
		t->class = in->label;
	}
	for (size_t i = 0; i < t->X.n; i++)
		if (t->y ? t->y[i] != KITH_NO_CLASS : !isnan(t->t[i]))
			labels++;
	if (labels > 0)
		return 0;
	return kith_fail_at(err, EX_DATAERR, t->file, 0,
	    "column " KITH_NAME ": missing in all rows", t->target);
}

int
kith_labels_read(const char *file, const struct kith_how *how,
    struct kith_table *table, struct kith_pool *pool, struct kith_err *err)
{
	const char **files = kith_new(pool, 2, sizeof(*files));
	struct reader in = {.how = how, .pool = pool};
	int got;

	*table = (struct kith_table){0};
	files[0] = file;
	if (kith_rows_open(&in.rows, files, &how->format, pool, err))
		return -1;
	got = begin(&in, table, err);
	while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0)
		got = add_row(&in, table, err);
	kith_rows_close(&in.rows);
	return got < 0 ? -1 : finish(&in, table, err);
}

/* Reveal a share of n rows, and one at least. */
static void
reveal(size_t *row, size_t n, double share, struct kith_rng *rng, bool *given)
{
	size_t some = (size_t)(share * (double)n + .5);

	some = some < 1 ? 1 : some > n ? n : some;
	kith_rng_shuffle(rng, row, n);
	for (size_t i = 0; i < some && n > 0; i++)
		given[row[i]] = true;
}

void
kith_labels_reveal(
    const struct kith_table *t, double share, uint64_t seed, bool *given)
{
	const size_t c = t->y ? t->class.n : 1, n = t->X.n;
	struct kith_pool tmp = {0};
	size_t *start = kith_new(&tmp, c + 2, sizeof(*start));
	size_t *row = kith_new(&tmp, n, sizeof(*row));
	struct kith_rng rng;

	/* start[k + 1] counts, becomes the end of class k - 1, then its own. */
	for (size_t i = 0; i < n; i++) {
		const size_t k = t->y ? t->y[i] : isnan(t->t[i]) ? c : 0;

		given[i] = false;
		if (k < c)
			start[k + 2]++;
	}
	for (size_t k = 0; k < c; k++)
		start[k + 2] += start[k + 1];
	for (size_t i = 0; i < n; i++) {
		const size_t k = t->y ? t->y[i] : isnan(t->t[i]) ? c : 0;

		if (k < c)
			row[start[k + 1]++] = i;
	}
	for (size_t k = 0; k < c; k++) {
		kith_rng_seed(&rng, seed, KITH_RNG_REVEAL, k);
		reveal(row + start[k], start[k + 1] - start[k], share, &rng,
		    given);
	}
	kith_pool_free(&tmp);
}

void
kith_labels_take(const struct kith_table *t, const bool *wanted,
    struct kith_table *to, struct kith_pool *pool)
{
	const size_t n = t->X.n;
	size_t m = 0;

	*to = *t;
	to->id = to->keep = (struct kith_texts){0};
	to->number = kith_new(pool, n, sizeof(*to->number));
	if (t->y)
		to->y = kith_new(pool, n, sizeof(*to->y));
	if (t->t)
		to->t = kith_new(pool, n, sizeof(*to->t));
	for (size_t i = 0; i < n; i++) {
		if (!wanted[i])
			continue;
		to->number[m] = kith_table_number(t, i);
		if (t->y)
			to->y[m] = t->y[i];
		if (t->t)
			to->t[m] = t->t[i];
		m++;
		if (t->id_name) {
			const struct kith_cell c = kith_texts_at(&t->id, i);

			kith_texts_add(&to->id, &c, pool);
		}
		for (size_t j = 0; j < t->kept.n; j++) {
			const struct kith_cell c = kith_texts_at(
			    &t->keep, i * t->kept.n + j);

			kith_texts_add(&to->keep, &c, pool);
		}
	}
	to->X.n = m;
}
