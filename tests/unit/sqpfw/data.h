/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/data - random sets for tests of lib/sqpfw/sqpfw.h, and what judges them: sums as defined,
 * and the certificate of sqpfw/check.h.
 */
#ifndef KITH_TEST_SQPFW_DATA_H
#define KITH_TEST_SQPFW_DATA_H

#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "sqpfw/check.h"
#include "sqpfw/sqpfw.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 220, FEATURES = 8 };

/* Rows, their classes, and what is asked. */
struct set {
	struct kith_mat X;
	size_t y[ROWS], c;
	struct kith_sqpfw_how how;
	double prior[FEATURES], theta;
};

enum kind { CONTINUOUS, QUARTERS, WHOLE, DOUBLED, KINDS };

static struct kith_rng rng;

static inline void
set_prior(struct set *set)
{
	for (size_t f = 0; f < set->X.p; f++)
		set->prior[f] = 1 / (double)set->X.p;
	set->how.prior = set->prior;
}

static inline double
number(double from, double to)
{
	return from + (to - from) * kith_rng_unit(&rng);
}

static inline size_t
whole(size_t from, size_t to)
{
	return from + (size_t)kith_rng_below(&rng, to - from + 1);
}

/* A set of n rows. */
static inline void
draw_many(struct set *set, enum kind kind, size_t n, struct kith_pool *pool)
{
	const size_t p = whole(2, 6);

	*set = (struct set){.X = kith_mat_new(pool, n, p),
	    .c = whole(2, 4),
	    .how = {.hits = whole(1, 3), .misses = whole(1, 3), .threads = 1},
	    .theta = exp(number(-4, 0))};
	for (size_t i = 0; i < n; i++) {
		set->y[i] = i % set->c;
		for (size_t f = 0; f < p; f++) {
			double v = number(-1.7, 1.7) + (f % 2 ? 0 : .4 * (double)set->y[i]);

			if (kind == QUARTERS)
				v = round(4 * v) / 4;
			else if (kind == WHOLE)
				v = round(v);
			kith_row(&set->X, i)[f] = v;
		}
		if (kind == DOUBLED && i >= n / 2) {
			const size_t c = set->c;
			const size_t j = i % c + c * whole(0, n / 2 / c - 1);

			memcpy(kith_row(&set->X, i), kith_row(&set->X, j), p * sizeof(double));
		}
	}
	set_prior(set);
}

static inline void
draw(struct set *set, enum kind kind, struct kith_pool *pool)
{
	draw_many(set, kind, whole(24, 40), pool);
}

/* Each feature gets mean 0 and, unless it is constant, standard deviation 1. */
static inline void
standardise(struct kith_mat *X)
{
	for (size_t f = 0; f < X->p; f++) {
		double sum = 0, square = 0, sd;

		for (size_t i = 0; i < X->n; i++)
			sum += X->v[i * X->p + f];
		for (size_t i = 0; i < X->n; i++) {
			X->v[i * X->p + f] -= sum / (double)X->n;
			square += X->v[i * X->p + f] * X->v[i * X->p + f];
		}
		sd = sqrt(square / (double)X->n);
		for (size_t i = 0; i < X->n && sd > 0; i++)
			X->v[i * X->p + f] /= sd;
	}
}

/* Whether the last solve() ended by its own rule. */
static bool solved;

/* Solves from the prior; the solver. */
static inline struct kith_sqpfw *
solve(const struct set *set, double theta, struct kith_sqpfw_now *now, struct kith_pool *pool)
{
	struct kith_sqpfw *s = kith_sqpfw_new(&set->X, set->y, set->c, &set->how, pool);

	solved = kith_sqpfw_solve(s, theta);
	kith_sqpfw_at(s, now);
	return s;
}

/* What distances and F are sums of. */
struct plain {
	const double *x, *prior, *weight; /* weight: NULL: 1 */
	const size_t *y;
	size_t n, p, hits, misses;
	double theta;
};

static inline double
plain_distance(const struct plain *s, const double *w, size_t i, size_t j)
{
	double d = 0;

	for (size_t f = 0; f < s->p; f++)
		d += w[f] * pow(s->x[i * s->p + f] - s->x[j * s->p + f], 2);
	return d;
}

static int
plain_by_size(const void *a, const void *b)
{
	const double *s = a, *t = b;

	return (*s > *t) - (*s < *t);
}

/* The k-th smallest distance of a group, by sorting all. */
static inline double
plain_kth(const struct plain *s, const double *w, size_t i, bool miss)
{
	double *d = malloc(s->n * sizeof(*d)), got;
	size_t held = 0;

	if (!d)
		abort();
	for (size_t j = 0; j < s->n; j++)
		if (i != j && (s->y[i] != s->y[j]) == miss)
			d[held++] = plain_distance(s, w, i, j);
	qsort(d, held, sizeof(*d), plain_by_size);
	got = d[(miss ? s->misses : s->hits) - 1];
	free(d);
	return got;
}

/* F(w) by its definition: theta/n sum v_i (d_i - e_i) + 1/2 |w - prior|^2. */
static inline double
plain_objective(const struct plain *s, const double *w)
{
	double margin = 0, square = 0;

	for (size_t i = 0; i < s->n; i++)
		margin += (s->weight ? s->weight[i] : 1) *
		    (plain_kth(s, w, i, false) - plain_kth(s, w, i, true));
	for (size_t f = 0; f < s->p; f++)
		square += (w[f] - s->prior[f]) * (w[f] - s->prior[f]);
	return s->theta / (double)s->n * margin + square / 2;
}

static inline struct plain
plain_of(const struct set *set, double theta)
{
	return (struct plain){.x = set->X.v,
	    .prior = set->prior,
	    .weight = set->how.weight,
	    .y = set->y,
	    .n = set->X.n,
	    .p = set->X.p,
	    .hits = set->how.hits,
	    .misses = set->how.misses,
	    .theta = theta};
}

static inline struct kith_sqpfw_judge *
judge_of(const struct set *set, struct kith_pool *pool)
{
	struct kith_sqpfw_how how = set->how;

	how.prior = set->prior;
	return kith_sqpfw_judge_new(&set->X, set->y, set->c, &how, pool);
}

static inline bool
is_minimum(const struct set *set, const double *w, double theta)
{
	struct kith_pool pool = {0};
	struct kith_sqpfw_judge *judge = judge_of(set, &pool);
	struct kith_sqpfw_verdict verdict;

	kith_sqpfw_judge(judge, w, theta, NULL, &verdict, NULL);
	kith_sqpfw_judge_free(judge);
	kith_pool_free(&pool);
	return verdict.certified;
}

/* How far the distances of the judge's targets are from the k-th distances, F from F(w). */
static inline double
off(const struct set *set, const struct kith_sqpfw *s)
{
	struct kith_pool pool = {0};
	struct kith_sqpfw_judge *judge = judge_of(set, &pool);
	struct kith_sqpfw_now now;
	const size_t *target;
	struct plain plain;
	double worst;

	kith_sqpfw_at(s, &now);
	plain = plain_of(set, now.theta);
	worst = fabs(now.objective - plain_objective(&plain, now.w));
	target = kith_sqpfw_judge_targets(judge, now.w);
	for (size_t g = 0; g < 2 * set->X.n; g++)
		worst = fmax(worst,
		    fabs(plain_kth(&plain, now.w, g / 2, g % 2) -
			plain_distance(&plain, now.w, g / 2, target[g])));
	kith_sqpfw_judge_free(judge);
	kith_pool_free(&pool);
	return worst;
}

static inline double
distance(const double *w, const double *v, size_t p)
{
	double most = 0;

	for (size_t f = 0; f < p; f++)
		most = fmax(most, fabs(w[f] - v[f]));
	return most;
}

#endif
