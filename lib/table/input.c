/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/input.h"

#include "base/err.h"
#include "base/pool.h"
#include "la/mat.h"
#include "table/unit.h"

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

struct kith_origin
kith_input_origin(const struct kith_table *table, const struct kith_weights *weights)
{
	struct kith_origin from = kith_table_origin(table);

	from.metric = &weights->metric;
	from.column = weights->column;
	return from;
}

/* Scales the features by the rows of in->known, and checks their range under the weights. */
static int
scale_rows(int scale, struct kith_input *in, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_origin known = kith_input_origin(&in->known, &in->weights);
	const struct kith_origin asked = kith_input_origin(&in->asked, &in->weights);
	struct kith_mat *other = in->asked.X.n ? &in->asked.X : NULL;
	struct kith_unit unit;

	if (scale != KITH_UNIT_NONE)
		return kith_unit_scale(
		    scale, &in->known.X, &known, other, &asked, &unit, pool, err);
	if (kith_range_check(&in->known.X, &known, err))
		return -1;
	return other ? kith_range_check(other, &asked, err) : 0;
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
	table.changed = how->weights || how->scale;
	query = table;
	query.format.allow_no_rows = true;
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
	return table.changed ? scale_rows(how->scale, in, pool, err) : 0;
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
