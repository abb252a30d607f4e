/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/nodes.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/table.h"
#include "text/columns.h"
#include "text/value.h"

struct reader {
	struct kith_rows rows;
	size_t id;          /* KITH_NO_COLUMN: none */
	size_t *keep, kept; /* columns */
	struct kith_pool *pool;
};

/* Find the columns. */
static int
header(struct reader *in, const struct kith_how *how, struct kith_table *t,
    struct kith_err *err)
{
	char **name;
	long kept = 0;

	t->file = in->rows.first;
	t->head = in->rows.head;
	t->column = in->rows.name;
	in->id = KITH_NO_COLUMN;
	if (how->id) {
		in->id = kith_column(&t->column, how->id);
		if (in->id == t->column.n)
			return kith_roles_absent(&in->rows, how->id, err);
		t->id_name = t->column.name[in->id];
	}
	if (how->keep)
		kept = kith_columns(&t->column, how->keep, t->file, t->head,
		    &in->keep, in->pool, err);
	if (kept < 0)
		return -1;
	in->kept = (size_t)kept;
	name = kith_new(in->pool, in->kept, sizeof(*name));
	for (size_t i = 0; i < in->kept; i++)
		name[i] = t->column.name[in->keep[i]];
	kith_names_index(&t->kept, name, in->kept, in->pool);
	return 0;
}

/* Take the row that was read. */
static int
take(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const struct kith_rec *rec = &in->rows.rec;

	if (in->id != KITH_NO_COLUMN) {
		if (kith_cell_missing(kith_rec_cell(rec, in->id)))
			return kith_value_missing(&in->rows, in->id, "", err);
		kith_texts_add(&t->id, kith_rec_cell(rec, in->id), in->pool);
	}
	for (size_t i = 0; i < in->kept; i++)
		kith_texts_add(
		    &t->keep, kith_rec_cell(rec, in->keep[i]), in->pool);
	t->read = ++t->X.n;
	return 0;
}

int
kith_nodes_read(const char *file, const struct kith_how *how,
    struct kith_table *nodes, struct kith_pool *pool, struct kith_err *err)
{
	const char **files = kith_new(pool, 2, sizeof(*files));
	struct reader in = {.pool = pool};
	int got;

	*nodes = (struct kith_table){0};
	files[0] = file;
	if (kith_rows_open(&in.rows, files, &how->format, pool, err))
		return -1;
	got = header(&in, how, nodes, err);
	while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0)
		got = take(&in, nodes, err);
	kith_rows_close(&in.rows);
	return got;
}
