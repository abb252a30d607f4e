/*
 * weights - feature weights as one tool writes them and the next reads them.
 *
 * The header of the table says what a weight multiplies (metric.h):
 *
 *	feature weight                  KITH_SQUARED
 *	feature weight_abs              KITH_ABSOLUTE
 *	feature1 feature2 weight        KITH_SQUARED_MATRIX
 *	feature1 feature2 weight_abs    KITH_ABSOLUTE_MATRIX
 *
 * in any order, other columns aside.  What the table does not name has weight
 * 0; of a pair of features one order is named, and stands for both.
 */
#ifndef KITH_WEIGHTS_H
#define KITH_WEIGHTS_H

#include "metric.h"

#include <stddef.h>

struct kith_err;
struct kith_names;
struct kith_pool;

struct kith_weights {
	struct kith_metric metric; /* of metric.p features: */
	size_t *column;            /* which of those asked, or NULL: all */
};

/*
 * Read weights of these features from a file ("-": standard input).  A vector
 * has a weight for each of them; a matrix is of those features alone that the
 * table names, in increasing order, so that its size is that of the table.
 *
 * Fails, naming file, line and column, when the table cannot be read or has
 * not these columns, names a feature that is not among these or a feature or
 * pair twice, has a weight that is no finite number, a negative one in a vector
 * or on a diagonal, or rows of several steps or learners.
 */
int kith_weights_read(const char *file, const struct kith_names *feature,
    struct kith_weights *weights, struct kith_pool *pool, struct kith_err *err);

/*
 * Drop a share, in percent, of p features: put a copy of the weights w (p)
 * into out (p), the floor(share p / 100) smallest of them 0; of equal weights
 * the later go first.  0 <= share <= 100.  Time O(p log p).
 */
void kith_weights_drop(size_t p, const double *w, double share, double *out);

#endif
