/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/prop_class - the classes that scores (graph/prop.h) say, and which of
 * them no error of the scores can change.
 *
 * A >= 0 has an inverse >= 0: where A z >= (1 - eps) a, a being A's diagonal
 * and z > 0, what is left of the equations, |r_i| <= t a_i, bounds the error of
 * each G_i by t z_i / (1 - eps).
 */
#ifndef KITH_GRAPH_PROP_CLASS_H
#define KITH_GRAPH_PROP_CLASS_H

#include "solve/gth.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;
struct kith_prop;

/* What bounds the error of G_ik. */
struct kith_prop_errors {
	const double *z;           /* n, divided by 1 - eps; NULL: */
	double *t;                 /* ld; or */
	const double *exact;       /* n x ld: G of solve/gth.h, and */
	struct kith_gth_error off; /* the error of that; or */
	bool unknown;              /* nothing does */
};

/*
 * What bounds the errors of p->X, whose residuals are looked at; z as
 * graph/prop_solve.h has it, or NULL.  Rounding is accounted for.
 */
void kith_prop_bound(const struct kith_prop *p, const double *z, struct kith_prop_errors *errors,
    struct kith_pool *pool);

/* The same of an exact solution that is known, as large as p->X. */
struct kith_prop_errors kith_prop_bound_exact(const double *X, const struct kith_gth_error *error);

/* The error of G_ik. */
double kith_prop_error(
    const struct kith_prop *p, const struct kith_prop_errors *errors, size_t i, size_t k);

struct kith_prop_classes {
	size_t *y;              /* n; KITH_NO_CLASS where the node is not reached */
	size_t tied, undecided; /* nodes */
};

/*
 * The class of each node with the largest score.  Scores that are equal, or
 * agree to 1e-12 and are at least as exact, are tied: the first of their classes
 * in byte order counts.  A node is undecided where another class could have the
 * largest score.  There is no bound for poisson, so no node counts as undecided.
 */
void kith_prop_classify(const struct kith_prop *p, const struct kith_prop_errors *errors,
    struct kith_prop_classes *out, struct kith_pool *pool);

#endif
