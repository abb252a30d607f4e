/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/learn.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/weights.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* How many times the range of a feature may be that of any other. */
#define WIDER 1e75

/* Take constant features out of the rows. */
static int
drop_constant(struct kith_learn *l, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_table *t = &l->known;
	const size_t all = t->X.p;
	size_t p = 0;
	char **name = kith_new(pool, all, sizeof(*name));

	l->column = kith_new(pool, all, sizeof(*l->column));
	l->constant = kith_new(pool, all, sizeof(*l->constant));
	for (size_t j = 0; j < all; j++) {
		l->constant[j] = kith_mat_is_constant(&t->X, j);
		if (l->constant[j])
			continue;
		name[p] = t->feature.name[j];
		l->sd[p] = l->sd[j];
		l->column[p++] = j;
	}
	l->feature = (struct kith_names){.name = name, .n = p};
	if (p == 0)
		return kith_fail_at(err, EX_DATAERR, t->file, 0, "all features are constant");
	if (p < all)
		kith_mat_columns(&t->X, l->column, p);
	return 0;
}

int
kith_learn_read(const char *const *files, const struct kith_how *how, struct kith_learn *out,
    struct kith_pool *pool, struct kith_err *err)
{
	*out = (struct kith_learn){0};
	if (kith_table_read(files, how, NULL, &out->known, pool, err) ||
	    kith_classes_number(&out->known, &out->class, pool, err))
		return -1;
	out->sd = kith_weights_deviations(&out->known, pool);
	return drop_constant(out, pool, err);
}

/* Whether weights down to 1e-16 keep their digits in the units of the input. */
static int
check_units(const struct kith_learn *l, struct kith_err *err)
{
	for (size_t j = 0; j < l->unit.p; j++) {
		const long double s = l->unit.scale[j], one = 1 / (s * s);

		if (one > DBL_MAX || one * DBL_EPSILON < DBL_MIN)
			return kith_fail_at(err, EX_DATAERR, l->known.file, 0,
			    "column " KITH_NAME ": its unit, %g, leaves no "
			    "weight that fits a double",
			    l->feature.name[j], l->unit.scale[j]);
	}
	return 0;
}

int
kith_learn_scale(struct kith_learn *l, int scale, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_origin from = kith_table_origin(&l->known);

	from.column = l->column;
	if (kith_unit_scale(scale, &l->known.X, &from, NULL, NULL, &l->unit, pool, err))
		return -1;
	return check_units(l, err);
}

int
kith_learn_enough(const struct kith_learn *l, size_t hits, size_t misses, struct kith_err *err)
{
	for (size_t k = 0; k < l->class.name.n; k++) {
		const char *name = l->class.name.name[k];
		const size_t rows = l->class.rows[k];
		const size_t others = l->known.X.n - rows;

		if (rows <= hits)
			return kith_fail_at(err, EX_DATAERR, l->known.file, 0,
			    "class " KITH_CELL ": --hits %zu needs %zu rows, it has only %zu", name,
			    hits, hits + 1, rows);
		if (others < misses)
			return kith_fail_at(err, EX_DATAERR, l->known.file, 0,
			    "classes other than " KITH_CELL
			    ": --misses %zu exceeds their number of rows, %zu",
			    name, misses, others);
	}
	return 0;
}

int
kith_learn_bearable(const struct kith_learn *l, struct kith_err *err)
{
	double least = INFINITY, most = 0;
	size_t narrow = 0, wide = 0;

	for (size_t j = 0; j < l->feature.n; j++) {
		double low, high, half;

		kith_mat_range(&l->known.X, j, &low, &high);
		half = high / 2 - low / 2;
		if (half < least) {
			least = half;
			narrow = j;
		}
		if (half > most) {
			most = half;
			wide = j;
		}
	}
	if (most / WIDER > least)
		return kith_fail_at(err, EX_DATAERR, l->known.file, 0,
		    "column " KITH_NAME ": its range, %g, is more than 1e75 "
		    "times that of column " KITH_NAME " (tabscale?)",
		    l->feature.name[wide], 2 * most, l->feature.name[narrow]);
	return 0;
}

int
kith_learn_weights(const struct kith_learn *l, const char *file, double **all,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_weights got;

	if (kith_weights_read(file, &l->known.feature, false, &got, pool, err))
		return -1;
	if (got.metric.kind != KITH_SQUARED)
		return kith_fail_at(err, EX_DATAERR, file, 0,
		    "%s: a table \"feature weight\" is needed",
		    got.metric.kind == KITH_ABSOLUTE ? "weights of absolute differences"
						     : "a matrix of weights");
	*all = kith_new(pool, l->known.feature.n, sizeof(**all));
	memcpy(*all, got.metric.w, l->known.feature.n * sizeof(**all));
	return 0;
}

int
kith_learn_from_input(
    const struct kith_learn *l, const double *all, double *w, struct kith_err *err)
{
	for (size_t j = 0; j < l->feature.n; j++)
		w[j] = all[l->column[j]];
	if (!l->unit.p)
		return 0;
	return kith_unit_from_input(&l->unit, KITH_SQUARED, &l->feature, w, err);
}

int
kith_learn_prior(const struct kith_learn *l, const char *file, const double *all, double *w,
    double *sum, struct kith_err *err)
{
	const size_t p = l->feature.n;
	long double total = 0; /* does not overflow */

	if (kith_learn_from_input(l, all, w, err)) {
		err->file = file;
		return -1;
	}
	for (size_t j = 0; j < p; j++)
		total += w[j];
	if (total <= 0)
		return kith_fail_at(err, EX_DATAERR, file, 0, "no weight above 0%s",
		    p < l->known.feature.n ? ", but of constant features" : "");
	for (size_t j = 0; j < p; j++)
		w[j] = (double)(w[j] / total);
	*sum = (double)total;
	return 0;
}

int
kith_learn_to_input(const struct kith_learn *l, const double *w, double *v, struct kith_err *err)
{
	int got = 0;

	memmove(v, w, l->feature.n * sizeof(*v));
	if (l->unit.p)
		got = kith_unit_to_input(&l->unit, KITH_SQUARED, &l->feature, v, err);
	if (got)
		err->file = l->known.file;
	return got;
}

void
kith_learn_spread(const struct kith_learn *l, const double *w, double *all)
{
	memset(all, 0, l->known.feature.n * sizeof(*all));
	for (size_t j = 0; j < l->feature.n; j++)
		all[l->column[j]] = w[j];
}

int
kith_learn_write(
    const struct kith_learn *l, const double *w, struct kith_out *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_names *names = &l->known.feature;
	double *v = kith_new(&tmp, names->n, sizeof(*v));
	double *all = kith_new(&tmp, names->n, sizeof(*all));
	double *sd = kith_new(&tmp, names->n, sizeof(*sd));
	const struct kith_metric metric = {KITH_SQUARED, names->n, all};
	const int got = kith_learn_to_input(l, w, v, err);

	if (got == 0) {
		kith_learn_spread(l, v, all);
		kith_learn_spread(l, l->sd, sd);
		kith_weights_put(&metric, names, sd, out);
	}
	kith_pool_free(&tmp);
	return got;
}
