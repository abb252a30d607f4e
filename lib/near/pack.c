/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/pack.h"

#include "base/pool.h"
#include "la/simd.h"
#include "near/dist.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	SAFE = 600, /* terms of size 2^-SAFE..2^SAFE need no unit but 1 */
	TOP = 1000  /* no row may leave 2^TOP by its unit */
};

/* What the features span: exponents of the ranges, and of the largest |x|. */
struct span {
	int *range; /* p; KITH_KNN_FLAT where all is the same */
	int most;
};

KITH_INLINE void
choose(double *at, const double *x, bool less)
{
	const kith_v8d v = *(const kith_v8d_at *)x;
	const kith_v8d old = *(const kith_v8d_at *)at;
	const kith_v8i mask = less ? v < old : v > old;

	*(kith_v8d_at *)at = (kith_v8d)(((kith_v8i)v & mask) |
	    ((kith_v8i)old & ~mask));
}

/* least = the smaller of least and x, most = the larger of most and x. */
KITH_CLONES static void
pack_widen(const double *x, size_t p, double *least, double *most)
{
	size_t j;

	for (j = 0; j + 8 <= p; j += 8) {
		choose(least + j, x + j, true);
		choose(most + j, x + j, false);
	}
	for (; j < p; j++) {
		least[j] = x[j] < least[j] ? x[j] : least[j];
		most[j] = x[j] > most[j] ? x[j] : most[j];
	}
}

static struct span
span_new(const struct kith_mat *X, struct kith_pool *pool)
{
	const size_t p = X->p;
	struct span span = {kith_new(pool, p, sizeof(*span.range)), INT_MIN};
	double *least = kith_new(pool, p, sizeof(*least));
	double *most = kith_new(pool, p, sizeof(*most)), all = 0;

	for (size_t j = 0; j < p; j++)
		least[j] = most[j] = X->v[j];
	for (size_t i = 1; i < X->n; i++)
		pack_widen(kith_row(X, i), p, least, most);
	for (size_t j = 0; j < p; j++) {
		span.range[j] = least[j] == most[j]
		    ? KITH_KNN_FLAT
		    : kith_range_exponent(least[j], most[j]);
		all = fmax(all, fmax(-least[j], most[j]));
	}
	if (all > 0)
		span.most = ilogb(all);
	return span;
}

static int
larger(int a, int b)
{
	return a > b ? a : b;
}

/* The exponent of the largest w_j r_j^2, w_j r_j or |W_ij| r_i r_j. */
static int
size_exponent(const struct kith_metric *metric, const struct span *span)
{
	const size_t p = metric->p;
	const double *w = metric->w;
	const int *r = span->range;
	int size = KITH_KNN_FLAT;

	for (size_t j = 0; j < p; j++) {
		if (r[j] == KITH_KNN_FLAT)
			continue;
		if (metric->kind == KITH_SQUARED)
			size = larger(size, 2 * r[j] + (w ? ilogb(w[j]) : 0));
		else if (metric->kind == KITH_ABSOLUTE)
			size = larger(size, r[j] + (w ? ilogb(w[j]) : 0));
		else
			for (size_t i = 0; i < p; i++)
				if (r[i] != KITH_KNN_FLAT && w[j * p + i] != 0)
					size = larger(size,
					    r[i] + r[j] + ilogb(w[j * p + i]));
	}
	return size;
}

/* The exponent of the unit for terms of the given size. */
static int
unit_exponent(int size, bool linear, int most)
{
	int e;

	if (size == KITH_KNN_FLAT || (-SAFE <= size && size <= SAFE))
		return 0;
	e = linear ? -size : -size / 2;
	if (e > TOP - most)
		e = TOP - most;
	if (e < DBL_MIN_EXP - DBL_MANT_DIG)
		e = DBL_MIN_EXP - DBL_MANT_DIG;
	return e < DBL_MAX_EXP ? e : DBL_MAX_EXP - 1;
}

/* A matrix of the kept features of X, or all: times the unit of the pack. */
static struct kith_mat
packed_rows(const struct kith_mat *X, const struct kith_knn_pack *pack,
    struct kith_pool *pool)
{
	const size_t p = pack->metric.p;
	const struct kith_mat Y = {
	    X->n, p, kith_new(pool, X->n, (p ? p : 1) * sizeof(*Y.v))};

	for (size_t i = 0; i < X->n; i++)
		kith_knn_pack_row(pack, kith_row(X, i), kith_row(&Y, i));
	return Y;
}

struct kith_knn_pack
kith_knn_pack(const struct kith_mat *X, const struct kith_metric *metric,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	size_t *kept = kith_new(pool, metric->p, sizeof(*kept));
	const size_t p = kith_dist_kept(metric, kept);
	const bool linear = metric->kind == KITH_ABSOLUTE;
	struct kith_knn_pack pack = {.X = *X, .unit = 1};
	struct span span;
	int e;

	pack.metric = kith_dist_pack(metric, kept, p, pool);
	if (p < metric->p) {
		pack.kept = kept;
		pack.X = packed_rows(X, &pack, pool);
	}
	span = span_new(&pack.X, &tmp);
	pack.size = size_exponent(&pack.metric, &span);
	e = unit_exponent(pack.size, linear, span.most);
	if (pack.size != KITH_KNN_FLAT)
		pack.size += linear ? e : 2 * e;
	kith_pool_free(&tmp);
	if (e == 0)
		return pack;

	pack.unit = ldexp(1, e);
	if (!pack.kept) {
		pack.kept = kept;
		pack.X = packed_rows(X, &pack, pool);
	} else
		for (size_t i = 0; i < X->n * p; i++)
			pack.X.v[i] *= pack.unit;
	return pack;
}

/* The exponents of numbers other than 0, the least and the largest. */
struct sizes {
	int least, most;
};

static struct sizes
sizes_of(const double *x, size_t n)
{
	struct sizes s = {INT_MAX, INT_MIN};

	for (size_t i = 0; i < n; i++)
		if (x[i] != 0) {
			const int e = ilogb(x[i]);

			s.least = e < s.least ? e : s.least;
			s.most = e > s.most ? e : s.most;
		}
	return s;
}

/*
 * With other rows ranges grow: to 2^(most + 1) at most, and where all was the
 * same, to the difference of two of the numbers, 2^(least - 53) at least.
 */
bool
kith_knn_pack_is_sure(const struct kith_knn_pack *pack)
{
	const struct kith_metric *metric = &pack->metric;
	const size_t p = metric->p;
	const bool matrix = kith_metric_is_matrix(metric->kind);
	const struct sizes x = sizes_of(pack->X.v, pack->X.n * p);
	struct sizes w = {0, 0};

	if (metric->w)
		w = sizes_of(metric->w, matrix ? p * p : p);
	if (pack->unit != 1)
		return false;
	if (x.most == INT_MIN || w.most == INT_MIN)
		return true;
	return w.least >= -SAFE && w.most <= SAFE &&
	    2 * (x.most + 1) + w.most <= SAFE &&
	    (pack->size != KITH_KNN_FLAT ||
		2 * (x.least - 53) + w.least >= -SAFE);
}

const double *
kith_knn_pack_row(
    const struct kith_knn_pack *pack, const double *z, double *room)
{
	if (!pack->kept)
		return z;
	for (size_t j = 0; j < pack->metric.p; j++)
		room[j] = z[pack->kept[j]] * pack->unit;
	return room;
}

size_t
kith_knn_left_out(const struct kith_knn_query *query, size_t i)
{
	return query->self ? query->self[i] : SIZE_MAX;
}
