#include "input.h"

#include "err.h"
#include "mat.h"
#include "pool.h"

#include <stdio.h>
#include <string.h>

static int
read_weights(const char *file, struct kith_input *in, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_weights *w = &in->weights;

	w->metric = (struct kith_metric){KITH_SQUARED, in->known.X.p, NULL};
	if (!file)
		return 0;
	if (kith_weights_read(file, &in->known.feature, w, pool, err))
		return -1;
	if (w->column) {
		kith_mat_columns(&in->known.X, w->column, w->metric.p);
		if (in->asked.X.n)
			kith_mat_columns(&in->asked.X, w->column, w->metric.p);
	}
	return 0;
}

int
kith_input_read(const char *const *files, const struct kith_input_how *how,
    struct kith_input *in, struct kith_pool *pool, struct kith_err *err)
{
	const char *const references[] = {how->reference, NULL};
	struct kith_how table = how->how;

	*in = (struct kith_input){0};
	table.no_target = !table.target;
	table.task = KITH_ASIDE;
	if (kith_table_read(how->reference ? references : files, &table, NULL,
		&in->known, pool, err) ||
	    kith_ends_of(&in->known, &in->to, pool, err))
		return -1;
	if (how->reference &&
	    (kith_table_read(
		 files, &table, &in->known, &in->asked, pool, err) ||
		kith_ends_of(&in->asked, &in->from, pool, err)))
		return -1;
	return read_weights(how->weights, in, pool, err);
}

int
kith_input_unit_rows(struct kith_table *t, const struct kith_metric *metric,
    struct kith_err *err)
{
	size_t row;

	if (t->X.n == 0 || kith_kern_unit_rows(&t->X, metric, &row) == 0)
		return 0;
	return kith_fail_at(err, EX_DATAERR, t->file, 0,
	    "row %zu: all features are 0: no cosine",
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
