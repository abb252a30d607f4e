/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/weights - feature weights as one tool writes them and the next reads
 * them.
 *
 * The header of the table says what a weight multiplies (near/metric.h):
 *
 *	feature weight                  KITH_SQUARED
 *	feature weight_abs              KITH_ABSOLUTE
 *	feature1 feature2 weight        KITH_SQUARED_MATRIX
 *	feature1 feature2 weight_abs    KITH_ABSOLUTE_MATRIX
 *
 * in any order, other columns aside.  What the table does not name has weight
 * 0; of a pair of features one order is named, and stands for both.
 */
#ifndef KITH_TABLE_WEIGHTS_H
#define KITH_TABLE_WEIGHTS_H

#include "near/metric.h"
#include "table/needs.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_dest;
struct kith_err;
struct kith_names;
struct kith_out;
struct kith_pool;
struct kith_table;

struct kith_weights {
	struct kith_metric metric; /* of metric.p features: */
	size_t *column;            /* which of those asked, or NULL: all */
	struct kith_needs needs;   /* what the table says of them */
};

/*
 * Read weights of these features from a file ("-": standard input).  A vector
 * has a weight for each of them; a matrix is of those features alone that the
 * table names, in increasing order, so that its size is that of the table.
 *
 * Fails, naming file, line and column, when the table cannot be read or has
 * not these columns, names a feature that is not among these or a feature or
 * pair twice, has a weight that is no finite number, a negative one on a diagonal,
 * or in a vector without `clip`, rows of several steps or learners, or needs
 * (table/needs.h) that cannot be read.  With `clip` a negative weight of a vector
 * is read as 0, and counted in needs.negatives.
 */
int kith_weights_read(const char *file, const struct kith_names *feature, bool clip,
    struct kith_weights *weights, struct kith_pool *pool, struct kith_err *err);

/*
 * The same for a start or for what is to be judged: a matrix may name a pair in
 * both orders, W_ij and W_ji, and have any sign on its diagonal.  With
 * `symmetric` it fails where W_ij and W_ji differ.
 */
int kith_weights_read_full(const char *file, const struct kith_names *feature, bool symmetric,
    struct kith_weights *weights, struct kith_pool *pool, struct kith_err *err);

/*
 * Put weights into a vector (p), or a matrix (p x p), of all p features: 0 for
 * those that are not among weights->column.
 */
void kith_weights_spread(const struct kith_weights *weights, double *W, size_t p);

/*
 * Write a metric with weights as such a table: all features of a vector, or the
 * pairs i <= j of a matrix, with a last column "scaled_weight" (kith_weights_scaled()).
 * sd are the standard deviations of the metric's features.
 */
void kith_weights_put(const struct kith_metric *metric, const struct kith_names *feature,
    const double *sd, struct kith_out *out);

/*
 * The standard deviation of each feature of a table, in its units, into the pool: with the weights
 * w_i of its rows, NaN left out, and n the number of rows of w_i > 0,
 *
 *	sd_j^2 = n / (n - 1) sum_i w_i (x_ij - mean_j)^2 / sum_i w_i,	mean_j = sum_i w_i x_ij / sum_i w_i
 *
 * 0 where n < 2, and NaN of texts.  Time O(n p).
 */
double *kith_weights_deviations(const struct kith_table *t, struct kith_pool *pool);

/*
 * The weight of the same difference counted in standard deviations: w sd_i sd_j, of
 * KITH_ABSOLUTE w sd_i; w where one of them is NaN.  Weights of features in different units are compared by it.
 */
double kith_weights_scaled(enum kith_metric_kind kind, double w, double sd_i, double sd_j);

/*
 * The p features from the largest weight to the smallest, into order (p); of
 * equal weights the earlier feature comes first.  Time O(p log p).
 */
void kith_weights_order(size_t p, const double *w, size_t *order);

/*
 * Drops a share of p features: copies the weights w (p) into out (p), and sets the floor(share p)
 * smallest of them to 0; of equal weights the later ones first.  0 <= share <= 1.  Time
 * O(p log p).
 */
void kith_weights_drop(size_t p, const double *w, double share, double *out);

#endif
