/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/mixed.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/roles.h"
#include "text/cell.h"
#include "text/rows.h"
#include "text/value.h"

#include <math.h>

void
kith_mixed_init(struct kith_mixed *m, size_t p, int na, struct kith_pool *pool)
{
	m->kind = kith_new(pool, p, sizeof(*m->kind));
	m->holes = kith_new(pool, p, sizeof(*m->holes));
	m->level = kith_new(pool, p, sizeof(*m->level));
	m->na = na;
	m->pool = pool;
}

/* A missing cell of feature j: 0, or -1 where it may not be. */
static int
read_missing(struct kith_mixed *m, const struct kith_rows *rows, size_t column,
    size_t j, struct kith_err *err)
{
	m->holes[j] = true;
	if (m->na == KITH_NA_MEAN && m->kind[j] == KITH_AS_TEXT)
		return kith_value_missing(
		    rows, column, " (--na omit or model?)", err);
	return 0;
}

int
kith_mixed_read(struct kith_mixed *m, const struct kith_rows *rows,
    size_t column, size_t j, double *x, struct kith_err *err)
{
	const bool first = m->kind[j] == KITH_AS_AUTO;
	const char *text;

	switch (kith_kind_take(
	    &m->kind[j], rows, column, " (--id, --ignore?)", x, err)) {
	case KITH_VALUE_OK:
		break;
	case KITH_VALUE_MISSING:
		*x = NAN;
		return read_missing(m, rows, column, j, err);
	case KITH_VALUE_BAD:
		return -1;
	}
	if (m->kind[j] == KITH_AS_NUMBER)
		return 1;
	text = kith_rec_cell(&rows->rec, column)->s;
	if (first && m->holes[j] && m->na == KITH_NA_MEAN)
		return kith_rows_fail(rows, column, err,
		    "text, with missing cells before it: " KITH_CELL
		    " (--na omit or model?)",
		    text);
	*x = (double)kith_names_add(&m->level[j], text, m->pool);
	return 1;
}

bool *
kith_mixed_texts(const struct kith_mixed *m, size_t p)
{
	bool *text = kith_new(m->pool, p, sizeof(*text));

	for (size_t j = 0; j < p; j++)
		text[j] = m->kind[j] == KITH_AS_TEXT;
	return text;
}
