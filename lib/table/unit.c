/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/unit.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "la/mat.h"

#include <math.h>

struct kith_moments
kith_moments_of(const double *x, size_t stride, size_t n)
{
	struct kith_moments m = {.min = INFINITY, .max = -INFINITY};
	long double rest = 0;

	for (size_t i = 0; i < n; i++) {
		const double v = x[i * stride];

		if (isnan(v))
			continue;
		m.n++;
		m.mean += v;
		m.min = fmin(m.min, v);
		m.max = fmax(m.max, v);
	}
	m.mean /= (long double)(m.n + !m.n);
	for (size_t i = 0; i < n; i++) {
		const double v = x[i * stride];

		if (isnan(v))
			continue;
		rest += v - m.mean;
		m.sum2 += (v - m.mean) * (v - m.mean);
	}
	/* Two passes, and what rounding left of the sum that should be 0. */
	m.sum2 -= rest * rest / (long double)(m.n + !m.n);
	return m;
}

int
kith_unit_column(const struct kith_moments *m, const struct kith_unit_how *how,
    double *center, double *scale)
{
	const long double n = (long double)m->n - !how->population;

	*scale = 0;
	*center = m->min;
	if (m->min == m->max)
		return 0;
	if (how->method == KITH_UNIT_ZSCORE) {
		*center = (double)m->mean;
		*scale = (double)sqrtl(m->sum2 / n);
	} else {
		*scale = (double)(((long double)m->max - m->min) /
		    (how->hi - how->lo));
		*center = (double)(m->min - how->lo * (long double)*scale);
	}
	return isfinite(*scale) && isfinite(*center) && *scale > 0 ? 0 : -1;
}

int
kith_unit_fit(int method, const struct kith_mat *X,
    const struct kith_names *feature, struct kith_unit *unit,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_unit_how how = {.method = method, .hi = 1};

	unit->p = X->p;
	KITH_NEW_REALS(pool, X->p, 1, &unit->center, &unit->scale);
	for (size_t j = 0; j < X->p; j++) {
		const struct kith_moments m = kith_moments_of(
		    X->v + j, X->p, X->n);

		if (kith_unit_column(
			&m, &how, &unit->center[j], &unit->scale[j]))
			return kith_fail(err, EX_DATAERR,
			    "column " KITH_NAME
			    ": its range %g to %g does not fit a double",
			    feature->name[j], m.min, m.max);
	}
	return 0;
}

int
kith_unit_apply(const struct kith_unit *unit, struct kith_mat *X,
    const struct kith_names *feature, struct kith_err *err)
{
	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < X->p; j++) {
			double *x = &kith_row(X, i)[j];

			*x = kith_unit_of(*x, unit->center[j], unit->scale[j]);
			if (!isfinite(*x))
				return kith_fail(err, EX_DATAERR,
				    "column " KITH_NAME ": scaled, a value "
				    "does not fit a double",
				    feature->name[j]);
		}
	return 0;
}

int
kith_unit_scale(int method, struct kith_mat *X, struct kith_mat *other,
    const struct kith_names *feature, struct kith_unit *unit,
    struct kith_pool *pool, struct kith_err *err)
{
	*unit = (struct kith_unit){.p = 0};
	if (method == KITH_UNIT_NONE)
		return 0;
	if (kith_unit_fit(method, X, feature, unit, pool, err) ||
	    kith_unit_apply(unit, X, feature, err))
		return -1;
	return other ? kith_unit_apply(unit, other, feature, err) : 0;
}

/*
 * Multiply weight w by the scales a and b of its two columns, or divide by
 * them; 0 where one is constant.
 */
static double
change(double w, double a, double b, bool divide)
{
	const long double ab = (long double)a * b;

	if (!(a > 0) || !(b > 0))
		return 0;
	return (double)(divide ? w / ab : w * ab);
}

/* The same of all weights. */
static int
change_all(const struct kith_unit *unit, enum kith_metric_kind kind,
    const struct kith_names *feature, bool divide, double *w,
    struct kith_err *err)
{
	const bool matrix = kith_metric_is_matrix(kind);
	const size_t p = unit->p;

	for (size_t k = 0; k < (matrix ? p * p : p); k++) {
		const size_t i = matrix ? k / p : k, j = matrix ? k % p : k;
		const double was = w[k], a = unit->scale[i];
		const double b = unit->scale[j];

		w[k] = change(was, a, kind == KITH_ABSOLUTE ? 1 : b, divide);
		if (a > 0 && b > 0 &&
		    (!isfinite(w[k]) || (was != 0 && w[k] == 0)))
			return kith_fail(err, EX_DATAERR,
			    "column " KITH_NAME
			    ": in its unit, a weight does not fit a double",
			    feature->name[i]);
	}
	return 0;
}

int
kith_unit_to_input(const struct kith_unit *unit, enum kith_metric_kind kind,
    const struct kith_names *feature, double *w, struct kith_err *err)
{
	return change_all(unit, kind, feature, true, w, err);
}

int
kith_unit_from_input(const struct kith_unit *unit, enum kith_metric_kind kind,
    const struct kith_names *feature, double *w, struct kith_err *err)
{
	return change_all(unit, kind, feature, false, w, err);
}
