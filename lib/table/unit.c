/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/unit.h"

#include "base/err.h"
#include "base/pool.h"
#include "la/mat.h"
#include "la/vec.h"

#include <float.h>
#include <math.h>

/* ---- The range of features. ---- */

void
kith_places_add(
    struct kith_places *places, size_t row, const char *file, size_t line, struct kith_pool *pool)
{
	const struct kith_place *last = places->n ? &places->run[places->n - 1] : NULL;

	if (last && last->file == file && line - last->line == row - last->row)
		return;
	places->run = kith_more(pool, places->run, places->n, &places->room, sizeof(*places->run));
	places->run[places->n++] = (struct kith_place){row, file, line};
}

struct kith_place
kith_places_find(const struct kith_places *places, size_t row)
{
	size_t low = 0, high = places->n;

	while (high - low > 1) { /* run[low].row <= row, and run[high].row > row if it is there */
		const size_t middle = low + (high - low) / 2;

		*(places->run[middle].row <= row ? &low : &high) = middle;
	}
	return (struct kith_place){
	    row, places->run[low].file, places->run[low].line + (row - places->run[low].row)};
}

/* Finds the first row of the largest |x_j|, which *x becomes; returns its place if that is known. */
static struct kith_place
find_largest(const struct kith_mat *X, size_t j, const struct kith_origin *from, double *x)
{
	size_t at = 0;

	*x = 0;
	for (size_t i = 0; i < X->n; i++)
		if (fabs(kith_row(X, i)[j]) > fabs(*x)) {
			*x = kith_row(X, i)[j];
			at = i;
		}
	return from->place && from->place->n
	    ? kith_places_find(from->place, from->row ? from->row[at] : at)
	    : (struct kith_place){.file = from->file};
}

/*
 * Returns the feature that is beyond the range under the metric, of a pair the larger one, or p;
 * most has the largest |x_j| of each.  A vector is a matrix with its weights, of KITH_ABSOLUTE their
 * squares, on the diagonal.
 */
static size_t
find_term(const struct kith_metric *metric, size_t p, const double *most)
{
	const double *W = metric ? metric->w : NULL;
	const bool matrix = W && kith_metric_is_matrix(metric->kind);

	for (size_t i = 0; i < p; i++)
		for (size_t j = i; j < (matrix ? p : i + 1); j++) {
			const double w = W ? fabs(W[matrix ? i * p + j : i]) : 1;
			const double root = W && metric->kind == KITH_ABSOLUTE ? w : sqrt(w);
			const size_t larger = most[i] >= most[j] ? i : j;

			/* |W_ij x_i x_j| <= 1e300 */
			if (w > 0 &&
			    (most[larger] > KITH_RANGE_MOST ||
				root * (most[i] / KITH_RANGE_MOST) * root *
					(most[j] / KITH_RANGE_MOST) >
				    1))
				return larger;
		}
	return p;
}

int
kith_range_check(const struct kith_mat *X, const struct kith_origin *from, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	double *most = kith_new(&tmp, X->p, sizeof(*most)), x;
	struct kith_place at;
	size_t bad;

	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < X->p; j++)
			most[j] = kith_larger(fabs(kith_row(X, i)[j]), most[j]);
	/* cppcheck-suppress ctunullpointer ; kith_unit_scale() passes NULL only where X is NULL */
	bad = find_term(from->metric, X->p, most);
	kith_pool_free(&tmp);
	if (bad == X->p)
		return 0;
	at = find_largest(X, bad, from, &x);
	return kith_fail_at(err, EX_DATAERR, at.file, at.line,
	    "column " KITH_NAME ": %g%s%s is beyond 1e150, where squares overflow%s",
	    from->feature->name[bad], x, from->scaled ? ", scaled," : "",
	    fabs(x) > KITH_RANGE_MOST ? "" : ", with its weight,",
	    from->scaled ? "" : " (tabscale, tabscale --na-string?)");
}

/* ---- Units. ---- */

const char *const kith_unit_words[] = {"none", "zscore", "minmax"};

struct kith_moments
kith_moments_of(const struct kith_mat *X, size_t j, const double *w)
{
	struct kith_moments m = {.min = INFINITY, .max = -INFINITY};

	for (size_t i = 0; i < X->n; i++) {
		const double x = kith_row(X, i)[j];
		const long double weight = w ? w[i] : 1;

		if (isnan(x) || !(weight > 0))
			continue;
		m.n++;
		m.weight += weight;
		m.mean += weight * x;
		m.min = kith_lesser(x, m.min);
		m.max = kith_larger(x, m.max);
	}
	if (m.n == 0)
		return m;
	m.mean /= m.weight;
	for (size_t i = 0; i < X->n; i++) {
		const double x = kith_row(X, i)[j];
		const long double weight = w ? w[i] : 1, d = x - m.mean;

		if (isnan(x) || !(weight > 0))
			continue;
		m.rest += weight * d;
		m.sum2 += weight * d * d;
	}
	/* Two passes, and what rounding left of the sum that should be 0. */
	m.sum2 -= m.rest * m.rest / m.weight;
	return m;
}

int
kith_unit_column(
    const struct kith_moments *m, int method, double width, double *center, double *scale)
{
	const long double n = (long double)m->n - 1;

	*scale = 0;
	*center = m->n > 0 ? m->min : 0;
	if (m->n == 0 || m->min == m->max)
		return 0;
	if (method == KITH_UNIT_ZSCORE) {
		*center = (double)m->mean;
		*scale = (double)sqrtl(m->sum2 / n);
	} else {
		*scale = (double)(((long double)m->max - m->min) / width);
	}
	return isfinite(*scale) && isfinite(*center) && *scale > 0 ? 0 : -1;
}

bool
kith_unit_merges(const double *v, size_t n, size_t stride, double limit, double pair[2])
{
	size_t found = 0;

	for (size_t i = 0; i < n && found < 2; i++) {
		const double x = v[i * stride];

		if (fabs(x) < limit && (found == 0 || x != pair[0]))
			pair[found++] = x;
	}
	return found == 2;
}

int
kith_unit_fit(int method, const struct kith_mat *X, const struct kith_origin *from,
    struct kith_unit *unit, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_place at;
	double pair[2], x;

	unit->method = method;
	unit->p = X->p;
	KITH_NEW_REALS(pool, X->p, 1, &unit->center, &unit->scale);
	for (size_t j = 0; j < X->p; j++) {
		const struct kith_moments m = kith_moments_of(X, j, NULL);
		double *scale = &unit->scale[j];

		if (kith_unit_column(&m, method, 1, &unit->center[j], scale))
			return kith_fail_at(err, EX_DATAERR, from->file, 0,
			    "column " KITH_NAME ": its range %g to %g does not fit a double",
			    from->feature->name[j], m.min, m.max);
		/* One cell may be so large that others are equal in distances when scaled. */
		if (*scale <= 1 ||
		    !kith_unit_merges(X->v + j, X->n, X->p, *scale / KITH_RANGE_MOST, pair))
			continue;
		at = find_largest(X, j, from, &x);
		return kith_fail_at(err, EX_DATAERR, at.file, at.line,
		    "column " KITH_NAME
		    ": %g is so large that scaling makes %g and %g equal (tabscale --na-string?)",
		    from->feature->name[j], x, pair[0], pair[1]);
	}
	return 0;
}

struct kith_unit_others
kith_unit_others_new(int method, const struct kith_mat *X, struct kith_pool *pool)
{
	const size_t p = X->p;
	struct kith_unit_others o = {X, method, kith_new(pool, p, sizeof(*o.all)), NULL, NULL};

	KITH_NEW_REALS(pool, p, 1, &o.min, &o.max);
	for (size_t j = 0; j < p; j++) {
		double least = INFINITY, largest = -INFINITY; /* of the rows so far */

		o.all[j] = kith_moments_of(X, j, NULL);
		o.min[j] = INFINITY;
		o.max[j] = -INFINITY;
		for (size_t i = 0; i < X->n; i++) {
			const double x = kith_row(X, i)[j];

			o.min[j] = kith_lesser(kith_larger(x, least), o.min[j]);
			o.max[j] = kith_larger(kith_lesser(x, largest), o.max[j]);
			least = kith_lesser(x, least);
			largest = kith_larger(x, largest);
		}
	}
	return o;
}

/* Returns the moments of column j without row i. */
static struct kith_moments
leave_out(const struct kith_unit_others *o, size_t i, size_t j)
{
	const struct kith_moments *all = &o->all[j];
	const size_t n = o->X->n;
	const long double rows = (long double)n - 1;
	const double x = kith_row(o->X, i)[j];
	const long double d = x - all->mean, rest = all->rest - d;
	const long double square = d * d + rest * rest / rows - all->rest * all->rest / (rows + 1);
	struct kith_moments m = {.n = n - 1,
	    .mean = all->mean - d / rows,
	    .sum2 = all->sum2 - square,
	    .min = x == all->min ? o->min[j] : all->min,
	    .max = x == all->max ? o->max[j] : all->max};
	struct kith_pool tmp = {0};
	double *w;

	if (o->method == KITH_UNIT_MINMAX || square <= all->sum2 / 2)
		return m;
	w = kith_new(&tmp, n, sizeof(*w));
	for (size_t r = 0; r < n; r++)
		w[r] = r != i;
	m = kith_moments_of(o->X, j, w);
	kith_pool_free(&tmp);
	return m;
}

int
kith_unit_of_others(const struct kith_unit_others *o, size_t i, struct kith_unit *unit)
{
	unit->method = o->method;
	unit->p = o->X->p;
	for (size_t j = 0; j < unit->p; j++) {
		const struct kith_moments m = leave_out(o, i, j);

		if (kith_unit_column(&m, o->method, 1, &unit->center[j], &unit->scale[j]))
			return -1;
	}
	return 0;
}

void
kith_unit_rows(const struct kith_unit *unit, struct kith_mat *X)
{
	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < X->p; j++) {
			double *x = &kith_row(X, i)[j];

			*x = kith_unit_of(*x, unit->center[j], unit->scale[j]);
		}
}

int
kith_unit_apply(const struct kith_unit *unit, struct kith_mat *X, const struct kith_origin *from,
    struct kith_err *err)
{
	struct kith_origin scaled = {0};

	if (!unit->center)
		return kith_range_check(X, from, err);
	scaled = *from;
	scaled.scaled = true;
	kith_unit_rows(unit, X);
	return kith_range_check(X, &scaled, err);
}

int
kith_unit_scale(int method, struct kith_mat *X, const struct kith_origin *from,
    struct kith_mat *other, const struct kith_origin *other_from, struct kith_unit *unit,
    struct kith_pool *pool, struct kith_err *err)
{
	*unit = (struct kith_unit){.p = 0};
	if ((method != KITH_UNIT_NONE && kith_unit_fit(method, X, from, unit, pool, err)) ||
	    kith_unit_apply(unit, X, from, err))
		return -1;
	return other ? kith_unit_apply(unit, other, other_from, err) : 0;
}

int
kith_unit_convert(const struct kith_unit *unit, enum kith_metric_kind kind, enum kith_unit_way way,
    const struct kith_names *feature, double *w, const char *file, struct kith_err *err)
{
	const bool matrix = kith_metric_is_matrix(kind);
	const size_t p = unit->p;

	for (size_t k = 0; k < (matrix ? p * p : p); k++) {
		const size_t i = matrix ? k / p : k, j = matrix ? k % p : k;
		const double was = w[k], a = unit->scale[i];
		const double b = kind == KITH_ABSOLUTE ? 1 : unit->scale[j];
		const long double ab = (long double)a * b;

		w[k] = 0;
		if (!(a > 0) || !(b > 0))
			continue;
		w[k] = (double)(way == KITH_UNIT_TO_INPUT ? was / ab : was * ab);
		if (!isfinite(w[k]) || (was != 0 && w[k] == 0) ||
		    (fabs(was) > DBL_EPSILON && fabs(w[k]) < DBL_MIN))
			return kith_fail_at(err, EX_DATAERR, file, 0,
			    "column " KITH_NAME ": in its unit, a weight does not fit a double",
			    feature->name[i]);
	}
	return 0;
}
