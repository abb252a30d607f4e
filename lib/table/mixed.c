#include "table/mixed.h"

#include "base/err.h"
#include "base/num.h"
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
	if (m->na == KITH_NA_ERROR)
		return kith_value_missing(
		    rows, column, " (--na omit, mean or model?)", err);
	if (m->na == KITH_NA_MEAN && m->kind[j] == KITH_MIXED_TEXT)
		return kith_value_missing(
		    rows, column, " (--na omit or model?)", err);
	return 0;
}

/* A text of feature j, which is one of texts or not known yet: 1, or -1. */
static int
read_text(struct kith_mixed *m, const struct kith_rows *rows, size_t column,
    size_t j, double *x, struct kith_err *err)
{
	const struct kith_cell *c = &rows->rec.cell[column];

	if (m->kind[j] == KITH_MIXED_UNKNOWN && m->holes[j] &&
	    m->na == KITH_NA_MEAN)
		return kith_rows_fail(rows, column, err,
		    "text, with missing cells before it: " KITH_CELL
		    " (--na omit or model?)",
		    c->s);
	m->kind[j] = KITH_MIXED_TEXT;
	*x = (double)kith_names_add(&m->level[j], c->s, m->pool);
	return 1;
}

int
kith_mixed_read(struct kith_mixed *m, const struct kith_rows *rows,
    size_t column, size_t j, double *x, struct kith_err *err)
{
	const struct kith_cell *c = &rows->rec.cell[column];
	enum kith_num num;

	if (kith_cell_missing(c)) {
		*x = NAN;
		return read_missing(m, rows, column, j, err);
	}
	num = kith_parse_real(c->s, c->len, x);
	if (m->kind[j] == KITH_MIXED_UNKNOWN && kith_value_meant(c, num))
		m->kind[j] = KITH_MIXED_NUMBER;
	if (m->kind[j] == KITH_MIXED_NUMBER)
		return num != KITH_NUM_OK &&
			kith_value(rows, column, x, " (--id, --ignore?)", err)
		    ? -1
		    : 1;
	if (num == KITH_NUM_OK)
		return kith_rows_fail(rows, column, err,
		    "a number in a column of text: " KITH_CELL " (--ignore?)",
		    c->s);
	return read_text(m, rows, column, j, x, err);
}

bool *
kith_mixed_texts(const struct kith_mixed *m, size_t p)
{
	bool *text = kith_new(m->pool, p, sizeof(*text));

	for (size_t j = 0; j < p; j++)
		text[j] = m->kind[j] == KITH_MIXED_TEXT;
	return text;
}
