/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/prove - scores of labels on a graph, judged: by the bound of what is
 * left of the equations, and where that says no, by an exact solution.
 */
#ifndef KITH_GRAPH_PROVE_H
#define KITH_GRAPH_PROVE_H

#include "graph/prop_check.h"
#include "graph/prop_class.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;
struct kith_prop;
struct kith_prop_solved;

struct kith_proof {
	struct kith_prop_errors errors;
	struct kith_prop_classes classes; /* where labels are classes */
	struct kith_check check[KITH_PROP_CHECKS];
	size_t n; /* checks */
};

/*
 * Judge p->X as kith_prop_solve() has left it; the exact solution, where one is
 * needed and fits, takes its place.
 */
void kith_prove(struct kith_prop *p, struct kith_prop_solved *solved, struct kith_proof *proof,
    struct kith_pool *pool);

/*
 * Judge p->X that somebody claims, with the classes y (n; NULL: of numbers); z
 * is that of kith_prop_walk().
 */
void kith_prove_claim(const struct kith_prop *p, const double *z, const size_t *y,
    struct kith_proof *proof, struct kith_pool *pool);

#endif
