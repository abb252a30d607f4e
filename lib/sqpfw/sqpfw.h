/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/sqpfw - feature weights for nearest neighbours by SQP-FW (Takeuchi and
 * Sugiyama, 2011).  Over the simplex w >= 0, 1'w = 1 it minimises locally
 *
 *	F(w) = theta/n sum_i (d_i - e_i) + 1/2 |w - prior|^2            eq. (2)
 *
 * d_i is the kappa-th smallest distance d(x_i, x_j|w) = sum_f w_f (x_if - x_jf)^2
 * over the other rows j of the class of row i (its target hit), and e_i the
 * lambda-th smallest over the rows of all other classes (its target miss).
 * Algorithm 1 (one theta) and Algorithm 2 (the path over theta) are described in
 * solve.c, the proof that weights are a minimum in check.h.
 */
#ifndef KITH_SQPFW_SQPFW_H
#define KITH_SQPFW_SQPFW_H

#include <stdbool.h>
#include <stddef.h>

struct kith_mat;
struct kith_pool;
struct kith_sqpfw_judge;
struct kith_sqpfw_verdict;

/* The state of a pair of rows relative to its target, or of a weight. */
enum kith_sqpfw_state {
	KITH_SQPFW_NEARER = -1,
	KITH_SQPFW_TIED = 0,
	KITH_SQPFW_FARTHER = 1,
	KITH_SQPFW_ZERO = 2,
	KITH_SQPFW_POSITIVE = 3
};

/* A change of the active set. */
struct kith_sqpfw_event {
	enum { KITH_SQPFW_HIT, KITH_SQPFW_MISS, KITH_SQPFW_WEIGHT } kind;
	size_t row;   /* i of the pair, or the number of the feature */
	size_t other; /* j of the pair; 0 for a weight */
	enum kith_sqpfw_state was, becomes;
	double theta;
};

typedef void kith_sqpfw_report(void *to, const struct kith_sqpfw_event *event);

struct kith_sqpfw_how {
	size_t hits, misses;       /* kappa and lambda, >= 1 */
	const double *prior;       /* p, >= 0, of sum 1; NULL: uniform */
	const double *weight;      /* n, >= 0, of mean 1: weights of the rows' terms; or NULL */
	size_t max_iter;           /* iterations of one solve; 0: no limit */
	size_t threads;            /* of passes over all pairs of rows */
	kith_sqpfw_report *report; /* called for each change of the active set, or NULL */
	void *report_to;           /* first argument of report */
};

struct kith_sqpfw;

/*
 * A solver at w = prior, theta = 0, for rows X (n x p, finite, no feature
 * constant) of classes y (0..c-1).  X, y and *how must outlive the solver.  Each
 * class must have more than `hits` rows, and `misses` rows must lie outside of it.
 * Time O(n^2 p), memory O(n p).
 */
struct kith_sqpfw *kith_sqpfw_new(const struct kith_mat *X, const size_t *y, size_t c,
    const struct kith_sqpfw_how *how, struct kith_pool *pool);

/* Restarts at weights w (p, >= 0, of sum 1; NULL: the prior); theta stays. */
void kith_sqpfw_restart(struct kith_sqpfw *s, const double *w);

/* Restarts at a minimum of F with smoothed targets (smooth.c); false: there is none. */
bool kith_sqpfw_smooth(struct kith_sqpfw *s, double theta);

/* Frees what kith_sqpfw_restart() allocated; to be called before the pool is freed. */
void kith_sqpfw_free(struct kith_sqpfw *s);

/*
 * Algorithm 1 at theta (>= 0, finite) from the present w.  False when max_iter
 * ended it, or when the active set cycles because tied rows are dependent.
 */
bool kith_sqpfw_solve(struct kith_sqpfw *s, double theta);

/* What ended a step along the path. */
enum kith_sqpfw_step {
	KITH_SQPFW_BREAKPOINT, /* the active set changed; w may have jumped */
	KITH_SQPFW_THETA_MAX,  /* theta reached theta_max */
	KITH_SQPFW_END,        /* no larger theta changes w */
	KITH_SQPFW_LIMIT       /* the solve at the breakpoint was not finished */
};

/*
 * Algorithm 2: follows the minimum to the next breakpoint of theta, at most to
 * theta_max, and solves there.  before (p) receives the limit of w from below.
 */
enum kith_sqpfw_step kith_sqpfw_next(struct kith_sqpfw *s, double theta_max, double *before);

/*
 * Judges the present weights (check.h).  If they are no minimum, descends along the
 * direction that the judgement returns, restarts and solves again, until they are
 * certified, F falls no more, or 40 rounds are over.
 */
void kith_sqpfw_minimum(
    struct kith_sqpfw *s, struct kith_sqpfw_judge *of, struct kith_sqpfw_verdict *out);

/* The solver's share of the multiplier of pair (i, j) in its target's; NAN: not known. */
double kith_sqpfw_share(const void *solver, size_t i, bool miss, size_t j);

/* The present solution; w lives until the next call. */
struct kith_sqpfw_now {
	double theta;
	const double *w;         /* p, of sum 1; weights at 0 are exactly 0 */
	double objective;        /* F(w) by the targets of the active set */
	size_t iterations, ties; /* iterations so far; tied pairs beside the targets */
	size_t positive;         /* weights above 0 */
	bool limited;            /* max_iter ended the last solve */
};

void kith_sqpfw_at(const struct kith_sqpfw *s, struct kith_sqpfw_now *out);

#endif
