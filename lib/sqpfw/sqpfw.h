/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/sqpfw - feature weights whose target neighbours are those of the
 * weighted distance itself (Takeuchi and Sugiyama, 2011).
 *
 *	min F(w) = theta/n sum_i (d_i - e_i) + 1/2 |w - prior|^2   eq. (2)
 *	subject to w >= 0, 1'w = 1
 *
 * where d_i is the kappa-th smallest d(x_i, x_j|w) = sum_f w_f (x_if - x_jf)^2
 * over the rows j of the class of i, i left out, and e_i the lambda-th smallest
 * over the rows of all other classes: the target hit and the target miss of i.
 * Where rows have weights, d_i - e_i is multiplied by that of row i; as a
 * neighbour of others each row counts once.
 *
 * F is neither convex nor smooth.  Algorithm 1 finds a local minimum with an
 * active set of pairs tied with their target; Algorithm 2 follows it over
 * theta.  The formulas of the paper's supplement lack theta/n in places; those
 * here are derived again.  Where tied rows depend on each other a minimum may
 * not be reached, or not be provable: sqpfw/certify.h tells.
 *
 * How: equal rows of a class are one point with a multiplicity
 * (sqpfw/points.h); pairs are evaluated only when w may have moved far enough
 * for them to tie (sqpfw/queue.h, sqpfw/scale.h), those that are far not at all
 * until w has left the radius of a list of candidates (sqpfw/candidates.h); the
 * equality-constrained problems are solved on an updated QR factor
 * (sqpfw/eqp.h, sqpfw/qr.h).  Of what may leave the active set the largest
 * multiplier goes first (sqpfw/release.h); with very many features, the largest
 * of some that are priced (sqpfw/eqp.h).  Algorithm 1 is told in
 * sqpfw/solve.c, Algorithm 2 in sqpfw/path.c.
 */
#ifndef KITH_SQPFW_SQPFW_H
#define KITH_SQPFW_SQPFW_H

#include "la/mat.h"
#include "sqpfw/problem.h"

struct kith_sqpfw;

/*
 * Begin at w = prior, theta = 0, for the rows of X (n x p, finite, no feature
 * constant) of classes y (0..c-1).  X, y and *how must stay where they are.
 * Requires that each class has more than `hits` rows (copies count), and all
 * other classes together at least `misses`.
 * Time O(n^2 p), on how->threads threads; memory O(n p + n M), M about 16.
 */
struct kith_sqpfw *kith_sqpfw_new(const struct kith_mat *X, const size_t *y, size_t c,
    const struct kith_sqpfw_how *how, struct kith_pool *pool);

/*
 * Restart at the weights w (p, not negative, of sum 1; NULL: the prior) and the
 * same theta, with a new active set: pairs that are tied there become active
 * when they block a step.  The differences to the old active set are reported.
 * Time and memory as those of a new solver.
 */
void kith_sqpfw_restart(struct kith_sqpfw *s, const double *w);

/* Free what kith_sqpfw_restart() made; before the pool. */
void kith_sqpfw_free(struct kith_sqpfw *s);

/*
 * Algorithm 1 at this theta (>= 0, finite) from where w is; the first call is
 * the cold start.  False when max_iter ended it, or where the active set went
 * on changing without a lower objective for so long that, its rows depending on
 * each other, it must be going in circles.
 */
bool kith_sqpfw_solve(struct kith_sqpfw *s, double theta);

/* The present solution; arrays live until the next call. */
struct kith_sqpfw_now {
	double theta;
	const double *w;         /* p; of sum 1, those at 0 exactly 0 */
	double objective;        /* F(w), by the targets of the active set */
	size_t iterations, ties; /* so far; tied pairs */
	size_t positive;         /* weights above 0 */
	bool done;               /* the last solve ended by its own rule, */
	bool limited;            /* or by max_iter */
};

void kith_sqpfw_at(const struct kith_sqpfw *s, struct kith_sqpfw_now *out);

#endif
