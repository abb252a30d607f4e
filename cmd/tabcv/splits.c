/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The splits of listed rows: of all rows of TABLE, or with --nested of the rows that an outer
 * split learns from.
 *
 * 1. Give each row a part: by class or by group, as table/fold.h deals them; by --folds; or its own
 *    (--loo).  A split predicts the rows of one part from all others that are listed.
 * 2. With --order, instead: the part of a row is its rank, and the ranks are cut into n + 1 blocks;
 *    split i predicts block i + 1 from the ranks before it, less --embargo.
 * 3. With --test the only split predicts the rows of FILE from the rows of TABLE.
 */
#include "tabcv.h"

#include "cli/cli.h"
#include "table/fold.h"
#include "table/roles.h"

struct splits splits;

/* The listed rows. */
struct list {
	size_t n, *row;
	size_t parts;
	size_t seed;
	size_t *part; /* rows.n: what steps 1 and 2 give */
};

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
add_split(const struct list *l, size_t from, size_t to, size_t before)
{
	splits.v = kith_more(&kept, splits.v, splits.n, &splits.room, sizeof(*splits.v));
	splits.v[splits.n++] = (struct split){l->part, from, to, before, l->seed, 0};
}

/*
 * Numbers the texts of a role that listed rows have, in byte order, into of (l->n); returns their
 * number.  Rows of a role without texts are of one kind.
 */
static size_t
number_texts(const struct list *l, size_t role, size_t *of)
{
	struct kith_pool tmp = {0};
	size_t *number, n = 0;

	if (rows.label[role].n == 0)
		return 1;
	number = kith_new(&tmp, rows.label[role].n + 1, sizeof(*number));
	for (size_t i = 0; i < l->n; i++)
		number[rows.level[role][l->row[i]]] = 1;
	for (size_t h = 0; h < rows.label[role].n; h++)
		if (number[h])
			number[h] = n++;
	for (size_t i = 0; i < l->n; i++)
		of[i] = number[rows.level[role][l->row[i]]];
	kith_pool_free(&tmp);
	return n;
}

/* Step 1 by class, or by the texts of a role (ROLES: none), of which each is in one part. */
static void
deal(const struct list *l, size_t role)
{
	struct kith_pool tmp = {0};
	struct kith_fold_rows of = {.file = rows.file, .n = l->n};
	struct kith_err err;
	size_t *y, *group, *part;

	KITH_NEW_SIZES(&tmp, l->n, 1, &y, &group, &part);
	of.y = y;
	of.c = number_texts(l, TARGET, y);
	if (role < ROLES) {
		of.group = group;
		of.groups = number_texts(l, role, group);
	}
	if (kith_fold_deal_rows(&of, NULL, l->parts, l->seed, part, &err))
		kith_die(&err);
	for (size_t i = 0; i < l->n; i++)
		l->part[l->row[i]] = part[i];
	kith_pool_free(&tmp);
}

/* Step 2. */
static void
split_by_order(const struct list *l)
{
	struct kith_pool tmp = {0};
	struct kith_err err;
	double *order;
	size_t *rank, *end;

	KITH_NEW_REALS(&tmp, l->n, 1, &order);
	KITH_NEW_SIZES(&tmp, l->n, 1, &rank, &end);
	for (size_t i = 0; i < l->n; i++)
		order[i] = rows.number[ORDER][l->row[i]];
	if (kith_fold_cut(&(struct kith_fold_rows){.file = rows.file, .n = l->n, .order = order},
		l->parts, how.embargo, 1, rank, end, &err))
		kith_die(&err);
	for (size_t i = 0; i < l->n; i++)
		l->part[l->row[i]] = rank[i];
	for (size_t b = 1; b <= l->parts; b++)
		add_split(l, end[b - 1], end[b], end[b - 1] - how.embargo);
	kith_pool_free(&tmp);
}

/* Steps 1 and 2. */
static void
split_list(struct list *l, bool outer)
{
	const bool folds = how.column[FOLDS] && !outer;
	const size_t before = splits.n;
	size_t *n;

	l->part = kith_new(&kept, rows.n, sizeof(*l->part));
	for (size_t i = 0; i < rows.n; i++)
		l->part[i] = KITH_NO_COLUMN;
	if (how.column[ORDER]) {
		split_by_order(l);
		return;
	}
	if (folds || how.loo) {
		l->parts = folds ? rows.label[FOLDS].n : l->n;
		for (size_t i = 0; i < l->n; i++)
			l->part[l->row[i]] = folds ? rows.level[FOLDS][l->row[i]] : i;
	} else
		deal(l, how.column[GROUP] ? GROUP : how.column[FOLDS] ? FOLDS : ROLES);
	n = kith_new(&kept, l->parts, sizeof(*n));
	for (size_t i = 0; i < l->n; i++)
		n[l->part[l->row[i]]]++;
	for (size_t f = 0; f < l->parts; f++)
		if (n[f] > 0)
			add_split(l, f, f + 1, KITH_NO_COLUMN);
	if (splits.n < before + 2)
		fail(EX_DATAERR, rows.file, "all rows are in one part");
}

/* Adds the splits of the rows that a split learns from, or of TABLE (NULL). */
static void
add_splits(const struct split *within, bool outer)
{
	struct list l = {.row = kith_new(&kept, rows.n, sizeof(size_t)), .seed = how.seed};

	for (size_t i = 0; i < rows.own; i++)
		if (!within || learns(within, i))
			l.row[l.n++] = i;
	for (size_t t = 0; t < (outer ? 1 : how.repeats); t++, l.seed++) {
		l.parts = outer ? how.nested : how.parts;
		split_list(&l, outer);
	}
}

void
make_splits(void)
{
	struct list l = {.seed = how.seed};

	if (how.test) {
		l.part = kith_new(&kept, rows.n, sizeof(*l.part));
		for (size_t i = rows.own; i < rows.n; i++)
			l.part[i] = 1;
		add_split(&l, 1, 2, 1);
		return;
	}
	add_splits(NULL, how.nested);
	if (!how.nested)
		return;
	splits.outer = splits.n;
	splits.inner = kith_new(&kept, splits.n + 1, sizeof(*splits.inner));
	for (size_t i = 0; i < splits.outer; i++) {
		const struct split within = splits.v[i];

		splits.inner[i] = splits.n;
		add_splits(&within, false);
	}
	splits.inner[splits.outer] = splits.n;
}
