/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/immigrate - weights of features and of their interactions that maximise the expected
 * margin of local neighbours (Zhao, Ni, Ji et al., IMMIGRATE).
 *
 * With D = |x_n - x_i|, feature by feature, and d = D' W D, row n has the softmax weights
 *
 *	alpha_ni ~ exp(-d/sigma) over its hits: the other rows of its class
 *	beta_ni  ~ exp(-d/sigma) over its misses: the rows of all other classes
 *
 *	C     = sum_n t_n (sum_i alpha d - sum_i beta d)
 *	        + sigma sum_n t_n (entropy(beta) - entropy(alpha))                 eq. (3.5), (3.14)
 *	Sigma = sum_n t_n (sum_i alpha D D' - sum_i beta D D')
 *	V     = the part of -Sigma with positive eigenvalues, of Frobenius norm 1   Theorem 3.1
 *
 * where t_n is the weight of row n; as a neighbour of other rows each row counts once, and a row
 * that is alone in its class has misses only.  At its own alpha and beta C is
 *
 *	F(W) = sigma sum_n t_n (log sum_misses exp(-d/sigma) - log sum_hits exp(-d/sigma)),
 *
 * whose gradient is Sigma, so V minimises a linear model of F on the set of admissible W: the step
 * from W to V is one of Frank and Wolfe.  im4e is the same for a vector: d = w'D, u = Sigma with D
 * in place of D D', and v = (-u)+ / sum(-u)+.
 */
#ifndef KITH_IMMIGRATE_IMMIGRATE_H
#define KITH_IMMIGRATE_IMMIGRATE_H

#include "la/mat.h"
#include "near/metric.h"
#include "table/check.h"
#include "table/weights.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_pool;

struct kith_immigrate_rows {
	const struct kith_mat *X; /* n x p, finite */
	const size_t *y;          /* n classes, 0..c-1 */
	size_t c;                 /* at least two classes have rows */
	const double *weight;     /* n, >= 0; NULL: all 1 */
};

/*
 * How the iteration goes from W to V.
 *
 * MONOTONE  A matrix: part of the way, so that F falls (solve.c).  A vector: W + g (V - W), where g
 *           is halved at each 2-cycle and after every 50 iterations.
 * PAPER     W becomes V.  A 2-cycle ends the iteration, and W of the lowest F is the result.
 * PACKAGE   As the R package Immigrate 0.2.1: negative entries of V become 0 and V is normalised
 *           again; a threshold acts in every iteration, without normalisation; row weights count in
 *           Sigma alone; C is tr(Sigma) + sigma sum_n (entropy(beta) - entropy(alpha)), for a
 *           vector v'u + the entropies + v'v.  Iteration t is the last where
 *           |C(W_t-1) - C(W_t-2)| <= tol; C before the start is 1, and NaN where an exponential
 *           vanishes.
 */
enum kith_immigrate_solver {
	KITH_IMMIGRATE_MONOTONE,
	KITH_IMMIGRATE_PAPER,
	KITH_IMMIGRATE_PACKAGE
};

struct kith_immigrate_how {
	enum kith_immigrate_solver solver;
	double sigma;    /* > 0; kith_immigrate_fit(): 0 to find it from the rows */
	size_t max_iter; /* >= 1 */
	double tol; /* C stands still where it changes by tol max(|C|, sigma sum_n t_n); 0: never */
	double threshold; /* entries below it become 0 in the second half of max_iter; 0: off;
			     below 0: 1/p */
	size_t threads;
	/* NULL, or what is called for the start, 0, and after each iteration with C, F, and the
	   share of the way from W to V. */
	void (*report)(size_t iteration, double C, double F, double step);
};

static inline double
kith_immigrate_threshold(const struct kith_immigrate_how *how, size_t p)
{
	return how->threshold < 0 ? 1 / (double)p : how->threshold;
}

enum kith_immigrate_end {
	KITH_IMMIGRATE_CONVERGED,
	KITH_IMMIGRATE_LIMIT, /* after max_iter iterations */
	KITH_IMMIGRATE_CYCLE, /* a 2-cycle; W is the one of lower F */
	KITH_IMMIGRATE_KEPT /* Sigma has no negative eigenvalue, or no entry reaches the threshold */
};

struct kith_immigrate_result {
	enum kith_immigrate_end end;
	size_t iterations;
	double C, F;       /* at the weights */
	bool no_cost;      /* package: a cost was not a number */
	bool certain;      /* the weights are a fixed point, by a bound on rounding errors */
	bool may_be_fixed; /* the judge decides, unless `certain` */
};

/*
 * Find weights by the iteration.  W holds the start, and receives the weights: p x p of Frobenius
 * norm 1, or for a vector p numbers of sum 1.  The same bytes for any number of threads.
 *
 * votes (NULL, or n x c) receives the expected distance of each row from each class under the
 * weights, without the row itself, in the units of struct kith_immigrate_data; INFINITY of a class
 * without other rows.
 *
 * Time per iteration O(n^2 p^2), of a vector O(n^2 p).  Memory O(p^2) for each thread, and the
 * distances of all pairs, 4 n^2 bytes up to 10,000 rows; three times this for MONOTONE up to 5,000.
 */
void kith_immigrate_solve(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, bool matrix, double *W,
    struct kith_immigrate_result *result, double *votes);

/*
 * The mean distances of each row to its hits and to its misses under alpha and beta, eq. (3.3):
 * hit and miss (n each); NaN without hits.
 */
void kith_immigrate_margins(const struct kith_immigrate_rows *rows,
    const struct kith_metric *metric, double sigma, size_t threads, double *hit, double *miss);

/* The judge, check.c. */
enum { KITH_IMMIGRATE_CHECKS = 4 }; /* at most */

/* The largest distance from a fixed point that --check accepts at a tolerance of C (check.c). */
double kith_immigrate_limit(double tol, bool package);

/*
 * Check weights W; returns the number of checks.  Of how: solver, sigma, tol, threshold, threads.
 */
size_t kith_immigrate_check(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, bool matrix, const double *W,
    struct kith_check check[KITH_IMMIGRATE_CHECKS]);

/* Methods, fit.c. */
enum kith_immigrate_method {
	KITH_IMMIGRATE_MATRIX,
	KITH_IMMIGRATE_VECTOR,  /* im4e */
	KITH_IMMIGRATE_SELECTED /* a matrix for the features that im4e selects */
};
enum kith_immigrate_start {
	KITH_IMMIGRATE_IDENTITY, /* equal weights of the features */
	KITH_IMMIGRATE_RANDOM,   /* numbers in [0, 1) by the seed */
	KITH_IMMIGRATE_GIVEN
};
enum {
	KITH_IMMIGRATE_SELECT_MAX = 200, /* features that im4e selects at most */
	KITH_IMMIGRATE_SIGMA_ROWS = 1000 /* rows that sigma is found from, and one for each class */
};

struct kith_immigrate_problem {
	enum kith_immigrate_method method;
	struct kith_immigrate_how how;
	enum kith_immigrate_start start; /* SELECTED: of im4e */
	const double *given;             /* the start: p x p of norm 1, or p of sum 1 */
	size_t seed;
};

/* How sigma was found: factor times the median distance to the nearest row of another class. */
struct kith_immigrate_sigma {
	double value;
	size_t rows;         /* that were looked at; 0: sigma was given */
	double unit, factor; /* unit 0: rows of different classes do not differ */
	double error;        /* share of the weight of the rows that are predicted wrongly */
};

struct kith_immigrate_fit {
	struct kith_metric metric; /* the weights */
	size_t *column;            /* SELECTED: metric.p columns of X; else NULL: all */
	struct kith_immigrate_sigma sigma;
	struct kith_immigrate_result result, select; /* select: of im4e before the matrix */
};

/*
 * Fit weights to rows, in the pool.  SELECTED takes the features whose im4e weights exceed 1/p, of
 * these the SELECT_MAX largest.  Fails with EX_DATAERR where there is none.
 */
int kith_immigrate_fit(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_problem *problem, struct kith_immigrate_fit *fit,
    struct kith_pool *pool, struct kith_err *err);

/* Whether the weights of a fit to all features of the rows pass all checks. */
bool kith_immigrate_is_fixed(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_problem *problem, const struct kith_immigrate_fit *fit);

struct kith_immigrate_boost {
	size_t learners;               /* T */
	size_t max_iter;               /* iterations of a learner, at least 1 */
	double first, last;            /* sigma_t = first (last/first)^(t/T); 0, 0: from the rows */
	size_t kept, perfect, useless; /* counts of the result: e = 0; e >= 1 - 1/K */
	struct kith_immigrate_result select; /* SELECTED: of im4e */
};
enum { KITH_IMMIGRATE_LEARNER_ITERATIONS = 10 }; /* as in the paper */

/*
 * Boosted IMMIGRATE, algorithm 3 of the paper, for K classes.  Learner t minimises (3.14) with row
 * weights D in a few iterations, and predicts each row from the others; e is the weight of its
 * errors.  It is dropped where e = 0 or e >= 1 - 1/K, else it has the vote
 *
 *	alpha = (log((1 - e)/e) + log(K - 1)) / 2,
 *
 * and D becomes D exp(alpha) at its errors, normalised.  Where all learners are dropped, but some
 * for e = 0, the first of these is kept with alpha = log(2 n - 1)/2, as if it had half an error.
 * Fails with EX_DATAERR where no learner is kept.
 */
int kith_immigrate_boost(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_problem *problem, struct kith_immigrate_boost *boost,
    struct kith_weights *ensemble, struct kith_pool *pool, struct kith_err *err);

/* Starts. */

/* Divide n numbers by their Frobenius norm, a vector by its sum; -1 where all are 0. */
int kith_immigrate_normalise(size_t n, bool matrix, double *W);
void kith_immigrate_equal(size_t p, bool matrix, double *W);
/* Random numbers of stream `index`: the upper triangle row by row, mirrored; normalised. */
void kith_immigrate_random(uint64_t seed, uint64_t index, size_t p, bool matrix, double *W);

#endif
