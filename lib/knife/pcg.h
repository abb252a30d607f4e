/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/pcg - steps towards the machine where K is not held (knife/tiles.h), by
 * conjugate gradients with the preconditioner of knife/rank.h.
 */
#ifndef KITH_KNIFE_PCG_H
#define KITH_KNIFE_PCG_H

#include "knife/state.h"

/* Newton's equations of c machines, with the same second derivatives. */
struct kith_knife_pcg {
	size_t c;
	const double *g, *h; /* c columns of n: L'; n: L'' */
	const double *alpha; /* c columns of n */
	bool hold;           /* the intercept is as it is */
	double part;         /* of the residual g + 2 lambda1 alpha that may be left */
};

/*
 * The step d of alpha, its product with K (c columns of n each), and that of b (c),
 * with
 *
 *	g + 2 lambda1 (alpha + d) + h (K d + b) = 0
 *
 * and, unless the intercept is held, 1'(g + h (K d + b)) = 0.  False where the
 * preconditioner is singular.  Takes products with K, which state->products
 * counts, until what is left is that part, but a few hundred at most.
 */
bool kith_knife_pcg_step(struct kith_knife_state *state, const struct kith_knife_pcg *how,
    double *step, double *Kstep, double *b);

#endif
