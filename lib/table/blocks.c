/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/blocks.h"

#include "table/table.h"

/* Let no rows be kept but those of `only`, of whose files they are. */
static int
keep(struct kith_how *how, struct kith_only *only, const char *const *files, struct kith_err *err)
{
	how->only = only;
	return kith_only_count(files, &how->format, only, err);
}

int
kith_only_choose(struct kith_block block, struct kith_block shard, const char *train,
    const char *const *files, struct kith_how *reference, struct kith_how *query,
    struct kith_only only[2], struct kith_err *err)
{
	const char *const trains[] = {train, NULL};

	if (block.n <= 1)
		return 0;
	if (!train && shard.n > 1) {
		only[0] = (struct kith_only){.block = {block, shard}, .blocks = 2};
		return keep(reference, &only[0], files, err);
	}
	if (!train)
		return 0;
	only[0] = (struct kith_only){.block = {block}, .blocks = 1};
	only[1] = (struct kith_only){.block = {shard}, .blocks = 1};
	if (keep(reference, &only[0], trains, err))
		return -1;
	return shard.n > 1 ? keep(query, &only[1], files, err) : 0;
}

size_t
kith_block_rows(const struct kith_table *table, struct kith_block block, struct kith_mat *X)
{
	const size_t from = kith_block_from(block, table->read);
	const size_t to = kith_block_to(block, table->read);
	size_t first = 0, end = 0;

	for (size_t i = 0; i < table->X.n; i++) {
		first += kith_table_number(table, i) <= from;
		end += kith_table_number(table, i) <= to;
	}
	*X = (struct kith_mat){end - first, table->X.p, kith_row(&table->X, first)};
	return first;
}
