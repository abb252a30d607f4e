/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/write.h"

#include "table/table.h"
#include "text/out.h"

void
kith_table_write_id(const struct kith_table *table, size_t i, struct kith_out *out)
{
	if (table->id_name)
		kith_out_cell(out, kith_texts_at(&table->id, i).s);
	else
		kith_out_size(out, kith_table_number(table, i));
}
