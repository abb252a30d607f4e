/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/graph - directed weighted lists of rows: what local methods give, what
 * edge tables hold, and what is made symmetric or checked.
 */
#ifndef KITH_NEAR_GRAPH_H
#define KITH_NEAR_GRAPH_H

#include <stddef.h>

/*
 * m lists, that of row first + i being entries start[i]..start[i+1]-1, each
 * row of the reference at most once in a list.  An entry of weight 0 is a
 * candidate that got no edge.
 */
struct kith_graph {
	size_t first, m;
	size_t *start; /* m + 1 */
	size_t *to;    /* rows of the reference, from 0 */
	double *w;     /* weights, >= 0 but for signed ones that a method or a
			  reader says; NULL: candidates alone */
	double *d;     /* sqrt(d) of near/metric.h; NULL: not known */
	double *J;     /* m local errors, eq. (5); NULL: not known */
};

#endif
