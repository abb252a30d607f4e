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
 *
 * F is neither convex nor smooth.  Algorithm 1 finds a local minimum with an
 * active set of pairs tied with their target; Algorithm 2 follows it over
 * theta.  The formulas of the paper's supplement lack theta/n in places; those
 * here are derived again.  Where tied rows depend on each other a minimum may
 * not be reached, or not be provable: sqpfw/certify.h tells.
 *
 * How: equal rows of a class are one point with a multiplicity; pairs are
 * looked at only when w may have moved far enough for them to tie; the
 * equality-constrained problems are solved on an updated QR factor.  Of what
 * may leave the active set the largest multiplier goes first; with very many
 * features, the largest of some that are looked at (sqpfw/price.h).
 */
#ifndef KITH_SQPFW_SQPFW_H
#define KITH_SQPFW_SQPFW_H

#include "la/mat.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_pool;
struct kith_sqpfw;

/* Where a pair stands to its target; what a weight is. */
enum kith_sqpfw_state {
	KITH_SQPFW_NEARER = -1,
	KITH_SQPFW_TIED = 0,
	KITH_SQPFW_FARTHER = 1,
	KITH_SQPFW_ZERO = 2,
	KITH_SQPFW_POSITIVE = 3
};

/* One change of the active set, in the order in which they happen. */
struct kith_sqpfw_event {
	enum { KITH_SQPFW_HIT, KITH_SQPFW_MISS, KITH_SQPFW_WEIGHT } kind;
	size_t row;   /* i of the pair (its first copy), or the feature */
	size_t other; /* j of the pair (the first copy); weight: 0 */
	enum kith_sqpfw_state was, becomes;
	double theta;
};

typedef void kith_sqpfw_tell(void *to, const struct kith_sqpfw_event *event);

struct kith_sqpfw_how {
	size_t hits, misses;   /* kappa and lambda, >= 1 */
	const double *prior;   /* p, >= 0, of sum 1; NULL: uniform */
	size_t max_iter;       /* of one solve; 0: no limit */
	size_t threads;        /* of the first pass and of rescans */
	kith_sqpfw_tell *tell; /* called for each change, or NULL */
	void *to;              /* its first argument */
};

/*
 * Begin at w = prior, theta = 0, for the rows of X (n x p, finite, no feature
 * constant) of classes y (0..c-1).  X, y and *how must stay where they are.
 * Requires that each class has more than `hits` rows (copies count), and all
 * other classes together at least `misses`.
 * Time O(n^2 p), on how->threads threads; memory O(n p + n M), M about 16.
 */
struct kith_sqpfw *kith_sqpfw_new(const struct kith_mat *X, const size_t *y,
    size_t c, const struct kith_sqpfw_how *how, struct kith_pool *pool);

/*
 * Go to the weights w (p, not negative, of sum 1; NULL: the prior) at the same
 * theta, and forget the active set: pairs that are tied there become active
 * when they block a step.  What differs is told.  Time and memory as those of a
 * new solver.
 */
void kith_sqpfw_go(struct kith_sqpfw *s, const double *w);

/* Free what kith_sqpfw_go() made; before the pool. */
void kith_sqpfw_free(struct kith_sqpfw *s);

/*
 * Algorithm 1 at this theta (>= 0, finite) from where w is; the first call is
 * the cold start.  False when max_iter ended it, or where the active set went
 * on changing without a lower objective for so long that, its rows depending on
 * each other, it must be going in circles.
 */
bool kith_sqpfw_solve(struct kith_sqpfw *s, double theta);

/* What a step along the path came to. */
enum kith_sqpfw_step {
	KITH_SQPFW_BREAK, /* the next breakpoint; w may have jumped there */
	KITH_SQPFW_MOST,  /* theta has become `most` */
	KITH_SQPFW_END,   /* nothing changes for any larger theta of a double */
	KITH_SQPFW_LIMIT  /* a breakpoint whose solve was not done */
};

/*
 * Algorithm 2, from a solved w: go on to the next theta, at most `most` (may be
 * infinite), at which the active set changes, and solve there.  before (p)
 * receives w from below that theta, the limit before any jump.  Where rows that
 * depend on each other let nothing but changes at one theta happen, theta leaps
 * ahead a little, and w is solved for there.
 */
enum kith_sqpfw_step kith_sqpfw_next(
    struct kith_sqpfw *s, double most, double *before);

/* What is known at the current w; arrays live until the next call. */
struct kith_sqpfw_now {
	double theta;
	const double *w;  /* p; of sum 1, those at 0 exactly 0 */
	double objective; /* F(w), by the targets of the active set */
	size_t iterations, ties, positive; /* so far; tied pairs; |P| */
	bool done;    /* the last solve ended by its own rule, */
	bool limited; /* or by max_iter */
};

void kith_sqpfw_at(const struct kith_sqpfw *s, struct kith_sqpfw_now *out);

/*
 * A hint of sqpfw/targets.h, of a solver, for its w: the pairs of row i that it
 * follows, and how far all others are beyond.
 */
size_t kith_sqpfw_ask(
    const void *of, size_t i, bool miss, uint32_t *rows, double *margin);

#endif
