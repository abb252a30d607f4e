/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/measure - how the solutions of a path do on other rows, exactly and for all theta.
 *
 *	error    the share of rows, by cost, with y f <= 0; constant between the zeros of f,
 *	         eq. (37)
 *	squared  the root of the mean, by cost, of (y - f)^2
 *	ndcg     the mean, by cost, of NDCG at K (score/score.h) over the queries; constant between
 *	         the crossings of scores of one query; of equal scores the earlier row comes first
 *
 * of Karasuyama, Harada, Sugiyama and Takeuchi (2012).  At single thetas, such as the zeros
 * themselves, the measure may have another value.
 *
 * The standard error takes the rows (ndcg: the queries) for the parts of table/trial.h: with the
 * losses l_i of n rows, the share c_i of row i in the costs, and their mean e,
 *
 *	se^2 = sum_i c_i (l_i - e)^2 / (n - 1)	(squared: / (4 rmse^2))
 *
 * which for errors is e (1 - e) / (n - 1).
 */
#ifndef KITH_WSVMPATH_MEASURE_H
#define KITH_WSVMPATH_MEASURE_H

#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_svm_options;

/*
 * The rows that a path is validated on (wsvmpath/cv.h).  The arrays y, class, cost and query
 * have a number for each row of a table, of which the path is validated on m.
 */
struct kith_svm_test {
	int measure;              /* KITH_SVM_ERROR, ... of wsvmpath/task.h */
	size_t m;                 /* rows */
	const size_t *row;        /* m: their rows of the table; NULL: 0 ... m - 1 */
	const double *y;          /* 1, -1, or 0 for a row that does not count; or numbers, of
				     which NaN does not count */
	const size_t *class;      /* classes, or KITH_NO_CLASS; NULL: numbers */
	const double *cost;       /* >= 0; NULL: all 1 */
	const size_t *query;      /* ndcg: the query, below `queries`; each has a row */
	const double *query_cost; /* queries, >= 0; NULL: all 1 */
	size_t queries, k;        /* k: ndcg: NDCG at k */
	bool sums; /* the rows are a part, whose sums kith_svm_measure_parts() adds */
};

/* Returns the row of the table of row i < m. */
static inline size_t
kith_svm_test_row(const struct kith_svm_test *test, size_t i)
{
	return test->row ? test->row[i] : i;
}

/* The measure on the thetas (from, to). */
struct kith_svm_interval {
	double from, to;
	size_t errors;               /* error: the number of wrong rows */
	double value;                /* the measure; squared: its least value, at theta */
	double theta;                /* error, ndcg: the middle */
	double se;                   /* the standard error of value; NaN: unknown */
	double value_from, value_to; /* squared: the measure at both ends */

	/* Of a part: error, ndcg: the sum of losses or NDCG by cost; squared: the sum of losses is
	   least + curve (theta - lowest)^2. */
	double sum;
	long double least, lowest, curve;
};

/* A growing list of intervals, in order of theta; set pool, and 0 otherwise. */
struct kith_svm_intervals {
	struct kith_pool *pool;
	struct kith_svm_interval *v;
	size_t n, capacity;
};

/* From theta on, a row (ndcg: a query) has another loss. */
struct kith_svm_change {
	double theta;
	size_t row;
	double value; /* error: the cost if the row is wrong, else 0; ndcg: NDCG */
	bool wrong;   /* error */
};

/* A growing list of changes. */
struct kith_svm_changes {
	struct kith_pool *pool;
	struct kith_svm_change *v;
	size_t n, capacity;
};

static inline void
kith_svm_changes_add(struct kith_svm_changes *list, const struct kith_svm_change *change)
{
	list->v = kith_more(list->pool, list->v, list->n, &list->capacity, sizeof(*list->v));
	list->v[list->n++] = *change;
}

/* Returns where the line through (from, a) and (to, b), of different signs, is 0. */
static inline double
kith_svm_zero(double from, double to, double a, double b)
{
	const double theta = from + (to - from) * (a / (a - b));

	return theta < from ? from : theta > to ? to : theta;
}

/* Begins to measure a path; its intervals are added to *out.  `test` is copied, its arrays stay. */
struct kith_svm_measure *kith_svm_measure_new(
    const struct kith_svm_test *test, struct kith_svm_intervals *out, struct kith_pool *pool);

/*
 * The next piece of the path, from where the last one ended: f = f0 + theta f1 (m rows).  Time O(m)
 * and, error, O(log m) for each zero; ndcg, O(g^2 log g) for each query of g rows whose order
 * changes.
 */
void kith_svm_measure_piece(
    struct kith_svm_measure *m, double from, double to, const double *f0, const double *f1);

/* error: the whole path, theta 0 to 1, whose changes, sorted by theta, are known. */
void kith_svm_measure_changes(struct kith_svm_measure *m, const struct kith_svm_changes *changes);

/* The path has ended: adds the last interval. */
void kith_svm_measure_end(struct kith_svm_measure *m);

/* Returns the number of rows (ndcg: queries) that count; *weight is the sum of their costs. */
size_t kith_svm_measure_count(const struct kith_svm_measure *m, double *weight);

/* A path from theta 0 to 1, measured on rows of its own with test.sums. */
struct kith_svm_part {
	struct kith_svm_intervals intervals;
	double weight; /* the sum of the costs of its rows that count; may be 0 */
};

/*
 * Adds the measure of all rows of all n parts to *out:
 *
 *	error    sum of costs of wrong rows / sum of costs
 *	squared  the root of sum of squared errors / sum of costs: a sum of parabolas is one
 *	ndcg     the mean over all queries
 *
 * with the standard error of table/trial.h over the parts.  Intervals of error and ndcg are
 * maximal, unless the measure stays and its standard error changes; intervals of squared go from
 * each breakpoint of a part to the next.  Sums are in the order of the parts.  Time O(n) for each
 * breakpoint.
 */
void kith_svm_measure_parts(
    int measure, const struct kith_svm_part *part, size_t n, struct kith_svm_intervals *out);

/*
 * Returns the best of at least one interval: the smallest error, or largest NDCG; of equal ones the
 * widest where the value is constant, then the first.  With --best=1se, the simplest whose value is
 * within one standard error of it (table/trial.h): the smallest C, or the smallest theta if --from
 * or --to is no number.
 */
const struct kith_svm_interval *kith_svm_best(
    const struct kith_svm_options *options, const struct kith_svm_intervals *all);

#endif
