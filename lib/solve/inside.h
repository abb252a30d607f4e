/* SPDX-License-Identifier: BSD-2-Clause */
/* solve/inside - an M-matrix (solve/mmat.h) as a sparse one (solve/sparse.h). */
#ifndef KITH_SOLVE_INSIDE_H
#define KITH_SOLVE_INSIDE_H

#include <stddef.h>

struct kith_mmat;
struct kith_pool;
struct kith_sparse;

/*
 * A as S, whose rows are the nodes that are in, in their order: row j is
 * *node[j].  S is in its pool, *node in the other.  Time O(entries), memory 24
 * bytes an edge.
 */
void kith_mmat_inside(const struct kith_mmat *A, struct kith_sparse *S, struct kith_pool *of_s,
    size_t **node, struct kith_pool *of_node);

#endif
