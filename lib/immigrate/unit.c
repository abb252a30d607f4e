/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/unit.h"

#include "base/names.h"
#include "base/pool.h"
#include "la/mat.h"
#include "table/ensemble.h"

#include <string.h>

int
kith_immigrate_unit_new(int method, const struct kith_origin *from, const struct kith_mat *X,
    struct kith_immigrate_unit *unit, struct kith_mat *scaled, struct kith_pool *pool,
    struct kith_err *err)
{
	*unit = (struct kith_immigrate_unit){.feature = from->feature};
	*scaled = *X;
	if (method == KITH_UNIT_NONE)
		return 0;
	*scaled = kith_mat_new(pool, X->n, X->p);
	memcpy(scaled->v, X->v, X->n * X->p * sizeof(*X->v));
	return kith_unit_scale(method, scaled, from, NULL, NULL, &unit->unit, pool, err);
}

/* How many numbers a metric of p features has. */
static size_t
numbers(enum kith_metric_kind kind, size_t p)
{
	return kith_metric_is_matrix(kind) ? p * p : p;
}

bool
kith_immigrate_unit_drop(const struct kith_immigrate_unit *unit, const size_t *column,
    struct kith_metric *metric, struct kith_pool *pool)
{
	const bool matrix = kith_metric_is_matrix(metric->kind);
	const size_t p = metric->p, all = numbers(metric->kind, p);
	double *w;
	bool some = false;

	if (unit->unit.p == 0)
		return false;
	w = kith_new(pool, all, sizeof(*w));
	for (size_t k = 0; k < all; k++) {
		const size_t i = matrix ? k / p : k, j = k % p;
		const double a = unit->unit.scale[column ? column[i] : i];
		const double b = unit->unit.scale[column ? column[j] : j];

		w[k] = a > 0 && b > 0 ? metric->w[k] : 0;
		some = some || w[k] != metric->w[k];
	}
	metric->w = w;
	return some;
}

/* The unit of some columns, with their names, in the pool. */
static struct kith_unit
part_of(const struct kith_immigrate_unit *unit, const size_t *column, size_t p,
    struct kith_names *name, struct kith_pool *pool)
{
	struct kith_unit some = {.p = p};

	KITH_NEW_REALS(pool, p, 1, &some.center, &some.scale);
	*name = (struct kith_names){.n = p};
	name->name = kith_new(pool, p, sizeof(*name->name));
	for (size_t j = 0; j < p; j++) {
		const size_t at = column ? column[j] : j;

		some.scale[j] = unit->unit.scale[at];
		name->name[j] = unit->feature->name[at];
	}
	return some;
}

typedef int kith_unit_change(const struct kith_unit *unit, enum kith_metric_kind kind,
    const struct kith_names *feature, double *w, struct kith_err *err);

static int
change(kith_unit_change *by, const struct kith_immigrate_unit *unit, const size_t *column,
    enum kith_metric_kind kind, size_t p, double *w, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_names name;
	struct kith_unit some;
	int got;

	if (unit->unit.p == 0)
		return 0;
	some = part_of(unit, column, p, &name, &tmp);
	got = by(&some, kind, &name, w, err);
	kith_pool_free(&tmp);
	return got;
}

int
kith_immigrate_unit_from_input(const struct kith_immigrate_unit *unit, const size_t *column,
    enum kith_metric_kind kind, size_t p, double *w, struct kith_err *err)
{
	return change(kith_unit_from_input, unit, column, kind, p, w, err);
}

int
kith_immigrate_unit_metric(const struct kith_immigrate_unit *unit, const size_t *column,
    struct kith_metric *metric, struct kith_pool *pool, struct kith_err *err)
{
	const size_t all = numbers(metric->kind, metric->p);
	double *w;

	if (unit->unit.p == 0)
		return 0;
	w = kith_new(pool, all, sizeof(*w));
	memcpy(w, metric->w, all * sizeof(*w));
	metric->w = w;
	return change(kith_unit_to_input, unit, column, metric->kind, metric->p, w, err);
}

int
kith_immigrate_unit_ensemble(const struct kith_immigrate_unit *unit, struct kith_ensemble *ensemble,
    struct kith_pool *pool, struct kith_err *err)
{
	for (size_t l = 0; l < ensemble->n; l++)
		if (kith_immigrate_unit_metric(
			unit, ensemble->column, &ensemble->learner[l].metric, pool, err))
			return -1;
	return 0;
}
