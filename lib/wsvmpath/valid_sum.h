/*
 * wsvmpath/valid_sum - what the parts of wsvmpath/valid.h share: a measure is
 * the mean of parts, rows or queries, which are constant between changes.
 */
#ifndef KITH_WSVMPATH_VALID_SUM_H
#define KITH_WSVMPATH_VALID_SUM_H

#include "wsvmpath/valid.h"

/* From theta on, a part of the measure has another value. */
struct kith_wsvm_change {
	double theta;
	size_t part;
	double value; /* error: the cost where it is wrong */
	bool wrong;
};

struct kith_wsvm_valid {
	struct kith_wsvm_valid_how how;
	kith_wsvm_valid_tell *tell;
	void *to;
	struct kith_pool *pool;
	size_t n;      /* that count */
	double weight; /* of all that count */

	/* Parts: the rows, or the queries.  tree[1] is their sum, in an order
	   that does not depend on what changed when. */
	size_t parts, leaves;
	double *tree; /* 2 leaves */
	bool *wrong;  /* parts */
	size_t errors;
	struct kith_wsvm_change *change;
	size_t changes, room;

	/* ndcg: the rows by query, and in each as they are ranked now. */
	size_t *start, *row; /* queries + 1, m */
	bool *ranked;        /* queries: row is an order at all */
	double *y, *p;       /* of a query */

	struct kith_wsvm_interval open; /* may go on */
	bool is_open;
	double end; /* of the last piece */
};

/*
 * Whether there is no more than rounding between two thetas: where all f are 0
 * but for that, their zeros are that close.
 */
static inline bool
kith_wsvm_valid_same(double from, double to)
{
	return !(to > from + 1e-14);
}

/* Where a line from a to b, of different signs, is 0. */
static inline double
kith_wsvm_valid_zero(double from, double to, double a, double b)
{
	const double theta = from + (to - from) * (a / (a - b));

	return theta < from ? from : theta > to ? to : theta;
}

/* A change in the piece that is now swept. */
void kith_wsvm_valid_change(
    struct kith_wsvm_valid *v, const struct kith_wsvm_change *c);

/* ndcg: sort the rows by query, and count these; the changes in a piece. */
void kith_wsvm_valid_queries(struct kith_wsvm_valid *v);
void kith_wsvm_valid_ranks(struct kith_wsvm_valid *v, double from, double to,
    const double *f0, const double *f1);

#endif
