/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/rows.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/classes.h"
#include "table/table.h"

/* Find the rows to learn from. */
static void
choose_rows(struct kith_knife_rows *rows, struct kith_pool *pool)
{
	const struct kith_table *t = rows->t;
	size_t *row = kith_new(pool, t->X.n, sizeof(*row)), some = 0;

	for (size_t i = 0; i < t->X.n; i++)
		if (!t->weight || t->weight[i] > 0)
			row[some++] = i;
	rows->n = some;
	rows->learn = some < t->X.n ? row : NULL;
}

/* Number the classes of the rows to learn from, and those of all rows by them. */
static int
number_classes(struct kith_knife_rows *rows, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_table *t = rows->t;
	struct kith_table some = *t;
	struct kith_classes of;

	some.X.n = rows->n;
	some.y = kith_new(pool, rows->n, sizeof(*some.y));
	for (size_t i = 0; i < rows->n; i++)
		some.y[i] = t->y[rows->learn ? rows->learn[i] : i];
	if (kith_classes_number(&some, &of, pool, err))
		return -1;
	rows->class = of.name;
	rows->c = of.name.n > 2 ? of.name.n : 1;
	rows->y = kith_new(pool, t->X.n, sizeof(*rows->y));
	kith_classes_asked(t, t->target, &rows->class, rows->y, err);
	return 0;
}

int
kith_knife_rows(const struct kith_table *t, struct kith_knife_rows *rows, struct kith_pool *pool,
    struct kith_err *err)
{
	*rows = (struct kith_knife_rows){.t = t, .c = 1};
	choose_rows(rows, pool);
	if (t->y)
		return number_classes(rows, pool, err);
	for (size_t i = 1; i < rows->n; i++)
		if (t->t[rows->learn ? rows->learn[i] : i] !=
		    t->t[rows->learn ? rows->learn[0] : 0])
			return 0;
	return kith_fail_at(
	    err, EX_DATAERR, t->file, 0, "column " KITH_NAME ": the target is constant", t->target);
}

/* The number of row i, or what stands for its class in column o. */
static double
target(const struct kith_knife_rows *rows, size_t i, size_t o)
{
	if (!rows->y)
		return rows->t->t[i];
	if (rows->c == 1)
		return rows->y[i] == 1 ? 1 : -1;
	return rows->y[i] == o;
}

void
kith_knife_rows_targets(const struct kith_knife_rows *rows, const size_t *row, size_t n, double *Y,
    double *mean, double *weight)
{
	long double sum = 0, total = 0; /* do not overflow */

	for (size_t i = 0; i < n; i++) {
		const size_t at = row ? row[i] : i;
		const double v = rows->t->weight ? rows->t->weight[at] : 1;

		for (size_t o = 0; o < rows->c; o++)
			Y[o * n + i] = target(rows, at, o);
		if (rows->t->weight)
			weight[i] = v;
		sum += (long double)v * Y[i];
		total += v;
	}
	mean[0] = rows->y ? 0 : (double)(sum / total);
	for (size_t i = 0; i < n && !rows->y; i++)
		Y[i] -= mean[0];
}
