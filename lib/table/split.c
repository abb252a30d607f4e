/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/split.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/parts.h"

/* The m rows of a table that are listed. */
static void
take(const struct kith_table *t, const size_t *row, size_t m, struct kith_table *out,
    struct kith_pool *pool)
{
	*out = (struct kith_table){.file = t->file,
	    .head = t->head,
	    .column = t->column,
	    .target = t->target,
	    .feature = t->feature,
	    .text = t->text,
	    .class = t->class,
	    .read = m};
	out->X = kith_mat_rows(&t->X, row, m, pool);
	if (t->y)
		out->y = kith_new(pool, m, sizeof(*out->y));
	if (t->t)
		out->t = kith_new(pool, m, sizeof(*out->t));
	if (t->weight)
		out->weight = kith_new(pool, m, sizeof(*out->weight));
	for (size_t i = 0; i < m; i++) {
		if (t->y)
			out->y[i] = t->y[row[i]];
		if (t->t)
			out->t[i] = t->t[row[i]];
		if (t->weight)
			out->weight[i] = t->weight[row[i]];
	}
}

int
kith_split(const struct kith_table *t, const size_t *part, size_t f, int scale,
    struct kith_split *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_origin from = kith_table_origin(t), other = from;
	struct kith_pool tmp = {0};
	const size_t n = t->X.n;
	size_t *known, *asked, k;
	int got;

	KITH_NEW_SIZES(&tmp, n, 1, &known, &asked);
	k = kith_parts_split(part, n, f, known, asked);
	take(t, known, k, &out->known, pool);
	take(t, asked, n - k, &out->asked, pool);
	from.row = known;
	other.row = asked;
	if (k == 0)
		got = kith_fail_at(err, EX_DATAERR, t->file, 0, "no row is left to learn from");
	else
		got = kith_unit_scale(
		    scale, &out->known.X, &from, &out->asked.X, &other, &out->unit, pool, err);
	kith_pool_free(&tmp);
	return got;
}
