/* SPDX-License-Identifier: BSD-2-Clause */
/* immigrate/problem - what immigrate/immigrate.h is asked, and answers. */
#ifndef KITH_IMMIGRATE_PROBLEM_H
#define KITH_IMMIGRATE_PROBLEM_H

#include "la/mat.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_immigrate_rows {
	const struct kith_mat *X; /* n x p, finite */
	const size_t *y;          /* n classes, 0..c-1 */
	size_t c;                 /* >= 2 of them have rows */
	const double *weight;     /* n, >= 0, eq. (3.14); NULL: all 1 */
};

enum kith_immigrate_end {
	KITH_IMMIGRATE_CONVERGED, /* by the stopping rule; monotone: or no step
				     lowers F */
	KITH_IMMIGRATE_LIMIT,     /* after max_iter */
	KITH_IMMIGRATE_CYCLE,     /* a 2-cycle: the W of lowest F is given */
	KITH_IMMIGRATE_KEPT       /* Sigma has no negative eigenvalue (im4e:
				     u no negative entry), or no entry reaches
				     the threshold: the W before it */
};

/* Weights, for --trace: C and F at the W that iteration leaves. */
struct kith_immigrate_trace {
	size_t iteration; /* 0: the start */
	double C, F;      /* C: of the rules; the package's may be NaN */
	double step;      /* of W towards V: 1, damped less, 0 for the start */
};

typedef void kith_immigrate_tell(void *to, const struct kith_immigrate_trace *trace);

/*
 * The rules of the paper: stop at |dC| <= tol max(1, |C|), where W has moved by
 * .1 at most in any entry (C may stand still on a cycle), or at a 2-cycle, that
 * is where W is within 1e-12 of the last but one, and not within 1e-6 of the
 * last.  With tol 0 neither is looked for: only max_iter and KEPT end the
 * iteration, with monotone also that no step lowers F.
 *
 * monotone: W becomes W + g (V - W), normalised, for the first of g = 1, 1/2,
 * 1/4, ... 2^-30 that lowers F, up to 5000 rows from twice the last g on.  There,
 * after 20 steps, V is replaced by the projection of W - t G, normalised, with G the
 * gradient of F along the sphere of norm 1 and t the length of Barzilai and Borwein
 * (1988), as long as such a step lowers F: a spectral projected gradient (Birgin,
 * Martinez & Raydan 2000), which has the same fixed points.  A matrix only: a vector
 * has sum 1, and its fixed point no least F, so that such steps would end before it.
 * Up to 5000 rows of more than 24 features C and F are known on the way but for
 * pairs of rows that hardly count, Sigma but for the rounding of floats, and C has
 * to stand still twice in a row: these steps are of uneven length.  F falls by
 * more than its error.  At the end all is known.
 *
 * damped: W becomes W + g (V - W), g = 1 at first, and half of it wherever a
 * 2-cycle would end the iteration, and after every 50 iterations: fixed points
 * are the same, and those that repel the whole steps attract shorter ones.  A
 * vector only.
 *
 * threshold (Step 4): entries below it (negative ones too) become 0, and W is
 * normalised, in every iteration behind max_iter / 2, or behind the one that
 * ends by a stopping rule before that: then at most max_iter - max_iter / 2
 * more follow, with the same stopping rules among themselves.  monotone: the
 * first of these cuts W itself, and may raise F; then damped steps are cut.
 *
 * The rules of the package: V's negative entries become 0 and V is normalised;
 * threshold in every iteration, and not normalised.  Weights of rows count in
 * Sigma, not in C, which is tr(Sigma) + sigma sum_n (entropy(beta) -
 * entropy(alpha)); im4e: v'u + the same + |v|^2, v the closed form.  Iteration
 * t is the last where |C(W_t-1) - C(W_t-2)| <= tol; C before the start is 1.  C
 * is NaN where some exp(-d/sigma), or its share, is 0 in a double.
 */
struct kith_immigrate_how {
	double sigma;     /* > 0 */
	bool package;     /* the rules of the published package */
	bool monotone;    /* damped steps: F never rises (paper's rules); im4e
			     has none */
	bool damped;      /* im4e: steps are halved at a 2-cycle, and every 50 */
	size_t max_iter;  /* >= 1 */
	double tol;       /* >= 0 */
	double threshold; /* Step 4; 0: off */
	size_t threads;
	kith_immigrate_tell *tell; /* or NULL */
	void *to;
	double *votes; /* NULL, or n x c: receives kith_immigrate_soft_votes() */
};

struct kith_immigrate_fit {
	enum kith_immigrate_end end;
	size_t iterations;
	double C, F;  /* at the weights given */
	bool no_cost; /* package: a cost was no number; iteration went on */

	/*
	 * How far the weights are from a fixed point (immigrate/check.h; inf
	 * where that is not known), and whether this is so far within the limit
	 * of tol that rounding cannot matter: then immigrate/check.h says yes.
	 */
	double gap;
	bool sure;
	bool open; /* the end leaves it to immigrate/check.h to decide */
};

#endif
