/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/lists_set.h"

#include "base/err.h"

#include <stdlib.h>

/* By shard, then block. */
static int
by_block(const void *a, const void *b)
{
	const struct kith_lists_item *s = a, *t = b;
	const struct kith_lists_about *x = &s->about, *y = &t->about;

	if (x->shard.i != y->shard.i)
		return x->shard.i < y->shard.i ? -1 : 1;
	if (x->block.i != y->block.i)
		return x->block.i < y->block.i ? -1 : 1;
	return s->number < t->number ? -1 : 1;
}

static int
missing(const struct kith_lists_item *item, const char *what, size_t line, size_t i, size_t n,
    struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, item->file, line, "%s %zu/%zu is missing", what, i, n);
}

static int
lacks_block(const struct kith_lists_item *beside, size_t i, struct kith_err *err)
{
	return missing(
	    beside, "reference-shard", beside->line.block, i, beside->about.block.n, err);
}

/* The block before, of the same shard, or NULL. */
static const struct kith_lists_item *
before(const struct kith_lists_item *item, size_t i)
{
	return i > 0 && item[i - 1].about.shard.i == item[i].about.shard.i ? &item[i - 1] : NULL;
}

int
kith_lists_set_sort(struct kith_lists_item *item, size_t n, struct kith_err *err)
{
	const size_t blocks = item->about.block.n;
	const size_t all = item->about.shard.n;
	size_t shards = 0;

	qsort(item, n, sizeof(*item), by_block);
	for (size_t i = 0; i < n; i++) {
		const struct kith_lists_item *it = &item[i];
		const struct kith_lists_item *last = before(item, i);
		const size_t due = last ? last->about.block.i + 1 : 1;

		shards += !last;
		if (last && last->about.block.i == it->about.block.i)
			return kith_fail_at(err, EX_DATAERR, it->file, it->line.block,
			    "reference-shard %zu/%zu: that of %.200s, too", due - 1, blocks,
			    last->file);
		if (!last && i > 0 && item[i - 1].about.block.i < blocks)
			return lacks_block(&item[i - 1], item[i - 1].about.block.i + 1, err);
		if (it->about.block.i != due)
			return lacks_block(it, due, err);
		if (it->about.rows != item[due - 1].about.rows)
			return kith_fail_at(err, EX_DATAERR, it->file, it->line.rows,
			    "rows: another than in %.200s", item[due - 1].file);
	}
	if (item[n - 1].about.block.i < blocks)
		return lacks_block(&item[n - 1], item[n - 1].about.block.i + 1, err);
	for (size_t s = 0; s < all && shards > 1; s++)
		if (s == shards || item[s * blocks].about.shard.i != s + 1)
			return missing(item, "shard", item->line.shard, s + 1, all, err);
	return 0;
}
