/* SPDX-License-Identifier: BSD-2-Clause */
#include "scale/fit.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "table/frame.h"
#include "table/unit.h"

#include <math.h>
#include <string.h>

/* The scaling of a number column. */
static int
fit_number(const struct kith_frame *f, size_t c, const struct kith_moments *m,
    const struct kith_scale_how *how, struct kith_scaling *s, bool *constant, struct kith_err *err)
{
	const struct kith_unit_how of = {
	    how->method == KITH_SCALE_ZSCORE ? KITH_UNIT_ZSCORE : KITH_UNIT_MINMAX,
	    how->hi - how->lo};
	const char *name = f->name.name[c];

	if (m->n == 0)
		return kith_fail_at(
		    err, EX_DATAERR, f->file, 0, "column " KITH_NAME ": no number", name);
	*constant = m->min == m->max;
	*s = (struct kith_scaling){
	    .column = name, .method = how->method, .scale = 1, .lo = how->lo, .hi = how->hi};
	s->fill = *constant ? m->min : (double)m->mean;
	if (how->method == KITH_SCALE_NONE)
		return 0;
	if (kith_unit_column(m, &of, &s->center, &s->scale) == 0)
		return 0;
	return kith_fail_at(err, EX_DATAERR, f->file, 0,
	    "column " KITH_NAME ": its range %g to %g does not fit a double", name, m->min, m->max);
}

/* A scaling for each level of column c, in byte order. */
static void
fit_levels(const struct kith_frame *f, size_t c, struct kith_scale *scale, size_t *room,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	struct kith_names level = {0};
	size_t counts = 8, *count = kith_new(&tmp, counts, sizeof(*count));
	size_t n = 0, *was;

	for (size_t i = 0; i < f->n; i++) {
		const struct kith_cell cell = kith_texts_at(&f->text, kith_frame_row(f, i)[c].text);
		size_t at;

		if (kith_cell_missing(&cell))
			continue;
		at = kith_names_add(&level, cell.s, pool);
		if (at == counts) {
			counts *= 2;
			count = kith_grow(&tmp, count, counts, sizeof(*count));
			memset(count + at, 0, (counts - at) * sizeof(*count));
		}
		count[at]++;
		n++;
	}
	kith_names_sort(&level, &was, &tmp);
	if (scale->n + level.n > *room) {
		*room = 2 * (scale->n + level.n);
		scale->v = kith_grow(pool, scale->v, *room, sizeof(*scale->v));
	}
	for (size_t l = 0; l < level.n; l++)
		scale->v[scale->n++] = (struct kith_scaling){.column = f->name.name[c],
		    .method = KITH_SCALE_ONEHOT,
		    .scale = 1,
		    .fill = (double)count[was[l]] / (double)n,
		    .level = level.name[l]};
	kith_pool_free(&tmp);
}

/* The moments of the columns that are numbers, one after the other. */
static struct kith_moments *
moments(const struct kith_frame *f, struct kith_pool *pool)
{
	struct kith_moments *m = kith_new(pool, f->name.n, sizeof(*m));
	size_t *column = kith_new(pool, f->name.n, sizeof(*column)), n = 0;

	for (size_t c = 0; c < f->name.n; c++)
		if (f->kind[c] == KITH_AS_NUMBER)
			column[n++] = c;
	if (n)
		kith_moments_of(&f->v->x, f->n, f->name.n, column, n, m);
	return m;
}

int
kith_scale_fit(const struct kith_frame *f, const struct kith_scale_how *how,
    struct kith_scale *scale, bool **constant, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_moments *m = moments(f, pool);
	size_t room = f->name.n;

	*scale = (struct kith_scale){.v = kith_new(pool, room, sizeof(*scale->v))};
	*constant = kith_new(pool, f->name.n, sizeof(**constant));
	for (size_t c = 0; c < f->name.n; c++) {
		if (f->kind[c] == KITH_AS_LEVEL)
			fit_levels(f, c, scale, &room, pool);
		if (f->kind[c] != KITH_AS_NUMBER)
			continue;
		scale->v = kith_more(pool, scale->v, scale->n, &room, sizeof(*scale->v));
		if (fit_number(f, c, m++, how, &scale->v[scale->n], &(*constant)[c], err))
			return -1;
		scale->n++;
	}
	return 0;
}
