/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/alternate - Algorithm 1 of knife/knife.h, the iteration of the paper.
 */
#ifndef KITH_KNIFE_ALTERNATE_H
#define KITH_KNIFE_ALTERNATE_H

struct kith_err;
struct kith_knife_fit;
struct kith_knife_how;
struct kith_knife_state;

/*
 * From w (p) on: alpha is that of w (step 2); the next w minimises f with K
 * alpha linear in w (step 3), the intercept as it is.  Where f(alpha, w) rises
 * so, the step is halved until it falls (Armijo; the difference of both w is a
 * direction of descent).  w receives the last point, the state its machine.
 * Memory beside the state's: c + 1 times n p doubles.
 */
int kith_knife_alternate(struct kith_knife_state *state, const struct kith_knife_how *how,
    double *w, struct kith_knife_fit *fit, struct kith_err *err);

#endif
