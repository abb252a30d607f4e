/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/validate - how a path does on other rows, exactly and for all theta.
 *
 *	error    the share of rows, by cost, with y f <= 0: constant between
 *	         the zeros of f, eq. (37)
 *	squared  the root of the mean, by cost, of (y - f)^2
 *	ndcg     the mean, by cost, of NDCG at K (score/score.h) over the queries: constant
 *	         between the crossings of scores of one query; of equal scores
 *	         the earlier row comes first
 *
 * of Karasuyama, Harada, Sugiyama and Takeuchi (2012).  At single thetas, such
 * as the zeros themselves, it may be otherwise.
 *
 * The standard error takes the rows (ndcg: the queries) for the parts of
 * table/trial.h: with the losses l_i of n rows, of which c_i is the share of
 * row i in the costs, and their mean e,
 *
 *	se^2 = sum_i c_i (l_i - e)^2 / (n - 1)	(squared: / (4 rmse^2))
 *
 * which for errors is e (1 - e) / (n - 1).
 */
#ifndef KITH_WSVMPATH_VALIDATE_H
#define KITH_WSVMPATH_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;
struct kith_wsvm_valid;

struct kith_wsvm_valid_how {
	int measure;              /* of wsvmpath/task.h */
	size_t m;                 /* rows */
	const double *y;          /* m: 1, -1, or 0: does not count; or numbers, of
				which NaN does not count */
	const double *cost;       /* m, >= 0; NULL: all 1 */
	const size_t *query;      /* ndcg: m queries 0..queries-1, each has a row */
	const double *query_cost; /* queries, >= 0; NULL: all 1 */
	size_t queries, k;
	bool sums; /* tell sums, which can be added, and no values */
};

/* The sum of squared errors: least + curve (theta - at)^2. */
struct kith_wsvm_parabola {
	long double least, at, curve;
};

/* On (from, to) the measure is as follows. */
struct kith_wsvm_interval {
	double from, to;
	size_t errors;               /* error: rows that are wrong */
	double value;                /* squared: the smallest, at theta */
	double theta;                /* the others: the middle */
	double se;                   /* of value; NaN: not known */
	double value_from, value_to; /* squared: at its ends */

	double sum;                       /* error, ndcg: value times the weight of all rows */
	struct kith_wsvm_parabola square; /* squared, of sums alone */
};

typedef void kith_wsvm_on_interval(void *to, const struct kith_wsvm_interval *interval);

/* on_interval is called for each interval, in order, once it is known. */
struct kith_wsvm_valid *kith_wsvm_valid_new(const struct kith_wsvm_valid_how *how,
    kith_wsvm_on_interval *on_interval, void *to, struct kith_pool *pool);

/*
 * The next piece of the path, from where the last one ended: f = f0 + theta f1
 * (m rows).  Time O(m) and, error, O(log m) for each zero; ndcg, O(g^2 log g)
 * for each query of g rows whose order changes.
 */
void kith_wsvm_valid_piece(
    struct kith_wsvm_valid *v, double from, double to, const double *f0, const double *f1);

/*
 * error: the whole path from `from` to `to`, of which it is known already where
 * rows become wrong or right; the changes are sorted.
 */
struct kith_wsvm_changes;
void kith_wsvm_valid_changes(
    struct kith_wsvm_valid *v, double from, double to, const struct kith_wsvm_changes *changes);

/* The path has ended: the last interval is whole. */
void kith_wsvm_valid_end(struct kith_wsvm_valid *v);

/* The number of rows, or queries, that count, and what they weigh together. */
size_t kith_wsvm_valid_count(const struct kith_wsvm_valid *v, double *weight);

#endif
