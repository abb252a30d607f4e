/* SPDX-License-Identifier: BSD-2-Clause */
/* graph/prop_exact - the scores of labels on a graph, without subtraction. */
#ifndef KITH_GRAPH_PROP_EXACT_H
#define KITH_GRAPH_PROP_EXACT_H

#include <stdbool.h>

struct kith_gth_error;
struct kith_prop;

/*
 * Solve by solve/gth.h into X (n x p->ld), which has what is given: false where
 * it does not fit.  *error becomes that of each number (solve/gth.h).
 */
bool kith_prop_exact(const struct kith_prop *p, double *X, struct kith_gth_error *error);

#endif
