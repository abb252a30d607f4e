/*
 * wsvmpath/validate_change - where along a path a measure changes: it is the
 * mean of parts, rows or queries, each constant between its changes.
 */
#ifndef KITH_WSVMPATH_VALIDATE_CHANGE_H
#define KITH_WSVMPATH_VALIDATE_CHANGE_H

#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>

/* From theta on, a part of the measure has another value. */
struct kith_wsvm_change {
	double theta;
	size_t part;
	double value; /* error: the cost where the row is wrong */
	bool wrong;
};

/* Changes in a piece of the path. */
struct kith_wsvm_changes {
	struct kith_pool *pool;
	struct kith_wsvm_change *v;
	size_t n, room;
};

static inline void
kith_wsvm_changes_add(
    struct kith_wsvm_changes *list, const struct kith_wsvm_change *change)
{
	list->v = kith_more(
	    list->pool, list->v, list->n, &list->room, sizeof(*list->v));
	list->v[list->n++] = *change;
}

/*
 * Whether only rounding lies between two thetas: where all f are 0 but for
 * rounding, their zeros are as close as that.
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

#endif
