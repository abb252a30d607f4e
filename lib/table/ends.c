/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/ends.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "table/table.h"
#include "text/rows.h"

int
kith_ends_of(const struct kith_table *table, struct kith_ends *ends, struct kith_pool *pool,
    struct kith_err *err)
{
	const size_t n = table->X.n;
	char **name;
	size_t twin;

	*ends = (struct kith_ends){n, table->read, table->number, NULL, {0}};
	if (!table->id_name)
		return 0;
	ends->column = table->id_name;
	name = kith_new(pool, n, sizeof(*name));
	for (size_t i = 0; i < n; i++) {
		const struct kith_cell c = kith_texts_at(&table->id, i);

		name[i] = kith_strndup(pool, c.s, c.len);
	}
	twin = kith_names_index(&ends->id, name, n, pool);
	if (twin == n)
		return 0;
	return kith_fail_at(err, EX_DATAERR, table->file, 0,
	    "column " KITH_NAME ": listed twice: " KITH_CELL, table->id_name, name[twin]);
}

/* By halving, where numbers have gaps. */
size_t
kith_ends_row(const struct kith_ends *ends, size_t number)
{
	size_t lo = 0, hi = ends->n;

	if (!ends->number)
		return number - 1 < ends->n ? number - 1 : ends->n;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (ends->number[mid] < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < ends->n && ends->number[lo] == number ? lo : ends->n;
}

int
kith_ends_find(const struct kith_ends *ends, const struct kith_rows *rows, size_t column,
    size_t *row, struct kith_err *err)
{
	const struct kith_cell *c = kith_rec_cell(&rows->rec, column);
	const bool ids = ends->column && !rows->rec.entries; /* Matrix Market has numbers */
	size_t number;

	*row = ends->n;
	if (kith_cell_missing(c))
		return kith_fail_missing(rows, column, "", err);
	if (ids)
		*row = kith_names_find(&ends->id, c->s);
	else if (!kith_parse_size(c->s, &number))
		*row = kith_ends_row(ends, number);
	if (*row < ends->n)
		return 0;
	return kith_rows_fail(rows, column, err,
	    ids ? "no row has this id: " KITH_CELL : "not the number of a row: " KITH_CELL, c->s);
}

const char *
kith_ends_name(const struct kith_ends *ends, size_t i, char text[KITH_NUM_ROOM])
{
	if (ends->column)
		return ends->id.name[i];
	kith_format_size(text, ends->number ? ends->number[i] : i + 1);
	return text;
}
