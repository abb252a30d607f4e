/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/classes.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/table.h"

int
kith_classes_several(const struct kith_table *t, struct kith_err *err)
{
	for (size_t i = 1; i < t->X.n; i++)
		if (t->y[i] != t->y[0])
			return 0;
	return kith_fail_at(
	    err, EX_DATAERR, t->file, 0, "one class only: " KITH_CELL, t->class.name[t->y[0]]);
}

int
kith_classes_number(const struct kith_table *t, struct kith_classes *out, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = t->X.n, all = t->class.n;
	size_t *count = kith_new(&tmp, all, sizeof(*count));
	size_t *to = kith_new(&tmp, all, sizeof(*to)), c = 0;
	char **name = kith_new(pool, all, sizeof(*name));

	*out = (struct kith_classes){.y = kith_new(pool, n, sizeof(*out->y)),
	    .rows = kith_new(pool, all, sizeof(*out->rows))};
	for (size_t i = 0; i < n; i++)
		count[t->y[i]]++;
	for (size_t k = 0; k < all; k++)
		if (count[k] > 0) {
			name[c] = t->class.name[k];
			out->rows[c] = count[k];
			to[k] = c++;
		}
	for (size_t i = 0; i < n; i++)
		out->y[i] = to[t->y[i]];
	kith_names_index(&out->name, name, c, pool);
	kith_pool_free(&tmp);
	return kith_classes_several(t, err);
}
