/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/prop_check - the judge of scores of labels on a graph (graph/prop.h),
 * from the graph and the labels alone.
 *
 *	residual   the largest |r_i| / a_i of the equations, of the largest G;
 *	           of given labels, how far their scores are off
 *	maximum    how far G leaves the range of what is given, of the largest:
 *	           0 to 1 for harmonic, that of the labelled nodes for poisson
 *	mean       poisson: |sum d_i F_i| / sum d_i |F_i| in a component
 *	error      numbers: a bound of their error, of the range of the labels
 *	undecided  classes: nodes whose class the bound of graph/prop_class.h
 *	           leaves open, or that are said to be of another; where all of
 *	           these are tied, and of poisson, nothing is decided
 */
#ifndef KITH_GRAPH_PROP_CHECK_H
#define KITH_GRAPH_PROP_CHECK_H

#include "table/check.h"

#include <stddef.h>

struct kith_prop;
struct kith_prop_classes;
struct kith_prop_errors;

enum { KITH_PROP_CHECKS = 4 };

/*
 * Judge p->X; classes are those of kith_prop_classify(), or NULL for numbers,
 * and y (n), or NULL, those that are claimed.  The number of checks.
 */
size_t kith_prop_check(const struct kith_prop *p, const struct kith_prop_errors *errors,
    const struct kith_prop_classes *classes, const size_t *y,
    struct kith_check out[KITH_PROP_CHECKS]);

#endif
