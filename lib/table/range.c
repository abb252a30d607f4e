/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/range.h"

#include "base/err.h"
#include "base/pool.h"
#include "la/mat.h"
#include "la/vec.h"
#include "near/metric.h"

#include <math.h>

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

void
kith_places_blame(const struct kith_places *places, size_t row, struct kith_err *err)
{
	size_t low = 0, high = places->n;

	while (high - low > 1) { /* run[low].row <= row, and run[high].row > row if it is there */
		const size_t middle = low + (high - low) / 2;

		*(places->run[middle].row <= row ? &low : &high) = middle;
	}
	err->file = places->run[low].file;
	err->line = places->run[low].line + (row - places->run[low].row);
}

void
kith_origin_blame(const struct kith_origin *from, size_t i, struct kith_err *err)
{
	err->file = from->file;
	if (from->place && from->place->n)
		kith_places_blame(from->place, from->row ? from->row[i] : i, err);
}

/* Returns whether any of n numbers is beyond the range. */
static bool
is_beyond(size_t n, const double *v)
{
	bool beyond = false;

	for (size_t i = 0; i < n; i++)
		beyond |= fabs(v[i]) > KITH_RANGE_MOST;
	return beyond;
}

/* Fails because of the first row of the largest |x_j|. */
static int
fail(const struct kith_mat *X, size_t j, const struct kith_origin *from, struct kith_err *err)
{
	double most = 0;
	size_t at = 0;

	for (size_t i = 0; i < X->n; i++)
		if (fabs(kith_row(X, i)[j]) > most) {
			most = fabs(kith_row(X, i)[j]);
			at = i;
		}
	kith_fail(err, EX_DATAERR,
	    "column " KITH_NAME ": %g%s%s is beyond 1e150, where squares overflow%s",
	    kith_origin_feature(from, j), kith_row(X, at)[j], from->scaled ? ", scaled," : "",
	    most > KITH_RANGE_MOST ? "" : ", with its weight,",
	    from->scaled ? "" : " (tabscale, tabscale --na-string?)");
	kith_origin_blame(from, at, err);
	return -1;
}

/*
 * Returns the first feature that is beyond the range under a vector w (NULL: ones), or p; most has
 * the largest |x_j| of each.
 */
static size_t
find_feature(const struct kith_metric *metric, const double *most)
{
	size_t j = 0;

	for (; j < metric->p; j++) {
		const double w = metric->w ? metric->w[j] : 1;
		const double factor = metric->kind == KITH_SQUARED ? sqrt(w) : w;

		if (w > 0 && kith_larger(factor, 1) * most[j] > KITH_RANGE_MOST)
			break;
	}
	return j;
}

/* Returns the same under a matrix W: of the first pair that is too large, the larger feature. */
static size_t
find_pair(const struct kith_metric *metric, const double *most)
{
	const size_t p = metric->p;

	for (size_t i = 0; i < p; i++)
		for (size_t j = i; j < p; j++) {
			const double w = fabs(metric->w[i * p + j]), root = sqrt(w);
			const size_t larger = most[i] >= most[j] ? i : j;

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
	const struct kith_metric plain = {KITH_SQUARED, X->p, NULL};
	/* cppcheck-suppress ctunullpointer ; kith_unit_scale() passes NULL only where X is NULL */
	const struct kith_metric *metric = from->metric ? from->metric : &plain;
	struct kith_pool tmp = {0};
	double *most;
	size_t bad;

	if (!metric->w && !is_beyond(X->n * X->p, X->v))
		return 0;
	most = kith_new(&tmp, X->p, sizeof(*most));
	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < X->p; j++)
			most[j] = kith_larger(fabs(kith_row(X, i)[j]), most[j]);
	bad = metric->w && kith_metric_is_matrix(metric->kind) ? find_pair(metric, most)
							       : find_feature(metric, most);
	kith_pool_free(&tmp);
	return bad < X->p ? fail(X, bad, from, err) : 0;
}
