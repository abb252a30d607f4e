/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/prop - what propagates labels over a graph (graph/graph.h): the problem
 * of each method, as the equations of an M-matrix (solve/mmat.h).
 *
 * Nodes A have labels Y (c columns), the others U have none.  With d, D, L of
 * graph/graph.h and h_i = sqrt(d_i), the scores F = diag(h) G are
 *
 *	harmonic     L_UU F_U = W_UA Y_A, F_A = Y_A; h = 1
 *	normalized   L_UU G_U = W_UA G_A, G_A = D_A^-1/2 Y_A
 *	spread       (D / a - W) G = (1 / a - 1) D^1/2 Y, that is
 *	             (I - a D^-1/2 W D^-1/2) F = (1 - a) Y
 *	poisson      L F = Y - mean of Y in A, sum_i d_i F_i = 0, both in each
 *	             component; h = 1
 *
 * (Zhu, Ghahramani, Lafferty 2003; Zhou et al. 2004; Calder et al. 2020.)
 * Components without a label get no scores.
 */
#ifndef KITH_GRAPH_PROP_H
#define KITH_GRAPH_PROP_H

#include "solve/mmat.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;
struct kith_undirected;

enum kith_prop_method {
	KITH_PROP_HARMONIC,
	KITH_PROP_NORMALIZED,
	KITH_PROP_SPREAD,
	KITH_PROP_POISSON
};

#define KITH_PROP_WORDS "harmonic|normalized|spread|poisson"

/*
 * Labels: classes y (n, KITH_NO_CLASS where there is none), a column each, or,
 * where y is NULL, numbers u (n, NaN where there is none) in one column, with
 * ones in a second one if c is 2.
 */
struct kith_prop_labels {
	const size_t *y;
	const double *u;
	size_t c;
};

/* Whether node i has a label, and what it says in column k. */
bool kith_prop_is_labelled(const struct kith_prop_labels *l, size_t i);
double kith_prop_label(const struct kith_prop_labels *l, size_t i, size_t k);

struct kith_prop {
	const struct kith_undirected *graph;
	const struct kith_prop_labels *labels;
	enum kith_prop_method method;
	double alpha; /* a of spread, 0 < a < 1 */

	bool *reached; /* n: the node's component has a label */
	size_t unreached;
	size_t *only; /* n: poisson: the class of a component of one class */
	double *h;    /* n, or NULL: all 1 */

	/* The equations: nodes whose G is given are out of A. */
	struct kith_mmat A;
	size_t in;    /* nodes in A */
	size_t ld;    /* columns of X: c, or with more than one, c rounded up */
	double *X;    /* n x ld: G */
	double top;   /* the largest G that is given, or that sources ask for */
	double *mean; /* components x c: poisson */
};

/*
 * Pose the problem, in the pool: X has what is given, and 0 elsewhere.  What is
 * pointed at stays where it is.  Time O(entries + n c), memory 8 n ld.
 */
void kith_prop_pose(const struct kith_undirected *graph, const struct kith_prop_labels *labels,
    enum kith_prop_method method, double alpha, struct kith_prop *p, struct kith_pool *pool);

/* What sources add to the equation of node i in column k. */
double kith_prop_source(const struct kith_prop *p, size_t i, size_t k);

/* R = what is left of the equations, n x ld: sources and solve/mmat.h. */
void kith_prop_rest(const struct kith_prop *p, const double *X, double *R, size_t threads);

/* Bring sum_i d_i F_i of poisson to 0 in each component. */
void kith_prop_centre(struct kith_prop *p);

/* F_ik of a node that is reached. */
double kith_prop_score(const struct kith_prop *p, size_t i, size_t k);

#endif
