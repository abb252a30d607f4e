#include "table/split.h"

#include "base/err.h"
#include "base/pool.h"

/* The m rows of a table that are listed. */
static void
take(const struct kith_table *t, const size_t *row, size_t m,
    struct kith_table *out, struct kith_pool *pool)
{
	*out = (struct kith_table){.file = t->file,
	    .head = t->head,
	    .column = t->column,
	    .target = t->target,
	    .feature = t->feature,
	    .text = t->text,
	    .class = t->class,
	    .read = m};
	out->X = kith_mat_rows(&t->X, row, m, pool);
	if (t->y)
		out->y = kith_new(pool, m, sizeof(*out->y));
	if (t->t)
		out->t = kith_new(pool, m, sizeof(*out->t));
	for (size_t i = 0; i < m; i++) {
		if (t->y)
			out->y[i] = t->y[row[i]];
		if (t->t)
			out->t[i] = t->t[row[i]];
	}
}

int
kith_split(const struct kith_table *t, const size_t *part, size_t f, int scale,
    struct kith_split *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = t->X.n;
	size_t *known, *asked, k = 0, m = 0;
	int got = 0;

	KITH_NEW_SIZES(&tmp, n, 1, &known, &asked);
	for (size_t i = 0; i < n; i++)
		if (part[i] == f)
			asked[m++] = i;
		else
			known[k++] = i;
	*out = (struct kith_split){.unit = {.p = 0}};
	take(t, known, k, &out->known, pool);
	take(t, asked, m, &out->asked, pool);
	kith_pool_free(&tmp);
	if (k == 0)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "no row is left to learn from");
	if (scale == KITH_UNIT_NONE)
		return 0;
	got = kith_unit_fit(
	    scale, &out->known.X, &t->feature, &out->unit, pool, err);
	if (got == 0)
		got = kith_unit_apply(
		    &out->unit, &out->known.X, &t->feature, err);
	if (got == 0)
		got = kith_unit_apply(
		    &out->unit, &out->asked.X, &t->feature, err);
	if (got)
		err->file = t->file;
	return got;
}
