/*
 * certify - whether weights are a local minimum of the objective of sqpfw.h.
 *
 * Pairs of a row whose squared differences are equal, but for rounding, are
 * tied for every w: they are one, with a multiplicity.  Of what is tied at a
 * target, call S the pairs without which the target would change sides: without
 * one of S fewer than kappa rows are as near as a target hit, or fewer than
 * lambda rows nearer than a target miss would do.  Where S alone decides - for
 * multiplicities of 1: nearer + tied rows = kappa for hits, nearer = lambda - 1
 * for misses - the distance of the target is the largest (misses: the smallest)
 * of those of S, and the kink is convex in the objective; a single pair in S is
 * no kink at all.
 *
 * Where every kink is convex, so is the objective near w, and w is a minimum if
 * and only if there are beta >= 0 that sum to theta/n over the S of each tied
 * hit, gamma >= 0 likewise over the misses, alpha >= 0 on the weights that are
 * 0, and phi, with
 *
 *	w - prior + sum beta eps_hit - sum gamma eps_miss + phi 1 - alpha = 0
 *
 * where rows without ties have their target alone.  These are sought as a least
 * squares problem over the ties (qp_hull.h).  Where a kink is concave nothing
 * is proved; its shares are then those of all pairs that are tied.
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
	size_t ties;     /* tied pairs that differ, the targets left out */
	size_t concave;  /* targets with a concave kink */
	double residual; /* largest modulus left of the sum above; may be NaN */
	double limit;    /* 1e-8 max(1, theta |g|), g the gradient of the mean
			    margin at the targets, |g| its largest modulus */
	bool certified;  /* no concave kink but at theta 0, where none counts,
			    and residual <= limit */
};

/*
 * Judge the weights w (p, not negative) of rows X (n x p), the targets and ties
 * being those given.  The residual is that of the multipliers that were found,
 * so it never says too little.  Where squares of the data leave the range of a
 * double it is NaN, and w is not certified.
 * Time O(n p), and that of a least squares problem in the tied pairs; memory p
 * times those.
 */
void kith_certify(const struct kith_mat *X, const struct kith_ties *ties,
    const double *w, const struct kith_certify_how *how,
    struct kith_certificate *out);

#endif
