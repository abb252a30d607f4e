/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/parts.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/fold.h"
#include "table/table.h"

int
kith_parts_deal(
    const struct kith_table *t, size_t parts, uint64_t seed, size_t *part, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t *y = t->read_y ? t->read_y : t->y;
	size_t *all, *equal;

	if (parts > t->read)
		return kith_fail_at(
		    err, EX_DATAERR, t->file, 0, "--cv %zu: only %zu rows", parts, t->read);
	all = kith_new(&tmp, t->read, sizeof(*all));
	equal = kith_new(&tmp, parts, sizeof(*equal));
	for (size_t f = 0; f < parts; f++)
		equal[f] = 1;
	kith_fold_deal(y, t->read, y ? t->class.n : 1, equal, parts, seed, all);
	for (size_t i = 0; i < t->X.n; i++)
		part[i] = all[kith_table_number(t, i) - 1];
	kith_pool_free(&tmp);
	return 0;
}

size_t
kith_parts_split(const size_t *part, size_t n, size_t f, size_t *known, size_t *asked)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (part[i] == f)
			asked[i - k] = i;
		else
			known[k++] = i;
	return k;
}
