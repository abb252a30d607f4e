/*
 * certify - whether weights are a local minimum of the objective of sqpfw.h.
 *
 * Where every kink is convex - a tied group of hits has nearer + tied rows =
 * kappa, one of misses has nearer = lambda - 1 - the objective is locally
 * convex, and w is a minimum if and only if there are beta >= 0 that sum to
 * theta/n over each tied group of hits, gamma >= 0 likewise over the misses,
 * alpha >= 0 on the weights that are 0, and phi, with
 *
 *	w - prior + sum beta eps_hit - sum gamma eps_miss + phi 1 - alpha = 0
 *
 * where rows without ties have their target alone.  These are sought as a least
 * squares problem over the ties.  Where a kink is concave nothing is proved.
 */
#ifndef KITH_CERTIFY_H
#define KITH_CERTIFY_H

#include <stdbool.h>
#include <stddef.h>

struct kith_mat;
struct kith_ties;

struct kith_certify_how {
	size_t hits, misses; /* kappa, lambda */
	const double *prior; /* p; NULL: uniform */
	double theta;
};

struct kith_certificate {
	size_t ties;     /* tied pairs, the targets left out */
	size_t concave;  /* groups with a concave kink */
	double residual; /* largest modulus left of the sum above */
	double limit;    /* 1e-8 max(1, theta |gradient of the mean margin|) */
	bool certified;  /* no concave kink, and residual <= limit */
};

/* Time O(n p), and that of a least squares problem in the tied pairs. */
void kith_certify(const struct kith_mat *X, const struct kith_ties *ties,
    const double *w, const struct kith_certify_how *how,
    struct kith_certificate *out);

#endif
