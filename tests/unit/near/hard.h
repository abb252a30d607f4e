/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Data made to be hard for searches of neighbours, for the tests of lib/near.
 */
#ifndef KITH_TEST_NEAR_HARD_H
#define KITH_TEST_NEAR_HARD_H

#include "base/pool.h"
#include "base/rng.h"
#include "la/level.h"
#include "la/mat.h"
#include "near/heap.h"
#include "near/metric.h"
#include "normal.h"

#include <stdbool.h>
#include <string.h>

/* A problem: reference, query, metric. */
struct problem {
	struct kith_pool pool;
	struct kith_mat X, Z;
	struct kith_metric metric;
	size_t k;
	size_t *self; /* of the query */
};

/* The features that count. */
static struct kith_mat
packed(const struct kith_mat *X, const size_t *kept, size_t p, struct kith_pool *pool)
{
	const struct kith_mat Y = kith_mat_new(pool, X->n, p + 1);

	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < p; j++)
			kith_row(&Y, i)[j] = kith_row(X, i)[kept[j]];
	return Y;
}

/* How the data of a case look. */
struct look {
	const char *name;
	unsigned grid;         /* values 0..grid-1; 0: Gaussian */
	double scale, offset;  /* of all features */
	double weight;         /* of all features */
	unsigned zero, repeat; /* one in so many: weight 0; row repeated */
	double outlier;        /* added to row 0; in the query to all */
	double far_away;       /* factor of one row of the query */
	double apart;          /* added to every other row, all features */
};

static const struct look looks[] = {
    {"grid of 2", 2, 1, 0, 1, 0, 0, 0, 0, 0},
    {"grid of 4, zero weights", 4, 1, 0, 1, 3, 0, 0, 0, 0},
    {"Gaussian", 0, 1, 0, 1, 4, 0, 0, 0, 0},
    {"repeated rows", 0, 1, 0, 1, 0, 2, 0, 0, 0},
    {"all the same", 1, 1, 3, 1, 0, 0, 0, 0, 0},
    {"offset 1e6", 0, 1, 1e6, 1, 0, 5, 0, 0, 0},
    {"offset 1e15", 8, 1, 1e15, 1, 5, 0, 0, 0, 0},
    {"scale 1e-300", 0, 1e-300, 0, 1, 0, 9, 0, 0, 0},
    {"scale 1e-160", 4, 1e-160, 0, 1, 0, 0, 0, 0, 0},
    {"weights 1e-300", 0, 1, 0, 1e-300, 0, 9, 0, 0, 0},
    {"weights 1e300", 6, 1, 0, 1e300, 0, 0, 0, 0, 0},
    {"scale 1e-250, weights 1e300", 0, 1e-250, 0, 1e300, 0, 4, 0, 0, 0},
    {"scale and weights 1e-250", 0, 1e-250, 0, 1e-250, 0, 4, 0, 0, 0},
    {"an outlier at 1e4", 0, 1, 0, 1, 0, 0, 1e4, 0, 0},
    {"an outlier at 1e9", 0, 1, 0, 1, 0, 0, 1e9, 0, 0},
    {"a query at 1e6", 0, 1, 0, 1, 0, 0, 0, 1e6, 0},
    {"a query at 1e30", 0, 1, 0, 1, 0, 0, 0, 1e30, 0},
    {"all weights zero", 0, 1, 0, 1, 1, 0, 0, 0, 0},
    {"clusters 1e2 apart", 0, 1, 0, 1, 0, 0, 0, 0, 1e2},
    {"clusters 1e4 apart", 0, 1, 0, 1, 4, 9, 0, 0, 1e4},
    {"clusters 1e9 apart", 5, 1, 0, 1, 0, 0, 0, 0, 1e9},
};

static void
fill(struct kith_rng *r, const struct look *l, struct kith_mat *X)
{
	for (size_t i = 0; i < X->n; i++) {
		double *x = kith_row(X, i);

		if (i > 0 && l->repeat && kith_rng_below(r, l->repeat) == 0) {
			memcpy(x, kith_row(X, kith_rng_below(r, i)), X->p * sizeof(*x));
			continue;
		}
		for (size_t j = 0; j < X->p; j++)
			x[j] = l->offset + (i % 2 ? l->apart : 0) +
			    l->scale * (l->grid ? (double)kith_rng_below(r, l->grid) : normal(r));
		if (i == 0)
			x[0] += l->outlier;
	}
}

/* A metric: weights, or a symmetric matrix, every other one indefinite. */
static void
make_metric(struct kith_rng *r, const struct look *l, struct problem *pr)
{
	const size_t p = pr->X.p;
	const bool matrix = pr->metric.kind >= KITH_SQUARED_MATRIX;
	double *w = kith_new(&pr->pool, matrix ? p * p : p, sizeof(*w));
	const bool indefinite = kith_rng_below(r, 2);

	pr->metric.p = p;
	if (!matrix && l->weight == 1 && !l->zero && kith_rng_below(r, 2))
		return;
	pr->metric.w = w;
	for (size_t j = 0; !matrix && j < p; j++)
		w[j] = l->weight * (1 + (double)kith_rng_below(r, 3));
	for (size_t i = 0; matrix && i < p; i++)
		for (size_t j = 0; j <= i; j++) {
			w[i * p + j] = l->weight *
			    ((double)kith_rng_below(r, 5) - (indefinite ? 2 : 0));
			if (i != j && !indefinite)
				w[i * p + j] *= 0.5 / (double)p;
			w[j * p + i] = w[i * p + j];
		}
	for (size_t j = 0; j < p && l->zero; j++)
		if (kith_rng_below(r, l->zero) == 0)
			for (size_t i = 0; i < (matrix ? p : 1); i++)
				w[matrix ? j * p + i : j] = w[matrix ? i * p + j : j] = 0;
}

static inline void
make(struct kith_rng *r, const struct look *l, struct problem *pr, size_t n, size_t m)
{
	const size_t p = pr->X.p;

	pr->X = kith_mat_new(&pr->pool, n, p);
	pr->Z = kith_mat_new(&pr->pool, m, p);
	fill(r, l, &pr->X);
	fill(r, l, &pr->Z);
	for (size_t i = 0; i < m; i++) /* some rows of the reference too */
		if (kith_rng_below(r, 3) == 0)
			memcpy(kith_row(&pr->Z, i), kith_row(&pr->X, kith_rng_below(r, n)),
			    p * sizeof(double));
	for (size_t j = 0; j < p && l->far_away != 0; j++)
		kith_row(&pr->Z, 0)[j] *= l->far_away;
	make_metric(r, l, pr);
}

/* All distances from the rows of Z to those of X, as a search counts them, at the lowest level. */
static inline double *
measure(const struct problem *pr, const struct kith_mat *Z, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	size_t *kept = kith_new(&tmp, pr->X.p, sizeof(*kept));
	const size_t p = kith_dist_kept(&pr->metric, kept), n = pr->X.n;
	const struct kith_metric metric = kith_dist_pack(&pr->metric, kept, p, &tmp);
	const struct kith_mat A = packed(Z, kept, p, &tmp);
	const struct kith_mat B = packed(&pr->X, kept, p, &tmp);
	double *d = kith_new(pool, A.n, n * sizeof(*d));
	const size_t level = kith_level;

	kith_level = 0;
	for (size_t i = 0; i < A.n; i++)
		for (size_t j = 0; j < n; j++)
			d[i * n + j] = kith_dist(&metric, kith_row(&A, i), kith_row(&B, j));
	kith_level = level;
	kith_pool_free(&tmp);
	return d;
}

/*
 * Whether these are the first `count` of n rows at distances d but for the row
 * left_out: each is what it says, they are in order, and none is missing.
 */
static inline bool
are_first(const struct kith_neighbour *nn, size_t count, const double *d, size_t n, size_t left_out)
{
	size_t due = 0;

	for (size_t e = 0; e < count; e++)
		if (nn[e].row >= n || nn[e].row == left_out || nn[e].d != d[nn[e].row] ||
		    (e > 0 && !kith_neighbour_before(&nn[e - 1], &nn[e])))
			return false;
	for (size_t j = 0; j < n && count > 0; j++) {
		const struct kith_neighbour x = {j, d[j]};

		due += j != left_out && !kith_neighbour_before(&nn[count - 1], &x);
	}
	return due == count;
}

#endif
