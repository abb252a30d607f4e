/*
 * immigrate/immigrate - weights of features and of their interactions that
 * maximise the expected margin of local neighbours (Zhao, Ni et al., IMMIGRATE;
 * im4e is its vector form).
 *
 * With D = |x_n - x_i|, d = D' W D, and for each row n the softmax weights
 *
 *	alpha_ni ~ exp(-d/sigma) over the hits: rows of its class, itself out
 *	beta_ni  ~ exp(-d/sigma) over the misses: rows of all other classes
 *
 * C (3.5) = sum_n weight_n (sum_i alpha d - sum_i beta d)
 *	   + sigma sum_n weight_n (entropy(beta) - entropy(alpha)),
 * Sigma = sum_n weight_n (sum_i alpha D D' - sum_i beta D D'), and W becomes
 * V, the negative part of Sigma, normalised (Theorem 3.1).  F(W) = sigma sum_n
 * weight_n (log sum_misses exp(-d/sigma) - log sum_hits exp(-d/sigma)) has the
 * gradient Sigma, so that this is a Frank-Wolfe step; it may raise F.  At the
 * alpha and beta of W itself, C = F.
 *
 * weight_n, D(x_n) of (3.14), multiplies the term of row n alone, as if it came
 * so many times; as a neighbour of others a row counts once.  A row that is the
 * only one of its class has no hits: its misses alone count.
 *
 * Pairs whose weights alpha, beta are below 1e-12 of a row's are left out of
 * Sigma.
 */
#ifndef KITH_IMMIGRATE_IMMIGRATE_H
#define KITH_IMMIGRATE_IMMIGRATE_H

#include "la/mat.h"

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
	KITH_IMMIGRATE_CONVERGED, /* by the stopping rule; monotone: or no step
				     lowers F */
	KITH_IMMIGRATE_LIMIT,     /* after max_iter */
	KITH_IMMIGRATE_CYCLE,     /* a 2-cycle: the W of lowest F is given */
	KITH_IMMIGRATE_KEPT       /* Sigma has no negative eigenvalue (im4e:
				     u no negative entry), or no entry reaches
				     the threshold: the W before it; im4e,
				     monotone: w is not its own V, but no step
				     lowers F */
};

/* Weights, for --trace: C and F at the W that iteration leaves. */
struct kith_immigrate_trace {
	size_t iteration; /* 0: the start */
	double C, F;      /* C: of the rules; the package's may be NaN */
	double step;      /* of W towards V: 1, damped less, 0 for the start */
};

typedef void kith_immigrate_tell(
    void *to, const struct kith_immigrate_trace *trace);

/*
 * The rules of the paper: stop at |dC| <= tol max(1, |C|), where W has moved by
 * .1 at most in any entry (C may stand still on a cycle), or at a 2-cycle, that
 * is where W is within 1e-12 of the last but one, and not within 1e-6 of the
 * last.  With tol 0 neither is looked for: only max_iter and KEPT end the
 * iteration, with monotone also that no step lowers F.
 *
 * monotone: W becomes W + g (V - W), normalised, for the first of g = 1, 1/2,
 * 1/4, ... 2^-30 that lowers F.
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
	bool monotone;    /* damped steps: F never rises (paper's rules) */
	size_t max_iter;  /* >= 1 */
	double tol;       /* >= 0 */
	double threshold; /* Step 4; 0: off */
	size_t threads;
	kith_immigrate_tell *tell; /* or NULL */
	void *to;
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

/*
 * W (p x p, symmetric) holds the start, of Frobenius norm 1, and receives the
 * weights.  The same bytes for any number of threads.  p <= 30,000.
 *
 * Time per iteration O(n^2 p^2 / 2).  Memory O(p^2) in all and per thread, and
 * the distances of all pairs, 4 n^2 bytes, up to n = 10,000; above they are
 * computed three times.  Where fewer than p / 2 pairs of rows count, the
 * eigenvectors come from the Gram matrix of these pairs.
 */
void kith_immigrate(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, double *W,
    struct kith_immigrate_fit *fit);

/*
 * The same for a vector: d = sum_j w_j D_j, u = Sigma's sum of D in place of
 * D D', w = (-u)+ / sum; w (p) holds the start, of sum 1, and is normalised to
 * it.  Time per iteration O(n^2 p), memory O(n p) and as above.
 */
void kith_im4e(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, double *w,
    struct kith_immigrate_fit *fit);

/*
 * C and F at W and, where they are not NULL, Sigma (p x p) and V (p x p), the
 * weights that the next plain iteration would take, cut where how->threshold is
 * not 0; returns whether there are such (Sigma has a negative eigenvalue).
 * A Sigma that is too large for doubles is inf.
 */
bool kith_immigrate_at(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, const double *W,
    struct kith_immigrate_trace *at, double *Sigma, double *V);

#endif
