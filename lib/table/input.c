/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/input.h"

#include "base/err.h"
#include "base/pool.h"
#include "la/mat.h"

#include <stdio.h>
#include <string.h>

int
kith_input_weights(const char *file, struct kith_table *known, struct kith_table *asked,
    struct kith_weights *w, struct kith_pool *pool, struct kith_err *err)
{
	*w = (struct kith_weights){.metric = {KITH_SQUARED, known->X.p, NULL}};
	if (!file)
		return 0;
	if (kith_weights_read(file, &known->feature, true, w, pool, err))
		return -1;
	if (w->column) {
		kith_mat_columns(&known->X, w->column, w->metric.p);
		if (asked->column.n)
			kith_mat_columns(&asked->X, w->column, w->metric.p);
	}
	return 0;
}

/* Checks the range of all rows under the weights. */
static int
check_range(const struct kith_input *in, struct kith_err *err)
{
	const struct kith_table *const tables[] = {&in->known, &in->asked};

	for (int i = 0; i < 2; i++) {
		struct kith_origin from = kith_table_origin(tables[i]);

		from.metric = &in->weights.metric;
		from.column = in->weights.column;
		if (tables[i]->X.n && kith_range_check(&tables[i]->X, &from, err))
			return -1;
	}
	return 0;
}

int
kith_input_read(const char *const *files, const struct kith_input_how *how, struct kith_input *in,
    struct kith_pool *pool, struct kith_err *err)
{
	const char *const references[] = {how->reference, NULL};
	struct kith_how table = how->how, query;

	*in = (struct kith_input){0};
	table.targetless = true;
	table.no_target = table.feature != NULL;
	table.task = KITH_ASIDE;
	table.changed = how->weights != NULL;
	query = table;
	query.format.rowless = true;
	if (kith_table_read(
		how->reference ? references : files, &table, NULL, &in->known, pool, err) ||
	    kith_ends_of(&in->known, &in->to, pool, err))
		return -1;
	if (how->reference &&
	    (kith_table_read(files, &query, &in->known, &in->asked, pool, err) ||
		kith_ends_of(&in->asked, &in->from, pool, err)))
		return -1;
	if (kith_input_weights(how->weights, &in->known, &in->asked, &in->weights, pool, err))
		return -1;
	return how->weights && check_range(in, err) ? -1 : 0;
}

int
kith_input_unit_rows(struct kith_table *t, const struct kith_metric *metric, struct kith_err *err)
{
	size_t row;

	if (t->X.n == 0 || kith_kern_unit_rows(&t->X, metric, &row) == 0)
		return 0;
	return kith_fail_at(err, EX_DATAERR, t->file, 0, "row %zu: all features are 0: no cosine",
	    kith_table_number(t, row));
}

int
kith_input_kernel(struct kith_input *in, const struct kith_input_how *how,
    enum kith_kern_kind kernel, struct kith_err *err)
{
	const struct kith_metric *metric = &in->weights.metric;

	if (kith_kern_check(kernel, metric, err)) {
		err->file = how->weights;
		return -1;
	}
	if (kernel == KITH_KERN_COSINE &&
	    (kith_input_unit_rows(&in->known, metric, err) ||
		kith_input_unit_rows(&in->asked, metric, err)))
		return -1;
	return 0;
}
