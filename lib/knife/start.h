/* knife/start - the weights that knife starts from, and those of its files. */
#ifndef KITH_KNIFE_START_H
#define KITH_KNIFE_START_H

#include "near/metric.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_names;
struct kith_pool;

/* What --start says: the name of a file, or a number for all; NULL: .5. */
bool kith_knife_start_is_file(const char *start);

/* Whether a start that is no file is a number in [0, 1]. */
bool kith_knife_start_is_good(const char *start);

/*
 * Read a vector of weights of this kind for these p features into *w, in the
 * pool.  Fails as kith_weights_read() does, and on weights of another kind.
 */
int kith_knife_start_weights(const char *file, const struct kith_names *feature,
    enum kith_metric_kind kind, double **w, struct kith_pool *pool,
    struct kith_err *err);

/*
 * The p weights of a good start or a file.  Fails as above, and where a weight
 * is above 1.
 */
int kith_knife_start(const char *start, const struct kith_names *feature,
    enum kith_metric_kind kind, double **w, struct kith_pool *pool,
    struct kith_err *err);

#endif
