/*
 * immigrate - weights of features and of their interactions that maximise the
 * expected margin of local neighbours (Zhao, Ni et al., IMMIGRATE; im4e is
 * its vector form).
 *
 * With D = |x_n - x_i|, d = D' W D, and for each row n the softmax weights
 *
 *	alpha_ni ~ exp(-d/sigma) over the hits: rows of its class, itself out
 *	beta_ni  ~ exp(-d/sigma) over the misses: rows of all other classes
 *
 * C (3.5) = sum_n weight_n (sum_i alpha d - sum_i beta d)
 *	   + sigma sum_n weight_n (entropy(beta) - entropy(alpha)),
 * Sigma = sum_n weight_n (sum_i alpha D D' - sum_i beta D D'), and W becomes
 *the negative part of Sigma, normalised (Theorem 3.1): a Frank-Wolfe step with
 *the closed form V.  F(W) = sigma sum_n weight_n (log sum_misses exp(-d/sigma)
 *- log sum_hits exp(-d/sigma)) has the gradient Sigma; the plain iteration may
 * raise it.  A row without hits has its miss part alone.
 */
#ifndef KITH_IMMIGRATE_H
#define KITH_IMMIGRATE_H

#include "mat.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

struct kith_immigrate_rows {
	const struct kith_mat *X; /* n x p, finite */
	const size_t *y;          /* n classes, 0..c-1 */
	size_t c;                 /* >= 2 of them have rows */
	const double *weight;     /* n, >= 0, eq. (3.14); NULL: all 1 */
};

enum kith_immigrate_end {
	KITH_IMMIGRATE_CONVERGED, /* by the stopping rule */
	KITH_IMMIGRATE_LIMIT,     /* after max_iter */
	KITH_IMMIGRATE_CYCLE,     /* a 2-cycle: the W of lowest F is given */
	KITH_IMMIGRATE_KEPT       /* Sigma has no negative eigenvalue (im4e:
				     u no negative entry): the W before it */
};

/* One iteration, for --trace. */
struct kith_immigrate_trace {
	size_t iteration;  /* 0: the start */
	double C, F, step; /* C may be NaN under the package's rules */
};

typedef void kith_immigrate_tell(
    void *to, const struct kith_immigrate_trace *trace);

struct kith_immigrate_how {
	double sigma;     /* > 0 */
	bool package;     /* the rules of the published package */
	bool monotone;    /* damped steps: F never rises (paper's rules) */
	size_t max_iter;  /* >= 1 */
	double tol;       /* stop at |dC| <= tol max(1, |C|); 0: never;
			     package: at |dC| <= tol */
	double threshold; /* Step 4: smaller entries become 0; 0: off */
	size_t threads;
	kith_immigrate_tell *tell; /* or NULL */
	void *to;
};

struct kith_immigrate_fit {
	enum kith_immigrate_end end;
	size_t iterations;
	double C, F;  /* at the weights given */
	bool no_cost; /* package: a cost was no number; iteration went on */
};

/*
 * W (p x p, symmetric) holds the start, of Frobenius norm 1, and receives the
 * weights.  Time per iteration O(n^2 p^2 / 2); memory O(p^2) per thread, and
 * the distances of all pairs, 4 n^2 bytes, up to n = 10,000 (above they are
 * computed twice); where p (p + 1) / 2 exceeds the number of pairs of rows the
 * eigenvectors come from the Gram matrix of the pairs.
 */
void kith_immigrate(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, double *W,
    struct kith_immigrate_fit *fit);

/*
 * The same for a vector: d = sum_j w_j D_j, u = Sigma's sum of D in place of
 * D D', w = (-u)+ / sum; w (p) holds the start, of sum 1.  Time per iteration
 * O(n^2 p).
 */
void kith_im4e(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, double *w,
    struct kith_immigrate_fit *fit);

/*
 * C and F at W and, where they are not NULL, Sigma (p x p) and V (p x p), the
 * closed form that the next iteration would take; returns whether there is one
 * (Sigma has a negative eigenvalue).  For check_immigrate.h and for tests.
 */
bool kith_immigrate_at(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, const double *W,
    struct kith_immigrate_trace *at, double *Sigma, double *V);

#endif
