/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/points.h"

#include "base/pool.h"
#include "base/sort.h"
#include "la/mat.h"
#include "near/alike.h"
#include "sqpfw/rows.h"

#include <math.h>
#include <stdlib.h>

struct key {
	const double *x;
	size_t p, row, y;
};

/* By class, then values, then row. */
static int
by_value(const void *a, const void *b)
{
	const struct key *s = a, *t = b;

	if (s->y != t->y)
		return s->y < t->y ? -1 : 1;
	for (size_t f = 0; f < s->p; f++)
		if (s->x[f] != t->x[f])
			return s->x[f] < t->x[f] ? -1 : 1;
	return (s->row > t->row) - (s->row < t->row);
}

/* Give each row the first one that is equal to it and of its class. */
static void
find_equal(const struct kith_mat *X, const size_t *y, size_t *same)
{
	struct kith_pool tmp = {0};
	struct key *key = kith_new(&tmp, X->n, sizeof(*key));

	for (size_t i = 0; i < X->n; i++)
		key[i] = (struct key){kith_row(X, i), X->p, i, y[i]};
	qsort(key, X->n, sizeof(*key), by_value);
	for (size_t k = 0; k < X->n; k++) {
		const size_t i = key[k].row;

		same[i] = i;
		if (k > 0 && key[k].y == key[k - 1].y) {
			struct key it = key[k];

			it.row = key[k - 1].row;
			if (by_value(&key[k - 1], &it) == 0)
				same[i] = same[key[k - 1].row];
		}
	}
	kith_pool_free(&tmp);
}

/* See the header; 0 where all features are constant. */
static int
exponent_of(const struct kith_mat *X)
{
	double most = 0, squares = 0;
	int e;

	for (size_t f = 0; f < X->p; f++)
		for (size_t i = 1; i < X->n; i++)
			most = fmax(
			    most, fabs(X->v[i * X->p + f] / 4 - X->v[f] / 4));
	if (!(most > 0))
		return 0;
	e = ilogb(most) + 2;
	for (size_t f = 0; f < X->p; f++) {
		double sum = 0, square = 0;

		for (size_t i = 1; i < X->n; i++) {
			const double d = scalbn(
			    X->v[i * X->p + f] / 4 - X->v[f] / 4, 2 - e);

			sum += d;
			square += d * d;
		}
		squares += square - sum * (sum / (double)X->n);
	}
	squares /= (double)X->n * (double)X->p;
	if (squares > 0)
		e += (int)lround(log2(squares) / 2);
	return -e;
}

static void
fill(struct kith_sqpfw_points *points, const struct kith_mat *X)
{
	const size_t p = points->p, wide = KITH_SQPFW_PANEL;

	for (size_t i = 0; i < points->n; i++) {
		const double *x = kith_row(X, points->first[i]);
		double *panel = points->panel + i / wide * p * wide + i % wide;

		for (size_t f = 0; f < p; f++) {
			const double v = scalbn(x[f], points->exponent);

			points->X[i * points->ld + f] = v;
			panel[f * wide] = v;
		}
	}
}

/* The share of each point in the mean over rows of these weights. */
static void
find_shares(struct kith_sqpfw_points *points, const double *weight,
    struct kith_pool *pool)
{
	const double rows = (double)points->rows;

	points->share = kith_new(pool, points->n, sizeof(*points->share));
	for (size_t i = 0; i < points->n; i++)
		points->share[i] = (double)points->copies[i];
	for (size_t i = 0; i < points->n && weight; i++)
		points->share[i] = 0;
	for (size_t i = 0; i < points->rows && weight; i++)
		points->share[points->point[i]] += weight[i];
	for (size_t i = 0; i < points->n; i++)
		points->share[i] /= rows;
}

struct kith_sqpfw_points
kith_sqpfw_points_new(const struct kith_mat *X, const size_t *y, size_t c,
    const double *weight, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t rows = X->n, wide = KITH_SQPFW_PANEL;
	size_t *same = kith_new(&tmp, rows, sizeof(*same));
	struct kith_sqpfw_points points = {.p = X->p,
	    .ld = kith_sqpfw_padded(X->p),
	    .c = c,
	    .rows = rows,
	    .exponent = exponent_of(X),
	    .start = kith_new(pool, c + 1, sizeof(*points.start))};

	KITH_NEW_SIZES(pool, rows, 1, &points.of, &points.first, &points.copies,
	    &points.point, &points.member);
	find_equal(X, y, same);
	for (size_t i = 0; i < rows; i++)
		points.start[y[i] + 1] += same[i] == i;
	for (size_t k = 0; k < c; k++)
		points.start[k + 1] += points.start[k];
	points.n = points.start[c];
	for (size_t i = 0; i < rows; i++) {
		const size_t at = same[i] == i ? points.start[y[i]]++
					       : points.point[same[i]];

		points.point[i] = at;
		points.of[at] = y[i];
		if (points.copies[at]++ == 0)
			points.first[at] = i;
	}
	for (size_t k = c; k > 0; k--)
		points.start[k] = points.start[k - 1];
	points.start[0] = 0;
	KITH_NEW_SIZES(pool, points.n + 1, 1, &points.members);
	kith_sort_by_class(
	    points.point, rows, points.n, points.member, points.members);
	points.X = kith_new(pool, points.n, points.ld * sizeof(*points.X));
	points.panel = kith_new(pool, (points.n + wide - 1) / wide,
	    wide * points.p * sizeof(*points.panel));
	points.rounding = kith_alike_rounding(X, pool);
	fill(&points, X);
	find_shares(&points, weight, pool);
	kith_pool_free(&tmp);
	return points;
}

void
kith_sqpfw_points_swap(struct kith_sqpfw_points *points, size_t a, size_t b)
{
	if (a == b)
		return;
	kith_vec_swap(points->rounding, a, b);
	for (size_t i = 0; i < points->n; i++)
		kith_vec_swap(points->X + i * points->ld, a, b);
}
