/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/sample.h"

#include "base/err.h"
#include "base/pool.h"
#include "la/vec.h"
#include "table/fold.h"
#include "table/table.h"

#include <assert.h>

/* The ids of the m rows that are listed. */
static struct kith_texts
take_ids(const struct kith_texts *id, const size_t *row, size_t m, struct kith_pool *pool)
{
	struct kith_texts some = {0};

	for (size_t k = 0; k < m; k++) {
		const struct kith_cell cell = kith_texts_at(id, row[k]);

		kith_texts_add(&some, &cell, pool);
	}
	return some;
}

/* Keep the m rows that are listed. */
static void
keep(struct kith_table *t, const size_t *row, size_t m, struct kith_pool *pool)
{
	size_t *y, *number;
	double *weight = t->weight ? kith_new(pool, m, sizeof(*weight)) : NULL;

	KITH_NEW_SIZES(pool, m, 1, &y, &number);
	for (size_t k = 0; k < m; k++) {
		y[k] = t->y[row[k]];
		number[k] = kith_table_number(t, row[k]);
		if (weight)
			weight[k] = t->weight[row[k]];
	}
	if (!t->read_y)
		t->read_y = t->y;
	if (t->id_name)
		t->id = take_ids(&t->id, row, m, pool);
	t->X = kith_mat_rows(&t->X, row, m, pool);
	t->place = (struct kith_places){0}; /* rows do not follow each other any more */
	t->y = y;
	t->number = number;
	t->weight = weight;
}

int
kith_immigrate_sample(
    struct kith_table *t, size_t m, uint64_t seed, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = t->X.n, shares[] = {m, n - m};
	size_t *part, *row, k = 0;

	assert(t->y && 0 < m && m < n);
	KITH_NEW_SIZES(&tmp, n, 1, &part, &row);
	kith_fold_deal(t->y, n, t->class.n, shares, 2, seed, part);
	for (size_t i = 0; i < n; i++)
		if (part[i] == 0)
			row[k++] = i;
	keep(t, row, k, pool);
	kith_pool_free(&tmp);
	if (!t->weight || kith_vec_largest(k, t->weight) > 0)
		return 0;
	return kith_fail_at(
	    err, EX_DATAERR, t->file, 0, "all weights of the rows of the sample are 0 (--seed?)");
}
