/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/weights - feature weights, and paths of them, as one command writes them and the next reads
 * them.
 *
 * The header of the table says what a weight multiplies (near/metric.h):
 *
 *	feature weight                  KITH_SQUARED
 *	feature weight_abs              KITH_ABSOLUTE
 *	feature1 feature2 weight        KITH_SQUARED_MATRIX
 *	feature1 feature2 weight_abs    KITH_ABSOLUTE_MATRIX
 *
 * in any order, other columns aside.  A feature that the table does not name has weight 0; of a
 * pair of features one order is named, and stands for both.  With the columns "learner", "alpha"
 * and "sigma" the table is an ensemble, as immigrate --boost prints it: a metric for each learner.
 * With the columns "step" and "theta" or "lambda2" it is a path, as sqpfw and knife print it: a
 * metric for each step.
 *
 * Comment lines before the header say what the weights were found with:
 *
 *	# sigma<TAB>2         the bandwidth of immigrate, for knnclf --vote expected
 *	# k<TAB>3             the number of neighbours that the weights were chosen for
 *	# scale<TAB>zscore    how the rows were scaled that the weights were learnt from
 *	# theta<TAB>.1        where sqpfw found the weights; the value is not used
 *
 * Weights are in the units of the table whatever its scale, so that rows must not be scaled once
 * more beside them.
 */
#ifndef KITH_TABLE_WEIGHTS_H
#define KITH_TABLE_WEIGHTS_H

#include "kernel/kern.h"
#include "near/metric.h"
#include "table/unit.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_out;
struct kith_table;

/* What the comment lines of a table of weights say; 0: nothing. */
struct kith_needs {
	const char *file; /* the table, for messages */
	double sigma;     /* > 0 */
	size_t k;
	int scale;        /* a method of table/unit.h */
	size_t unknowns;  /* keys without a meaning */
	char unknown[61]; /* the first of these keys, cut */
	size_t negatives; /* negative weights that were read as 0 */
};

/*
 * A learner of an ensemble, where the class of the smallest expected distance gets alpha votes; or
 * a step of a path.
 */
struct kith_learner {
	size_t number;       /* of a learner in the table that is printed; of a step that it has */
	double alpha, sigma; /* of a learner */
	double parameter;    /* of a step: theta or lambda2 */
	struct kith_metric metric;
};

struct kith_weights {
	struct kith_metric
	    metric;              /* of metric.p features; of an ensemble or path the first metric */
	size_t *column;          /* metric.p: the feature that each of them is; NULL: all */
	struct kith_needs needs; /* of an ensemble: 0 */
	struct kith_learner *learner; /* the members of an ensemble */
	size_t learners;              /* 0: the table is not an ensemble */
	const char *parameter;        /* of a path "theta" or "lambda2", else NULL */
	struct kith_learner *step;    /* the steps of a path */
	size_t steps;                 /* 0: the table is not a path; else 2 or more */
};

/* How to read a table of weights: none, or a sum, of these. */
enum {
	KITH_WEIGHTS_CLIP = 1, /* negative weights of a vector are read as 0, and counted */
	KITH_WEIGHTS_FULL = 2, /* pairs in both orders, W_ij and W_ji; any sign on a diagonal */
	KITH_WEIGHTS_SYMMETRIC = 4, /* FULL, but W_ij = W_ji */
	KITH_WEIGHTS_ENSEMBLE = 8,  /* an ensemble, or a single metric */
	KITH_WEIGHTS_PATH = 16      /* a path, or a single metric */
};

/*
 * Reads weights of these features from a file ("-": standard input).  A vector has a weight for
 * each of them; a matrix is of those features alone that the table names, in increasing order, so
 * that its size is that of the table.
 *
 * Fails, naming file, line and column, when the table cannot be read or lacks a column, names a
 * feature that is not among these or a feature or pair twice, has a weight that is no finite
 * number, a negative one in a vector or on a diagonal, rows of several steps or learners, an alpha
 * or sigma that is not above 0 or not the same in all rows of its learner, a theta or lambda2 that
 * is below 0 or not the same in all rows of its step, a step that is no count, or comment lines
 * that cannot be read: a sigma that is no number above 0, a k that is no count from 1, one of them
 * twice, a scale that is no method of table/unit.h.
 */
int kith_weights_read(const char *file, const struct kith_names *feature, int how,
    struct kith_weights *weights, struct kith_pool *pool, struct kith_err *err);

/*
 * Reads weights of the features of a table as kith_weights_read() does (file NULL: all are 1), and
 * drops the features that a matrix does not name from the table and from a query with its features,
 * if that was read (kith_table_take()).
 */
int kith_weights_read_for(const char *file, int how, struct kith_table *table,
    struct kith_table *query, struct kith_weights *weights, struct kith_pool *pool,
    struct kith_err *err);

/*
 * Prepares the rows of a table and of its query for a kernel: for the cosine, scales them to length
 * 1.  Fails where the weights of the file give no kernel (kernel/kern.h), for the cosine on a row
 * of zeros, and for the linear kernel where all features are so small that products underflow.
 */
int kith_weights_kernel(enum kith_kern_kind kernel, const struct kith_metric *metric,
    const char *file, struct kith_table *table, struct kith_table *query, struct kith_err *err);

/*
 * Puts weights into a vector (p), or a matrix (p x p), of all p features: 0 for those that are not
 * among weights->column.
 */
void kith_weights_spread(const struct kith_weights *weights, double *W, size_t p);

/* Writes the comment lines of sigma and scale. */
void kith_needs_put(const struct kith_needs *needs, struct kith_out *out);

/*
 * Writes a metric with weights as such a table: all features of a vector, or the pairs i <= j of a
 * matrix, with a last column "scaled_weight": the weight of the same
 * difference counted in standard deviations, w sd_i sd_j, of KITH_ABSOLUTE w sd_i, or w where one
 * of them is NaN.  Weights of features in different units are compared by it.  sd are the standard
 * deviations of the metric's features.
 */
void kith_weights_put(const struct kith_metric *metric, const struct kith_names *feature,
    const double *sd, struct kith_out *out);

/* Writes an ensemble of KITH_ABSOLUTE_MATRIX metrics of these features. */
void kith_weights_put_learners(
    const struct kith_weights *weights, const struct kith_names *feature, struct kith_out *out);

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
 * The p features from the largest weight to the smallest, into order (p); of equal weights the
 * earlier feature comes first.  Time O(p log p).
 */
void kith_weights_order(size_t p, const double *w, size_t *order);

/*
 * Drops a share of p features: copies the weights w (p) into out (p), and sets the floor(share p)
 * smallest of them to 0; of equal weights the later ones first.  0 <= share <= 1.  Time
 * O(p log p).
 */
void kith_weights_drop(size_t p, const double *w, double share, double *out);

/* ---- Solution paths as tables. ---- */

/*
 * A path is written as its solutions, "step theta feature weight scaled_weight" (of another
 * parameter or kind of weights: lambda2, weight_abs), with the entries that are not 0.  Steps count
 * from 1.  A solution that jumps has two steps at one value of the parameter: the limit from before,
 * and what follows.
 */

/* A path of weights of features. */
struct kith_path_form {
	const char *parameter;      /* its column, say "theta" */
	enum kith_metric_kind kind; /* of the weights: KITH_SQUARED or KITH_ABSOLUTE */
	const struct kith_names *feature;
	const double *sd; /* of the features (kith_weights_deviations()) */
};

/* Write the header. */
void kith_path_header(const struct kith_path_form *form, struct kith_out *out);

/*
 * Write one step: the weights w that are not 0, with their features; where
 * all are 0, one row NA, 0, 0, so that the table tells of the step.  The output is
 * flushed: somebody may wait for it.
 */
void kith_path_step(const struct kith_path_form *form, size_t step, double parameter,
    const double *w, struct kith_out *out);

#endif
