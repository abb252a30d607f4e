/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/ensemble.h"

#include "base/names.h"
#include "base/pool.h"
#include "table/weights_table.h"
#include "text/out.h"

#include <string.h>

/* Where the entries of the learner at `from` end. */
static size_t
end_of(const struct kith_weights_table *t, size_t from)
{
	size_t to = from;

	while (to < t->n && t->entry[to].learner == t->entry[from].learner)
		to++;
	return to;
}

int
kith_ensemble_read(const char *file, const struct kith_names *feature,
    struct kith_ensemble *ensemble, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_weights_rules rules = {.ensemble = true};
	struct kith_pool tmp = {0};
	struct kith_weights_table t;
	struct kith_learner *learner;

	*ensemble = (struct kith_ensemble){.p = feature->n};
	if (kith_weights_table_read(file, feature, &rules, &t, &tmp, err)) {
		kith_pool_free(&tmp);
		return -1;
	}
	ensemble->boosted = t.boosted;
	if (!t.boosted)
		ensemble->needs = t.needs;
	ensemble->n = t.boosted ? t.learner.n : 1;
	learner = kith_new(pool, ensemble->n, sizeof(*learner));
	for (size_t h = 0, from = 0; h < ensemble->n; h++) {
		const size_t to = end_of(&t, from);

		learner[h] = (struct kith_learner){.number = h + 1,
		    .alpha = t.boosted ? t.alpha[h] : 1,
		    .sigma = t.boosted ? t.sigma[h] : 1};
		learner[h].metric = kith_weights_table_metric(&t, from, to, feature->n, pool);
		from = to;
	}
	ensemble->learner = learner;
	if (t.column) {
		ensemble->p = t.p;
		ensemble->column = kith_new(pool, t.p, sizeof(*t.column));
		memcpy(ensemble->column, t.column, t.p * sizeof(*t.column));
	}
	kith_pool_free(&tmp);
	return 0;
}

static void
write_learner(const struct kith_learner *l, const struct kith_names *feature, const size_t *column,
    struct kith_out *out)
{
	const size_t p = l->metric.p;

	for (size_t i = 0; i < p && !out->failed; i++)
		for (size_t j = i; j < p; j++)
			kith_out_put(out, "%zu\t%g\t%g\t%s\t%s\t%g\n", l->number, l->alpha,
			    l->sigma, feature->name[column ? column[i] : i],
			    feature->name[column ? column[j] : j], l->metric.w[i * p + j]);
}

int
kith_ensemble_write(const struct kith_ensemble *ensemble, const struct kith_names *feature,
    const struct kith_dest *to, struct kith_out *out, struct kith_err *err)
{
	static const char *const column[] = {
	    "learner", "alpha", "sigma", "feature1", "feature2", "weight_abs"};

	if (kith_out_open_table(out, to, err))
		return -1;
	kith_out_header(out, column, 6);
	for (size_t h = 0; h < ensemble->n; h++)
		write_learner(&ensemble->learner[h], feature, ensemble->column, out);
	return 0;
}
