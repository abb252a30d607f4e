/*
 * check_sqpfw - whether weights are a local minimum of the objective of
 * sqpfw.h, from the rows and the weights alone: targets and what is tied with
 * them are found by comparing all rows, and nothing of the solver is used.
 *
 *	simplex    |sum w - 1|
 *	concave    targets with a concave kink (certify.h), if theta > 0
 *	residual   what is left of the condition of a minimum (certify.h)
 */
#ifndef KITH_CHECK_SQPFW_H
#define KITH_CHECK_SQPFW_H

#include "certify.h"
#include "check.h"

#include <stddef.h>

struct kith_mat;
struct kith_pool;
struct kith_ties;

enum { KITH_CHECK_SQPFW = 3 };

/*
 * Check the weights w (p, not negative) of rows X (n x p) of classes y into
 * out.  Limits are 1e-12, 0, and that of certify.h.
 * Requires that each class has more than how->hits rows, and all other classes
 * together at least how->misses.  Time O(n^2 p) on `threads` threads, and that
 * of certify.h.
 */
void kith_check_sqpfw(const struct kith_mat *X, const size_t *y,
    const double *w, const struct kith_certify_how *how, size_t threads,
    struct kith_check out[KITH_CHECK_SQPFW]);

/* The targets and ties under w of all rows, in the pool; each row is one. */
void kith_check_sqpfw_ties(const struct kith_mat *X, const size_t *y,
    const double *w, const struct kith_certify_how *how, size_t threads,
    struct kith_ties *ties, struct kith_pool *pool);

#endif
