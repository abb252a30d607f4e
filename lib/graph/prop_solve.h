/* SPDX-License-Identifier: BSD-2-Clause */
/* graph/prop_solve - the scores of labels on a graph (graph/prop.h). */
#ifndef KITH_GRAPH_PROP_SOLVE_H
#define KITH_GRAPH_PROP_SOLVE_H

#include "solve/gth.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;
struct kith_prop;

enum kith_prop_solver {
	KITH_PROP_GIVEN, /* there was nothing to solve */
	KITH_PROP_CG,
	KITH_PROP_CHOLESKY,
	KITH_PROP_GTH
};

struct kith_prop_solved {
	enum kith_prop_solver solver;
	size_t iterations; /* of conjugate gradients */
	double fill;       /* entries of the factor, where one was thought of */

	/*
	 * What errors are judged by: n numbers z with A z near diag(a) 1, in
	 * steps of a random walk until it is out; NULL: none, as of poisson.
	 */
	double *z;

	struct kith_gth_error error; /* after GTH: of each G */
};

/*
 * Solve: p->X becomes G, to a residual of 1e-12 and better where doubles allow.
 * Conjugate gradients where a few steps of them foretell that they are quick,
 * else a sparse Cholesky factor while it fits and pays; small problems, and
 * weights too far apart for doubles, by solve/gth.h.  The same bytes for any
 * number of threads.
 */
void kith_prop_solve(
    struct kith_prop *p, size_t threads, struct kith_prop_solved *out, struct kith_pool *pool);

/* The z of above alone, in the pool; NULL where there is none. */
double *kith_prop_walk(const struct kith_prop *p, size_t threads, struct kith_pool *pool);

#endif
