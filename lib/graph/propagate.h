/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/propagate - label propagation: four equations, their solution, and a proof of the classes.
 *
 * Nodes A have labels Y (c columns), the nodes U have none.  With W, d, D, L of graph/graph.h and
 * h_i = sqrt(d_i), the scores are F = diag(h) G with
 *
 *	harmonic    L_UU F_U = W_UA Y_A, F_A = Y_A; h = 1       (Zhu, Ghahramani, Lafferty 2003)
 *	normalized  L_UU G_U = W_UA G_A, G_A = D_A^-1/2 Y_A
 *	spread      (D / a - W) G = (1 / a - 1) D^1/2 Y, that is
 *	            (I - a D^-1/2 W D^-1/2) F = (1 - a) Y        (Zhou et al. 2004)
 *	poisson     L F = Y - mean of Y over A, sum_i d_i F_i = 0, in each component; h = 1
 *	                                                         (Calder et al. 2020)
 *
 * All are A G = b with a symmetric M-matrix A >= 0, A^-1 >= 0, and diagonal a.  Components without
 * a label get no scores.
 */
#ifndef KITH_GRAPH_PROPAGATE_H
#define KITH_GRAPH_PROPAGATE_H

#include "graph/graph.h"
#include "solve/gth.h"
#include "table/check.h"

enum kith_prop_method {
	KITH_PROP_HARMONIC,
	KITH_PROP_NORMALIZED,
	KITH_PROP_SPREAD,
	KITH_PROP_POISSON
};

/*
 * Labels of the n nodes: classes y (KITH_NO_CLASS: none), a column each; or, where y is NULL,
 * numbers u (NaN: none) in one column, with ones in a second column if c is 2.
 */
struct kith_prop_labels {
	const size_t *y;
	const double *u;
	size_t c;
};

enum kith_prop_solver { KITH_PROP_NONE, KITH_PROP_CG, KITH_PROP_CHOLESKY, KITH_PROP_GTH };

struct kith_prop {
	const struct kith_undirected *graph;
	const struct kith_prop_labels *labels;
	enum kith_prop_method method;
	double alpha; /* a of spread, 0 < a < 1; 1 for other methods */

	bool *reached;    /* n: the component of the node has a label */
	size_t unreached; /* nodes that are not reached */
	size_t *single; /* n: poisson: the one class of the labels of the component, or SIZE_MAX */
	bool *fixed;    /* n: the node has no equation: its G is given, or 0 */
	size_t n_free;  /* nodes that are not fixed */
	double *h;      /* n: F_i = h_i G_i */
	double load;  /* over all nodes, row i of A sums to load d_i; its diagonal is d_i / alpha */
	double *mean; /* components x c: means of the labels */
	double top;   /* the largest |G| that is given, or that a label alone gives its node */
	double *X;    /* n x c: G */

	/* Set by kith_prop_solve(). */
	enum kith_prop_solver solver;
	size_t iterations; /* conjugate gradients */
	double fill;       /* entries of the factor, where one was ordered */
	/*
	 * n: z > 0 with A z about a: the expected number of steps of a random walk from a node to a
	 * fixed one.  It bounds the error of each score.  NULL after elimination.
	 */
	double *z;
	/*
	 * After elimination: |error of G_ik| <= error.relative size_ik (n x c) + error.absolute
	 * top.
	 */
	double *size;
	struct kith_gth_error error;
};

enum { KITH_PROP_CHECKS = 4 };

/*
 * What is proved of X.  The checks, in this order:
 *
 *	residual   the largest |b - A X|_i / a_i, and error of a given score, over the largest |G|
 *	maximum    how far G leaves the range of the labels (poisson: of the labelled nodes), likewise
 *	mean       poisson: |sum d_i F_i| / sum d_i |F_i| in the worst component
 *	undecided  nodes whose class the error bound leaves open, or for which another class is
 *	           claimed; NA where all undecided nodes are tied
 *	error      for numbers, in place of undecided: a bound of their error over their range
 */
struct kith_prop_proof {
	size_t *y; /* n: the predicted class, KITH_NO_CLASS if not reached; NULL: numbers */
	size_t tied, undecided; /* nodes */
	struct kith_check check[KITH_PROP_CHECKS];
	size_t n;   /* checks */
	bool holds; /* no check says no */
};

bool kith_prop_is_labelled(const struct kith_prop_labels *l, size_t i);

/* Whether the scores of node i are its labels. */
bool kith_prop_is_given(const struct kith_prop *p, size_t i);

/*
 * Poses the problem, in the pool: X has the given G, and 0 elsewhere.  The arguments must stay
 * where they are.
 */
void kith_prop_pose(const struct kith_undirected *graph, const struct kith_prop_labels *labels,
    enum kith_prop_method method, double alpha, struct kith_prop *p, struct kith_pool *pool);

/* F_ik, in the units of the labels. */
double kith_prop_score(const struct kith_prop *p, size_t i, size_t k);

/*
 * Solves for X, to a residual of about 1e-14, and for z; where X is a claim for z alone.  The same
 * bytes for any number of threads.
 */
void kith_prop_solve(struct kith_prop *p, size_t threads, bool is_claim, struct kith_pool *pool);

/*
 * Judges p->X, which kith_prop_solve() has found, or which somebody claims together with the
 * classes `claimed` (n, or NULL for numbers).  Where a check says no, the equations are solved
 * again by elimination, if that fits: that solution replaces p->X unless it is a claim, and is what
 * errors are measured from.
 */
void kith_prop_prove(struct kith_prop *p, bool is_claim, const size_t *claimed,
    struct kith_prop_proof *proof, struct kith_pool *pool);

#endif
